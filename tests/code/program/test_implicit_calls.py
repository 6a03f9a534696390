"""The methods that syntax calls without naming them, and the attributes that reflection reads."""

import ast

import pytest

from auditor.code.program.implicit_calls import (
    formatted_attributes,
    has_positional_attributes,
    implicit_methods,
    truth_tests,
    with_reflected_items,
)
from auditor.code.syntax.from_ast import lower, lower_all
from auditor.code.syntax.term import dotted
from auditor.code.syntax.unparse import unparse

# A statement, and methods among those that it may call on `x`.
CALLED = [
    ("x[0]", {"__getitem__"}),
    ("x[0] = 1", {"__setitem__"}),
    ("del x[0]", {"__delitem__"}),
    ("x[0] += 1", {"__getitem__", "__setitem__"}),
    ("a, x[0] = b", {"__setitem__"}),
    ("for x[0] in b: pass", {"__setitem__"}),
    ("for a in x: pass", {"__iter__", "__next__", "__getitem__"}),
    ("async for a in x: pass", {"__aiter__", "__anext__"}),
    ("[a for a in x]", {"__iter__"}),
    ("[a async for a in x]", {"__aiter__", "__anext__"}),
    ("with x: pass", {"__enter__", "__exit__"}),
    ("async with x: pass", {"__aenter__", "__aexit__"}),
    ("await x", {"__await__"}),
    ("yield from x", {"__iter__"}),
    ("f(*x)", {"__iter__"}),
    ("f(**x)", {"keys", "__getitem__"}),
    ("{**x}", {"keys", "__getitem__"}),
    ("a, b = x", {"__iter__"}),
    ("a, *b = x", {"__iter__"}),
    ("f'{x}'", {"__format__", "__str__"}),
    ("f'{x!r}'", {"__repr__"}),
    ("x + 1", {"__add__", "__radd__"}),
    ("1 + x", {"__radd__"}),
    ("x += 1", {"__iadd__", "__add__"}),
    ("x @= 1", {"__imatmul__", "__matmul__"}),
    ("x //= 1", {"__ifloordiv__", "__floordiv__"}),
    ("x <<= 1", {"__ilshift__", "__lshift__"}),
    ("x < 1", {"__lt__", "__gt__"}),
    ("x > 1", {"__gt__", "__lt__"}),
    ("1 < a < x", {"__lt__", "__gt__"}),
    ("x != 1", {"__ne__", "__eq__"}),
    ("1 in x", {"__contains__", "__iter__"}),
    ("x not in a", {"__eq__"}),
    ("-x", {"__neg__"}),
    ("~x", {"__invert__"}),
    ("'%s' % x", {"__str__"}),
    ("'%s %s' % (x, 1)", {"__str__"}),
    ("'{}'.format(x)", {"__format__"}),
    ("'{a}'.format(a=x)", {"__format__"}),
    ("', '.join(x)", {"__iter__"}),
    ("match x:\n  case 1: pass", {"__eq__"}),
]


@pytest.mark.parametrize(("statement", "expected"), CALLED)
def test_a_method_is_called(statement: str, expected: set[str]) -> None:
    (term,) = lower_all(ast.parse(statement).body)
    found = {
        method
        for one in term.walk()
        for owner, names in implicit_methods(one)
        if dotted(owner) == "x"
        for method in names
    }
    assert expected <= found


NOT_CALLED = ["x is None", "not x", "x", "x.a", "x = 1", "f(x)", "a[x]", "x and a", "lambda: 1", "del x", "a = x"]


@pytest.mark.parametrize("statement", NOT_CALLED)
def test_no_method_is_called(statement: str) -> None:
    (term,) = lower_all(ast.parse(statement).body)
    assert not any(dotted(owner) == "x" for one in term.walk() for owner, _ in implicit_methods(one))


# A format string, and the attributes that it reads.
FORMATS: list[tuple[str, list[str]]] = [
    ("'{}'", []),
    ("'{0.a}'", ["a"]),
    ("'{x.a.b} {y.c}'", ["a", "b", "c"]),
    ("'{x[0].a}'", ["a"]),
    ("'{x.a!r:>10}'", ["a"]),
    ("'{x:{y.b}}'", ["b"]),
    ("'{x.a:{y.b}.{z.c}}'", ["a", "b", "c"]),
    ("'{{x.a}}'", []),
    ("'{x.a'", []),
    ("template", []),
]


@pytest.mark.parametrize(("text", "expected"), FORMATS)
def test_a_format_string_reads(text: str, expected: list[str]) -> None:
    assert list(formatted_attributes(lower(ast.parse(f"{text}.format(x, y)", mode="eval").body))) == expected


PATTERNS = [
    ("Point(0, y)", True),
    ("Point(x=0)", False),
    ("Point()", False),
    ("int(x)", False),
    ("int(x) | Point(0)", True),
    ("[Point(0)]", True),
    ("{'a': Point(0)}", True),
    ("geometry.int(x)", True),
    ("Point(x=int(y))", False),
    ("x", False),
    ("1", False),
]


@pytest.mark.parametrize(("pattern", "expected"), PATTERNS)
def test_a_pattern_reads_by_position(pattern: str, expected: bool) -> None:
    assert has_positional_attributes(pattern) == expected


# A statement, and the expressions whose truth it asks.
TRUTHS: list[tuple[str, list[str]]] = [
    ("if x: pass", ["x"]),
    ("if x: pass\nelif y: pass", ["x", "y"]),
    ("while x: pass", ["x"]),
    ("assert x, y", ["x"]),
    ("a if x else b", ["x"]),
    ("x and y", ["x", "y"]),
    ("not x", ["x"]),
    ("[a for a in b if x]", ["x"]),
    ("match a:\n  case b if x: pass", ["x"]),
    ("match a:\n  case b: pass", []),
    ("x == y", []),
    ("for a in b: pass", []),
]


@pytest.mark.parametrize(("statement", "expected"), TRUTHS)
def test_truth_is_asked(statement: str, expected: list[str]) -> None:
    (term,) = lower_all(ast.parse(statement).body)
    assert [unparse(one) for one in truth_tests(term)] == expected


REFLECTED = [
    ("vars(x)['a']", "x.a"),
    ("x.__dict__['a']", "x.a"),
    ("vars(vars(x)['a'])['b']", "x.a.b"),
    ("vars(x)['a' + 'b']", "x.ab"),
    ("vars(x)[a]", "vars(x)[a]"),
    ("vars()['a']", "vars()['a']"),
    ("x['a']", "x['a']"),
    ("x.__dict__['a b']", "x.__dict__['a b']"),
]


@pytest.mark.parametrize(("expression", "expected"), REFLECTED)
def test_reflection_reads(expression: str, expected: str) -> None:
    assert unparse(with_reflected_items(lower(ast.parse(expression, mode="eval").body))) == expected
