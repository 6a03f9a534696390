"""Which way a result goes when another quantity grows."""

import ast
import textwrap

import pytest

from auditor.code.flow.monotonicity import Monotonicity, Sign
from auditor.code.syntax.from_ast import lower
from tests.support.snapshots import definition

SIGNS = [
    ("return n", Sign.GROWS),
    ("return -n", Sign.SHRINKS),
    ("return a - n", Sign.SHRINKS),
    ("return a / n", Sign.SHRINKS),
    ("return a * n", Sign.GROWS),
    ("return -2 * n", Sign.SHRINKS),
    ("return n * -2", Sign.SHRINKS),
    ("return n * SLOPE", Sign.SHRINKS),
    ("return n / SLOPE", Sign.SHRINKS),
    ("return SLOPE * -n", Sign.GROWS),
    ("return n * 0", Sign.INDEPENDENT),
    ("return n * RISE", Sign.GROWS),
    ("return n - n", Sign.UNKNOWN),
    ("return a", Sign.INDEPENDENT),
    ("return min(a, n)", Sign.GROWS),
    ("x = n + 1\nreturn a - x", Sign.SHRINKS),
    ("if n > a:\n  return 1\nreturn 2", Sign.UNKNOWN),
    ("return g(n)", Sign.UNKNOWN),
    ("return twice(n)", Sign.GROWS),
    ("total = 0\nfor x in a:\n  total += n\nreturn total", Sign.GROWS),
]


@pytest.mark.parametrize(("body", "sign"), SIGNS)
def test_a_result_moves(body: str, sign: Sign) -> None:
    text = f"SLOPE, RISE = -3, 4\ndef twice(k):\n  return k * 2\ndef f(self, a, n):\n{textwrap.indent(body, '  ')}\n"
    of = lower(ast.parse("n", mode="eval").body)
    assert Monotonicity(definition(text, "f"), of).returned()[0] is sign
