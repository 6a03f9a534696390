"""The names in a file that match a regular expression: of definitions, parameters, fields, or all."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.code.matching.notation import Regex
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term
from auditor.model import Location

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_PARTS = ("id", "attr", "name", "asname", "module", "pattern", "names", "code")
_BY_NAME = ("getattr", "hasattr", "setattr", "delattr")

Found = tuple[str, Location]
"""A name, and where it stands."""


def find(type_: str, regex: Regex, codebase: "Codebase", path: str) -> Iterator[Found]:
    """The matching names of a type (symbol, parameter, field, word) in a file. Raises Undecidable."""
    if not regex.is_possible(codebase.text(path)):
        return
    if type_ in ("symbol", "field"):
        for symbol in codebase.index(path).symbols:
            own = symbol.name if type_ == "symbol" else symbol.name.rpartition(".")[2]
            if (type_ == "symbol" or symbol.type == "field") and regex.matches(own):
                yield symbol.name, Location(path, symbol.region, symbol.name)
    if type_ != "symbol":
        yield from _inside(type_, regex, codebase.whole(path))


def _inside(type_: str, regex: Regex, definition: "Definition") -> Iterator[Found]:
    """Matching names that only the code itself shows."""
    lines = definition.codebase.text(definition.path).split("\n")
    for statement in definition.codebase.index(definition.path).statements:
        if not regex.is_possible("\n".join(lines[statement.region.start - 1 : statement.region.end])):
            continue
        seen: set[Found] = set()
        for term in (inner for outer in statement.terms() for inner in _walk(outer)):
            for name in _NAMES[type_](term):
                if regex.matches(name):
                    seen.add((name, definition.location_of(term)))
        yield from sorted(seen, key=lambda found: (found[1].region or definition.region, found[0]))


def _walk(term: Term) -> Iterator[Term]:
    """All terms in one, and in the annotations in it."""
    for inner in term.walk():
        yield inner
        if inner.annotation is not None:
            yield from inner.annotation.walk()


def _parameters(term: Term) -> Iterator[str]:
    if term.type == "Param":
        yield term.text("name")


def _attributes(term: Term) -> Iterator[str]:
    """The attributes of `self` that a term assigns to."""
    for place in bound_targets(term):
        if place.type == "Attribute" and place.term("value").parts.get("id") in ("self", "cls"):
            yield place.text("attr")
    yield from _by_name(term, ("setattr",))


def _by_name(term: Term, functions: tuple[str, ...]) -> Iterator[str]:
    if term.type == "Call" and term.term("func").parts.get("id") in functions:
        for arg in term.terms("args")[1:2]:
            if isinstance(value := arg.parts.get("value"), str):
                yield value


def _words(term: Term) -> Iterator[str]:
    for part in _PARTS:
        value = term.parts.get(part)
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                yield from re.findall(r"\w+", text)
    yield from _by_name(term, _BY_NAME)


_NAMES = {"parameter": _parameters, "field": _attributes, "word": _words}
