"""What functions compute: values with locals inlined, and the guards they stand under."""

import ast
import re
import textwrap

import pytest

from auditor.code.flow.inlining import inlined
from auditor.code.flow.symbolic_execution import assigned_to, returned
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

RETURNED: list[tuple[str, list[tuple[str, str]]]] = [
    ("return a + b", [("a + b", "")]),
    ("x = a\ny = x + b\nreturn y * x", [("(a + b) * a", "")]),
    ("x = a\nx = x + 1\nreturn x", [("a + 1", "")]),
    ("a = 2\nreturn a", [("2", "")]),
    ("x, y = a, b\nreturn x - y", [("a - b", "")]),
    ("a, b = b, a\nreturn a - b", [("b - a", "")]),
    ("(x, [y, z]) = a, [b, 1]\nreturn x + y + z", [("a + b + 1", "")]),
    ("x = y = a + 1\nreturn x + y", [("a + 1 + (a + 1)", "")]),
    ("p = a, b\nx, y = p\nreturn y", [("b", "")]),
    ("x: int = a\nreturn x", [("a", "")]),
    ("x: int\nreturn x", [("x", "")]),
    ("x = a\nx += b\nx *= 2\nreturn x", [("(a + b) * 2", "")]),
    ("x, y = g()\nreturn x", [("x′", "")]),
    ("x = a\nx, *y = a, b\nreturn x", [("x′", "")]),
    ("x = 1\ny, *x = a, b\nreturn x", [("x′", "")]),
    ("if c:\n  return a\nreturn b", [("a", "c"), ("b", "not c")]),
    ("if c:\n  return a\nelse:\n  return b", [("a", "c"), ("b", "not c")]),
    ("if c:\n  return a\nelif d:\n  return b\nreturn 0", [("a", "c"), ("b", "not c and d"), ("0", "not c and not d")]),
    ("if c:\n  x = a\nelse:\n  x = b\nreturn x", [("a if c else b", "")]),
    ("x = a\nif c:\n  x = b\nreturn x", [("b if c else a", "")]),
    ("x = a\nif c:\n  x = a\nreturn x", [("a", "")]),
    ("x = a\nif c:\n  x = b\n  return 0\nreturn x", [("0", "c"), ("a", "not c")]),
    ("if c:\n  raise E\nreturn a", [("a", "")]),
    ("if c:\n  pass\nelse:\n  raise E\nreturn a", [("a", "")]),
    ("if c:\n  return a", [("a", "c"), ("None", "not c")]),
    ("if x > a:\n  return a\nreturn b", [("a", "a < x"), ("b", "not a < x")]),
    ("n = a\nif n is None:\n  return 0\nreturn n", [("0", "a is None"), ("a", "a is not None")]),
    ("for x in a:\n  return x\nreturn b", [("x′", ""), ("b", "")]),
    ("x = 0\nfor y in a:\n  x += y\nreturn x", [("x′", "")]),
    ("x = 0\nwhile c:\n  x = x + 1\nreturn x", [("x′", "")]),
    ("while c:\n  return a\nreturn b", [("a", "c"), ("b", "")]),
    ("for y in a:\n  pass\nelse:\n  return b\nreturn y", [("b", ""), ("y′", "")]),
    ("x = self.n\nself.n = 0\nreturn x", [("x′", "")]),
    ("x = self.n\nself.m = 0\nreturn x", [("self.n", "")]),
    ("x = self.n + self.m\nself.m += 1\nreturn x", [("x′", "")]),
    ("x = self.n\nif c:\n  self.n = 0\nreturn x", [("x′ if c else self.n", "")]),
    ("x = self.n\nfor y in a:\n  self.n += y\nreturn x", [("x′", "")]),
    ("for y in a:\n  self.n += y\nreturn self.m", [("self.m", "")]),
    ("x = d[a]\nd[a] = 1\nreturn x", [("x′", "")]),
    ("x = d[a]\nd[b] = 1\nreturn x", [("d[a]", "")]),
    ("x = self.n\nself.n, y = g()\nreturn x", [("x′", "")]),
    ("x = self.n\nself.reset()\nreturn x", [("self.n", "")]),
    ("try:\n  return a\nexcept E:\n  return b", [("a", ""), ("b", "an exception is caught")]),
    ("x = a\ntry:\n  x = b\nexcept E:\n  pass\nreturn x", [("x′", "")]),
    ("x = a\ntry:\n  x = b\nfinally:\n  c()\nreturn x", [("b", "")]),
    ("x = a\ntry:\n  pass\nexcept E as x:\n  pass\nreturn x", [("x′", "")]),
    ("with a as x:\n  return x", [("x′", "")]),
    ("with g():\n  x = a\nreturn x", [("a", "")]),
    ("x = 1\nimport x\nreturn x", [("x′", "")]),
    ("x = 1\nfrom m import y as x\nreturn x", [("x′", "")]),
    ("x = 1\ndef x(): return 2\nreturn x", [("x′", "")]),
    ("x = 1\nclass x: y = 2\nreturn x", [("x′", "")]),
    ("x = 1\ndel x\nreturn x", [("x′", "")]),
    ("def g():\n  return 1\nreturn a", [("a", "")]),
    ("if (n := a + 1) > 2:\n  return n\nreturn -n", [("a + 1", "2 < a + 1"), ("-(a + 1)", "not 2 < a + 1")]),
    ("x = (n := a) + n\nreturn x + n", [("a + a + a", "")]),
    ("n = 1\nx = c and (n := 2)\nreturn n", [("n′", "")]),
    ("x = (n := a) or b\nreturn n", [("a", "")]),
    ("x = b if (n := a) else (n := 2)\nreturn n", [("n′", "")]),
    ("n = 1\nx = [n := y for y in a]\nreturn n", [("n′", "")]),
    ("n = b + 1\nreturn [n for b in a]", [("[n for b in a]", "")]),
    ("n = b + 1\nreturn [n + y for y in a]", [("[b + 1 + y for y in a]", "")]),
    ("match a:\n  case 1:\n    return b\nreturn 0", [("b", "case 1 matches"), ("0", "")]),
    ("x = 1\nmatch a:\n  case [x, *_]:\n    pass\nreturn x", [("x′", "")]),
    ("return", [("None", "")]),
    ("return a\nreturn b", [("a", "")]),
    ("a()", []),
    ("return a if c else b", [("a if c else b", "")]),
    ("return await a", [("await a", "")]),
]  # fmt: skip


