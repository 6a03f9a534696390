"""Calls of functions that the file defines, written otherwise: the function's one expression, arguments by position.

Only what is the same whatever happens: a function of the module, defined once, not decorated, whose body is one
`return`; its arguments names, attributes and literals, so that it does not matter when and how often they are read.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.code.syntax.targets import local_names
from auditor.code.syntax.term import Part, Term, dotted
from auditor.code.values.algebra import substitute

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_SCOPES = ("Lambda", "ListComp", "SetComp", "DictComp", "GeneratorExp", "NamedExpr", "Await", "Yield", "YieldFrom")


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where a call stands: in which file, class and function."""

    codebase: "Codebase"
    path: str
    cls: str | None
    locals: frozenset[str] | None
    """The names of the function around; None outside of functions."""

    @classmethod
    def of(cls, definition: "Definition") -> "_Scope":
        is_function = definition.symbol is not None and definition.term.type == "FunctionDef"
        own = local_names(definition.term) if is_function else None
        return cls(definition.codebase, definition.path, definition.cls, own)

    def within(self, term: Term) -> "_Scope":
        """The scope of what is in a term; a function in a function has the other's names too."""
        match term.type:
            case "FunctionDef":
                return replace(self, locals=local_names(term) | (self.locals or frozenset()))
            case "ClassDef" if self.locals is None:
                return replace(self, cls=f"{self.cls}.{term.text('name')}" if self.cls else term.text("name"))
            case _:
                return self


def with_plain_calls(around: "Definition", most: int) -> "Definition":
    """The definition with arguments by position, and such functions written out up to `most` deep; else itself."""
    words: frozenset[str] = frozenset()

    def of(term: Term, depth: int, scope: _Scope) -> Term:
        nonlocal words
        inside = scope.within(term)
        new = term.rebuilt(lambda inner: of(inner, depth, inside), keeps_lines=True)
        if new.type != "Call":
            return new
        new, called = _by_position(new, scope), _function(new, scope)
        if called is not None and depth and (value := _inlined_call(new, called, scope)) is not None:
            words |= called.words
            return of(replace(value, region=term.region), depth - 1, scope)
        return new

    scope = _Scope.of(around)
    if around.symbol is not None and around.term.type == "ClassDef":
        scope = replace(scope, cls=around.name.rpartition(".")[0] or None)
    terms = tuple(of(term, most, scope) for term in around.terms)
    if all(new is old for new, old in zip(terms, around.terms, strict=True)):
        return around
    return around.rewritten(terms, words)


def by_position(call: Term, around: "Definition") -> Term:
    """A call with the keyword arguments by position that may be, where the file says what it calls; else itself."""
    return _by_position(call, _Scope.of(around))


def _by_position(call: Term, scope: _Scope) -> Term:
    args, keywords = call.terms("args"), {one.text("name"): one for one in call.terms("keywords")}
    if not keywords or any(arg.type == "Starred" or arg.parts.get("value") is ... for arg in args):
        return call
    function = _function(call, scope)
    if function is None or function.term.type != "FunctionDef" or function.term.terms("decorators"):
        return call
    params = [one.text("name") for one in function.term.terms("params") if one.parts["kind"] == "positional"]
    moved: list[Part] = []
    for name in params[(function.cls is not None) + len(args) :]:
        if name not in keywords:
            break
        moved.append(keywords.pop(name).term("value"))
    if not moved:
        return call
    return replace(call, parts={**call.parts, "args": (*args, *moved), "keywords": tuple(keywords.values())})


def _function(call: Term, scope: _Scope) -> "Definition | None":
    """The function of the module, or method of the class around, that a call runs; None where that is not plain."""
    chain = dotted(call.term("func")) or ""
    if scope.locals is None or chain in scope.locals:
        return None
    if scope.cls is not None and chain.startswith("self."):
        chain = f"{scope.cls}.{chain.removeprefix('self.')}"
    elif "." in chain:
        return None
    found = scope.codebase.definitions(scope.path, chain) if chain else ()
    is_function = len(found) == 1 and found[0].symbol is not None and found[0].symbol.type == "function"
    return found[0] if is_function else None


def _inlined_call(call: Term, function: "Definition", scope: _Scope) -> Term | None:
    """What a call gives, where the function is one expression of its parameters; else None."""
    body = [one for one in function.term.terms("body") if not _is_docstring(one)]
    if function.term.terms("decorators") or function.term.parts["is_async"]:
        return None
    if len(body) != 1 or body[0].type != "Return":
        return None
    value, params = body[0].parts["value"], function.term.terms("params")
    names, args = {one.text("name") for one in params if one.parts["kind"] == "positional"}, call.terms("args")
    if function.cls is not None or not isinstance(value, Term) or call.terms("keywords"):
        return None  # a method may be overridden
    if not len(names) == len(params) == len(args) or any(one.type in _SCOPES for one in value.walk()):
        return None
    if not all(dotted(one) or one.type == "Literal" for one in args):
        return None
    free = {one.text("id") for one in value.walk() if one.type == "Name"} - names
    given = dict(zip((one.text("name") for one in params), args, strict=True))
    return None if free & (scope.locals or frozenset()) else substitute(value, given)


def _is_docstring(statement: Term) -> bool:
    return statement.type == "Expr" and isinstance(statement.term("value").parts.get("value"), str)
