"""Whether every path to one step passes another, by path conditions."""

import textwrap

import pytest

from auditor.code.flow.path_coverage import coverage
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import search
from tests.support.snapshots import definition

# A body, what is known of `b()` having `a()` before it, and of `a()` having `b()` after it.
BODIES = [
    ("if x:\n  a()\nif x:\n  b()", "proven", "proven"),
    ("if x:\n  a()\nif y:\n  b()", "refuted", "refuted"),
    ("if x and y:\n  a()\nif x:\n  b()", "refuted", "proven"),
    ("if x > 3:\n  a()\nif x > 5:\n  b()", "proven", "refuted"),
    ("done = False\nif x:\n  a()\n  done = True\nif done:\n  b()", "proven", "proven"),
    ("if not x:\n  return\nif x:\n  a()\nb()", "proven", "proven"),
    ("if x == 1:\n  a()\nelif x != 1:\n  a()\nb()", "proven", "proven"),
    ("for i in range(3):\n  a()\nb()", "proven", "proven"),
    ("for i in range(y):\n  a()\nb()", "refuted", "proven"),
    ("for i in range(3):\n  if i == 2:\n    a()\nb()", "unknown", "proven"),
    ("for i in range(3):\n  if x:\n    break\n  a()\nb()", "refuted", "proven"),
    ("while x:\n  a()\nb()", "refuted", "proven"),
    ("try:\n  a()\nexcept E:\n  pass\nb()", "refuted", "proven"),
    ("try:\n  if x:\n    a()\nfinally:\n  if x:\n    b()", "refuted", "proven"),
    ("try:\n  if x:\n    a()\nexcept E:\n  return\nelse:\n  if x:\n    b()", "proven", "refuted"),
    ("with suppress(E):\n  a()\nb()", "refuted", "proven"),
    ("if x.on:\n  a()\nif x.on:\n  b()", "unstable", "unstable"),
    ("if ready():\n  a()\nif ready():\n  b()", "unstable", "unstable"),
    ("if x:\n  a()\n  x.pop()\nif x:\n  b()", "unstable", "unstable"),
    ("if LIMIT:\n  a()\nif LIMIT:\n  b()", "unstable", "unstable"),
    ("if isinstance(x, int):\n  a()\nif isinstance(x, int):\n  b()", "proven", "proven"),
    ("x.start()\nif x.on:\n  a()\n  b()", "proven", "proven"),
    ("if x:\n  a()\nx = y\nif x:\n  b()", "refuted", "refuted"),
    ("b()\nif x:\n  a()", "refuted", "refuted"),
]


@pytest.mark.parametrize(("body", "before", "after"), BODIES)
def test_every_path_to_a_step_passes_another(body: str, before: str, after: str) -> None:
    function = definition(f"def f(x, y):\n{textwrap.indent(body, '  ')}\n", "f")
    steps = {step: [match.terms[0] for match in search(Pattern(f"{step}()"), function.code)] for step in "ab"}
    found = (
        coverage(steps["b"][0], steps["a"], function),
        coverage(steps["a"][0], steps["b"], function, is_after=True),
    )
    assert tuple(one.value for one in found) == (before, after)
