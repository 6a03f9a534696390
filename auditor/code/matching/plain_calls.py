"""Calls of functions that the file defines, written otherwise: the function's one expression, arguments by position.

Only what is the same whatever happens: a function of the module, defined once, not decorated, whose body is one
`return`; its arguments names, attributes and literals, so that it does not matter when and how often they are read.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.code.syntax.targets import local_names
from auditor.code.syntax.term import Part, Term, dotted
from auditor.code.values.algebra import substitute

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition

_SCOPES = ("Lambda", "ListComp", "SetComp", "DictComp", "GeneratorExp", "NamedExpr", "Await", "Yield", "YieldFrom")


def with_plain_calls(around: "Definition", most: int) -> "Definition":
    """The definition with arguments by position, and such functions written out up to `most` deep; else itself."""
    words: frozenset[str] = frozenset()

    def of(term: Term, depth: int) -> Term:
        nonlocal words
        new = term.rebuilt(lambda inner: of(inner, depth), keeps_lines=True)
        if new.type != "Call":
            return new
        new, called = by_position(new, around), _function(new, around)
        if called is not None and depth and (value := _inlined_call(new, called, around)) is not None:
            words |= called.words
            return of(replace(value, region=term.region), depth - 1)
        return new

    terms = tuple(of(term, most) for term in around.terms)
    if all(new is old for new, old in zip(terms, around.terms, strict=True)):
        return around
    return around.rewritten(terms, words)


def by_position(call: Term, around: "Definition") -> Term:
    """A call with the keyword arguments by position that may be, where the file says what it calls; else itself."""
    args, keywords = call.terms("args"), {one.text("name"): one for one in call.terms("keywords")}
    if not keywords or any(arg.type == "Starred" or arg.parts.get("value") is ... for arg in args):
        return call
    function = _function(call, around)
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


def _function(call: Term, around: "Definition") -> "Definition | None":
    """The function of the module, or method of the class around, that a call runs; None where that is not plain."""
    chain = dotted(call.term("func")) or ""
    if around.term.type != "FunctionDef" or chain in local_names(around.term):
        return None
    if around.cls is not None and chain.startswith("self."):
        chain = f"{around.cls}.{chain.removeprefix('self.')}"
    elif "." in chain:
        return None
    found = around.codebase.definitions(around.path, chain) if chain else ()
    is_function = len(found) == 1 and found[0].symbol is not None and found[0].symbol.type == "function"
    return found[0] if is_function else None


def _inlined_call(call: Term, function: "Definition", around: "Definition") -> Term | None:
    """What a call gives, where the function is one expression of its parameters; else None."""
    body = [one for one in function.term.terms("body") if not _is_docstring(one)]
    if function.term.terms("decorators") or len(body) != 1 or body[0].type != "Return":
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
    return None if free & local_names(around.term) else substitute(value, given)


def _is_docstring(statement: Term) -> bool:
    return statement.type == "Expr" and isinstance(statement.term("value").parts.get("value"), str)