def function(body: str, name: str = "f") -> str:
    return f"async def {name}(self, a, b=1):\n{textwrap.indent(body, '    ')}\n"


@pytest.mark.parametrize(("body", "expected"), RETURNED, ids=lambda part: str(part))
def test_a_function_returns(body: str, expected: list[tuple[str, str]]) -> None:
    found = returned(definition(function(body), "f").term)
    assert [value for value, _ in expected] == [plain(one.value) for one in found]
    assert [guard for _, guard in expected] == [" and ".join(map(unparse, one.guards)) for one in found]


def plain(value: Term) -> str:
    """A value as text, without the numbers by which unknowns are told apart."""
    return re.sub(r"′\d+", "′", unparse(value))


ASSIGNED = [
    ("x = a\nx = b", "x", ["a", "b"]),
    ("x += a", "x", ["x + a"]),
    ("self.n = a\nif c:\n  self.n = b", "self.n", ["a", "b"]),
    ("n = a\nself.n = n + 1", "self.n", ["a + 1"]),
    ("self.n -= a", "self.n", ["self.n - a"]),
    ("d['k'] = a", 'd["k"]', ["a"]),
    ("d['j'] = a", 'd["k"]', []),
    ("x = y = a", "y", ["a"]),
    ("x, y = a, b", "y", ["b"]),
    ("(self.n, x), y = (a, b), 1", "self.n", ["a"]),
    ("x, y = g()", "y", ["y′"]),
    ("self.n, y = g()", "self.n", ["self.n′"]),
    ("for x in a: pass", "x", ["x′"]),
    ("with a as (x, y): pass", "x", ["x′"]),
    ("print(x := a)", "x", ["a"]),
    ("c and (x := a)", "x", ["x′"]),
    ("for y in a:\n  x = b", "x", ["b"]),
    ("try:\n  x = a\nexcept E:\n  x = b\nfinally:\n  x = 1", "x", ["a", "b", "1"]),
    ("def g():\n  x = a", "x", []),
    ("x: int", "x", []),
    ("return a\nx = b", "x", []),
    ("other.n = a", "self.n", []),
]


