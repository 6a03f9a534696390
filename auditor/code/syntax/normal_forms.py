"""Constructors of terms in normal form, which the lowerings are made of: two ways to write the same code become equal.

`b > a` becomes `a < b`, keyword arguments are sorted, nested `and` and `or` flattened, double negations dropped.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import add, mul, sub
from typing import TYPE_CHECKING

from auditor.code.syntax.term import Part, Term
from auditor.model import Region

if TYPE_CHECKING:
    from types import EllipsisType


def name(identifier: str, region: Region | None = None) -> Term:
    return Term("Name", {"id": identifier}, region)


def attribute_chain(names: str) -> Term:
    """`a.b.c` as an expression."""
    first, *rest = names.split(".")
    term = name(first)
    for attribute in rest:
        term = Term("Attribute", {"value": term, "attr": attribute})
    return term


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


def integer_bound(term: Term, operators: Part) -> Term | None:
    """`len(x) <= 1` as `len(x) < 2`, and the like, by these operators; None for what is not the length of something."""
    sides = [term.term("left"), *term.terms("comparators")]
    own = term.parts["operators"]
    if own == operators or own not in _STRICT or operators not in _STRICT or len(sides) != 2:
        return None
    for number, side in enumerate(sides):
        bound, other = side.parts.get("value") if side.type == "Literal" else None, sides[1 - number]
        if type(bound) is int and other.type == "Call" and other.term("func").parts.get("id") == "len":
            step = 1 if (operators == ("<",)) is (number == 1) else -1
            sides[number] = literal(bound + step, side.region)
            parts: dict[str, Part] = {"left": sides[0], "operators": operators, "comparators": (sides[1],)}
            return Term("Comparison", parts, term.region)
    return None


_STRICT = (("<",), ("<=",))


def whole_number(term: Term) -> Term | None:
    """The literal that a sum, difference or product of whole numbers is; None for anything else."""
    value = _whole(term)
    return literal(value, term.region) if value is not None and term.type == "BinaryOperation" else None


def _whole(term: Term) -> int | None:
    if term.type == "Literal":
        value = term.parts["value"]
        return value if type(value) is int and abs(value) < _MOST else None
    operation = _WORKED_OUT.get(str(term.parts.get("operator"))) if term.type == "BinaryOperation" else None
    if operation is None:
        return None
    left, right = _whole(term.term("left")), _whole(term.term("right"))
    value = operation(left, right) if left is not None and right is not None else None
    return value if value is not None and abs(value) < _MOST else None


_WORKED_OUT: Mapping[str, Callable[..., int]] = {"+": add, "-": sub, "*": mul}
_MOST = 1 << 64


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


def without_docstring(statements: Iterable[Term]) -> tuple[Term, ...]:
    """The statements of a class or function, without the docstring."""
    found = tuple(statements)
    first = found[0].parts.get("value") if found and found[0].type == "Expr" else None
    is_docstring = isinstance(first, Term) and first.type == "Literal" and isinstance(first.parts["value"], str)
    return found[1:] if is_docstring else found
