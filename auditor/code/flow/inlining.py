"""Expressions with the class's own properties and methods in place of their calls."""

import builtins
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.symbolic_execution import returned
from auditor.code.program.self_calls import member
from auditor.code.syntax.blocks import walk_scope
from auditor.code.syntax.targets import own_names
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.algebra import substitute

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


@dataclass(frozen=True, slots=True)
class _Method:
    params: tuple[str, ...]
    value: Term


def inlined(term: Term, around: "Definition", depth: int) -> Term:
    """The expression with the class's own properties and methods in place of `self.x` and `self.f(...)`.

    Only what computes one value whatever happens is put in, `depth` times.
    """
    for _ in range(depth):
        replaced = _inline_once(term, around)
        if replaced is term:
            break
        term = replaced
    return term


def _inline_once(term: Term, around: "Definition") -> Term:
    called = term.term("func") if term.type == "Call" else term
    chain = dotted(called) or ""
    if chain.startswith("self.") and chain.count(".") == 1 and around.cls:
        method = _method(chain.removeprefix("self."), around, is_called=called is not term)
        arguments = _arguments(method, term) if method else None
        names = {one.text("id") for arg in (arguments or {}).values() for one in arg.walk() if one.type == "Name"}
        if method and arguments is not None and own_names(method.value).isdisjoint(names | set(method.params)):
            return substitute(method.value, {param: _inline_once(arg, around) for param, arg in arguments.items()})
    return term.rebuilt(lambda inner: _inline_once(inner, around))


def _method(attribute: str, around: "Definition", *, is_called: bool) -> _Method | None:
    found = member(attribute, around)
    if found is None or found.symbol is None:
        return None
    is_property = any(d.rpartition(".")[2] in ("property", "cached_property") for d in found.symbol.decorators)
    if is_property == is_called or (found.symbol.decorators and not is_property):
        return None
    if found.term.parts["is_async"] or any(one.type in _YIELDS for one in walk_scope(found.term.terms("body"))):
        return None
    if any(param.parts["kind"] in ("*", "**") for param in found.term.terms("params")):
        return None
    try:
        values = returned(found.term)
    except Undecidable:
        return None
    if len(values) != 1 or values[0].guards or values[0].is_repeated:
        return None
    params = tuple(param.text("name") for param in found.term.terms("params"))
    names = {inner.text("id") for inner in values[0].value.walk() if inner.type == "Name"}
    if found.path != around.path and not names <= {*params, *dir(builtins)}:
        return None  # a name of another module is another thing here
    return _Method(params[1:], values[0].value)


_YIELDS = ("Yield", "YieldFrom")


def _arguments(method: _Method, call: Term) -> Mapping[str, Term] | None:
    """What each parameter is given; None when that is not plain."""
    if call.type != "Call":
        return {}
    args, keywords = call.terms("args"), call.terms("keywords")
    if any(arg.type == "Starred" for arg in args) or len(args) > len(method.params):
        return None
    arguments = dict(zip(method.params, args, strict=False))
    arguments |= {keyword.text("name"): keyword.term("value") for keyword in keywords}
    return arguments if set(arguments) == set(method.params) else None
