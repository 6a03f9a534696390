"""Code as it reads with what its names stand for written out."""

import textwrap

import pytest

from auditor.code.program.aliases import followed_references, imports_of, readings
from auditor.code.syntax.unparse import unparse
from auditor.model import Anchor
from tests.support.snapshots import MODULE, codebase, definition

# A body, and the texts of the argument of `mark` in it in all readings.
READ: list[tuple[str, set[str]]] = [
    ("mark(x)", {"x"}),
    ("x = a\nmark(x)", {"x", "a"}),
    ("x = a.b\nmark(x.c)", {"x.c", "a.b.c"}),
    ("x = self.pool\nmark(x.c)", {"x.c", "self.pool.c"}),
    ("x = a\ny = x\nmark(y)", {"y", "a"}),
    ("x = f()\nmark(x)", {"x"}),
    ("x = 1\nmark(x)", {"x"}),
    ("x = a if c else b\nmark(x)", {"x", "a", "b"}),
    ("x = a or b\nmark(x)", {"x", "a", "b"}),
    ("x, y = a, b\nmark(x)", {"x", "a"}),
    ("(x, y), z = (a, b), c\nmark(y)", {"y", "b"}),
    ("*x, y = a, b\nmark(x)", {"x"}),
    ("x, y = a\nmark(x)", {"x"}),
    ("x = y = a\nmark(y)", {"y", "a"}),
    ("for x in (a, b):\n  mark(x)", {"x", "a", "b"}),
    ("for x, y in ((a, b), (c, d)):\n  mark(y)", {"y", "b", "d"}),
    ("for x in a:\n  mark(x)", {"x"}),
    ("with a as x:\n  mark(x)", {"x", "a"}),
    ("(x := a)\nmark(x)", {"x", "a"}),
    ("mark(getattr(a, 'b'))", {"getattr(a, 'b')", "a.b"}),
    ("mark(getattr(a, b))", {"getattr(a, b)"}),
    ("x = x.next\nmark(x)", {"x"}),
    ("mark(limit)", {"limit", "LIMIT", "engine.sizes.LIMIT"}),
    ("limit = a\nmark(limit)", {"limit", "a"}),
    ("mark(sizes.LIMIT)", {"sizes.LIMIT", "LIMIT", "engine.sizes.LIMIT"}),
    ("def inner(limit):\n  mark(limit)", {"limit"}),
]


@pytest.mark.parametrize(("body", "expected"), READ)
def test_a_name_reads(body: str, expected: set[str]) -> None:
    imports = "from engine.sizes import LIMIT as limit\nfrom engine import sizes\n"
    text = f"{imports}def start(self, c):\n{textwrap.indent(body, '  ')}\n"
    files = {MODULE: text, "engine/__init__.py": "", "engine/sizes.py": "LIMIT = 1\n"}
    start = codebase(files).locate(Anchor(MODULE, "start"))
    found = set()
    for index in readings(start.terms, imports_of(start, ("engine.sizes.LIMIT",))):
        calls = [one for one in index.by_type["Call"] if one.term("func").parts.get("id") == "mark"]
        found |= {unparse(one.terms("args")[0]) for one in calls}
    assert found == expected


# A body, and the names of what a local that is only ever called stands for.
FOLLOWED: list[tuple[str, set[str]]] = [
    ("say = a\nsay()", {"a"}),
    ("say = a if c else b\nsay()", {"a", "b"}),
    ("say = a\nkeep(say)", set()),
    ("say = a\nsay()\nkeep(say)", set()),
    ("(say := a)()\nkeep(say := b)", set()),
    ("say = a", {"a"}),
    ("say, x = a, b\nsay()", {"a", "b"}),
]


@pytest.mark.parametrize(("body", "expected"), FOLLOWED)
def test_a_reference_is_followed(body: str, expected: set[str]) -> None:
    start = definition(f"def start(c):\n{textwrap.indent(body, '  ')}\n", "start")
    found = followed_references(start.term)
    assert {one.text("id") for one in start.term.walk() if id(one) in found} == expected
