"""Patterns: what code with holes matches, how often, and with what bound."""

import time

import pytest

from auditor.code import Undecidable
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import name_subterms, search
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

MATCHES = [
    ("f(...)", "f()", 1),
    ("f(...)", "f(a, *b, c=1, **d)", 1),
    ("f(a, ...)", "f(a)", 1),
    ("f(a, ...)", "f(a, b, c=1)", 1),
    ("f(..., a)", "f(b, a)", 1),
    ("f(..., a)", "f(a, b)", 0),
    ("f(..., a, ...)", "f(b, a, c)", 1),
    ("f(a)", "f(a, b=1)", 0),
    ("f(b=1, a=2)", "f(a=2, b=1)", 1),
    ("f(..., a=2)", "f(b, a=2, c=3)", 1),
    ("f(..., a=2)", "f(b, c=3)", 0),
    ("f(..., a=...)", "f(a=g(1))", 1),
    ("f(a=2, ...)", "f(b, a=2, c=3)", 1),
    ("f(a=2, ...)", "f(b, c=3)", 0),
    ("f(a='x, ...', ...)", "f(a='x, ...')", 1),
    ("f(g(a=2, ...), b=1, ...)", "f(g(a=2), b=1)", 1),
    ("f(**a)", "f(**a)", 1),
    ("f(**a)", "f(**a, **b)", 0),
    ("f(**b)", "f(**a, **b)", 0),
    ("f(..., **b)", "f(**a, **b)", 1),
    ("f(*a)", "f(a)", 0),
    ("...(a)", "x.y(a)", 1),
    ("x[...]", "x[a]", 1),
    ("x[...]", "x[a, b]", 1),
    ("x[a, ...]", "x[a, b, c]", 1),
    ("[a, ...]", "[a]", 1),
    ("(..., b)", "(a, b)", 1),
    ("{'a': ...}", "{'a': 1}", 1),
    ("{'a': ...}", "{'a': 1, 'b': 2}", 0),
    ("a and ...", "a and b and c", 1),
    ("... and c", "a and b and c", 1),
    ("a and c", "a and b and c", 0),
    ("a or ...", "a and b", 0),
    ("a + ...", "a + b * c", 1),
    ("... + b", "a + b", 1),
    ("a + b", "a + b + c", 1),
    ("b + c", "a + b + c", 0),
    ("a < ...", "b > a", 1),
    ("a < ...", "a < b < c", 0),
    ("$X == $X", "a.b == a.b", 1),
    ("$X == $X", "a.b == a.c", 0),
    ("$X - $Y", "a - a", 1),
    ("f($X, $Y, $X)", "f(1, 2, 1)", 1),
    ("f(..., $X, ...) + $X", "f(a, b) + b", 1),
    ("f(..., $X, ...) + $X", "f(a, b) + c", 0),
    ("f(..., $X, ..., $X)", "f(a, b, a)", 1),
    ("self.$A", "self.b", 1),
    ("self.$A + other.$A", "self.b + other.b", 1),
    ("self.$A + other.$A", "self.b + other.c", 0),
    ("f(k=$X) + $X", "f(k=a) + a", 1),
    ("'...'", "'...'", 1),
    ("'...'", "'a'", 0),
    ("'$X'", "'$X'", 1),
    ("1", "1.0", 1),
    ("1", "True", 0),
    ("1", "'1'", 0),
    ("True", "1", 0),
    ("f'{x}...'", "f'{x}...'", 1),
    ("f'{...}a'", "f'{x}a'", 1),
    ("lambda: ...", "lambda: a + b", 1),
    ("... if a else ...", "b if a else c", 1),
    ("await ...", "async def g(): await f()", 1),
    ("f(f(...))", "f(f(f(a)))", 2),
    ("f(...)", "f(f(f(a)))", 3),
    ("not ...", "not a", 1),
    ("a is not None", "not (a is None)", 1),
    ("x = ...", "x = 1", 1),
    ("x = ...", "x: int = 1", 1),
    ("x = ...", "x: int", 0),
    ("x = ...", "x += 1", 0),
    ("x = ...", "y = x = 1", 1),
    ("x = ...", "x, y = 1, 2", 0),
    ("x = y = ...", "x = y = 1", 1),
    ("x = y = ...", "x = 1", 0),
    ("$X = $X + 1", "a.b = a.b + 1", 1),
    ("x += ...", "x += 1", 1),
    ("x += ...", "x -= 1", 0),
    ("return", "return", 1),
    ("return ...", "return", 0),
    ("return ...", "return a", 1),
    ("return", "return a", 0),
    ("del x", "del y, x", 0),
    ("raise ...", "raise A(b)", 1),
    ("assert a, ...", "assert a, b", 1),
    ("if a: ...", "if a:\n  b\n  c\nelse:\n  d", 1),
    ("if a: ...", "if b: c\nelif a: d", 1),
    ("if a:\n  b", "if a:\n  b\n  c", 0),
    ("if a:\n  ...\n  c\n  ...", "if a:\n  b\n  c\n  d", 1),
    ("if a: ...\nelse: ...", "if a: b", 0),
    ("if a: ...\nelse: ...", "if a: b\nelse: c", 1),
    ("for $X in $Y: ...", "for a in b: c", 1),
    ("for $X in $Y:\n  ...\n  f($X)", "for a in b:\n  g()\n  f(a)", 1),
    ("while a: ...", "while a: b", 1),
    ("with a: ...", "with a: b", 1),
    ("with a: ...", "with a as b: c", 0),
    ("with a as $B: ...", "with a as b: c", 1),
    ("[$X for $X in xs]", "[y for y in xs]", 1),
    ("[$X for $X in xs]", "[y for z in xs]", 0),
    ("$X, $Y = f()", "x, y = f()", 1),
    ("try: ...\nexcept A: ...\nfinally: ...", "try: b\nexcept A: c", 0),
    ("for a in b: ...\nelse: ...", "for a in b: c", 0),
    ("for a in b: ...", "for a in b: c\nelse: d", 1),
    ("async with a: ...", "async def f():\n  with a: b", 0),
    ("try: ...\nexcept A: ...", "try: b\nexcept A: c", 1),
    ("try: ...\nexcept A: ...", "try: b\nexcept B: c", 0),
    ("try: ...\nexcept ...: ...", "try: b\nexcept (A, B): c", 1),
    ("try: ...\nfinally: a", "try: b\nfinally: a", 1),
    ("def f(a): ...", "@d\ndef f(a):\n  'x'\n  return 1", 1),
    ("def f(a): ...", "async def f(a): pass", 0),
    ("def f(a): ...", "def f(b): pass", 0),
    ("def $F(a): ...", "def g(a): return a", 1),
    ("class A(...): ...", "class A(B, metaclass=C): x = 1", 1),
    ("class A: ...", "class A(B): pass", 0),
    ("@d\ndef f(): ...", "def f(): pass", 0),
    ("@d\ndef f(): ...", "@d\ndef f(): pass", 1),
    ("a\nb", "a\nb", 1),
    ("a\nb", "a\nc\nb", 0),
    ("a\n...\nb", "a\nc\nd\nb", 1),
    ("a\n...\nb", "a\nb", 1),
    ("a\n...\nb", "b\na", 0),
    ("a\n...\nb", "if x:\n  a\nb", 0),
    ("x = $V\n...\nf($V)", "x = 1\nf(2)\nx = 2\nf(2)", 1),
    ("...\na", "b\na", 2),
    ("import a.b", "import a.b", 1),
    ("from a import ...", "from a import b", 0),
    ("from a import b", "from a import b as c", 0),
    ("größe = $N", "größe = 1", 1),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "code", "expected"), [case for case in MATCHES if case[0] != "from a import ..."])
