"""Polynomials over atoms with rational coefficients and integer exponents, negative ones included."""

import hashlib
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

Atom: TypeAlias = str
Monomial: TypeAlias = tuple[tuple[Atom, int], ...]
"""Atoms with their exponents, sorted; the empty one is the number 1."""
Polynomial: TypeAlias = dict[Monomial, Fraction]
"""Monomials with their coefficients, none of which is 0."""

_MOST_TERMS = 2_000  # an expanded product beyond this is not made
_MOST_BITS = 4_096  # nor a power of a longer number
_LONGEST = 4_000  # characters of a text
_HIGHEST = 64  # nor a higher power


def constant(number: Fraction | int) -> Polynomial:
    return {(): Fraction(number)} if number else {}


def variable(atom: Atom, exponent: int = 1) -> Polynomial:
    return {((atom, exponent),): Fraction(1)}


def number_of(form: Polynomial) -> Fraction | None:
    """The number that a polynomial is; None where it has atoms."""
    return form.get((), Fraction(0)) if set(form) <= {()} else None


def whole_number_of(form: Polynomial) -> int | None:
    number = number_of(form)
    return int(number) if number is not None and number.denominator == 1 else None


def total(left: Polynomial, right: Polynomial, factor: Fraction | int = 1) -> Polynomial:
    """`left + factor * right`."""
    found = dict(left)
    for monomial, coefficient in right.items():
        found[monomial] = found.get(monomial, Fraction(0)) + factor * coefficient
    return {monomial: coefficient for monomial, coefficient in found.items() if coefficient}


def scaled(form: Polynomial, factor: Fraction | int) -> Polynomial:
    return {monomial: coefficient * factor for monomial, coefficient in form.items()} if factor else {}


def is_product_small(left: Polynomial, right: Polynomial) -> bool:
    """Whether a product has few enough terms to be expanded."""
    return len(left) * len(right) <= _MOST_TERMS


def product(left: Polynomial, right: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for one, factor in left.items():
        for other, times in right.items():
            exponents = dict(one)
            for atom, exponent in other:
                exponents[atom] = exponents.get(atom, 0) + exponent
            monomial = tuple(sorted((atom, exponent) for atom, exponent in exponents.items() if exponent))
            found[monomial] = found.get(monomial, Fraction(0)) + factor * times
    return {monomial: factor for monomial, factor in found.items() if factor}


def power(form: Polynomial, exponent: int) -> Polynomial | None:
    """A power, expanded; None where it has no value, or is too large to work with."""
    if abs(exponent) > (_HIGHEST if len(form) == 1 else 8) or (exponent < 0 and not form):
        return None
    bits = max((f.numerator.bit_length() + f.denominator.bit_length() for f in form.values()), default=0)
    if len(form) ** abs(exponent) > _MOST_TERMS or bits > _MOST_BITS:
        return None
    result, base = constant(1), form if exponent >= 0 else inverse(form)
    for _ in range(abs(exponent)):
        result = product(result, base)
    return result


def inverse(form: Polynomial) -> Polynomial:
    """One divided by a polynomial that is not 0."""
    if len(form) == 1:
        ((monomial, factor),) = form.items()
        return {tuple((atom, -exponent) for atom, exponent in monomial): 1 / factor}
    # Take out a factor, so that 1/(2x+2) and 1/(x+1) share their atom.
    lead = form[min(form)]
    return {((text(scaled(form, 1 / lead)), -1),): 1 / lead}


def content(form: Polynomial) -> Fraction:
    """The largest positive number by which all coefficients are whole multiples; 1 of the polynomial 0."""
    if not form:
        return Fraction(1)
    numerators, denominators = zip(*((f.numerator, f.denominator) for f in form.values()), strict=True)
    return Fraction(gcd(*numerators), lcm(*denominators))


def text(form: Polynomial) -> str:
    """A polynomial as a text, in which equal ones are equal; of a long one its digest.

    A text becomes part of the atoms of larger polynomials, each of whose monomials repeats it.
    """
    items = (
        f"{factor}*{'*'.join(f'{atom}^{exponent}' for atom, exponent in monomial) or '1'}"
        for monomial, factor in sorted(form.items())
    )
    found = "{" + " + ".join(items) + "}"
    return found if len(found) <= _LONGEST else "{" + hashlib.sha256(found.encode("utf-8", "replace")).hexdigest() + "}"
