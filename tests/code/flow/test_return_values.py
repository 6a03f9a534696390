"""The values that a function returns, each under its conditions, and whether one is certainly another."""

import ast
import textwrap

import pytest

from auditor.code.flow.entailment import Reading
from auditor.code.flow.no_return import conditions_in
from auditor.code.flow.return_values import is_different, is_instance, is_other, return_values
from auditor.code.matching.notation import Pattern
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

# A body, and each value with its conditions, where a value other than a truth value is wanted.
RETURNED: list[tuple[str, list[tuple[str, str]]]] = [
    ("return a", [("a", "")]),
    ("return", [("None", "")]),
    ("pass", [("None", "")]),
    ("if a:\n  return 1\nreturn 2", [("1", "a"), ("2", "not a")]),
    ("if a:\n  return 1", [("1", "a"), ("None", "not a")]),
    ("return 1 if a else 2", [("1", "a"), ("2", "not a")]),
    ("return f(1 if a else 2)", [("f(1)", "a"), ("f(2)", "not a")]),
    ("x = 1\nif a:\n  x = 2\nreturn x", [("2", "a"), ("1", "not a")]),
    ("raise E", []),
    ("if a:\n  raise E\nreturn 1", [("1", "not a")]),
    ("while True:\n  if a:\n    return 1", [("1", "True and a")]),
    ("try:\n  return 1\nfinally:\n  f()", [("1", "")]),
    ("return a and b", [("a and b", "")]),
    ("return (x := a)", [("a", "")]),
    ("def inner():\n  return 1\nreturn 2", [("2", "")]),
]


@pytest.mark.parametrize(("body", "expected"), RETURNED)
def test_values_are_returned(body: str, expected: list[tuple[str, str]]) -> None:
    start = definition(f"def start(a, b):\n{textwrap.indent(body, '  ')}\n", "start")
    found = [
        (unparse(one.value), " and ".join(unparse(condition.test) for condition in one.point.conditions))
        for one in return_values(conditions_in(start), _term("None"))
    ]
    assert sorted(found) == sorted(expected)


def test_a_condition_as_a_value_is_taken_apart_where_a_truth_value_is_wanted() -> None:
    start = definition("def start(a, b):\n  return a < b\n", "start")
    found = [unparse(one.value) for one in return_values(conditions_in(start), _term("True"))]
    assert found == ["True", "False"]


# A value, the one that a claim states, whether it is that, and whether it is another for some arguments.
COMPARED = [
    ("1", "1", True, False),
    ("1", "2", False, True),
    ("1", "True", False, True),
    ("0", "None", False, True),
    ("0", "False", False, True),
    ("None", "False", False, True),
    ("'a'", "'b'", False, True),
    ("a", "1", False, True),
    ("a + a", "2 * a", True, False),
    ("a + 1", "a", False, True),
    ("f(a)", "1", False, False),
    ("LIMIT", "4", True, False),
    ("LIMIT", "5", False, True),
    ("f(a)", "f($X)", True, False),
    ("g(a)", "f($X)", False, True),
    ("(1, a)", "(1, b)", False, True),
    ("(1, a)", "(2, a)", False, True),
    ("(1, a)", "(1,)", False, True),
    ("(*a, 1)", "(1,)", False, False),
    ("A.B", "A.B", True, False),
    ("inner", "None", False, True),
]


@pytest.mark.parametrize(("value", "wanted", "instance", "different"), COMPARED)
def test_a_value_is_compared(value: str, wanted: str, instance: bool, different: bool) -> None:
    text = f"LIMIT = 4\ndef start(a, b):\n  def inner(): pass\n  return {value}\n"
    start = definition(text, "start")
    pattern, reading = Pattern(wanted), Reading(start)
    (found,) = return_values(conditions_in(start), _term("a"))
    assert is_instance(found, pattern, reading) == instance
    assert (not instance and is_different(found, pattern, reading)) == different


def test_tuples_of_other_constants_are_other_values() -> None:
    assert is_other(_term("(1, None)"), _term("(1, False)"))
    assert not is_other(_term("(1, a)"), _term("(1, False)"))


def _term(expression: str) -> Term:
    return lower(ast.parse(expression, mode="eval").body)
