"""Terms: syntax without its looks, in which two ways to write the same code are equal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import TypeAlias, Union

Part: TypeAlias = Union["Term", tuple["Part", ...], str, bytes, int, float, complex, EllipsisType, None]


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A node of lowered syntax: its type and its named parts. `node` is the tree node it was lowered from, if any."""

    type: str
    parts: dict[str, Part]
    node: object = None

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
        return tuple(item for item in part if isinstance(item, Term))

    def text(self, name: str) -> str:
        """A part that is a name or an operator."""
        part = self.parts[name]
        if not isinstance(part, str):
            raise TypeError(f"{self.type}.{name} is not a text")
        return part

    def rebuilt(self, change: "Callable[[Term], Term]") -> "Term":
        """This term with `change` applied to the terms directly below; itself when nothing changes."""
        parts = {name: _changed(part, change) for name, part in self.parts.items()}
        is_same = all(parts[name] is part for name, part in self.parts.items())
        return self if is_same else Term(self.type, parts)

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators of a comparison."""
        part = self.parts["operators"]
        return tuple(str(item) for item in part) if isinstance(part, tuple) else ()

    def children(self) -> Iterator["Term"]:
        """The terms directly below, in source order."""
        for part in self.parts.values():
            yield from _terms(part)

    def walk(self) -> Iterator["Term"]:
        """This term and all below it, in source order."""
        pending = [self]
        while pending:
            term = pending.pop()
            yield term
            pending.extend(reversed(list(term.children())))


def _changed(part: Part, change: Callable[[Term], Term]) -> Part:
    if isinstance(part, Term):
        return change(part)
    if isinstance(part, tuple):
        items = tuple(_changed(item, change) for item in part)
        return part if all(new is old for new, old in zip(items, part, strict=True)) else items
    return part


def _terms(part: Part) -> Iterator[Term]:
    if isinstance(part, Term):
        yield part
    elif isinstance(part, tuple):
        for item in part:
            yield from _terms(item)


def encode(part: Part) -> str:
    """A text that is equal for equal syntax, and different otherwise."""
    if isinstance(part, Term):
        return f"{part.type}({','.join(f'{name}={encode(value)}' for name, value in part.parts.items())})"
    if isinstance(part, tuple):
        return f"[{','.join(map(encode, part))}]"
    return repr(part)


def name(identifier: str) -> Term:
    return Term("Name", {"id": identifier})


def literal(value: "str | bytes | int | float | complex | EllipsisType") -> Term:
    return Term("Literal", {"value": value})


def negation(test: Term) -> Term:
    """`not test`, with the `not` taken back out of what is already negated, or can be turned around."""
    if test.type == "UnaryOperation" and test.parts["operator"] == "not":
        return test.term("operand")
    if test.type == "Comparison" and test.parts["operators"] in _OPPOSITES:
        return Term("Comparison", {**test.parts, "operators": _OPPOSITES[test.parts["operators"]]}, test.node)
    return Term("UnaryOperation", {"operator": "not", "operand": test}, test.node)


_PAIRS = [("==", "!="), ("in", "not in"), ("is", "is not")]
# Not `<` and `>=`: with a NaN both are false.
_OPPOSITES: dict[Part, Part] = {(a,): (b,) for one, other in _PAIRS for a, b in ((one, other), (other, one))}


def dotted(term: Term) -> str | None:
    """`a.b.c` for a chain of names and attributes, else None."""
    if term.type == "Name":
        return term.text("id")
    if term.type == "Attribute" and (base := dotted(term.term("value"))):
        return f"{base}.{term.text('attr')}"
    return None