def test_a_pattern_matches_so_often(pattern: str, code: str, expected: int) -> None:
    assert expected == len(list(search(Pattern(pattern), definition(code + "\n").code)))


def test_a_match_tells_what_was_bound() -> None:
    ((match),) = search(Pattern("$X.f($Y, ...)"), definition("a.b.f(1 + 2, 3)\n").code)
    assert {key: unparse(part) for key, part in match.bindings.items() if isinstance(part, Term)} == {
        "X": "a.b",
        "Y": "1 + 2",
    }


def test_a_match_of_statements_ends_with_the_nearest_that_fit() -> None:
    ((match),) = search(Pattern("a\n...\nb"), definition("a\nc\nb\nb\n").code)
    assert [term.region.start for term in match.terms if term.region] == [1, 2, 3]


def test_matches_are_in_source_order_the_outermost_block_first() -> None:
    found = search(Pattern("x = ..."), definition("if a:\n  x = 1\nelse:\n  x = 2\nx = 3\n").code)
    assert [unparse(match.terms[0].term("value")) for match in found] == ["3", "1", "2"]


NAMED = [
    ("self.free()", "1 - self.free() / self.total", "1 - q / self.total"),
    ("self.get(...)", "self.get(1) + self.get(2, a=3)", "q + q"),
    ("$X.size", "a.size - b.c.size", "q - q"),
    ("self.free", "self.free()", "q()"),
    ("other", "self.free", "self.free"),
]


@pytest.mark.parametrize(("pattern", "code", "expected"), NAMED)
def test_what_a_pattern_matches_gets_a_name(pattern: str, code: str, expected: str) -> None:
    term = definition(code + "\n").term.term("value")
    assert expected == unparse(name_subterms(term, Pattern(pattern), "q"))


HOSTILE = [
    ("f(..., $A, ..., $B, ..., $C, ..., $A, ..., $C, ..., 1)", f"f({', '.join(['x'] * 60)})"),
    ("f(..., a, ..., a, ..., a, ..., a, ..., a, ..., b)", f"f({', '.join(['a'] * 60)})"),
    ("...\na\n...\na\n...\na\n...\na\n...\nb", "a\n" * 80),
    ("f(..., g(..., $A, ...), ..., g(..., $B, ...), ..., $A, 1)", f"f({', '.join(['g(x, x, x, x, x, x)'] * 40)})"),
    ("... and a and ... and a and ... and a and ... and a and ... and b", " and ".join(["a"] * 80)),
]


@pytest.mark.parametrize(("pattern", "code"), HOSTILE)
def test_too_many_ways_to_match_are_undecidable_in_time(pattern: str, code: str) -> None:
    started = time.monotonic()
    with pytest.raises(Undecidable, match="too many ways to match"):
        list(search(Pattern(pattern), definition(code + "\n").code))
    assert time.monotonic() - started < 5


def test_a_pattern_over_a_large_file_is_decided() -> None:
    text = "".join(f"def f{n}(a, b):\n    c = g(a, b, {n})\n    return c + {n}\n" for n in range(3_000))
    found = list(search(Pattern("$C = g(..., $N)\nreturn $C + $N"), definition(text).code))
    assert len(found) == 3_000
