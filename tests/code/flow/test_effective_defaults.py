"""What becomes of a declared default when an object is made, or a function begins."""

import ast

import pytest

from auditor.code.flow.effective_defaults import filled_in, settings
from auditor.code.program.class_hierarchy import Class
from auditor.code.syntax.from_ast import lower
from tests.support.snapshots import MODULE, codebase, definition

Values = list[tuple[object, ...] | None]

SET = [
    ("None", "self.x = 1", [(1,)]),
    ("None", "if self.x is None:\n            self.x = 1", [(1,)]),
    ("16", "if self.x is None:\n            self.x = 1", []),
    ("16", "if self.x < 0:\n            self.x = 1", []),
    ("None", "self.x = self.x or 1", [(1,)]),
    ("16", "self.x = self.x or 1", [(16,)]),
    ("None", "self.x = 1 if self.x is None else self.x", [(1,)]),
    ("None", "self.x = probe()", [None]),
    ("None", "if probe():\n            self.x = 1", [(1,)]),
    ("None", "object.__setattr__(self, 'x', 1)", [(1,)]),
    ("None", "self.y = 1", []),
]

FILLED = [
    ("None", "x = x or 1", [(1,)]),
    ("None", "if x is None:\n        x = 1", [(1,)]),
    ("16", "if x is None:\n        x = 1", []),
    ("None", "y = x if x is not None else 1", [(1,)]),
    ("None", "y = 1", []),
]


@pytest.mark.parametrize(("declared", "body", "expected"), SET)
def test_what_sets_an_attribute_when_an_object_is_made(declared: str, body: str, expected: Values) -> None:
    code = codebase(f"class C:\n    x: int = {declared}\n    def __post_init__(self):\n        {body}\n")
    default = lower(ast.parse(declared, mode="eval").body)
    assert [one.values for one in settings(code, Class(MODULE, "C"), "x", default)] == expected


def test_a_parameter_of_the_constructor_counts_with_its_default() -> None:
    code = codebase("class C:\n    def __init__(self, x=3):\n        self.x = x\n")
    assert [one.values for one in settings(code, Class(MODULE, "C"), "x", None)] == [(3,)]


@pytest.mark.parametrize(("declared", "body", "expected"), FILLED)
def test_what_takes_the_place_of_a_parameter_that_is_none(declared: str, body: str, expected: Values) -> None:
    function = definition(f"def f(x={declared}):\n    {body}\n", "f")
    found = [one.values for one in filled_in(function, "x", lower(ast.parse(declared, mode="eval").body))]
    assert list(dict.fromkeys(found)) == expected
