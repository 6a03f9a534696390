"""Where a function is called in its file, under which conditions, with which arguments."""

import pytest

from auditor.code.flow.call_sites import arguments, call_sites, route
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

# A file, and each call of `f` in it: the caller, and the conditions.
SITES: list[tuple[str, list[tuple[str, str]]]] = [
    ("def f(): pass\n", []),
    ("def f(): pass\ndef g(a):\n  f()\n", [("g", "")]),
    ("def f(): pass\ndef g(a):\n  if a:\n    f()\n", [("g", "a")]),
    ("def f(): pass\ndef g(a):\n  if not a:\n    raise E\n  f()\n", [("g", "")]),
    ("def f(): pass\ndef g(a):\n  if not a:\n    return\n  f()\n", [("g", "a")]),
    ("def f(): pass\ndef g(a):\n  f ()\n", [("g", "")]),
    ("def f(): pass\ndef g(a):\n  return\n  f()\n", []),
    ("def f(): pass\ndef g(f):\n  f()\n", []),
    ("def f(): pass\ndef g(a):\n  f = a\n  f()\n", []),
    ("def f(): pass\ndef g(a):\n  def f(): pass\n  f()\n", []),
    ("def f(): pass\ndef g(a):\n  a.f()\n", []),
    ("def f(): pass\ndef g(a):\n  return a and f()\n", [("g", "a")]),
    ("def f(): pass\nclass A:\n  def f(self): pass\n  def g(self):\n    self.f()\n", []),
    ("def f(): pass\nclass A:\n  def f(self): pass\n  def g(self):\n    f()\n", [("A.g", "")]),
    ("def f(): pass\nasync def g(a):\n  await f()\n", [("g", "")]),
    ("def f(): pass\nf()\n", [("", "")]),
    ("def f(): pass\nif X:\n  f()\n", [("", "X")]),
    ("def f(): pass\ndef g(a):\n  a(f)\n", []),
    ("def f():\n  f()\n", [("f", "")]),
]


@pytest.mark.parametrize(("text", "expected"), SITES)
def test_a_function_is_called(text: str, expected: list[tuple[str, str]]) -> None:
    found = call_sites(definition(text, "f"))
    callers = [(one.caller.name if one.caller.symbol else "", " and ".join(map(unparse, one.tests))) for one in found]
    assert callers == expected


# A file, and the conditions on the way to `f`; None: nothing in the file calls it.
ROUTES: list[tuple[str, str | None]] = [
    ("def f(): pass\n", None),
    ("def f(): pass\nf()\n", ""),
    ("def f(): pass\nclass A:\n  def __init__(self, a):\n    if a:\n      f()\n", "a"),
    ("def f(): pass\ndef g(a):\n  if a:\n    f()\nif X:\n  g(1)\n", "X and a"),
    ("def f(): pass\ndef g(a):\n  if a:\n    f()\n  f()\n", ""),
    ("def f():\n  f()\n", ""),
]


@pytest.mark.parametrize(("text", "expected"), ROUTES)
def test_the_way_to_a_function(text: str, expected: str | None) -> None:
    found = route(definition(text, "f"))
    assert (None if found is None else " and ".join(map(unparse, found))) == expected


# The parameters of `f`, a call of it, and what each parameter is.
ARGUMENTS: list[tuple[str, str, dict[str, str] | None]] = [
    ("a, b", "f(1, 2)", {"a": "1", "b": "2"}),
    ("a, b=3", "f(1)", {"a": "1", "b": "3"}),
    ("a, b=3", "f(b=1, a=2)", {"a": "2", "b": "1"}),
    ("a, /, *, b", "f(1, b=2)", {"a": "1", "b": "2"}),
    ("a, *rest, b=1", "f(1, 2, 3)", {"a": "1", "b": "1"}),
    ("a, **options", "f(1, c=2)", {"a": "1"}),
    ("a, b", "f(*c)", None),
    ("a, b", "f(1, **c)", None),
]


@pytest.mark.parametrize(("params", "call", "expected"), ARGUMENTS)
def test_arguments(params: str, call: str, expected: dict[str, str] | None) -> None:
    function = definition(f"def f({params}): pass\n{call}\n", "f")
    (site,) = call_sites(function)
    found = arguments(function, site.call)
    assert (None if found is None else {key: unparse(value) for key, value in found.items()}) == expected


@pytest.mark.parametrize(
    ("decorator", "first", "call"),
    [("", "self, ", "self.f(1)"), ("@staticmethod", "", "self.f(1)"), ("@classmethod", "cls, ", "self.f(1)")],
)
def test_arguments_of_a_method(decorator: str, first: str, call: str) -> None:
    text = f"class A:\n  {decorator}\n  def f({first}a): pass\n  def g(self):\n    {call}\n"
    function = definition(text, "A.f")
    (site,) = call_sites(function)
    assert {key: unparse(value) for key, value in (arguments(function, site.call) or {}).items()} == {"a": "1"}
