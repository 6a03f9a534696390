"""Exceptions as code raises them: of which class, built-in ancestors included, and with which message."""

import builtins
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.code.flow.activations import Activation
from auditor.code.flow.program_points import Condition, ProgramPoint
from auditor.code.flow.string_values import GAP, StringValue, string_values
from auditor.code.program.class_hierarchy import Ancestry, Hierarchy
from auditor.code.project.names import referents
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.algebra import substitute

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


@dataclass(frozen=True, slots=True)
class Raised:
    """One message that a `raise` or `assert` statement can give its exception."""

    text: str
    type: str
    """The class as it is written; `""` where it cannot be told."""
    ancestry: Ancestry
    point: ProgramPoint
    statement: Term
    handler: Term | None = None
    """A handler of the same function that catches it."""


def raised(activation: Activation) -> Iterator[Raised]:
    """The exceptions that a function raises itself, in source order; one that is only raised again is none."""
    for point in activation.points("Raise", "Assert"):
        statement = point.statement
        if statement.type == "Assert":
            message = statement.parts.get("msg")
            test = negation(activation.term(statement.term("test")))
            failing = replace(point, conditions=(*point.conditions, Condition(test, test, {})))
            values = string_values(_value(message, point, activation)) if isinstance(message, Term) else (_EMPTY,)
            yield from _raised("AssertionError", values, failing, activation)
        elif isinstance(exception := statement.parts.get("exc"), Term):
            for value, conditions in _alternatives(_value(exception, point, activation)):
                tests = tuple(Condition(one, one, {}) for one in conditions)
                inside = replace(point, conditions=(*point.conditions, *tests))
                name, values = _class_and_texts(value, activation.function)
                yield from _raised(name, values, inside, activation)


_EMPTY = StringValue("")


def _value(term: Term, point: ProgramPoint, activation: Activation) -> Term:
    return activation.term(substitute(term, point.values))


def _raised(
    name: str, values: tuple[StringValue, ...], point: ProgramPoint, activation: Activation
) -> Iterator[Raised]:
    function = activation.function
    ancestry = Hierarchy(function.codebase, ()).ancestry(name, function.path) if name else Ancestry(frozenset(), False)
    handler = _handler(point.statement, ancestry, function)
    for value in values:
        tests = tuple(Condition(one, one, {}) for one in value.conditions)
        inside = replace(point, conditions=(*point.conditions, *tests))
        yield Raised(value.text, name, ancestry, inside, point.statement, handler)


def _alternatives(term: Term) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    if term.type == "IfExp":
        test = term.term("test")
        for branch, guard in (("body", test), ("orelse", negation(test))):
            yield from ((value, (guard, *more)) for value, more in _alternatives(term.term(branch)))
    else:
        yield term, ()


def _class_and_texts(exception: Term, function: "Definition") -> tuple[str, tuple[StringValue, ...]]:
    """The class of an exception that is raised, and what it says."""
    unknown = (StringValue(GAP),)
    name = dotted(exception.term("func") if exception.type == "Call" else exception) or ""
    if not name or "′" in name or name.startswith("self."):
        return "", unknown
    targets = referents(function.codebase, name, function.path)
    if any(one.type not in ("class", "outside") for one in targets):
        return "", unknown  # a function that makes it, or a value
    if exception.type != "Call" and not targets and not hasattr(builtins, name):
        return "", unknown  # an exception that is handed in
    args = exception.terms("args") if exception.type == "Call" else ()
    made = [one for one in targets if one.type == "class"]
    if made:
        (first, *_) = Hierarchy(function.codebase, ()).classes(name, function.path)
        hierarchy = Hierarchy(function.codebase, ())
        if hierarchy.inherited(first, "__str__"):
            return name, unknown
        if constructors := hierarchy.inherited(first, "__init__"):
            return name, _by_constructor(constructors, exception)
    if any(arg.type == "Starred" for arg in args) or len(args) > 1:
        return name, unknown if len(args) != 1 and not made else string_values(args[0])
    return name, string_values(args[0]) if args else (_EMPTY,)


def _by_constructor(constructors: "tuple[Definition, ...]", exception: Term) -> tuple[StringValue, ...]:
    """What a constructor of the code base hands on to the built-in one: `super().__init__(text)`."""
    unknown = (StringValue(GAP),)
    if len(constructors) != 1 or exception.type != "Call":
        return unknown
    (constructor,) = constructors
    params = [one.text("name") for one in constructor.term.terms("params") if one.parts["kind"] == "positional"][1:]
    args = exception.terms("args")
    if any(arg.type == "Starred" for arg in args):
        return unknown
    known = {one.text("name"): one.parts["default"] for one in constructor.term.terms("params")}
    values = {local: value for local, value in known.items() if isinstance(value, Term)}
    values |= dict(zip(params, args, strict=False))
    values |= {keyword.text("name"): keyword.term("value") for keyword in exception.terms("keywords")}
    handed = [
        call.terms("args")
        for call in constructor.code.by_type.get("Call", ())
        if call.term("func").parts.get("attr") == "__init__"
    ]
    if len(handed) != 1 or len(handed[0]) != 1:
        return unknown
    return string_values(substitute(handed[0][0], values))


def _handler(statement: Term, ancestry: Ancestry, function: "Definition") -> Term | None:
    """The handler around a statement that catches what it raises."""
    attempts: list[Term] = [one for type_ in ("Try", "TryStar") for one in function.code.by_type.get(type_, ())]
    for attempt in attempts:
        inside = any(inner is statement for one in attempt.terms("body") for inner in one.walk())
        for handler in attempt.terms("handlers") if inside else ():
            caught = handler.parts["type"]
            types = caught.terms("elements") if isinstance(caught, Term) and caught.type == "Tuple" else (caught,)
            names = {(dotted(one) or "").rpartition(".")[2] for one in types if isinstance(one, Term)}
            if caught is None or names & {*ancestry.names, "BaseException"}:
                return handler
    return None
