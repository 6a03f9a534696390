"""What a function assigns, and by how much each place is changed."""

import textwrap

import pytest

from auditor.code import Undecidable
from auditor.code.flow.path_conditions import path_conditions
from auditor.code.flow.state_changes import changes
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

CHANGED: list[tuple[str, list[tuple[str, str | None]]]] = [
    ("self.n += a", [("self.n", "a")]),
    ("self.n -= a", [("self.n", "-a")]),
    ("self.n = self.n + a", [("self.n", "self.n + a - self.n")]),
    ("x = a\nx.n += 1", [("x", "a - x"), ("x.n", "1")]),
    ("self.n, m = a, b", [("self.n", "a - self.n"), ("m", "b - m")]),
    ("self.n, m = f()", [("self.n", None), ("m", None)]),
    ("d[a] = 1", [("d[a]", "1 - d[a]")]),
    ("setattr(self, 'n', a)", [("self.n", "a - self.n")]),
    ("del self.n", [("self.n", None)]),
    ("for x in a:\n  pass", [("x", None)]),
    ("return\nself.n = 1", []),
    ("(x := a)", [("x", "a - x")]),
]


@pytest.mark.parametrize(("body", "expected"), CHANGED)
def test_a_function_changes(body: str, expected: list[tuple[str, str | None]]) -> None:
    function = definition(f"def f(self, a, b):\n{textwrap.indent(body, '  ')}\n", "f").term
    found = list(changes(function, path_conditions(function)))
    assert [(unparse(one.place), one.source and unparse(one.source)) for one in found] == expected


@pytest.mark.parametrize("body", ["setattr(self, a, 1)", "vars(self)[a] = 1", "self.__dict__.update(a)"])
def test_what_may_change_any_attribute_is_undecidable(body: str) -> None:
    function = definition(f"def f(self, a):\n  {body}\n", "f").term
    with pytest.raises(Undecidable):
        list(changes(function, path_conditions(function)))
