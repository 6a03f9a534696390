"""Terms: syntax without its looks, in which two ways to write the same code are equal.

A term keeps what code means and drops how it is written: whitespace, comments, parentheses, trailing commas,
annotations, docstrings, the quotes and digits of a literal, the order of keyword arguments, `b > a` for `a < b`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import TypeAlias, Union

from auditor.model import Region

Part: TypeAlias = Union["Term", tuple["Part", ...], str, bytes, int, float, complex, EllipsisType, None]


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A node of lowered syntax: its type and its named parts."""

    type: str
    parts: dict[str, Part]
    region: Region | None = None
    """Its lines in the file; None for a term that was made, not read."""
    annotation: "Term | None" = None
    """The annotation of an assignment or a parameter, or of what a function returns: no part of what it does."""

    def term(self, name: str) -> "Term":
        """A part that is a term. Raises TypeError when it is something else."""
        part = self.parts[name]
        if not isinstance(part, Term):
            raise TypeError(f"{self.type}.{name} is not a term")
        return part

    def terms(self, name: str) -> tuple["Term", ...]:
        """A part that is a sequence of terms."""
        part = self.parts[name]
        if not isinstance(part, tuple):
            raise TypeError(f"{self.type}.{name} is not a sequence")
        return tuple([item for item in part if item.__class__ is Term])

    def text(self, name: str) -> str:
        """A part that is a name or an operator."""
        part = self.parts[name]
        if not isinstance(part, str):
            raise TypeError(f"{self.type}.{name} is not a text")
        return part

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators of a comparison."""
        part = self.parts["operators"]
        return tuple(str(item) for item in part) if isinstance(part, tuple) else ()

    def children(self) -> Iterator["Term"]:
        """The terms directly below, in source order."""
        for part in self.parts.values():
            if part.__class__ is Term:
                yield part
            elif part.__class__ is tuple:
                yield from _terms(part)

    def walk(self) -> Iterator["Term"]:
        """This term and all below it, in source order."""
        pending = [self]
        while pending:
            term = pending.pop()
            yield term
            for part in reversed(term.parts.values()):  # spelt out, since half of an audit is walking
                if part.__class__ is Term:
                    pending.append(part)
                elif part.__class__ is tuple and part:
                    pending.extend(reversed(list(_terms(part))))

    def rebuilt(self, change: "Callable[[Term], Term]") -> "Term":
        """This term with `change` applied to the terms directly below; itself when nothing changes."""
        parts = {name: _changed(part, change) for name, part in self.parts.items()}
        is_same = all(parts[name] is part for name, part in self.parts.items())
        return self if is_same else Term(self.type, parts)


def _changed(part: Part, change: Callable[[Term], Term]) -> Part:
    if isinstance(part, Term):
        return change(part)
    if isinstance(part, tuple):
        items = tuple(_changed(item, change) for item in part)
        return part if all(new is old for new, old in zip(items, part, strict=True)) else items
    return part


def _terms(part: tuple[Part, ...]) -> Iterator[Term]:
    for item in part:
        if item.__class__ is Term:
            yield item
        elif item.__class__ is tuple:
            yield from _terms(item)


def encode(part: Part) -> str:
    """A text that is equal for equal syntax, and different otherwise."""
    if isinstance(part, Term):
        return f"{part.type}({','.join([f'{name}={encode(value)}' for name, value in part.parts.items()])})"
    if isinstance(part, tuple):
        return f"[{','.join(map(encode, part))}]"
    return literal_text(part)


def literal_text(value: object) -> str:
    """A literal as Python text. An integer of more digits than Python writes is in base 16."""
    is_long = isinstance(value, int) and value.bit_length() > _LONG
    return f"{value:#x}" if is_long else repr(value)


_LONG = 10_000  # bits


def dotted(term: Term) -> str | None:
    """`a.b.c` for a chain of names and attributes, else None."""
    if term.type == "Name":
        return term.text("id")
    if term.type == "Attribute" and (base := dotted(term.term("value"))):
        return f"{base}.{term.text('attr')}"
    return None
