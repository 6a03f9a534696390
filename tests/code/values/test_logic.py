"""Conditions as logic."""

import ast

import pytest

from auditor.code import Undecidable
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term
from auditor.code.values.logic import Implication, are_satisfiable, implication

YES = [
    ("a and b", "a"),
    ("a and b", "b and a"),
    ("not (a or b)", "not a"),
    ("not (a and b)", "not b or not a"),
    ("(a or b) and not a", "b"),
    ("b if a else c", "not a or b"),
    ("bool(a)", "a"),
    ("x > y", "y < x"),
    ("not x >= y", "x < y"),
    ("x + 1 <= y", "not y - 1 < x"),
    ("low < x <= high", "x > low and not high < x"),
    ("x == y", "y - x == 0"),
    ("x == A.P", "A.P == x"),
    ("x != None", "not x == None"),
    ("x is not None", "not (None is x)"),
    ("x in (A.P, A.Q)", "x == A.Q or x == A.P"),
    ("x not in [A.P]", "x != A.P"),
    ("x not in pool", "not x in pool"),
    ("a", "True"),
    ("a", "1 < 2"),
]
NO = [
    ("a", "b"),
    ("a or b", "a"),
    ("not a", "a"),
    ("x > y", "x < y"),
    ("x > y", "x >= y"),
    ("x > 1", "x > 2"),
    ("x == 1", "x == 2"),
    ("x == None", "x is None"),
    ("x in (A.P, A.Q)", "x == A.P"),
    ("x in pool", "x in other"),
    ("a is b", "a == b"),
    ("f(a)", "f(b)"),
    ("x == '1'", "x == 1"),
]
NARROWER = [
    ("a", "a or b"),
    ("x == A.P", "x in (A.P, A.Q)"),
    ("x == 1", "x != 2"),
    ("x == 'a'", "x != 'b'"),
]


def condition(text: str) -> Term:
    return lower(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    ("given", "wanted", "answer"),
    [(*pair, answer) for answer, pairs in zip(Implication, (NO, NARROWER, YES), strict=True) for pair in pairs],
)
def test_a_condition_follows_from_another_or_does_not(given: str, wanted: str, answer: Implication) -> None:
    assert answer is implication(condition(wanted), [condition(given)])


def test_conditions_that_contradict_each_other_imply_nothing() -> None:
    with pytest.raises(Undecidable, match="contradict each other"):
        implication(condition("a"), [condition("a"), condition("not a")])


def test_a_contradiction_about_something_else_does_not_matter() -> None:
    assert Implication.YES is implication(condition("c"), [condition("a"), condition("not a"), condition("c")])


def test_conditions_of_too_many_questions_are_not_combined() -> None:
    many = " or ".join(f"x{number}" for number in range(20))
    with pytest.raises(Undecidable, match="20 conditions"):
        implication(condition("x1"), [condition(many)])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("x == A.P", "x == A.Q", False), ("x == A.P", "y == A.Q", True), ("a", "not a", False), ("x < 1", "x > 2", True)],
)
def test_conditions_can_hold_together_or_not(first: str, second: str, expected: bool) -> None:
    assert expected is are_satisfiable([condition(first), condition(second)])
