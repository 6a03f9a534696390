"""Conditions as logic."""

import ast

import pytest

from auditor.code import Undecidable
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term
from auditor.code.values import polynomials
from auditor.code.values.logic import Implication, are_satisfiable, implication
from auditor.code.values.normal_form import normal_form

YES = [
    ("x", "len(x) > 0"),
    ("not len(x)", "len(x) == 0"),
    ("len(x) == 0", "not x"),
    ("len(x) < 2", "len(x) <= 1"),
    ("len(x) > 0", "len(x) >= 1"),
    ("x % 2", "x % 2 != 0"),
    ("x != 0", "x"),
    ("isinstance(x, (A, B))", "isinstance(x, B) or isinstance(x, A)"),
    ("isinstance(x, A | B)", "isinstance(x, (A, B))"),
    ("s.startswith(('a', 'b'))", "s.startswith('a') or s.startswith('b')"),
    ("any((a, b))", "a or b"),
    ("all([a, b])", "a and b"),
    ("any(x == one for one in (1, 2))", "x in (2, 1)"),
    ("x in frozenset((1, 2))", "x in {2, 1}"),
    ("max(x, y) < z", "x < z and y < z"),
    ("min(x, y) < z", "x < z or y < z"),
    ("x < min(y, z)", "x < y and x < z"),
    ("(a if t else b) > c", "a > c if t else b > c"),
    ("not (a and not b)", "b or not a"),
    ("x - y > 0", "x > y"),
    ("2 * x >= 4", "x >= 2"),
    ("not (x > 3 and y)", "not y or x <= 3"),
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
    ("x >= y", "x > y"),
    ("x >= 70", "x >= 160"),
    ("x < 160", "x < 70"),
    ("x < y and y < z", "z < x"),
    ("x", "x is True"),
    ("not x", "x is None"),
    ("isinstance(x, (A, B))", "isinstance(x, A)"),
    ("len(x) == 1", "x and len(x) > 1"),
    ("s.startswith(('a', 'b'))", "s.startswith('a')"),
    ("x < max(y, z)", "x < y"),
    ("x > 1", "x > 2"),
    ("x == 1", "x == 2"),
    ("x == None", "x is None"),
    ("x in (A.P, A.Q)", "x == A.P"),
    ("x in pool", "x in other"),
    ("a is b", "a == b"),
    ("f(a)", "f(b)"),
    ("x == '1'", "x == 1"),
]
IF_WHOLE = [
    ("x < 2", "x <= 1"),
    ("x > 1 and x < 3", "x == 2"),
    ("2 * x > 3", "x >= 2"),
]
NARROWER = [
    ("x > y", "x >= y"),
    ("x >= 160", "x >= 70"),
    ("x == 5", "x > 3"),
    ("x < y and y < z", "x < z"),
    ("x <= y and y < z + 1", "x < z + 2"),
    ("x is None", "not x"),
    ("x is True", "x"),
    ("x is None", "x is not True"),
    ("len(x) > 3", "x"),
    ("a", "a or b"),
    ("x == A.P", "x in (A.P, A.Q)"),
    ("x == 1", "x != 2"),
    ("x == 'a'", "x != 'b'"),
]


def condition(text: str) -> Term:
    return lower(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    ("given", "wanted", "answer"),
    [
        (*pair, answer)
        for answer, pairs in zip(Implication, (NO, IF_WHOLE, NARROWER, YES), strict=True)
        for pair in pairs
    ],
)
def test_a_condition_follows_from_another_or_does_not(given: str, wanted: str, answer: Implication) -> None:
    assert answer is implication(condition(wanted), [condition(given)])


def test_conditions_that_contradict_each_other_imply_nothing() -> None:
    with pytest.raises(Undecidable, match="contradict each other"):
        implication(condition("a"), [condition("a"), condition("not a")])


def test_a_contradiction_about_something_else_does_not_matter() -> None:
    assert Implication.YES is implication(condition("c"), [condition("a"), condition("not a"), condition("c")])


def test_a_condition_of_too_many_cases_is_not_split() -> None:
    test = "a0"
    for number in range(1, 40):  # each level has its test twice: the last one 2 ** 39 times
        test = f"(b{number} if ({test}) else c{number})"
    with pytest.raises(Undecidable, match="more than 4,096 cases"):
        implication(condition(test), [condition("a0")])
    pairs = [" , ".join(f"{side}{number}" for number in range(70)) for side in "xy"]
    with pytest.raises(Undecidable, match="more than 4,096 cases"):
        implication(condition(f"min({pairs[0]}) < max({pairs[1]})"), [condition("a0")])


def test_a_part_that_is_shared_is_worked_out_once() -> None:
    shared = condition("a")
    for _ in range(60):  # as a local that is inlined: a tree of 2 ** 60 terms
        shared = Term("BinaryOperation", {"left": shared, "operator": "+", "right": shared})
    assert normal_form(shared) == polynomials.scaled(normal_form(condition("a")), 2**60)


def test_conditions_of_too_many_questions_are_not_combined() -> None:
    many = " or ".join(f"x{number}" for number in range(20))
    with pytest.raises(Undecidable, match="20 conditions"):
        implication(condition("x1"), [condition(many)])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("x == A.P", "x == A.Q", False), ("x == A.P", "y == A.Q", True), ("a", "not a", False), ("x < 1", "x > 2", False)],
)
def test_conditions_can_hold_together_or_not(first: str, second: str, expected: bool) -> None:
    assert expected is are_satisfiable([condition(first), condition(second)])
