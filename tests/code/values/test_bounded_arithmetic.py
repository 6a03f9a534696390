"""Arithmetic within bounds, and values as texts."""

from fractions import Fraction

import pytest

from auditor.code import Undecidable
from auditor.code.values.bounded_arithmetic import binary, bounded_items, value_text

RESULTS: list[tuple[object, str, object, object]] = [
    (1, "+", 2, 3),
    (7, "//", -2, -4),
    (-7, "%", 3, 2),
    (7, "/", 2, 3.5),
    (2, "**", 10, 1024),
    (2, "**", -1, 0.5),
    (True, "+", True, 2),
    ("a", "+", "b", "ab"),
    ("ab", "*", 2, "abab"),
    (2, "*", "ab", "abab"),
    ("ab", "*", -1, ""),
    ((1,), "+", (2,), (1, 2)),
    ({1}, "|", {2}, {1, 2}),
    ({"a": 1}, "|", {"b": 2}, {"a": 1, "b": 2}),
    (6, "&", 3, 2),
    (1, "<<", 4, 16),
]


@pytest.mark.parametrize(("left", "symbol", "right", "expected"), RESULTS)
def test_a_result(left: object, symbol: str, right: object, expected: object) -> None:
    found = binary(symbol, left, right)
    assert (found, type(found)) == (expected, type(expected))


EXACT: list[tuple[object, str, object, object]] = [
    (1, "/", 3, Fraction(1, 3)),
    (2, "**", -2, Fraction(1, 4)),
    (Fraction(1, 2), "+", 1, Fraction(3, 2)),
    (4, "**", Fraction(1, 2), 2.0),
    (1.5, "/", 2, 0.75),
]


@pytest.mark.parametrize(("left", "symbol", "right", "expected"), EXACT)
def test_an_exact_result(left: object, symbol: str, right: object, expected: object) -> None:
    assert binary(symbol, left, right, is_exact=True) == expected


REFUSED: list[tuple[object, str, object]] = [
    (2, "**", 10**7),
    (1, "<<", 10**7),
    (10**400, "**", 10**4),
    ("a", "*", 10**7),
    (10**7, "*", [1]),
    ("%s", "%", 1),
    (b"%d", "%", 1),
    (1, "@", 2),
    (1, "and", 2),
    ("a" * 150_000, "+", "a" * 150_000),
]


@pytest.mark.parametrize(("left", "symbol", "right"), REFUSED)
def test_a_large_or_unknown_result_is_refused(left: object, symbol: str, right: object) -> None:
    with pytest.raises(Undecidable):
        binary(symbol, left, right)


ERRORS: list[tuple[object, str, object, type[Exception]]] = [
    (1, "/", 0, ZeroDivisionError),
    (1, "%", 0, ZeroDivisionError),
    (0, "**", -1, ZeroDivisionError),
    (1, "<<", -1, ValueError),
    (1, "+", "a", TypeError),
]


@pytest.mark.parametrize(("left", "symbol", "right", "error"), ERRORS)
def test_what_python_refuses(left: object, symbol: str, right: object, error: type[Exception]) -> None:
    for is_exact in (False, True):
        with pytest.raises(error):
            binary(symbol, left, right, is_exact=is_exact)


TEXTS: list[tuple[object, str]] = [
    (1, "1"),
    (True, "True"),
    (None, "None"),
    ("a", "'a'"),
    ((1,), "(1,)"),
    ({3, 1, 2}, "{1, 2, 3}"),
    ({"b": 1, "a": 2}, "{'a': 2, 'b': 1}"),
    ([[[[[[1]]]]]], "[[[[[...]]]]]"),
]


@pytest.mark.parametrize(("value", "expected"), TEXTS)
def test_a_value_as_a_text(value: object, expected: str) -> None:
    assert value_text(value) == expected


def test_a_value_that_holds_another_many_times_is_refused() -> None:
    nested: object = "x" * 100
    for _ in range(20):
        nested = [nested, nested]
    with pytest.raises(Undecidable):
        bounded_items([nested])
    assert len(value_text(10**5000)) <= 2_003
