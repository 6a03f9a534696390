"""Interprocedural path conditions: the ways in which the methods and functions that a function calls are run.

A calling context (an activation) is a call with the conditions on its path and its arguments; what a callee says of its
parameters and of `self` is translated into the expressions of the function at the root. Calls of the object's own
methods, of functions of the same file and of nested functions are followed; other calls are not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.no_return import conditions_in
from auditor.code.flow.program_points import Condition, ProgramPoint, Round
from auditor.code.program.callees import called_function, positional_parameters
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term
from auditor.code.values.algebra import substitute

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition

_MOST = 200  # activations that are looked at from one function


@dataclass(frozen=True)
class Activation:
    """One way in which a function is run: from the root by these calls."""

    function: "Definition"
    conditions: tuple[Condition, ...] = ()
    """On the way to the call, in expressions of the root."""
    arguments: Mapping[str, Term] | None = None
    """What parameters, and attributes that callers had assigned, are in expressions of the root; None: the root."""
    is_repeated: bool = False
    loops: tuple[Round, ...] = ()
    """The `for` loops around the calls."""
    calls: tuple[Term, ...] = ()
    """The calls that lead here, the outermost first."""

    def point(self, term: Term) -> ProgramPoint | None:
        """A term's program point, translated; None when it is never reached. Raises Undecidable."""
        point = conditions_in(self.function, body_of(self.function)).point(term)
        return self.translated(point) if point is not None else None

    def points(self, *types: str) -> Iterator[ProgramPoint]:
        """The reachable statements of some types, translated."""
        for point in conditions_in(self.function, body_of(self.function)).points(*types):
            yield self.translated(point)

    def translated(self, point: ProgramPoint) -> ProgramPoint:
        """A program point of the function in expressions of the root."""
        if self.arguments is None:
            return point
        values = {local: self.term(value) for local, value in point.values.items()}
        conditions = tuple(
            replace(one, test=self.term(one.test), values={key: self.term(value) for key, value in one.values.items()})
            for one in point.conditions
        )
        known = {**self.arguments, **values}
        is_repeated = self.is_repeated or point.is_repeated
        loops = (*self.loops, *(replace(one, iterable=self.term(one.iterable)) for one in point.loops))
        return ProgramPoint(point.statement, (*self.conditions, *conditions), known, is_repeated, loops)

    def term(self, term: Term) -> Term:
        """An expression of the function, its locals inlined, as one of the root."""
        if self.arguments is None:
            return term
        own = {inner.text("id") for inner in term.walk() if inner.type == "Name" and "′" in inner.text("id")}
        fresh = {one: name(f"{one}″{self.function.name}{len(self.calls)}") for one in own}
        return substitute(term, {**self.arguments, **fresh})


def body_of(definition: "Definition") -> Term:
    """A definition as a term with a body: a function, a class, or the statements of a file."""
    return definition.term if definition.symbol else _module(definition.terms)


@lru_cache(maxsize=64)
def _module(statements: tuple[Term, ...]) -> Term:
    return Term("Module", {"body": statements})


def roots(definition: "Definition") -> "Iterator[Definition]":
    """A definition and, of a class or a file, the functions in it: each may be entered from elsewhere."""
    yield definition
    if definition.symbol is not None and definition.term.type != "ClassDef":
        return
    inside = f"{definition.name}." if definition.symbol else ""
    for symbol in definition.codebase.index(definition.path).symbols:
        if symbol.type == "function" and symbol.name.startswith(inside):
            yield from definition.codebase.definitions(definition.path, symbol.name)


def activations(root: "Definition", depth: int) -> Iterator[Activation]:
    """The root itself, and each way in which what it calls is run, `depth` calls deep. Raises Undecidable."""
    pending = [Activation(root)]
    for _ in range(_MOST):
        if not pending:
            return
        current = pending.pop(0)
        yield current
        if len(current.calls) < depth:
            pending += _called(current)


def _called(caller: Activation) -> Iterator[Activation]:
    for call in caller.function.code.by_type.get("Call", ()):
        callee = called_function(call, caller.function)
        if callee is None or callee.term.type != "FunctionDef" or callee == caller.function:
            continue
        try:
            point = caller.point(call)
        except Undecidable:
            continue  # in a decorator or a default
        if point is not None:
            arguments = _arguments(callee, call, point)
            calls = (*caller.calls, call)
            yield Activation(callee, point.conditions, arguments, point.is_repeated, point.loops, calls)


def _arguments(callee: "Definition", call: Term, point: ProgramPoint) -> Mapping[str, Term]:
    """What the parameters are, and the attributes of the object that the caller has assigned."""
    params = callee.term.terms("params")
    positional = positional_parameters(callee)
    given: dict[str, Term] = {}
    for one in params:
        if isinstance(default := one.parts["default"], Term):
            given[one.text("name")] = default
    args, keywords = call.terms("args"), call.terms("keywords")
    if any(arg.type == "Starred" for arg in args):
        args = ()
        given = {}
    if any(keyword.text("name") == "**" for keyword in keywords):
        given = {}
    given |= {local: substitute(arg, point.values) for local, arg in zip(positional, args, strict=False)}
    named = {one.text("name") for one in params if one.parts["kind"] in ("positional", "keyword")}
    given |= {
        local: substitute(keyword.term("value"), point.values)
        for keyword in keywords
        if (local := keyword.text("name")) in named
    }
    known = {chain: value for chain, value in point.values.items() if chain.startswith(("self.", "cls."))}
    unknown = {one.text("name"): name(f"{one.text('name')}′{callee.name}") for one in params}
    own: dict[str, Term] = {one: name(one) for one in ("self", "cls") if one in unknown}
    return {**unknown, **own, **known, **given}
