"""When a difference of two expressions is proven by numbers, and when it may be none."""

import ast

import pytest

from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term
from auditor.code.values.counterexample import counterexample

DIFFERENT = [
    ("a + 1", "a"),
    ("a * b", "a + b"),
    ("self.a", "self.b"),
    ("x[0]", "x[1]"),
    ("'a'", "'b'"),
    ("f(a) + 1", "f(a)"),
    ("x.free()", "x.used()"),
    ("a + x.free()", "a"),
    ("int(a) * b", "int(a * b)"),
    ("a if p else b", "b if p else a"),
    ("sum(x.n for x in xs)", "max(x.n for x in xs)"),
    ("sum(x for x in xs)", "sum(2 * x for x in xs)"),
    ("0", "1 / 0"),
]

NOT_PROVEN = [
    ("a + b", "b + a"),
    ("twice(a)", "a * 2"),
    ("x.free()", "self.free"),
    ("f(a)", "g(a)"),
    ("int(a / b)", "a // b"),
    ("math.ceil(a / b)", "(a + b - 1) // b"),
    ("sum(f(x) for x in xs)", "sum(g(x) for x in xs)"),
    ("a[i:]", "a"),
    ("f'{a}'", "a"),
    ("9 ** 9 ** 9", "1"),
]


def _term(code: str) -> Term:
    return lower(ast.parse(code, mode="eval").body)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_a_difference_is_proven(one: str, other: str) -> None:
    assert counterexample(_term(one), _term(other)) is not None


@pytest.mark.parametrize(("one", "other"), NOT_PROVEN)
def test_a_difference_is_not_proven(one: str, other: str) -> None:
    assert counterexample(_term(one), _term(other)) is None


def test_a_difference_counts_where_the_conditions_hold() -> None:
    one, other = _term("max(a, 4)"), _term("a")
    assert counterexample(one, other, [_term("a > 4")]) is None
    assert counterexample(one, other, [_term("a < 4")]) is not None


def test_of_a_fresh_symbol_nothing_is_known() -> None:
    assert counterexample(Term("Name", {"id": "a′1"}), _term("a")) is None


def test_what_is_compared_with_none_may_be_none() -> None:
    assert counterexample(_term("b"), _term("c"), [_term("a is None")]) is not None
