"""The values that a function gives, each with all that is asked on the way to it."""

from collections.abc import Iterator
from dataclasses import replace

from auditor.code.flow.entailment import Reading, is_same
from auditor.code.flow.path_conditions import PathConditions
from auditor.code.flow.program_points import Condition, Exit
from auditor.code.flow.symbolic_values import SymbolicValue, cases
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import has_metavariables, unify
from auditor.code.phrases import under_condition
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term, dotted, encode
from auditor.code.syntax.unparse import unparse
from auditor.code.values.counterexample import counterexample
from auditor.model import Text


def return_values(flow: PathConditions, wanted: Term) -> Iterator[Exit]:
    """The ways out of a function with a value; conditional expressions, and conditions as values, are taken apart."""
    for found in flow.exits:
        value = found.value
        if wanted.parts.get("id") in ("True", "False") and value.type in _LOGICAL:
            value = Term("IfExp", {"test": value, "body": name("True"), "orelse": name("False")}, value.region)
        for case in cases(SymbolicValue(value, (), (), found.point.statement)):
            conditions = tuple(Condition(guard, guard, {}) for guard in case.guards)
            point = replace(found.point, conditions=(*found.point.conditions, *conditions))
            is_whole = case.value is found.value
            yield Exit(case.value, found.source if is_whole else case.value, point)


_LOGICAL = ("Comparison", "BooleanOperation", "UnaryOperation")


def is_instance(found: Exit, wanted: Pattern, reading: Reading) -> bool:
    """Whether a value is the one that a claim states."""
    term = wanted.terms[0].term("value")
    if has_metavariables(term):
        return any(
            bound is not None for value in (found.source, found.value) for bound in unify(term, value, {}, wanted)
        )
    return is_same(found.value, term, found.point.values, reading)


def is_different(found: Exit, wanted: Pattern, reading: Reading) -> bool:
    """Whether a value, which is no instance of the one that a claim states, is certainly another one."""
    term = wanted.terms[0].term("value")
    if has_metavariables(term) or is_other(found.value, term):
        return True
    if is_constant(term) and _is_nested_function(found.source, reading):
        return True
    conditions = [reading.term(one.test, _DEPTH) for one in found.point.conditions]
    value, stated = reading.term(found.value, _DEPTH), reading.of_claim(term, _DEPTH)
    return counterexample(value, stated, conditions) is not None


def _is_nested_function(term: Term, reading: Reading) -> bool:
    functions = (one for one in reading.around.term.walk() if one.type == "FunctionDef")
    return term.type == "Name" and any(one.parts["name"] == term.parts["id"] for one in functions)


_DEPTH = 2


def is_other(value: Term, wanted: Term) -> bool:
    """Whether a value, which is not written like the wanted one, is certainly another."""
    if value.type == wanted.type == "Tuple":
        pairs = tuple(zip(value.terms("elements"), wanted.terms("elements"), strict=False))
        if any(item.type == "Starred" for pair in pairs for item in pair):
            return False
        is_longer = len(value.terms("elements")) != len(wanted.terms("elements"))
        return is_longer or any(
            is_constant(one) and is_constant(two) and encode(one) != encode(two) for one, two in pairs
        )
    return is_constant(value)


def is_constant(term: Term) -> bool:
    """Whether two such expressions that are written differently are different."""
    last = (dotted(term) or "").rpartition(".")[2]
    return term.type == "Literal" or last in ("None", "True", "False") or last.isupper()


def described(found: Exit) -> Text:
    """A value and its conditions, for people."""
    conditions = " and ".join(
        dict.fromkeys(unparse(one.source, 3) for one in found.point.conditions if not one.is_failure)
    )
    return under_condition(unparse(found.source), conditions)
