"""The elements of displays, and comprehensions whatever they name theirs."""

import ast

import pytest

from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term, encode
from auditor.code.syntax.unparse import unparse
from auditor.code.values.displays import elements_of, with_numbered_names

ELEMENTS: list[tuple[str, list[str] | None]] = [
    ("(a, b)", ["a", "b"]),
    ("[a]", ["a"]),
    ("{a, b}", ["a", "b"]),
    ("()", None),
    ("[a, *b]", None),
    ("{a: b}", None),
    ("frozenset((a, b))", ["a", "b"]),
    ("set(frozenset([a]))", ["a"]),
    ("tuple(a)", None),
    ("tuple()", None),
    ("sorted((a, b))", None),
    ("x", None),
    ("[f(x) for x in (a, b)]", ["f(a)", "f(b)"]),
    ("tuple(f(x) for x in (a, b))", ["f(a)", "f(b)"]),
    ("[f(x) for x in (a, b) if x]", None),
    ("[f(x, y) for x, y in ((a, b),)]", None),
    ("[f(x) for y in (a,) for x in y]", None),
    ("[f(x) async for x in (a, b)]", None),
    ("[f(x) for x in y]", None),
    ("[x + a for x in (a, 1)]", ["a + a", "1 + a"]),
    ("[[x for x in y] for x in (1, 2)]", None),
    ("[[a for a in x] for x in (a, b)]", None),
    ("[(lambda a: a + x) for x in (a, b)]", None),
    ("[(lambda x: x) for x in (a, b)]", None),
]


@pytest.mark.parametrize(("expression", "expected"), ELEMENTS)
def test_elements(expression: str, expected: list[str] | None) -> None:
    found = elements_of(_term(expression))
    assert (None if found is None else [unparse(one) for one in found]) == expected


# Two comprehensions, and whether they are the same whatever they name their elements.
RENAMED = [
    ("[f(x) for x in a]", "[f(y) for y in a]", True),
    ("[f(x) for x in a]", "[f(y) for z in a]", False),
    ("[x for x, y in a]", "[y for y, x in a]", True),
    ("[x for x, y in a]", "[y for x, y in a]", False),
    ("[f(x, b) for x in a]", "[f(b, b) for b in a]", False),
    ("[[y for y in x] for x in a]", "[[x for x in y] for y in a]", True),
    ("{x: 1 for x in a}", "{y: 1 for y in a}", True),
    ("[x for x in a if x]", "[y for y in a if y]", True),
    ("[x.n for x in a]", "[y.n for y in a]", True),
]


@pytest.mark.parametrize(("one", "other", "is_same"), RENAMED)
def test_names_do_not_matter(one: str, other: str, is_same: bool) -> None:
    first, second = (encode(_numbered(_term(text))) for text in (one, other))
    assert (first == second) == is_same


def _numbered(term: Term) -> Term:
    term = term.rebuilt(_numbered)
    return with_numbered_names(term) if "for_in" in term.parts else term


def _term(expression: str) -> Term:
    return lower(ast.parse(expression, mode="eval").body)
