"""Which decorators may leave another function in a function's place, so that its body and its defaults are not all.

One of the code base is looked at: it changes nothing that gives back what it is given, or a function that hands all its
arguments on and returns what comes back. One of another project is taken to leave the function as it is.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.phrases import quoted
from auditor.code.project.names import referents
from auditor.code.syntax.blocks import walk_scope
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.unparse import unparse
from auditor.model import Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


def undecorated(function: "Definition") -> "Definition":
    """The function itself. Raises Undecidable where a decorator of the code base may put another in its place."""
    if (decorator := next(replacing_decorators(function), None)) is not None:
        may = Text(
            "{}: {} is decorated with {}, which may put another function in its place",
            "{}：{} 带有装饰器 {}，它可能以另一个函数取而代之",
        )
        raise Undecidable(may.filled(function.location, quoted(function.name), quoted(unparse(decorator))))
    return function


def replacing_decorators(function: "Definition") -> Iterator[Term]:
    """The decorators of a function, defined in the code base, that may put another function in its place."""
    for decorator in function.term.terms("decorators") if function.term.type == "FunctionDef" else ():
        is_called = decorator.type == "Call"
        chain = dotted(decorator.term("func") if is_called else decorator)
        for target in referents(function.codebase, chain, function.path) if chain else ():
            made = function.codebase.definitions(target.path, target.name) if target.type == "function" else ()
            functions = [one.term for one in made if one.term.type == "FunctionDef"]
            if not all(_is_transparent(one, is_called=is_called) for one in functions):
                yield decorator


def _is_transparent(decorator: Term, *, is_called: bool) -> bool:
    """Whether a decorator gives back a function that does what the one it is given does."""
    inner = {one.text("name"): one for one in walk_nested(decorator)}
    returned = [one.parts.get("value") for one in walk_scope(decorator.terms("body")) if one.type == "Return"]
    names = [dotted(one) if isinstance(one, Term) else None for one in returned]
    if is_called:  # `@register("name")`, which gives the decorator itself; or `@register` with options
        return bool(names) and all(
            name in inner and _is_transparent(inner[str(name)], is_called=False) for name in names
        )
    params = {one.text("name") for one in decorator.terms("params")}
    return bool(names) and all(
        name in params or (name in inner and _hands_all_on(inner[str(name)], params)) for name in names
    )


def walk_nested(function: Term) -> Iterator[Term]:
    """The functions that stand directly in a function, whatever its blocks."""
    for statement in function.terms("body"):
        for one in statement.walk():
            if one.type == "FunctionDef":
                yield one


def _hands_all_on(wrapper: Term, functions: set[str]) -> bool:
    """Whether a wrapper returns, on every way, what the function gives for its own arguments."""
    spread = {one.text("kind"): one.text("name") for one in wrapper.terms("params") if one.text("kind") in ("*", "**")}
    if set(spread) != {"*", "**"}:
        return False
    terms = list(walk_scope(wrapper.terms("body")))
    results = {
        target.text("id")
        for one in terms
        if one.type == "Assign" and _is_call_of(one.term("value"), functions, spread)
        for target in one.terms("targets")
        if target.type == "Name"
    }
    values = [one.parts.get("value") for one in terms if one.type in ("Return", "YieldFrom")]
    return bool(values) and all(
        isinstance(one, Term) and (_is_call_of(one, functions, spread) or one.parts.get("id") in results)
        for one in values
    )


def _is_call_of(term: Term, functions: set[str], spread: dict[str, str]) -> bool:
    """`function(*args, **kwargs)`, with the object before them where the wrapper names it."""
    call = term.term("value") if term.type == "Await" else term
    if call.type != "Call" or call.term("func").parts.get("id") not in functions:
        return False
    starred = [one.term("value").parts.get("id") for one in call.terms("args") if one.type == "Starred"]
    keywords = [one.term("value").parts.get("id") for one in call.terms("keywords") if one.text("name") == "**"]
    others = [one for one in call.terms("args") if one.type != "Starred"]
    is_plain = len(call.terms("keywords")) == len(keywords) and all(one.type == "Name" for one in others)
    return is_plain and starred == [spread["*"]] and keywords == [spread["**"]]
