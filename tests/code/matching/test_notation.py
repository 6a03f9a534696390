"""What a claim writes: constants, formulas, places, regular expressions, patterns."""

import re

import pytest

from auditor.code.matching.notation import Constant, Formula, Pattern, Place, Regex

# Two literals, and whether they are the same value.
SAME = [
    ("2", "2.0", True),
    ("1", "True", False),
    ("0", "False", False),
    ("0", "None", False),
    ("null", "None", True),
    ("true", "True", True),
    ("'a'", '"a"', True),
    ("'a'", "b'a'", False),
    ("'1'", "1", False),
    ("-1", "-1.0", True),
    ("0x10", "16", True),
    ("[1]", "(1,)", False),
    ("[1, [True]]", "[1, [1]]", False),
    ("(1, 2)", "(1, 2, 3)", False),
    ("{1: 'a'}", "{1.0: 'a'}", True),
    ("{1: 'a'}", "{True: 'a'}", False),
    ("{'a': 1}", "{'a': True}", False),
    ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", True),
    ("{1, 2}", "{2, 1}", True),
    ("{1}", "{True}", False),
    ("{1}", "[1]", False),
    ("1j", "1", False),
]


@pytest.mark.parametrize(("one", "other", "expected"), SAME)
def test_constants_are_the_same(one: str, other: str, expected: bool) -> None:
    assert Constant(one).is_same(Constant(other).value) == expected
    assert Constant(other).is_same(Constant(one).value) == expected


BAD = [
    (Constant, "auto", "text needs its own quotes"),
    (Constant, "yes", "write True"),
    (Constant, "~", "write None"),
    (Constant, "f()", "not a Python literal"),
    (Constant, "9" * 5000, "not a Python literal"),
    (Constant, "[" * 500, "not a Python literal"),
    (Formula, "x =", "not a Python expression"),
    (Formula, "x = 1", "not a Python expression"),
    (Formula, "", "not a Python expression"),
    (Place, "a b.py", "not path::Symbol"),
    (Place, "/a.py", "not path::Symbol"),
    (Place, "a.py::", "not path::Symbol"),
    (Place, "a.py::A..b", "not path::Symbol"),
    (Place, "a.py:A", "not path::Symbol"),
    (Regex, "(", "not a regular expression"),
    (Regex, "", "would match anything"),
    (Regex, "a*", "would match anything"),
    (Pattern, "", "no code"),
    (Pattern, "# x", "no code"),
    (Pattern, "...", "would match anything"),
    (Pattern, "if", "not Python"),
    (Pattern, "$name", "not Python"),
]


@pytest.mark.parametrize(("notation", "text", "message"), BAD)
def test_what_is_refused(notation: type, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        notation(text)


# A regular expression, a text in which a name could match, and one in which none could: None where any might.
POSSIBLE: list[tuple[str, str, str | None]] = [
    ("foo", "xfoox", "fo"),
    ("^foo$", "foo", "fo"),
    ("foo|bar", "bar", "baz"),
    ("(foo|bar)_baz", "foo_baz", "foo_ba"),
    ("(foo|bar)", "bar", "baz"),
    ("(?:foo|bar)", "bar", "baz"),
    ("colou?r", "color", "clr"),
    ("(foo)?bar", "bar", "foo"),
    ("fo*", "f", "oo"),
    ("ab{0,2}c", "ac", "b"),
    ("(foo|bar)+", "bar", None),
    ("[a-f]oo", "foo", "f"),
    ("[)]x", ")x", ")"),
    (r"\bfoo\b", "foo", "fo"),
    (r"foo\d", "foo1", "fo1"),
    ("(?i)FOO", "foo", "fo"),
    ("(?i:FOO)", "foo", None),
    ("(?P<n>foo)", "foo", None),
    (r"\x66oo", "foo", None),
    ("(?!foo)bar", "bar", None),
    ("a|b|(c)", "c", "d"),
    ("foo.bar", "fooxbar", "fobar"),
]


@pytest.mark.parametrize(("regex", "possible", "impossible"), POSSIBLE)
def test_a_quick_no_is_never_wrong(regex: str, possible: str, impossible: str | None) -> None:
    found = Regex(regex)
    assert found.matches(possible)
    assert found.is_possible(possible)
    assert (found.literals is None) if impossible is None else not found.is_possible(impossible)


# A pattern, and the words that code must contain to match it.
WORDS = [
    ("self.pool.take(n)", "self pool take n"),
    ("$X.take($N)", "take"),
    ("f(..., a=...)", "f a"),
    ("f(a=1, ...)", "f a"),
    ("'$X' + y", "y"),
    ("import a.b as c", "a b"),
    ("def f(x): ...", "f x"),
    ("x: int = 1", "x int"),
    ("null", ""),
]


@pytest.mark.parametrize(("pattern", "expected"), WORDS)
def test_words(pattern: str, expected: str) -> None:
    assert Pattern(pattern).words == set(expected.split())


def test_names_and_anchors() -> None:
    assert Formula("int(a * self.b) + a").names == {"int", "a", "self"}
    assert (Place("a/b.py::C.d").anchor.path, Place("a/b.py::C.d").anchor.symbol) == ("a/b.py", "C.d")
    assert Place("a/b.py").anchor.symbol is None


# A pattern as it stands in a sentence.
SENTENCES = [
    ("a\nb", "a; b"),
    ("f(\n  a,\n  b)", "f( a, b)"),
    ("if a:\n  b", "if a: b"),
    ("x" * 200, "x" * 159 + "…"),
]


@pytest.mark.parametrize(("pattern", "expected"), SENTENCES)
def test_a_pattern_in_a_sentence(pattern: str, expected: str) -> None:
    assert repr(Pattern(pattern)) == expected
