"""Terms: syntax as plain values in a normal form, in which two ways to write the same code are equal.

A term keeps what code means and drops how it is written: whitespace, comments, parentheses, trailing commas,
annotations, docstrings, the quotes and digits of a literal, the order of keyword arguments, `b > a` for `a < b`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import is_
from types import EllipsisType
from typing import TypeAlias, Union

from auditor.model import Region

Part: TypeAlias = Union["Term", tuple["Part", ...], str, bytes, int, float, complex, EllipsisType, None]


GRAMMAR = """
-- statements
FunctionDef(str name, Param* params, expr* decorators, bool is_async, stmt* body)
ClassDef(str name, expr* bases, Keyword* keywords, expr* decorators, stmt* body)
Assign(expr* targets, expr value)          -- `x = y = 1` has two targets; the annotation is `Term.annotation`
Declare(expr* targets)                     -- `x: int`, without a value
AugAssign(expr target, str operator, expr value)
Delete(expr* targets)
Return(expr? value)
Raise(expr? exc, expr? cause)
Assert(expr test, expr? msg)
Expr(expr value)
If(expr test, stmt* body, stmt* orelse)
While(expr test, stmt* body, stmt* orelse)
For(expr target, expr iter, stmt* body, stmt* orelse, bool is_async)
With(WithItem* items, stmt* body, bool is_async)
Try(stmt* body, ExceptHandler* handlers, stmt* orelse, stmt* finalbody)
TryStar(stmt* body, ExceptHandler* handlers, stmt* orelse, stmt* finalbody)
Match(expr subject, MatchCase* cases)
Import(Alias* names)
ImportFrom(str? module, Alias* names, int level)
Global(str* names)
Nonlocal(str* names)
Pass()
Break()
Continue()
-- parts of statements
WithItem(expr item, expr? asname)
ExceptHandler(expr? type, str? name, stmt* body)
MatchCase(str pattern, expr? guard, stmt* body)
Alias(str name, str? asname)
Param(str kind, str name, expr? default)   -- kind: positional, keyword, `*` or `**`
-- expressions
Name(str id)                               -- None, True and False are names
Literal(constant value)
Attribute(expr value, str attr)
Subscript(expr value, expr* slice)
Slice(expr? lower, expr? upper, expr? step)
Call(expr func, expr* args, Keyword* keywords)
Keyword(str name, expr value)              -- sorted by name; `**` unpacks a mapping
Starred(expr value)
BinaryOperation(expr left, str operator, expr right)
UnaryOperation(str operator, expr operand)
BooleanOperation(str operator, expr* values)
Comparison(expr left, str* operators, expr* comparators)
IfExp(expr test, expr body, expr orelse)
NamedExpr(expr target, expr value)
Lambda(Param* params, expr body)
Await(expr value)
Yield(expr? value)
YieldFrom(expr value)
Tuple(expr* elements)
List(expr* elements)
Set(expr* elements)
Dict(item* elements)
DictElement(expr key, expr value)          -- an item
StarredDictElement(expr value)             -- an item
ListComp(expr elt, CompFor* for_in)
SetComp(expr elt, CompFor* for_in)
GeneratorExp(expr elt, CompFor* for_in)
DictComp(expr key, expr value, CompFor* for_in)
CompFor(expr target, expr iter, expr* ifs, bool is_async)
FString(piece* parts)                      -- a piece is a Literal or a Field
Field(expr expression, str? conversion, piece? spec)
"""
"""The types of terms and their parts in source order, in the notation of Python's own abstract grammar (ASDL).

`?` is None or one, `*` a tuple. Syntax that is in no list here has the type that its parser gives it.
"""


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
                elif part.__class__ is tuple:
                    for item in reversed(part):
                        if item.__class__ is Term:
                            pending.append(item)
                        elif item.__class__ is tuple:
                            pending.extend(reversed(list(_terms(item))))

    def with_parts(self, parts: "Mapping[str, Part]") -> "Term":
        """This term with other parts in place of some, at the same lines; itself when nothing changes."""
        changed = {name: part for name, part in parts.items() if part is not self.parts[name]}
        return replace(self, parts={**self.parts, **changed}) if changed else self

    def rebuilt(self, change: "Callable[[Term], Term]", *, keeps_lines: bool = False) -> "Term":
        """This term with `change` applied to the terms directly below; itself when nothing changes."""
        changed: dict[str, Part] = {}
        for name, part in self.parts.items():
            if (new := _changed(part, change)) is not part:
                changed[name] = new
        if not changed:
            return self
        return Term(self.type, self.parts | changed, *((self.region, self.annotation) if keeps_lines else ()))


def _changed(part: Part, change: Callable[[Term], Term]) -> Part:
    if part.__class__ is Term:
        return change(part)
    if part.__class__ is tuple:
        items = tuple([_changed(item, change) for item in part])
        return part if all(map(is_, items, part)) else items
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