@pytest.mark.parametrize(("body", "place", "expected"), ASSIGNED)
def test_a_function_assigns(body: str, place: str, expected: list[str]) -> None:
    wanted = lower(ast.parse(place, mode="eval").body)
    assert expected == [plain(one.value) for one in assigned_to(definition(function(body), "f").term, wanted)]


def test_what_is_computed_in_a_loop_is_repeated() -> None:
    found = assigned_to(
        definition(function("x = 1\nfor y in a:\n  x = y"), "f").term, lower(ast.parse("x", mode="eval").body)
    )
    assert [one.is_repeated for one in found] == [False, True]


CLASS = """
class Pool:
    @property
    def used(self):
        return self.total - self.free

    @functools.cached_property
    def twice(self):
        return 2 * self.used

    def add(self, n, m):
        s = n + m
        return s

    def many(self, *n):
        return n

    def guarded(self):
        if self.closed:
            return 0
        return 1

    @decorated
    def other(self):
        return 1

    @overridden
    @property
    def method(self):
        return 1

    def loop(self):
        return self.loop()

    def f(self):
        pass

    class Inner:
        def f(self):
            return self.add(1, 2)
"""

INLINED = [
    ("self.used", 1, "self.total - self.free"),
    ("self.used", 0, "self.used"),
    ("self.twice", 1, "2 * self.used"),
    ("self.twice", 2, "2 * (self.total - self.free)"),
    ("self.add(a, m=b)", 1, "a + b"),
    ("self.add(self.add(1, 2), 3)", 1, "1 + 2 + 3"),
    ("self.add(n=b, m=a)", 1, "b + a"),
    ("self.add(a)", 2, "self.add(a)"),
    ("self.add(*a)", 2, "self.add(*a)"),
    ("self.add", 2, "self.add"),
    ("self.used()", 2, "(self.total - self.free)()"),
    ("self.guarded()", 2, "self.guarded()"),
    ("self.other()", 2, "self.other()"),
    ("self.loop()", 3, "self.loop()"),
    ("other.used", 2, "other.used"),
    ("self.pool.used", 2, "self.pool.used"),
    ("f(self.used)", 1, "f(self.total - self.free)"),
]


@pytest.mark.parametrize(("code", "depth", "expected"), INLINED)
def test_the_methods_of_the_class_are_put_in(code: str, depth: int, expected: str) -> None:
    term = lower(ast.parse(code, mode="eval").body)
    assert expected == unparse(inlined(term, definition(CLASS, "Pool.f"), depth))


def test_the_methods_of_an_outer_class_are_not() -> None:
    term = lower(ast.parse("self.add(1, 2)", mode="eval").body)
    assert unparse(inlined(term, definition(CLASS, "Pool.Inner.f"), 2)) == "self.add(1, 2)"


def test_locals_that_double_each_time_become_unknown() -> None:
    body = "".join("a = a + a\n" for _ in range(60)) + "return a"
    (one,) = returned(definition(function(body), "f").term)
    assert sum(1 for _ in one.value.walk()) < 20_000
