"""A value that holds conditional expressions, split into its cases."""

import pytest

from auditor.code.flow.symbolic_execution import returned
from auditor.code.flow.symbolic_values import cases, distinctive
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

MANY = "f(a if t else b, c if u else d, e if v else g, h if w else i)"
# An expression, and its cases: each value with the conditions for it.
CASES: list[tuple[str, list[tuple[str, str]]]] = [
    ("a", [("a", "")]),
    ("a if t else b", [("a", "t"), ("b", "not t")]),
    ("f(a if t else b)", [("f(a)", "t"), ("f(b)", "not t")]),
    ("(a if t else b) + (c if t else d)", [("a + c", "t"), ("b + d", "not t")]),
    (
        "(a if t else b) + (c if u else d)",
        [("a + c", "t and u"), ("a + d", "t and not u"), ("b + c", "not t and u"), ("b + d", "not t and not u")],
    ),
    ("a if t else b if u else c", [("a", "t"), ("b", "not t and u"), ("c", "not t and not u")]),
    ("a if t == 1 else b", [("a", "t == 1"), ("b", "t != 1")]),
    ("a if t < 1 else b", [("a", "t < 1"), ("b", "not t < 1")]),
    ("a if not t else b", [("a", "not t"), ("b", "t")]),
    ("[i if i else b for i in a]", [("[i if i else b for i in a]", "")]),
    ("[i for i in (a if t else b)]", [("[i for i in a]", "t"), ("[i for i in b]", "not t")]),
    ("{i: a if i else b for i in c}", [("{i: a if i else b for i in c}", "")]),
    ("lambda t: a if t else b", [("lambda t: a if t else b", "")]),
    (
        "(a if t else b) if (c if t else d) else e",
        [("a", "c and t"), ("e", "not c and t"), ("b", "d and not t"), ("e", "not d and not t")],
    ),
    (
        "f(a if t else b, c if u else d, e if v else g, h if w else i)",
        [("f(a if t else b, c if u else d, e if v else g, h if w else i)", "")],
    ),
]


@pytest.mark.parametrize(("expression", "expected"), CASES)
def test_a_value_is_split(expression: str, expected: list[tuple[str, str]]) -> None:
    (value,) = returned(definition(f"def start():\n  return {expression}\n", "start").term)
    found = [(unparse(one.value), sorted(unparse(guard) for guard in one.guards)) for one in cases(value)]
    assert sorted(found) == sorted((value, sorted(filter(None, tests.split(" and ")))) for value, tests in expected)


# The body of a function, and what sets each of the values that it returns apart.
DISTINCTIVE: list[tuple[str, list[str | None]]] = [
    ("return a", [None]),
    ("if t:\n    return a\n  return b", ["t", "not t"]),
    ("if not u:\n    return\n  if t:\n    return a\n  return b", ["not u", "u and t", "u and not t"]),
    ("if u:\n    if t:\n      return a\n    else:\n      return b\n  raise E", ["t", "not t"]),
]


@pytest.mark.parametrize(("body", "expected"), DISTINCTIVE)
def test_values_are_set_apart(body: str, expected: list[str | None]) -> None:
    assert distinctive(returned(definition(f"def start():\n  {body}\n", "start").term)) == expected
