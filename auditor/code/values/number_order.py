"""Which truth assignments of atoms are consistent: the order of numbers, equality with constants, None, emptiness.

Of atoms about one quantity, the real line falls into regions, between and at the numbers it is compared with; a row
of a truth table is possible where some region gives its answers. Of three quantities of which one is a combination of
the others, the intervals must meet.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import ceil, floor
from typing import NamedTuple

from auditor.code.values.piecewise import is_whole
from auditor.code.values.polynomials import Polynomial
from auditor.code.values.propositions import Atom, Quantity

_NUMERIC = ("<", ">", "==")
_SINGLETONS = {"Name(id='None')": False, "Name(id='False')": False, "Name(id='True')": True}
"""The atoms that are None, False and True, and whether each is true."""
_NONE = "Name(id='None')"


def possible_rows(columns: Mapping[Atom, int], everything: int, *, is_all_whole: bool) -> int:
    """The rows of a truth table, of which each atom's are given as bits, that can come about."""
    found = everything
    for quantity, atoms in _by_quantity(columns).items():
        found &= _ordered(quantity, atoms, columns, everything, is_all_whole=is_all_whole)
    for forbidden in (*_of_constants(columns), *_of_combinations(columns, everything)):
        found &= ~forbidden
    return found


def subjects(atom: Atom) -> frozenset[str]:
    """What an atom is about: the parts of its quantities, and what one is the length of."""
    quantities = [atom.quantity, *([] if isinstance(atom.than, Fraction) else [atom.than])]
    found = {name for quantity in quantities for monomial, _ in quantity for name, _ in monomial} - _SINGLETONS.keys()
    return frozenset(found | {one for quantity in quantities if (one := measured(quantity)) is not None})


def measured(quantity: Quantity) -> str | None:
    """What a quantity is the length of, as a text; None where it is no length."""
    alone = _alone(quantity)
    inner = alone[len("len(") : -1] if alone is not None and alone.startswith("len(") else None
    return inner.removeprefix("{1*").removesuffix("^1}") if inner is not None else None


def _alone(quantity: Quantity) -> str | None:
    """The atom that a quantity is; None where it is a sum or a product."""
    if len(quantity) != 1 or quantity[0][1] != 1 or len(quantity[0][0]) != 1 or quantity[0][0][0][1] != 1:
        return None
    return quantity[0][0][0][0]


def _by_quantity(columns: Mapping[Atom, int]) -> dict[Quantity, list[Atom]]:
    """The numeric atoms by what they are about, with the truth of the same, or of what it is the length of."""
    found: dict[Quantity, list[Atom]] = {}
    for atom in columns:
        if atom.relation in _NUMERIC:
            found.setdefault(atom.quantity, []).append(atom)
    others = [atom for atom in columns if atom.relation in ("is", "constant")]
    no_numbers = {side for atom in others for side in (atom.quantity, atom.than)}
    for quantity, atoms in found.items():
        for atom in columns:
            is_number = atom.quantity == quantity and quantity not in no_numbers
            is_container = atom.than == 0 and measured(quantity) == _alone(atom.quantity) is not None
            if atom.relation == "true" and (is_number or is_container):
                atoms.append(atom)
    return found


def _ordered(
    quantity: Quantity, atoms: list[Atom], columns: Mapping[Atom, int], everything: int, *, is_all_whole: bool
) -> int:
    points = sorted({_number(atom) for atom in atoms})
    is_length = measured(quantity) is not None
    if is_length or is_whole(dict(quantity)) or is_all_whole:
        regions = _whole_regions(points, least=0 if is_length else None)
    else:
        regions = iter([points[0] - 1, *points, *((a + b) / 2 for a, b in pairwise(points)), points[-1] + 1])
    found = 0
    for point in regions:
        row = everything
        for atom in atoms:
            row &= columns[atom] if _holds(atom, point) else ~columns[atom]
        found |= row
    return found


def _whole_regions(points: list[Fraction], least: int | None) -> Iterator[Fraction]:
    """A whole number in each region that has one, none below the least."""
    for point in points:
        for near in (ceil(point) - 1, ceil(point), floor(point), floor(point) + 1):
            if least is None or near >= least:
                yield Fraction(near)


def _number(atom: Atom) -> Fraction:
    return atom.than if isinstance(atom.than, Fraction) else Fraction(0)


def _holds(atom: Atom, point: Fraction) -> bool:
    than = _number(atom)
    match atom.relation:
        case "<":
            return point < than
        case ">":
            return point > than
        case "==":
            return point == than
        case _:
            return point != than  # the truth of a number


