"""The function that a call runs, and the functions and constants that statements name."""

import textwrap

import pytest

from auditor.code.program.callees import called_function, callees, constants
from auditor.code.project.codebase import Definition
from auditor.model import Anchor
from tests.support.snapshots import MODULE, codebase

ELSEWHERE = "LIMIT = 3\n\ndef far(): pass\n\nclass Far:\n    def go(self): pass\n"
TEXT = """
import engine.elsewhere as other
from engine.elsewhere import far, far as renamed, LIMIT as MOST
from engine import elsewhere

SIZE = 4
TWICE = SIZE * 2

def free(): pass

def doubled(): pass
def doubled(): pass

try:
    from fast import quick
except ImportError:
    def quick(): pass

class Base:
    KIND = 1

    def low(self): pass
    def over(self): pass

class Pool(Base):
    def over(self): pass

    @staticmethod
    def still(): pass

    def start(self, x):
{}
"""

# The body of `Pool.start`, and what its last call runs.
CALLED: list[tuple[str, str | None]] = [
    ("free()", "free"),
    ("self.over()", "Pool.over"),
    ("self.low()", "Base.low"),
    ("super().over()", "Base.over"),
    ("self.still()", "Pool.still"),
    ("Pool.still()", "Pool.still"),
    ("cls.over()", "Pool.over"),
    ("self.pool.over()", None),
    ("x.over()", None),
    ("x()", None),
    ("far()", "far"),
    ("renamed()", "far"),
    ("other.far()", "far"),
    ("elsewhere.far()", "far"),
    ("from engine.elsewhere import far\nfar()", "far"),
    ("doubled()", None),
    ("quick()", None),
    ("Pool()", None),
    ("unknown()", None),
    ("free = x\nfree()", None),
    ("(free := x)()", None),
    ("with x as free:\n  free()", None),
    ("for free in x:\n  free()", None),
    ("import fast as free\nfree()", "free"),
    ("def free(): pass\nfree()", "Pool.start.free"),
    ("def inner():\n  free()", "free"),
    ("lambda: free()", "free"),
]


@pytest.mark.parametrize(("body", "expected"), CALLED)
def test_a_call_runs(body: str, expected: str | None) -> None:
    start = _start(body)
    found = called_function(start.code.by_type["Call"][0], start)
    assert (found.name if found else None) == expected


# The body of `Pool.start`, and the functions that it calls by name.
CALLEES: list[tuple[str, list[str]]] = [
    ("free(far())", ["free", "far"]),
    ("self.over(self.low())", ["Pool.over", "Base.low"]),
    ("x.over()", []),
    ("return free", []),
    ("if x:\n  free()", ["free"]),
    ("free = x\nfree()", []),
    ("doubled()", []),
]


@pytest.mark.parametrize(("body", "expected"), CALLEES)
def test_functions_that_are_called(body: str, expected: list[str]) -> None:
    start = _start(body)
    assert [one.name for one in callees(start.terms, start)] == expected


# The body of `Pool.start`, and the constants that it names.
CONSTANTS: list[tuple[str, list[str]]] = [
    ("return SIZE", ["SIZE"]),
    ("return TWICE", ["TWICE", "SIZE"]),
    ("return MOST", ["LIMIT"]),
    ("return other.LIMIT", ["LIMIT"]),
    ("return Base.KIND", ["Base.KIND"]),
    ("return self.SIZE", []),
    ("SIZE = 1\nreturn SIZE", []),
    ("return x.SIZE", []),
    ("return UNKNOWN", []),
    ("return [SIZE for SIZE in x]", []),
]


@pytest.mark.parametrize(("body", "expected"), CONSTANTS)
def test_constants_that_are_named(body: str, expected: list[str]) -> None:
    start = _start(body)
    assert [one.name for one in constants(start.terms, start)] == expected


def _start(body: str) -> Definition:
    text = TEXT.format(textwrap.indent(body, "        "))
    return codebase({MODULE: text, "engine/__init__.py": "", "engine/elsewhere.py": ELSEWHERE}).locate(
        Anchor(MODULE, "Pool.start")
    )
