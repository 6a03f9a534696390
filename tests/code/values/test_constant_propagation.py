"""Named constants written out in expressions, and names that are none."""

import pytest

from auditor.code.syntax.unparse import unparse
from auditor.code.values.constant_propagation import with_constants
from auditor.code.values.constants import scope_of
from auditor.model import Anchor
from tests.support.snapshots import MODULE, codebase

FILES = {
    MODULE: """
import os
from enum import Enum
from engine.sizes import BLOCK, Sizes
import engine.sizes as sizes

N = 16
TWICE = N * 2
BOTH = 1
BOTH = 2
READ = int(os.environ.get("READ", "3"))

class Mode(Enum):
    ONE = 1

class Config:
    FEW = 4
    many: int = 5

    def f(self, N2, local=N):
        M = 3
        return EXPRESSION
""",
    "engine/sizes.py": "BLOCK = 8\n\nclass Sizes:\n    LARGE = 9\n",
}

WRITTEN = [
    ("N + 1", "16 + 1"),
    ("TWICE", "32"),
    ("BLOCK", "8"),
    ("sizes.BLOCK", "8"),
    ("Sizes.LARGE", "9"),
    ("self.FEW", "4"),
    ("f(k=N)", "f(k=16)"),
    ("BOTH", "BOTH"),
    ("READ", "READ"),
    ("Mode.ONE", "Mode.ONE"),
    ("self.many", "self.many"),
    ("Config.many", "Config.many"),
    ("M", "M"),
    ("N2", "N2"),
    ("[N for N in xs]", "[N for N in xs]"),
    ("lambda N: N", "lambda N: N"),
    ("x.N", "x.N"),
    ("None", "None"),
]


@pytest.mark.parametrize(("expression", "expected"), WRITTEN)
def test_a_constant_is_written_out_and_nothing_else(expression: str, expected: str) -> None:
    code = codebase({**FILES, MODULE: FILES[MODULE].replace("EXPRESSION", expression)})
    method = code.locate(Anchor(MODULE, "Config.f"))
    value = method.function.terms("body")[-1].term("value")
    assert unparse(with_constants(value, scope_of(method))) == expected
