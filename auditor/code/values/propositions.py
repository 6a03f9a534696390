"""Propositions: conjunctions, disjunctions and negations of atoms."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from auditor.code.values import polynomials
from auditor.code.values.polynomials import Monomial, Polynomial

Quantity: TypeAlias = tuple[tuple[Monomial, Fraction], ...]
"""A polynomial as a value that can be a key."""


def quantity_of(form: Polynomial) -> Quantity:
    return tuple(sorted(form.items()))


class Atom(NamedTuple):
    """An atomic proposition: true or false.

    `<`, `>` and `==` compare a quantity without its constant with the number `than`. `true` is the truth of the
    quantity less `than`. `is` and `constant` compare it with another thing or a constant of a sort (`sort`); any other
    relation is the operator's own.
    """

    relation: str
    quantity: Quantity
    than: Fraction | Quantity = ()
    sort: str = ""


class Prop(NamedTuple):
    """`and`, `or` or `not` of others; an `atom`; `true`."""

    kind: str
    parts: "tuple[Prop, ...]" = ()
    atom: Atom | None = None


TRUE = Prop("true")
FALSE = Prop("not", (TRUE,))


def negated(prop: Prop) -> Prop:
    if prop.kind == "not":
        return prop.parts[0]
    if prop.kind in ("and", "or"):
        return Prop("or" if prop.kind == "and" else "and", tuple(map(negated, prop.parts)))
    return Prop("not", (prop,))


def joined(kind: str, props: Iterable[Prop]) -> Prop:
    """The conjunction (`and`) or disjunction (`or`) of some propositions."""
    neutral = TRUE if kind == "and" else FALSE
    flat: dict[Prop, None] = {}
    for prop in props:
        flat.update(dict.fromkeys(prop.parts if prop.kind == kind else (prop,)))
    found = [prop for prop in flat if prop != neutral]
    if any(prop == negated(neutral) for prop in found):
        return negated(neutral)
    return neutral if not found else found[0] if len(found) == 1 else Prop(kind, tuple(found))


def atoms_of(prop: Prop) -> Iterator[Atom]:
    if prop.atom is not None:
        yield prop.atom
    for part in prop.parts:
        yield from atoms_of(part)


def text_of(prop: Prop) -> str:
    """A proposition as a text, in which those that differ in order alone are equal."""
    if prop.atom is not None:
        relation, quantity, than, sort = prop.atom
        other = str(than) if isinstance(than, Fraction) else polynomials.text(dict(than))
        return f"{relation}|{polynomials.text(dict(quantity))}|{other}|{sort}"
    return f"{prop.kind}[{','.join(sorted(map(text_of, prop.parts)))}]"
