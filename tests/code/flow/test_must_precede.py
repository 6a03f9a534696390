"""Whether one step is done wherever another begins, on every path."""

import textwrap

import pytest

from auditor.code.flow.step_sites import must_precede, step_sites
from auditor.code.matching.notation import Pattern
from tests.support.snapshots import definition

# A body, whether `a()` is done wherever `b()` begins, and whether the function can end with `b()` still owed.
BODIES = [
    ("a()\nb()", True, False),
    ("b()\na()", False, True),
    ("if x:\n  a()\nb()", False, False),
    ("if x:\n  a()\nelse:\n  a()\nb()", True, False),
    ("a()\nif x:\n  b()", True, True),
    ("a()\nif x:\n  return\nb()", True, True),
    ("for i in x:\n  a()\nb()", False, False),
    ("for i in x:\n  b()\n  a()", False, True),
    ("while True:\n  a()\n  break\nb()", True, False),
    ("try:\n  a()\nfinally:\n  b()", False, False),
    ("try:\n  a()\nexcept E:\n  return\nb()", True, True),
    ("try:\n  a()\nexcept E:\n  pass\nb()", False, False),
    ("with a():\n  b()", True, False),
    ("x and a()\nb()", False, False),
    ("a() and b()", True, True),
    ("f(a(), b())", True, False),
    ("match x:\n  case 1:\n    a()\n  case _:\n    a()\nb()", True, False),
]


@pytest.mark.parametrize(("body", "is_done", "is_owed"), BODIES)
def test_a_step_precedes(body: str, is_done: bool, is_owed: bool) -> None:
    function = definition(f"def f(x):\n{textwrap.indent(body, '  ')}\n", "f")
    firsts, thens = (step_sites(Pattern(step), [function]) for step in ("a()", "b()"))
    analysis = must_precede(firsts, thens, [function], 0)
    begun = analysis.begun[id(thens[0][0].terms[0])]
    assert (begun.is_done, bool(analysis.end and analysis.end.is_owed)) == (is_done, is_owed)
