"""Which answers to some questions go together."""

import ast

import pytest

from auditor.code.syntax.from_ast import lower
from auditor.code.values.logic import are_satisfiable

# Conditions, and whether all of them can hold at once.
TOGETHER = [
    (["x < 1", "x > 2"], False),
    (["x < 2", "x > 1"], True),
    (["x < 1", "x == 1"], False),
    (["x <= 1", "x >= 1"], True),
    (["x <= 1", "x >= 1", "x != 1"], False),
    (["x == 1", "x == 2"], False),
    (["x == 1", "x != 2"], True),
    (["not x", "x == 1"], False),
    (["x", "x == 0"], False),
    (["not x", "x is None"], True),
    (["x", "x is None"], False),
    (["x is None", "x is not None"], False),
    (["x is None", "x == 0"], False),
    (["x is True", "x is False"], False),
    (["x is True", "not x"], False),
    (["x is False", "x"], False),
    (["x == 'a'", "x == 'b'"], False),
    (["x == 'a'", "x is None"], False),
    (["x == 'a'", "y == 'b'"], True),
    (["len(x) < 0"], False),
    (["len(x) > 0", "len(x) < 1"], False),
    (["len(x) > 0", "not x"], False),
    (["len(x) == 0", "x"], False),
    (["x > 0", "x < 1"], True),
    (["x < y", "y < x"], False),
    (["x < y", "y < z", "z < x"], False),
    (["x < y", "y < z", "z < w"], True),
    (["x <= y", "y <= z", "z <= x"], True),
    (["x <= y", "y <= x", "x != y"], False),
    (["x < y + 1", "x > y"], True),
    (["x == y", "y == z", "x != z"], False),
    (["2 * x < 4", "x > 2"], False),
    (["x - y > 3", "y - x > -3"], False),
    (["f(x)", "not f(x)"], False),
    (["f(x)", "not f(y)"], True),
    (["x in (1, 2)", "x == 3"], False),
    (["x in (1, 2)", "x != 1", "x != 2"], False),
    (["x is y", "x is None"], True),
]


@pytest.mark.parametrize(("conditions", "expected"), TOGETHER)
def test_conditions_hold_together(conditions: list[str], expected: bool) -> None:
    assert are_satisfiable([lower(ast.parse(one, mode="eval").body) for one in conditions]) == expected
