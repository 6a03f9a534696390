"""Exceptions as code raises them."""

import textwrap

import pytest

from auditor.code.flow.activations import activations
from auditor.code.idioms.exceptions import raised
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

TEXT = """
class Full(ValueError): pass

class Busy(Full):
    def __init__(self, name, text="busy"):
        super().__init__(f"{name} is {text}")

class Shown(Exception):
    def __str__(self): return "x"

def make(): return ValueError("x")

def start(a, b):
BODY
"""

# A body, and each exception: its class, its text (`*` is a gap), the conditions, and whether it is caught.
RAISED: list[tuple[str, list[tuple[str, str, str, bool]]]] = [
    ("raise ValueError('x')", [("ValueError", "x", "", False)]),
    ("raise ValueError", [("ValueError", "", "", False)]),
    ("raise ValueError()", [("ValueError", "", "", False)]),
    ("raise ValueError('x') from None", [("ValueError", "x", "", False)]),
    ("if a:\n  raise ValueError(f'{a} x')", [("ValueError", "* x", "a", False)]),
    ("raise ValueError('x' if a else 'y')", [("ValueError", "x", "a", False), ("ValueError", "y", "not a", False)]),
    ("raise (KeyError if a else ValueError)", [("KeyError", "", "a", False), ("ValueError", "", "not a", False)]),
    ("e = ValueError('x')\nraise e", [("ValueError", "x", "", False)]),
    ("text = 'x'\nraise ValueError(text)", [("ValueError", "x", "", False)]),
    ("raise ValueError('x', a)", [("ValueError", "*", "", False)]),
    ("raise ValueError(*a)", [("ValueError", "*", "", False)]),
    ("raise Full('x')", [("Full", "x", "", False)]),
    ("raise Busy('p')", [("Busy", "p is busy", "", False)]),
    ("raise Busy('p', text='q')", [("Busy", "p is q", "", False)]),
    ("raise Shown('a')", [("Shown", "*", "", False)]),
    ("raise make()", [("", "*", "", False)]),
    ("raise a", [("", "*", "", False)]),
    ("raise", []),
    ("assert a, 'x'", [("AssertionError", "x", "not a", False)]),
    ("assert a", [("AssertionError", "", "not a", False)]),
    ("try:\n  raise ValueError('x')\nexcept ValueError:\n  pass", [("ValueError", "x", "", True)]),
    ("try:\n  raise Full('x')\nexcept ValueError:\n  pass", [("Full", "x", "", True)]),
    ("try:\n  raise Full('x')\nexcept (KeyError, Exception):\n  pass", [("Full", "x", "", True)]),
    ("try:\n  raise ValueError('x')\nexcept Full:\n  pass", [("ValueError", "x", "", False)]),
    ("try:\n  raise ValueError('x')\nexcept:\n  pass", [("ValueError", "x", "", True)]),
    ("try:\n  raise ValueError('x')\nfinally:\n  pass", [("ValueError", "x", "", False)]),
    ("try:\n  pass\nexcept E:\n  pass\nelse:\n  raise ValueError('x')", [("ValueError", "x", "", False)]),
    ("return\nraise ValueError('x')", []),
]


@pytest.mark.parametrize(("body", "expected"), RAISED)
def test_an_exception_is_raised(body: str, expected: list[tuple[str, str, str, bool]]) -> None:
    start = definition(TEXT.replace("BODY", textwrap.indent(body, "  ")), "start")
    (own, *_) = activations(start, 0)
    found = [
        (
            one.type,
            one.text.replace("\0", "*"),
            " and ".join(unparse(condition.test) for condition in one.point.conditions),
            one.handler is not None,
        )
        for one in raised(own)
    ]
    assert found == expected
