"""Where a function is called in its own file, and under which conditions: the call graph backwards."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.activations import body_of
from auditor.code.flow.no_return import conditions_in
from auditor.code.program.callees import called_function, positional_parameters
from auditor.code.syntax.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition

_DEPTH = 4
_ENTRIES = ("__init__", "__new__", "__post_init__", "__call__", "__enter__")


@dataclass(frozen=True)
class CallSite:
    """One call of a function; `caller` is the whole file for a call at module level."""

    caller: "Definition"
    call: Term
    tests: tuple[Term, ...]
    """The conditions on the way to it, as they are written; those without which the caller raises are none."""


def call_sites(function: "Definition") -> tuple[CallSite, ...]:
    """The calls of a function in its file that can be reached."""
    return function.codebase.memoized(("call sites", function), lambda: tuple(_call_sites(function)))


def _call_sites(function: "Definition") -> Iterator[CallSite]:
    codebase, path = function.codebase, function.path
    last = function.name.rpartition(".")[2]
    symbols = [one.name for one in codebase.index(path).symbols if one.type == "function"]
    for caller in (codebase.whole(path), *(one for name in symbols for one in codebase.definitions(path, name))):
        if not re.search(rf"\b{last}\s*\(", caller.text):
            continue
        own = caller.symbol.name if caller.symbol else None
        for call in caller.code.by_type.get("Call", ()):
            if (dotted(call.term("func")) or "").rpartition(".")[2] != last:
                continue
            if caller.location_of(call).symbol != own or called_function(call, caller) != function:
                continue
            try:
                point = conditions_in(caller, body_of(caller)).point(call)
            except Undecidable:
                continue
            if point is not None:
                yield CallSite(caller, call, tuple(one.source for one in point.conditions if not one.is_failure))


def is_entry(function: "Definition") -> bool:
    """Whether a function is called by other means than its name: a constructor, or a file's own statements."""
    return function.symbol is None or function.name.rpartition(".")[2] in _ENTRIES


def route(function: "Definition", depth: int = _DEPTH) -> tuple[Term, ...] | None:
    """The fewest conditions on the way from an entry of the file to a function; None where nothing in it calls it."""
    if is_entry(function) or depth <= 0:
        return ()
    found = []
    for site in call_sites(function):
        above = route(site.caller, depth - 1) if site.caller != function else None
        found.append((*(above or ()), *site.tests))
    return min(found, key=len, default=None)


def may_be_called_elsewhere(function: "Definition") -> bool:
    """Whether a function that nothing in its file calls may be: a public one, registered or named in the package."""
    codebase, own = function.codebase, function.name.rpartition(".")[2]
    if own.startswith("_") and not own.endswith("__"):
        return False
    decorators = function.symbol.decorators if function.symbol is not None else ()
    if own.endswith("__") or any(one.rpartition(".")[2] not in _PLAIN for one in decorators):
        return True
    named = re.compile(rf"(?<!def )\b{own}\b(?=\s*[(,)\]\n:=])|\.{own}\b")

    def search() -> bool:
        package = codebase.package_of(function.path)
        texts = (text for path in codebase.python_under(package) if own in (text := codebase.text(path)))
        return any(named.search(_COMMENT.sub("", text)) for text in texts)

    return codebase.memoized(("named in its package", own, function.path), search)


_COMMENT = re.compile(r"#[^\n]*|\"\"\".*?\"\"\"", re.DOTALL)
_PLAIN = ("property", "cached_property", "staticmethod", "classmethod", "abstractmethod", "override", "wraps",
          "lru_cache", "cache", "contextmanager")  # fmt: skip
"""Decorators that register a function nowhere."""


def arguments(function: "Definition", call: Term) -> Mapping[str, Term] | None:
    """What each parameter is at a call, defaults included; None where that is not plain."""
    args = call.terms("args")
    if any(arg.type == "Starred" for arg in args) or any(one.text("name") == "**" for one in call.terms("keywords")):
        return None
    params = function.term.terms("params")
    positional = positional_parameters(function)
    found = {one.text("name"): default for one in params if isinstance(default := one.parts["default"], Term)}
    found |= dict(zip(positional, args, strict=False))
    names = {one.text("name") for one in params if one.parts["kind"] in ("positional", "keyword")}
    return found | {key: one.term("value") for one in call.terms("keywords") if (key := one.text("name")) in names}
