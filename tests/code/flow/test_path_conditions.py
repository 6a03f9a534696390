"""Under which condition each program point is reached."""

import textwrap

import pytest

from auditor.code import Undecidable
from auditor.code.flow.path_conditions import path_conditions
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

# A body, and the path condition of the call of `mark()` in it, its locals inlined; None: it is not reached.
MARKED: list[tuple[str, str | None]] = [
    ("mark()", ""),
    ("if a:\n  mark()", "a"),
    ("if a:\n  pass\nelse:\n  mark()", "not a"),
    ("if a:\n  return\nmark()", "not a"),
    ("if a:\n  raise E\nmark()", "not a"),
    ("x = a + 1\nif x > b:\n  mark()", "b < a + 1"),
    ("if a:\n  x = 1\nelse:\n  x = 2\nmark()", ""),
    ("if a:\n  if b:\n    return\nmark()", "(a and not b or not a)"),
    ("a and mark()", "a"),
    ("a or mark()", "not a"),
    ("mark() if a else b", "a"),
    ("b if a else mark()", "not a"),
    ("[mark() for x in a if x]", "x′"),
    ("while a:\n  mark()", "a"),
    ("for x in a:\n  if x:\n    continue\n  mark()", "not x′"),
    ("for x in a:\n  break\nelse:\n  mark()", "the loop is not left by break′"),
    ("if b:\n  return\nelse:\n  raise E\nmark()", None),
    ("assert a\nmark()", "a"),
    ("try:\n  f()\nexcept E:\n  mark()", "the try of line 2 catches an exception′"),
    ("try:\n  mark()\nexcept E:\n  pass", ""),
    ("try:\n  f()\nfinally:\n  mark()", ""),
    ("with a:\n  mark()", ""),
    ("match a:\n  case 1:\n    mark()", "a == 1"),
    ("match a:\n  case 1:\n    pass\n  case _:\n    mark()", "a != 1 and True"),
    ("def inner():\n  mark()", "inner is called′"),
    ("self.n = a\nif self.n:\n  mark()", "a"),
    ("self.n = a\nf()\nif self.n:\n  mark()", "self.n′"),
    ("self.n = a\nlen(b)\nif self.n:\n  mark()", "a"),
    ("n = a\nn += 1\nif n > 2:\n  mark()", "2 < a + 1"),
    ("for n in a:\n  pass\nif n:\n  mark()", "n′"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), MARKED)
def test_a_point_is_reached_under(body: str, expected: str | None) -> None:
    function = definition(f"def f(self, a, b):\n{textwrap.indent(body, '  ')}\n", "f")
    mark = next(c for c in function.code.by_type["Call"] if c.term("func").parts.get("id") == "mark")
    point = path_conditions(function.function).point(mark)
    conditions = [unparse(one.test, 3) for one in point.conditions] if point else None
    found = None if conditions is None else " and ".join(conditions)
    assert found is None or expected is not None
    assert _plain(found) == expected


def _plain(text: str | None) -> str | None:
    """Without the numbers by which fresh symbols are told apart."""
    return None if text is None else "".join(c for i, c in enumerate(text) if not (c.isdigit() and text[i - 1] == "′"))


def test_the_statements_of_a_type_come_with_their_values() -> None:
    function = definition("def f(a):\n  x = a + 1\n  if a:\n    return x\n  raise E(x)\n", "f")
    points = list(path_conditions(function.function).points("Return", "Raise"))
    assert [one.statement.type for one in points] == ["Return", "Raise"]
    assert [unparse(one.values["x"]) for one in points] == ["a + 1", "a + 1"]


def test_a_default_is_at_no_point() -> None:
    function = definition("def f(a=mark()): pass\n", "f")
    with pytest.raises(Undecidable):
        path_conditions(function.function).point(function.code.by_type["Call"][0])
