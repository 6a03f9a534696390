"""Calls after which nothing runs."""

import textwrap

import pytest

from auditor.code.flow.no_return import no_return_calls
from auditor.model import Anchor
from tests.support.snapshots import codebase

MODULE = """
from typing import NoReturn
from engine.elsewhere import give_up, go_on

def fail():
    raise ValueError

class Pool:
    def fail(self):
        raise ValueError

    def abstract(self):
        raise NotImplementedError

    def start(self, x):
{}
"""
ELSEWHERE = "def give_up():\n    raise ValueError\n\ndef go_on():\n    return 1\n"

# What comes before a call, the call, and whether it never returns.
CALLS = [
    ("", "fail()", True),
    ("", "give_up()", True),
    ("", "go_on()", False),
    ("", "self.fail()", True),
    ("", "self.abstract()", False),
    ("", "other.fail()", False),
    ("", "unknown()", False),
    ("def fail():\n  return 1\n", "fail()", False),
    ("fail = x\n", "fail()", False),
    ("for fail in x:\n  ", "fail()", False),
]


@pytest.mark.parametrize(("before", "call", "expected"), CALLS)
def test_a_call_does_not_return(before: str, call: str, expected: bool) -> None:
    text = MODULE.format(textwrap.indent(before + call, "        "))
    start = codebase({"engine/module.py": text, "engine/elsewhere.py": ELSEWHERE}).locate(
        Anchor("engine/module.py", "Pool.start")
    )
    assert bool(no_return_calls(start)) == expected


# A function, a call of it, and whether the call never returns.
FUNCTIONS = [
    ("def f():\n  raise E", "f()", True),
    ("def f() -> NoReturn:\n  ...", "f()", True),
    ("def f() -> typing.Never:\n  ...", "f()", True),
    ("def f():\n  if x:\n    raise E", "f()", False),
    ("def f():\n  if x:\n    raise E\n  else:\n    raise F", "f()", True),
    ("def f():\n  try:\n    raise E\n  except E:\n    pass", "f()", False),
    ("def f():\n  try:\n    raise E\n  except E:\n    raise F from None", "f()", True),
    ("def f():\n  try:\n    raise E\n  finally:\n    return 1", "f()", False),
    ("def f():\n  with suppress(E):\n    raise E", "f()", False),
    ("def f():\n  while True:\n    g()", "f()", True),
    ("def f():\n  while True:\n    if g():\n      break", "f()", False),
    ("def f():\n  sys.exit(1)", "f()", True),
    ("def f():\n  yield 1\n  raise E", "f()", False),
    ("def f():\n  raise NotImplementedError", "f()", False),
    ("def f():\n  raise NotImplementedError('x')", "f()", False),
    ("@wrapped\ndef f():\n  raise E", "f()", False),
    ("def f():\n  return\n  raise E", "f()", False),
    ("def f():\n  match x:\n    case 1:\n      raise E", "f()", False),
    ("def f():\n  match x:\n    case 1:\n      raise E\n    case _:\n      raise F", "f()", True),
    ("async def f():\n  raise E", "f()", False),
    ("async def f():\n  raise E", "await f()", True),
    ("def g():\n  raise E\ndef f():\n  g()", "f()", True),
    ("def f(n):\n  f(n - 1)", "f(1)", False),
    ("def f():\n  raise E\ndef f():\n  pass", "f()", False),
    ("if x:\n  def f():\n    raise E\nelse:\n  def f():\n    pass", "f()", False),
    ("class f:\n  def __init__(self):\n    raise E", "f()", False),
    ("def f():\n  raise E", "f and f()", False),
]


@pytest.mark.parametrize(("function", "call", "expected"), FUNCTIONS)
def test_a_function_does_not_return(function: str, call: str, expected: bool) -> None:
    start = codebase(f"{function}\n\nasync def start(x):\n  {call}\n").locate(Anchor("engine/module.py", "start"))
    assert bool(no_return_calls(start)) == expected
