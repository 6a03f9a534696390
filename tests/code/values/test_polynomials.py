"""Polynomials, and powers, floors and minima of them."""

from fractions import Fraction

import pytest

from auditor.code.values import piecewise, polynomials
from auditor.code.values.polynomials import Polynomial, constant, product, scaled, total, variable

A, B, C = map(variable, "abc")
TWO, ZERO = constant(2), constant(0)


SAME: list[tuple[Polynomial | None, Polynomial | None]] = [
    (total(A, A), scaled(A, 2)),
    (total(A, A, -1), ZERO),
    (product(total(A, B), total(A, B, -1)), total(product(A, A), product(B, B), -1)),
    (product(A, polynomials.inverse(A)), constant(1)),
    (product(A, ZERO), ZERO),
    (scaled(A, 0), ZERO),
    (polynomials.power(A, 3), variable("a", 3)),
    (polynomials.power(A, -2), variable("a", -2)),
    (polynomials.power(A, 0), constant(1)),
    (polynomials.power(ZERO, 0), constant(1)),
    (polynomials.power(ZERO, 2), ZERO),
    (polynomials.power(ZERO, -1), None),
    (polynomials.power(A, 65), None),
    (polynomials.power(total(A, B), 9), None),
    (polynomials.inverse(scaled(total(A, B), 2)), scaled(polynomials.inverse(total(A, B)), Fraction(1, 2))),
    (polynomials.inverse(constant(4)), constant(Fraction(1, 4))),
    (piecewise.two_to(constant(10)), constant(1024)),
    (piecewise.two_to(constant(-1)), None),
    (piecewise.two_to(constant(513)), None),
    (piecewise.power(TWO, total(A, TWO)), scaled(piecewise.power(TWO, A) or {}, 4)),
    (piecewise.power(constant(4), A), piecewise.power(TWO, scaled(A, 2))),
    (piecewise.power(constant(-2), A), None),
    (piecewise.power(A, B), None),
    (piecewise.power(TWO, scaled(A, Fraction(1, 2))), None),
    (piecewise.floor_of_quotient(constant(7), TWO), constant(3)),
    (piecewise.floor_of_quotient(constant(-7), TWO), constant(-4)),
    (piecewise.floor_of_quotient(constant(7), constant(-2)), constant(-4)),
    (piecewise.floor_of_quotient(scaled(A, 2), A), TWO),
    (
        piecewise.floor_of_quotient(total(A, TWO), TWO),
        total(piecewise.floor_of_quotient(A, TWO), constant(1)),
    ),
    (
        piecewise.floor_of_quotient(piecewise.floor_of_quotient(A, TWO), constant(3)),
        piecewise.floor_of_quotient(A, constant(6)),
    ),
    (piecewise.least([A]), A),
    (piecewise.least([A, A]), A),
    (piecewise.least([A, total(A, constant(1))]), A),
    (piecewise.least([A, B]), piecewise.least([B, A])),
    (piecewise.least([A, piecewise.least([B, C])]), piecewise.least([piecewise.least([A, B]), C])),
    (piecewise.least([total(A, C), total(B, C)]), total(piecewise.least([A, B]), C)),
    (piecewise.least([scaled(A, 3), scaled(B, 3)]), scaled(piecewise.least([A, B]), 3)),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same(one: Polynomial | None, other: Polynomial | None) -> None:
    assert one == other


DIFFERENT: list[tuple[Polynomial | None, Polynomial | None]] = [
    (piecewise.floor_of_quotient(A, TWO), scaled(A, Fraction(1, 2))),
    (piecewise.floor_of_quotient(scaled(A, -1), TWO), scaled(piecewise.floor_of_quotient(A, TWO), -1)),
    (
        piecewise.floor_of_quotient(piecewise.floor_of_quotient(A, TWO), constant(-3)),
        piecewise.floor_of_quotient(A, constant(-6)),
    ),
    (piecewise.least([scaled(A, -1), scaled(B, -1)]), scaled(piecewise.least([A, B]), -1)),
    (piecewise.least([A, B]), A),
    (piecewise.power(constant(4), A), scaled(piecewise.power(TWO, A) or {}, 2)),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_not_the_same(one: Polynomial | None, other: Polynomial | None) -> None:
    assert one != other


WHOLE = [
    (constant(3), True),
    (constant(Fraction(1, 2)), False),
    (A, False),
    (variable("len({1*x^1})"), True),
    (variable("len({1*x^1})", -1), False),
    (scaled(variable("len({1*x^1})"), Fraction(1, 2)), False),
    (piecewise.floor_of_quotient(A, TWO), True),
    (ZERO, True),
]


@pytest.mark.parametrize(("form", "expected"), WHOLE)
def test_whole_numbers(form: Polynomial, expected: bool) -> None:
    assert piecewise.is_whole(form) == expected


def test_content() -> None:
    assert polynomials.content(total(scaled(A, 4), scaled(B, 6))) == 2
    assert polynomials.content(total(scaled(A, Fraction(1, 2)), scaled(B, Fraction(1, 3)))) == Fraction(1, 6)
    assert polynomials.content(ZERO) == 1


def test_the_text_of_equal_polynomials_is_equal_and_bounded() -> None:
    assert polynomials.text(total(A, B)) == polynomials.text(total(B, A))
    assert len(polynomials.text(variable("a" * 10_000))) < 100
