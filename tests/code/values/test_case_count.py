"""How many cases a condition has: at least as many as its proposition has atoms."""

import ast

import pytest

from auditor.code.syntax.from_ast import lower
from auditor.code.values.case_count import atom_count

COUNTS = [
    ("a", 1),
    ("not a", 1),
    ("a and b", 2),
    ("a and (b or a)", 3),
    ("a < b", 1),
    ("a < b < c", 2),
    ("a in (b, c, d)", 3),
    ("a in ()", 1),
    ("min(a, b) < c", 2),
    ("min(a, b) < max(c, d)", 4),
    ("(a if t else b) < c", 4),
    ("a if t else b", 4),
    ("any((a, b, c))", 3),
    ("any(x < y for x in (a, b))", 2),
    ("f()", 1),
    ("f(a, b)", 2),
    ("x is None", 1),
    ("-x", 1),
    ("lambda: a and b", 1),
]


@pytest.mark.parametrize(("condition", "expected"), COUNTS)
def test_cases(condition: str, expected: int) -> None:
    assert atom_count(lower(ast.parse(condition, mode="eval").body)) == expected
