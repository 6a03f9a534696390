"""Terms: syntax without its looks, in which two ways to write the same code are equal.

A term keeps what code means and drops how it is written: whitespace, comments, parentheses, trailing commas,
annotations, docstrings, the quotes and digits of a literal, the order of keyword arguments, `b > a` for `a < b`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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


class Code:
    """Some statements, and all the terms in them, found by type."""

    def __init__(self, statements: tuple[Term, ...]) -> None:
        self.statements = statements

    @cached_property
    def by_type(self) -> Mapping[str, list[Term]]:
        """All terms by their type, each list in source order."""
        found: dict[str, list[Term]] = {}
        for statement in self.statements:
            for term in statement.walk():
                found.setdefault(term.type, []).append(term)
        return found

    @cached_property
    def blocks(self) -> list[tuple[Term, ...]]:
        """Every sequence of statements, the outermost first."""
        inner = (
            term.terms(name)
            for terms in self.by_type.values()
            for term in terms
            for name in ("body", "orelse", "finalbody")
            if isinstance(term.parts.get(name), tuple) and term.parts[name]
        )
        return [self.statements, *sorted(inner, key=lambda block: block[0].region or Region(1, 1))]


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
    return written(part)


def written(value: object) -> str:
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


# The normal forms, which every parser's lowering is made of.


def name(identifier: str, region: Region | None = None) -> Term:
    return Term("Name", {"id": identifier}, region)


def literal(value: "str | bytes | int | float | complex | EllipsisType", region: Region | None = None) -> Term:
    return Term("Literal", {"value": value}, region)


def negation(test: Term) -> Term:
    """`not test`, with the `not` taken back out of what is already negated, or can be turned around."""
    if test.type == "UnaryOperation" and test.parts["operator"] == "not":
        return test.term("operand")
    if test.type == "Comparison" and test.parts["operators"] in _OPPOSITES:
        return Term("Comparison", {**test.parts, "operators": _OPPOSITES[test.parts["operators"]]}, test.region)
    return Term("UnaryOperation", {"operator": "not", "operand": test}, test.region)


_PAIRS = [("==", "!="), ("in", "not in"), ("is", "is not")]
# Not `<` and `>=`: with a NaN both are false.
_OPPOSITES: dict[Part, Part] = {(a,): (b,) for one, other in _PAIRS for a, b in ((one, other), (other, one))}
_MIRRORED = {">": "<", ">=": "<="}


def unary(operator: str, operand: Term, region: Region | None) -> Term:
    number = operand.parts.get("value") if operand.type == "Literal" else None
    if operator == "not":
        return replace(negation(operand), region=region)
    if operator == "-" and isinstance(number, int | float):
        return literal(-number, region)
    return Term("UnaryOperation", {"operator": operator, "operand": operand}, region)


def boolean(operator: str, operands: Iterable[Term], region: Region | None) -> Term:
    values: list[Part] = []
    for operand in operands:
        is_same = operand.type == "BooleanOperation" and operand.parts["operator"] == operator
        values += operand.terms("values") if is_same else [operand]
    return Term("BooleanOperation", {"operator": operator, "values": tuple(values)}, region)


def comparison(left: Term, operators: Sequence[str], comparators: Sequence[Term], region: Region | None) -> Term:
    if len(operators) == 1 and operators[0] in _MIRRORED:
        left, comparators, operators = comparators[0], [left], [_MIRRORED[operators[0]]]
    parts: dict[str, Part] = {"left": left, "operators": tuple(operators), "comparators": tuple(comparators)}
    return Term("Comparison", parts, region)


def arguments(args: Iterable[Term], keywords: Iterable[tuple[str, Term]]) -> dict[str, Part]:
    """The arguments of a call; a keyword named `**` unpacks a mapping."""
    ordered = sorted(keywords, key=lambda pair: pair[0])
    named = tuple(Term("Keyword", {"name": key, "value": value}, value.region) for key, value in ordered)
    return {"args": tuple(args), "keywords": named}


def parameter(
    kind: str, identifier: str, default: Term | None, region: Region | None, annotation: Term | None = None
) -> Term:
    """A parameter; `kind` is positional, keyword, `*` or `**`."""
    return Term("Param", {"kind": kind, "name": identifier, "default": default}, region, annotation)


def string(parts: Iterable[Term], region: Region | None) -> Term:
    """A literal, or an `FString` of literals and `Field`s; neighbouring literals are joined."""
    joined: list[Term] = []
    for part in parts:
        before = joined[-1].parts.get("value") if joined else None
        match before, part.parts.get("value"):
            case str() as left, str() as right:
                joined[-1] = literal(left + right, region)
            case bytes() as left, bytes() as right:
                joined[-1] = literal(left + right, region)
            case _, "":
                pass
            case _:
                joined.append(part)
    if not joined:
        return literal("", region)
    if len(joined) == 1 and joined[0].type == "Literal":
        return replace(joined[0], region=region)
    return Term("FString", {"parts": tuple(joined)}, region)


def formatted(expression: Term, conversion: str | None, spec: Term | None) -> Term:
    """A field of an f-string; `spec` is its format, a string; an empty one is none."""
    if spec is not None and spec.parts.get("value") == "":
        spec = None
    return Term("Field", {"expression": expression, "conversion": conversion, "spec": spec}, expression.region)


def reachable(statements: Iterable[Term]) -> tuple[Term, ...]:
    """The statements of a block without dead code: what follows a `return` or its like, or is under `if False`."""
    found: list[Term] = []
    for statement in statements:
        truth = _truth(statement.term("test")) if statement.type in ("If", "While") else None
        if truth is not None and (statement.type == "If" or not truth):
            found += statement.terms("body" if truth else "orelse")
        else:
            found.append(statement)
        is_endless = statement.type == "While" and truth is True and not _is_left(statement.terms("body"))
        if is_endless or (found and found[-1].type in ("Return", "Raise", "Continue", "Break")):
            break
    return tuple(found)


def _truth(test: Term) -> bool | None:
    """What a test that is a constant comes out as."""
    if test.type == "Literal":
        return None if test.parts["value"] is ... else bool(test.parts["value"])  # a pattern's hole may be anything
    return _TRUTHS.get(test.text("id")) if test.type == "Name" else None


_TRUTHS = {"True": True, "False": False, "None": False}


def _is_left(statements: Iterable[Term]) -> bool:
    """Whether some statements of a loop leave it by `break`."""
    for statement in statements:
        if statement.type == "Break":
            return True
        is_loop, is_nested = statement.type in ("For", "While"), statement.type in ("FunctionDef", "ClassDef")
        own = () if is_nested else ("orelse",) if is_loop else ("body", "orelse", "finalbody", "handlers", "cases")
        if any(_is_left(statement.terms(part)) for part in own if isinstance(statement.parts.get(part), tuple)):
            return True
    return False


def body(statements: Iterable[Term]) -> tuple[Term, ...]:
    """The statements of a class or function, without the docstring."""
    found = tuple(statements)
    first = found[0].parts.get("value") if found and found[0].type == "Expr" else None
    is_docstring = isinstance(first, Term) and first.type == "Literal" and isinstance(first.parts["value"], str)
    return found[1:] if is_docstring else found
