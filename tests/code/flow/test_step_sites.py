"""The sites of a step, and which of them are about the same things."""

import textwrap

import pytest

from auditor.code import Undecidable
from auditor.code.flow.step_sites import agree, step_sites
from auditor.code.matching.notation import Pattern
from tests.support.snapshots import definition

# A body, and at how many places `a($X)` stands in it; None: where that is, it is not known when it runs.
SITES: list[tuple[str, int | None]] = [
    ("a(1)", 1),
    ("a(1)\na(2)", 2),
    ("b(1)", 0),
    ("if x:\n  a(1)\nelse:\n  a(2)", 2),
    ("try:\n  a(1)\nexcept E:\n  a(2)\nelse:\n  a(3)\nfinally:\n  a(4)", 4),
    ("match x:\n  case 1 if a(1):\n    a(2)", 2),
    ("return [a(i) for i in x]", 1),
    ("with a(1) as y: pass", 1),
    ("await a(1)", 1),
    ("def inner():\n  a(1)", None),
    ("return lambda: a(1)", None),
    ("class Inner:\n  n = a(1)", None),
    ("a(a(1))", 2),
]


@pytest.mark.parametrize(("body", "expected"), SITES)
def test_a_step_stands(body: str, expected: int | None) -> None:
    start = definition(f"async def start(x):\n{textwrap.indent(body, '  ')}\n", "start")
    if expected is None:
        with pytest.raises(Undecidable):
            step_sites(Pattern("a($X)"), [start])
    else:
        assert len(step_sites(Pattern("a($X)"), [start])) == expected


# Two calls, and whether `a($X)` and `b($X, $Y)` are about the same thing there.
AGREED = [
    ("a(x)\nb(x, 1)", True),
    ("a(x)\nb(y, x)", False),
    ("a(x.n)\nb(x.n, 1)", True),
    ("a(1)\nb(True, 1)", False),
    ("a(1)\nb(1.0, 1)", False),
    ("a('x')\nb(\"x\", 1)", True),
]


@pytest.mark.parametrize(("body", "expected"), AGREED)
def test_steps_agree(body: str, expected: bool) -> None:
    start = definition(f"def start(x, y):\n{textwrap.indent(body, '  ')}\n", "start")
    ((one, _),), ((other, _),) = (step_sites(Pattern(step), [start]) for step in ("a($X)", "b($X, $Y)"))
    assert agree(one, other) == expected
