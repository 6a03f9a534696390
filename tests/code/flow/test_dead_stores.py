"""Assignments that a later one always overwrites, and statements written twice in a row."""

import textwrap

import pytest

from auditor.code.flow.dead_stores import overwritten, repeated
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import search
from auditor.code.project.codebase import Definition
from tests.support.snapshots import definition

# A body, and the line at which what `x.a = 1` stores is overwritten.
OVERWRITTEN: list[tuple[str, int | None]] = [
    ("x.a = 1", None),
    ("x.a = 1\nx.a = 2", 2),
    ("x.a = 2\nx.a = 1", None),
    ("x.a = 1\nx.b = 2", None),
    ("x.a = 1\ny.a = 2", None),
    ("x.a = 1\nx.a += 1", 2),
    ("x.a = 1\ndel x.a", 2),
    ("x.a = 1\nx.a: int", None),
    ("x.a = 1\nx.a: int = 2", 2),
    ("x.a = 1\ny, x.a = c", 2),
    ("x.a = 1\n[*x.a] = c", 2),
    ("if c:\n  x.a = 1\nx.a = 2", 3),
    ("x.a = 1\nif c:\n  x.a = 2", None),
    ("if c:\n  x.a = 1\n  return\nx.a = 2", None),
    ("if c:\n  x.a = 1\nelse:\n  x.a = 2", None),
    ("x.a = 1\nif c:\n  return\nx.a = 2", None),
    ("x.a = 1\nif c:\n  raise E\nx.a = 2", 4),
    ("for i in c:\n  x.a = 1\n  if i:\n    continue\n  x.a = 2", None),
    ("for i in c:\n  x.a = 1\n  for j in i:\n    break\n  x.a = 2", 5),
    ("for i in c:\n  x.a = 1\nelse:\n  x.a = 2", 4),
    ("for i in c:\n  x.a = 1\n  if i:\n    break\nelse:\n  x.a = 2", None),
    ("try:\n  x.a = 1\nfinally:\n  x.a = 2", 4),
    ("try:\n  x.a = 1\nexcept E:\n  x.a = 2", None),
    ("try:\n  f()\nexcept E:\n  x.a = 1\nx.a = 2", 5),
    ("match c:\n  case 1:\n    x.a = 1\n  case _:\n    x.a = 2", None),
    ("match c:\n  case 1:\n    x.a = 1\nx.a = 2", 4),
    ("x.a = 1\ndef g():\n  x.a = 2", None),
    ("with c:\n  x.a = 1\nx.a = 2", 3),
]


@pytest.mark.parametrize(("body", "line"), OVERWRITTEN)
def test_a_store_is_overwritten(body: str, line: int | None) -> None:
    function = _function(body)
    found = overwritten(function.term, [match.terms[0] for match in search(Pattern("x.a = 1"), function.code)])
    assert (found.region.start - 1 if found and found.region else None) == line


def test_a_local_is_overwritten_only_where_that_is_asked() -> None:
    function = _function("n = 1\nn = 2")
    first = function.term.terms("body")[:1]
    assert overwritten(function.term, first) is None
    assert overwritten(function.term, first, with_locals=True) is function.term.terms("body")[1]


# A body, and whether the call of `f` in it stands in a statement that is written twice in a row.
REPEATED = [
    ("f()\nf()", True),
    ("f()\nf(1)", False),
    ("f(1)\nf(1.0)", False),
    ("f(1)\nf(True)", False),
    ("f()\ng()\nf()", False),
    ("x += f()\nx += f()", True),
    ("await f()\nawait f()", True),
    ("if x:\n  f()\nelse:\n  f()", False),
    ("if x:\n  pass\nelse:\n  f()\n  f()", True),
    ("try:\n  pass\nexcept E:\n  f()\n  f()", True),
    ("try:\n  pass\nfinally:\n  f()\n  f()", True),
    ("match x:\n  case 1:\n    f()\n    f()", True),
    ("f('a', b=1, c=2)\nf(\"a\", c=2, b=1)", True),
]


@pytest.mark.parametrize(("body", "expected"), REPEATED)
def test_a_statement_is_repeated(body: str, expected: bool) -> None:
    function = _function(body)
    calls = [call for call in function.code.by_type["Call"] if call.term("func").parts.get("id") == "f"]
    assert (repeated(function.term, calls) is not None) == expected


def _function(body: str) -> Definition:
    return definition(f"async def start(x, c):\n{textwrap.indent(body, '  ')}\n", "start")
