"""What text an expression can be."""

import ast

import pytest

from auditor.code.flow.string_values import GAP, is_match, may_match, string_values
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse

TEXTS = [
    ("'a'", [("a", "")]),
    ("x", [("*", "")]),
    ("f'a{x}b'", [("a*b", "")]),
    ("f'a{x:>3}'", [("a*", "")]),
    ("f\"a{'b'}\"", [("ab", "")]),
    ("f'{{}}'", [("{}", "")]),
    ("'a' + 'b' + x", [("ab*", "")]),
    ("'%s of %d%%' % (x, y)", [("* of *%", "")]),
    ("'{} {n!r} {{}}'.format(x, n=y)", [("* * {}", "")]),
    ("'a' if c else 'b'", [("a", "c"), ("b", "not c")]),
    ("('a' if c else 'b') + ('c' if c else 'd')", [("ac", "c and c"), ("bd", "not c and not c")]),
    ("str('a')", [("a", "")]),
    ("named", [("one", ""), ("two", "")]),
    ("f'x_{named}'", [("x_one", ""), ("x_two", "")]),
    ("(n := 'a')", [("a", "")]),
    ("1", [("*", "")]),
]


def lookup(term: Term) -> list[Term]:
    return [expression("'one'"), expression("'two'")] if term.parts.get("id") == "named" else []


def expression(text: str) -> Term:
    return lower(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_an_expression_is_a_text(text: str, expected: list[tuple[str, str]]) -> None:
    found = string_values(expression(text), lookup)
    assert expected == [(one.text.replace(GAP, "*"), " and ".join(map(unparse, one.conditions))) for one in found]


WRITTEN = [
    ("a b", "a b", True),
    ("a b", "a  \n b", True),
    ("a", "a b", False),
    ("a ...", f"a {GAP}", True),
    ("a ...", "a b c", True),
    ("a ... c", "a c", True),
    ("... c", "a b c", True),
    ("a", f"a{GAP}", False),
    ("a.c", "abc", False),
    ("(a) [b] *", "(a) [b] *", True),
    ("...", "anything", True),
    ("a %s b", f"a {GAP} b", True),
    ("a %s b", "a big b", False),
    ("a {x} b", f"a {GAP} b", True),
    ("{x}", "{x}", True),
    ("100%", "100%", True),
]


@pytest.mark.parametrize(("wanted", "text", "expected"), WRITTEN)
def test_a_wanted_text_is_the_whole_of_a_message(wanted: str, text: str, expected: bool) -> None:
    assert expected == is_match(wanted, text)


POSSIBLE = [
    ("a", GAP, True),
    ("a b c", f"a {GAP} c", True),
    ("a b d", f"a {GAP} c", False),
    ("a ... d", f"a {GAP} c", False),
    ("a ...", f"{GAP} c", True),
    ("a", "a", True),
    ("a", "b", False),
]


@pytest.mark.parametrize(("wanted", "text", "expected"), POSSIBLE)
def test_a_text_with_gaps_can_be_the_wanted_one(wanted: str, text: str, expected: bool) -> None:
    assert may_match(wanted, text) is expected
