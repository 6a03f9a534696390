"""How what a function calls is run: under which conditions, with which arguments."""

import re
import textwrap

import pytest

from auditor.code.flow.activations import activations
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

CLASS = """
class Base:
    def low(self, n):
        mark(n)

class Pool(Base):
{}
    def high(self, n, twice=2):
        if n:
            mark(n * twice)

    @staticmethod
    def still(n):
        mark(n)

def free(n):
    mark(n)
"""

# The body of the root, and each activation in which `mark` is called: under which condition, with what.
CALLED = [
    ("self.high(a)", [("a", "a * 2")]),
    ("self.high(twice=b, n=a + 1)", [("a + 1", "(a + 1) * b")]),
    ("if b:\n  self.high(a, 3)", [("b and a", "a * 3")]),
    ("self.low(a)", [("", "a")]),
    ("super().low(a)", [("", "a")]),
    ("self.still(a)", [("", "a")]),
    ("free(a)", [("", "a")]),
    ("x = a + b\nfree(x)", [("", "a + b")]),
    ("def inner(n):\n  mark(n)\ninner(a)", [("", "n′"), ("", "a")]),
    ("self.unknown(a)", []),
    ("return\nfree(a)", []),
    ("free(*a)", [("", "n′")]),
    ("free(**a)", [("", "n′")]),
    ("self.high(a, **b)", [("a", "a * twice′")]),
    ("still = a\nstill(b)", []),
    ("free = a\nfree(b)", []),
    ("self.start(a, b)", []),
]


@pytest.mark.parametrize(("body", "expected"), CALLED)
def test_a_callee_is_run(body: str, expected: list[tuple[str, str]]) -> None:
    root = definition(CLASS.format(textwrap.indent(f"def start(self, a, b):\n{textwrap.indent(body, '    ')}", "    ")))
    (start,) = root.codebase.definitions(root.path, "Pool.start")
    found = []
    for activation in activations(start, 2):
        for call in activation.function.code.by_type.get("Call", ()):
            point = activation.point(call) if call.term("func").parts.get("id") == "mark" else None
            if point is not None:
                conditions = " and ".join(re.sub(r"′.*", "′", unparse(one.test)) for one in point.conditions)
                argument = unparse(activation.term(point.values.get("n", call.terms("args")[0])))
                if call.terms("args")[0].type != "Name":
                    argument = unparse(activation.term(call.terms("args")[0]))
                found.append((conditions, argument.partition("′")[0] + "′" * ("′" in argument)))
    assert found == expected