def _of_constants(columns: Mapping[Atom, int]) -> Iterator[int]:
    """Rows in which a thing is two constants, or true and None, or empty and true."""
    for one, other in combinations(columns, 2):
        both = columns[one] & columns[other]
        if one.relation == other.relation == "constant" and one.quantity == other.quantity and one.sort == other.sort:
            yield both
        singles = [_single(atom) for atom in (one, other)]
        if singles[0] and singles[1] and singles[0][0] == singles[1][0] and singles[0][1] != singles[1][1]:
            yield both
        for atom, second in ((one, other), (other, one)):
            about, what = _single(second) or (None, "")
            if atom.quantity == about and atom.than == 0 and atom.relation == "true":
                yield columns[second] & (~columns[atom] if _SINGLETONS[what] else columns[atom])
            elif atom.quantity == about and atom.relation in ("==", "constant") and what == _NONE:
                yield both
            is_zero = second.relation == "==" and second.than == atom.than and second.quantity == atom.quantity
            if atom.relation == "true" and is_zero:
                yield both  # what equals 0 is false


def _single(atom: Atom) -> tuple[Quantity, str] | None:
    """What is said to be None, True or False, and which."""
    if atom.relation != "is" or isinstance(atom.than, Fraction):
        return None
    for about, what in ((atom.quantity, atom.than), (atom.than, atom.quantity)):
        if (single := _alone(what)) in _SINGLETONS:
            return about, str(single)
    return None


class _Interval(NamedTuple):
    """Bounds, None where there is none, and whether each bound is left out."""

    low: Fraction | None = None
    high: Fraction | None = None
    is_low_open: bool = False
    is_high_open: bool = False

    def times(self, factor: Fraction) -> "_Interval":
        low, high = (None if bound is None else bound * factor for bound in (self.low, self.high))
        if factor < 0:
            return _Interval(high, low, self.is_high_open, self.is_low_open)
        return _Interval(low, high, self.is_low_open, self.is_high_open)

    def plus(self, other: "_Interval") -> "_Interval":
        low = None if self.low is None or other.low is None else self.low + other.low
        high = None if self.high is None or other.high is None else self.high + other.high
        return _Interval(low, high, self.is_low_open or other.is_low_open, self.is_high_open or other.is_high_open)

    def meets(self, other: "_Interval") -> bool:
        return self._begins_before_end_of(other) and other._begins_before_end_of(self)

    def is_point(self, number: Fraction) -> bool:
        return self.low == self.high == number

    def _begins_before_end_of(self, other: "_Interval") -> bool:
        if self.low is None or other.high is None:
            return True
        return self.low < other.high or (self.low == other.high and not self.is_low_open and not other.is_high_open)


def _of_combinations(columns: Mapping[Atom, int], everything: int) -> Iterator[int]:
    """Rows that break the order of three quantities, as `a < b`, `b < c` and `c < a` do."""
    by_quantity: dict[Quantity, list[Atom]] = {}
    for atom in columns:
        if atom.relation in _NUMERIC:
            by_quantity.setdefault(atom.quantity, []).append(atom)
    for three in combinations(by_quantity, 3):
        for last in range(3):
            first, second, third = three[last - 2], three[last - 1], three[last]
            factors = _combined(dict(first), dict(second), dict(third))
            if factors is None:
                continue
            for atoms in product(*(by_quantity[quantity] for quantity in (first, second, third))):
                yield from _broken(atoms, factors, columns, everything)


def _broken(
    atoms: tuple[Atom, ...], factors: tuple[Fraction, Fraction], columns: Mapping[Atom, int], everything: int
) -> Iterator[int]:
    for answers in product((True, False), repeat=3):
        one, two, three = (_interval(atom, is_true=answer) for atom, answer in zip(atoms, answers, strict=True))
        combined = one.times(factors[0]).plus(two.times(factors[1]))
        is_unequal = atoms[2].relation == "==" and not answers[2]
        if combined.is_point(_number(atoms[2])) if is_unequal else not combined.meets(three):
            rows = everything
            for atom, answer in zip(atoms, answers, strict=True):
                rows &= columns[atom] if answer else ~columns[atom]
            yield rows


def _interval(atom: Atom, *, is_true: bool) -> _Interval:
    than = _number(atom)
    match atom.relation, is_true:
        case "<", True:
            return _Interval(high=than, is_high_open=True)
        case "<", False:
            return _Interval(low=than)
        case ">", True:
            return _Interval(low=than, is_low_open=True)
        case ">", False:
            return _Interval(high=than)
        case "==", True:
            return _Interval(than, than)
        case _:
            return _Interval()


def _combined(one: Polynomial, two: Polynomial, three: Polynomial) -> tuple[Fraction, Fraction] | None:
    """The factors with which the first two add up to the third; None where they do not."""
    keys = sorted({*one, *two, *three})
    for a, b in combinations(keys, 2):
        (p, q), (r, s) = ((v.get(a, Fraction(0)), v.get(b, Fraction(0))) for v in (one, two))
        determinant = p * s - q * r
        if determinant:
            x, y = three.get(a, Fraction(0)), three.get(b, Fraction(0))
            factors = (x * s - y * r) / determinant, (p * y - q * x) / determinant
            is_sum = all(
                factors[0] * one.get(k, Fraction(0)) + factors[1] * two.get(k, Fraction(0)) == three.get(k, Fraction(0))
                for k in keys
            )
            return factors if is_sum and all(factors) else None
    return None
