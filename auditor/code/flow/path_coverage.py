"""Path coverage: whether every path to a program point passes one of others, by their path conditions.

The must-analysis joins paths and so forgets which conditions go together: in `if x: a()`, `if x: b()` it finds a path
to `b()` around `a()` that no run takes. Here the path condition of the point must imply the disjunction of those of the
others. One in a loop that may have no round, or in a `try` that may be left, covers nothing.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.entailment import Reading
from auditor.code.flow.no_return import conditions_in
from auditor.code.flow.program_points import ProgramPoint, every
from auditor.code.flow.pure_calls import is_pure
from auditor.code.flow.refutation import is_refuted
from auditor.code.flow.symbolic_execution import rebound_by_closures
from auditor.code.syntax.normal_forms import boolean, negation
from auditor.code.syntax.targets import local_names
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.constants import scope_of
from auditor.code.values.emptiness import has_items
from auditor.code.values.logic import are_satisfiable

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


class Coverage(Enum):
    """Whether every path to a point passes one of others."""

    PROVEN = "proven"
    REFUTED = "refuted"
    """There are values at which a path leads around them."""
    UNSTABLE = "unstable"
    """It does if what is tested twice comes out the same, which a call in between may change."""
    UNKNOWN = "unknown"


def coverage(point: Term, others: Sequence[Term], around: "Definition", *, is_after: bool = False) -> Coverage:
    """Whether every path through a term of a function passes one of the others before it, or else after it."""
    paths = conditions_in(around)
    ways = {id(one): way for one, way in _ways(around.function)}
    covering = [one for one in others if _is_passed(ways[id(one)], ways[id(point)], around, is_after=is_after)]
    try:
        there = paths.point(point)
        passed = [at for one in covering if (at := paths.point(one)) is not None]
    except Undecidable:
        return Coverage.UNKNOWN
    if there is None or not passed:
        return Coverage.REFUTED
    reading = Reading(around)
    given = [reading.term(one.test) for one in there.conditions]
    disjuncts = [  # where the function fails after the point, nothing is passed after it
        every([reading.term(one.test) for one in at.conditions if not (is_after and one.is_failure)]) for at in passed
    ]
    try:
        if not are_satisfiable([*given, *map(negation, disjuncts)]):
            anew = _tested_anew(there, passed)
            return Coverage.PROVEN if all(_is_stable(one, around.function) for one in anew) else Coverage.UNSTABLE
        if any(_depends_on_round(at, there) for at in passed):
            return Coverage.UNKNOWN
        wanted = boolean("or", disjuncts, None) if len(disjuncts) > 1 else disjuncts[0]
        return Coverage.REFUTED if is_refuted([wanted], given) else Coverage.UNKNOWN
    except Undecidable:
        return Coverage.UNKNOWN


def _tested_anew(there: ProgramPoint, passed: Sequence[ProgramPoint]) -> list[Term]:
    """The tests on the ways to several points, but for those that are on all of them, where they are asked once."""
    ways = [{id(one.source): one.test for one in point.conditions} for point in (there, *passed)]
    common = set.intersection(*map(set, ways))
    return [test for way in ways for key, test in way.items() if key not in common]


def _depends_on_round(passed: ProgramPoint, there: ProgramPoint) -> bool:
    """Whether it is of a loop's variable that a condition asks, so that some round may meet it."""
    names = {name for one in passed.loops if one not in there.loops for name in one.names}
    asked = (inner.text("id") for one in passed.conditions for inner in one.test.walk() if inner.type == "Name")
    return any(name.partition("′")[0] in names for name in asked)


_Way = tuple[tuple[Term, str], ...]
"""The terms around a term, the outermost first, each with the part in which it stands."""


def _ways(function: Term) -> Iterator[tuple[Term, _Way]]:
    pending: list[tuple[Term, _Way]] = [(function, ())]
    while pending:
        term, way = pending.pop()
        yield term, way
        for part, value in term.parts.items():
            inner = value if isinstance(value, tuple) else (value,)
            pending += [(one, (*way, (term, part))) for one in inner if isinstance(one, Term)]


