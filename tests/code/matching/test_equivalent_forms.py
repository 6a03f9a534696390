"""The other forms of the same code in which a pattern is looked for."""

import pytest

from auditor.code.matching.equivalent_forms import equivalent_forms
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import search
from tests.support.snapshots import definition

MODULE = """
SIZE = 16

def double(n):
    return n + n

def sized(n):
    'With what is beside it.'
    return n + SIZE

@cache
def twice(n):
    return n + n

"""
FOUND = [
    ("x = a\n    return x", "return y", True),
    ("x = a\n    return x", "return a", True),
    ("x = a\n    g()\n    return x", "return a", False),
    ("e = a + 1\n    u = e\n    s = u / 2\n    return g(u, s)", "$U = a + 1\n$S = $U / 2", True),
    ("e = a + 1\n    u = e\n    s = u / 2\n    return g(u, s)", "$U = a + 2\n$S = $U / 2", False),
    ("x = double(a)", "x = a + a", True),
    ("x = double(a)", "x = x + x", False),
    ("x = double(n=a)", "x = double(a)", True),
    ("x = double(a)", "x = double(n=a)", True),
    ("x = double(m=a)", "x = double(a)", False),
    ("x = double(g())", "x = g() + g()", False),
    ("double = g\n    x = double(a)", "x = a + a", False),
    ("x = double(*a)", "x = a + a", False),
    ("x = sized(a)", "x = a + SIZE", True),
    ("SIZE = a\n    x = sized(a)", "x = a + SIZE", False),
    ("x = twice(a)", "x = a + a", False),
    ("object.__setattr__(x, 'n', 1)", "x.n = 1", True),
    ("setattr(x, 'n', 1)", "x.m = 1", False),
    ("g(getattr(x, 'n'))", "g(x.n)", True),
    ("g(SIZE)", "g(16)", True),
    ("g(16)", "g(SIZE)", True),
    ("g(SIZE)", "g(17)", False),
    ("SIZE = 3\n    g(SIZE)", "g(16)", False),
]


@pytest.mark.parametrize(("body", "pattern", "expected"), FOUND)
def test_a_pattern_is_found_in_some_form_or_in_none(body: str, pattern: str, expected: bool) -> None:
    function = definition(f"{MODULE}def f(a, x):\n    {body}\n", "f")
    forms = equivalent_forms(function, [Pattern(pattern)])
    assert any(next(search(wanted, form.code), None) is not None for form, (wanted,) in forms) is expected
