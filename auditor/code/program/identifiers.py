"""The names in a file that match a regular expression: of definitions, parameters, fields, or all."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.code.matching.notation import Regex
from auditor.code.program.prefilter import may_hold
from auditor.code.syntax.dynamic_attributes import (
    attribute_access,
    item_name,
    may_change_any_attribute,
    may_read_any_attribute,
)
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse
from auditor.model import Location

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_PARTS = ("id", "attr", "name", "asname", "module", "pattern", "names", "code")

Found = tuple[str, Location]
"""A name, and where it stands."""


def find(type_: str, regex: Regex, codebase: "Codebase", path: str) -> Iterator[Found]:
    """The matching names of a type (symbol, parameter, field, word) in a file. Raises Undecidable."""
    if not _is_possible(regex, codebase.text(path)):
        return
    if type_ in ("symbol", "field"):
        for symbol in codebase.index(path).symbols:
            own = symbol.name if type_ == "symbol" else symbol.name.rpartition(".")[2]
            if (type_ == "symbol" or symbol.type == "field") and regex.matches(own):
                yield symbol.name, Location(path, symbol.region, symbol.name)
    if type_ != "symbol":
        yield from _inside(type_, regex, codebase.whole(path))


def _is_possible(regex: Regex, text: str) -> bool:
    """Whether a text can hold a name that matches, however it is spelt."""
    literals = regex.literals
    if literals is None or regex.is_possible(text):
        return True
    is_any_case = bool(regex.compiled.flags & re.IGNORECASE)
    searched = text.lower() if is_any_case else text
    return any(may_hold(searched, (word.lower() if is_any_case else word,)) for word in literals)


def worked_out(type_: str, regex: Regex, codebase: "Codebase", path: str) -> Iterator[Found]:
    """The attributes of a file whose names are worked out at run time, and may match."""
    if type_ not in ("field", "word") or not _DYNAMIC.search(codebase.text(path)):
        return
    definition = codebase.whole(path)
    for term in definition.code.by_type.get("Call", ()):
        is_any = may_change_any_attribute(term) or (type_ == "word" and may_read_any_attribute(term))
        access = attribute_access(term)
        if is_any and access is not None and may_match(access.named_by, regex):
            yield unparse(term), definition.location_of(term)


_DYNAMIC = re.compile(r"attr|getter|methodcaller")


def may_match(name: Term, regex: Regex) -> bool:
    """Whether a name that is worked out may match: with each gap in it empty, or filled with what is looked for."""
    return any(regex.matches(_filled(name, gap)) for gap in ("", "x", *(regex.literals or ("",))))


def _filled(term: Term, gap: str) -> str:
    match term.type:
        case "Literal":
            return str(term.parts["value"])
        case "FString":
            return "".join(_filled(part, gap) for part in term.terms("parts"))
        case "BinaryOperation" if term.parts["operator"] == "+":
            return _filled(term.term("left"), gap) + _filled(term.term("right"), gap)
        case _:
            return gap


def _inside(type_: str, regex: Regex, definition: "Definition") -> Iterator[Found]:
    """Matching names that only the code itself shows."""
    lines = definition.codebase.text(definition.path).split("\n")
    for statement in definition.codebase.index(definition.path).statements:
        if not _is_possible(regex, "\n".join(lines[statement.region.start - 1 : statement.region.end])):
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
    access = attribute_access(term)
    if access is not None and access.name is not None and access.access == "write":
        yield access.name


def _words(term: Term) -> Iterator[str]:
    for part in _PARTS:
        value = term.parts.get(part)
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                yield from re.findall(r"\w+", text)
    access = attribute_access(term)
    named = item_name(term) if access is None else access.name
    if named is not None:
        yield named


_NAMES = {"parameter": _parameters, "field": _attributes, "word": _words}