def _is_passed(other: _Way, point: _Way, around: "Definition", *, is_after: bool) -> bool:
    """Whether control that comes to the point passes the other, if the conditions on the way to it hold."""
    common = 0
    for one, two in zip(other, point, strict=False):
        if one[0] is not two[0] or one[1] != two[1]:
            break
        common += 1
    own, there = ((*way, (way[-1][0], ""))[common:] for way in (other, point))
    lines = _line(own), _line(there)
    earlier, later = reversed(lines) if is_after else lines
    if earlier is None or later is None or earlier >= later:
        return False
    if own[0][0] is there[0][0] and own[0][0].type in _TRIES:  # in different parts of one `try`
        is_sequence = own[0][1] == "finalbody" or (own[0][1], there[0][1]) == ("body", "orelse")
        return is_sequence and not any(_may_be_left(term, part, around) for term, part in own[1:])
    return not any(_may_be_left(term, part, around) for term, part in own)


_TRIES = ("Try", "TryStar")


def _line(way: _Way) -> int | None:
    regions = [term.region for term, _ in way if term.region is not None]
    return regions[-1].start if regions else None


def _may_be_left(term: Term, part: str, around: "Definition") -> bool:
    """Whether what stands in a part of a statement or expression may be skipped without a condition that tells so."""
    match term.type:
        case "While":
            return True
        case "For":
            return part != "body" or not has_items(term.term("iter"), scope_of(around))
        case _ if term.type in _TRIES:
            return bool(term.terms("handlers")) and part != "finalbody"
        case "With":
            return part == "body" and any(
                "suppress" in (dotted(call.term("func")) or "")
                for item in term.terms("items")
                if (call := item.term("item")).type == "Call"
            )
        case _:
            return term.type in ("ListComp", "SetComp", "DictComp", "GeneratorExp", "Lambda", "FunctionDef", "ClassDef")


def _is_stable(test: Term, function: Term) -> bool:
    """Whether a test comes out the same wherever it is asked in a run of the function, whatever is called."""
    locals_, rebound = local_names(function), rebound_by_closures(function)
    classes = {id(inner) for call in test.walk() if _is_type_test(call) for inner in call.terms("args")[1].walk()}
    for term in test.walk():
        if id(term) in classes:
            continue
        if term.type in ("Attribute", "Subscript", "Await") or (term.type == "Call" and not is_pure(term)):
            return False
        if term.type == "Name":
            own = term.text("id").partition("′")[0]
            if own in ("True", "False", "None") or own in _PURE_NAMES:
                continue
            if own not in locals_ or own in rebound or _may_be_mutated(own, function):
                return False
    return True


def _is_type_test(call: Term) -> bool:
    return call.type == "Call" and dotted(call.term("func")) == "isinstance" and len(call.terms("args")) == 2


_PURE_NAMES = ("len", "isinstance", "bool", "int", "float", "str", "min", "max", "abs", "any", "all")


def _may_be_mutated(local: str, function: Term) -> bool:
    """Whether the object of a local may be changed in place: by a call, a method, an item, or under another name."""

    def is_local(term: object) -> bool:
        inner = term.term("value") if isinstance(term, Term) and term.type == "Starred" else term
        return isinstance(inner, Term) and inner.type == "Name" and inner.parts["id"] == local

    for term in function.walk():
        match term.type:
            case "Attribute" | "Subscript" | "Assign" | "NamedExpr" if is_local(term.parts.get("value")):
                return True
            case "AugAssign" if is_local(term.parts["target"]):
                return True
            case "Call" if not is_pure(term):
                given = (*term.terms("args"), *(one.term("value") for one in term.terms("keywords")))
                if any(map(is_local, given)):
                    return True
            case _:
                pass
    return False
