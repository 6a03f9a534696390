"""Which method a call on the own object runs, and the methods that are reached so."""

import pytest

from auditor.code.program.self_calls import assigning_method, called_method, with_called_methods
from auditor.code.syntax.normal_forms import attribute_chain
from tests.support.snapshots import definition

# The classes above `Pool` and in it, a call in `Pool.start`, and what it runs.
CALLED: list[tuple[str, str, str, str | None]] = [
    ("", "def f(self): pass", "self.f()", "Pool.f"),
    ("def f(self): pass", "", "self.f()", "Base.f"),
    ("def f(self): pass", "def f(self): pass", "self.f()", "Pool.f"),
    ("def f(self): pass", "def f(self): pass", "super().f()", "Base.f"),
    ("def f(self): pass", "def f(self): pass", "super(Pool, self).f()", "Base.f"),
    ("", "def f(self): pass", "super().f()", None),
    ("def f(self): pass", "f = None", "self.f()", None),
    ("def f(self): pass", "f: int = 1", "self.f()", None),
    ("", "def f(self): pass\n  def g(self): self.f = 1", "self.f()", None),
    ("", "def f(self): pass\n  def g(self): self.f, self.g = 1, 2", "self.f()", None),
    ("", "def f(self): pass\n  def g(self): setattr(self, 'f', 1)", "self.f()", None),
    ("", "def f(self): pass\n  def g(self): return self.f == 1", "self.f()", "Pool.f"),
    ("", "def f(self): pass\n  def f(self): pass", "self.f()", None),
    ("", "if X:\n    def f(self): pass\n  else:\n    def f(self): pass", "self.f()", None),
    ("", "async def f(self): pass", "await self.f()", "Pool.f"),
    ("", "@property\n  def f(self): pass", "self.f()", "Pool.f"),
    ("", "class f: pass", "self.f()", None),
    ("", "f = lambda self: 1", "self.f()", None),
    ("", "def f(self): pass", "self.pool.f()", None),
    ("", "def f(self): pass", "f()", None),
    ("", "def f(self): pass", "other.f()", None),
    ("", "def f(self): pass", "type(self).f()", None),
]


@pytest.mark.parametrize(("base", "own", "call", "expected"), CALLED)
def test_a_call_on_self_runs(base: str, own: str, call: str, expected: str | None) -> None:
    text = f"class Base:\n  {base or 'pass'}\nclass Pool(Base):\n  {own or 'pass'}\n  async def start(self): {call}\n"
    start = definition(text, "Pool.start")
    call_term = next(one for one in start.code.by_type["Call"] if one.term("func").parts.get("id") != "super")
    found = called_method(call_term, start)
    assert (found.name if found else None) == expected


CHAIN = """
class Pool:
    def a(self): self.b(); self.b()
    def b(self): self.c(); self.a()
    def c(self):
        self.n = 1
        with x as self.m: pass
        for self.i, _ in x: pass
        del self.gone
        self.t[0] = 1
"""


@pytest.mark.parametrize(("depth", "expected"), [(0, "a"), (1, "ab"), (2, "abc"), (9, "abc")])
def test_methods_that_are_reached(depth: int, expected: str) -> None:
    found = with_called_methods(definition(CHAIN, "Pool.a"), depth)
    assert [one.name for one in found] == [f"Pool.{one}" for one in expected]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("self.n", True),
        ("self.m", True),
        ("self.i", True),
        ("self.gone", True),
        ("n", False),
        ("self.t", False),
        ("self.o", False),
    ],
)
def test_a_called_method_assigns(place: str, expected: bool) -> None:
    assert (assigning_method(attribute_chain(place), definition(CHAIN, "Pool.a")) is not None) == expected
