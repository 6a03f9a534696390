"""The conditions inside an expression, and what a `case` tests."""

import ast

import pytest

from auditor.code.flow.short_circuit import case_test, evaluation_conditions
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse

# An expression, and what has been tested in it before `mark` is evaluated; a loop and a lambda stand for themselves.
EVALUATED = [
    ("mark", []),
    ("a and mark", ["a"]),
    ("a or mark", ["not a"]),
    ("a and b and mark", ["a", "b"]),
    ("(a or b) and mark", ["a or b"]),
    ("mark and a", []),
    ("mark if a else b", ["a"]),
    ("b if a else mark", ["not a"]),
    ("a if mark else b", []),
    ("f(a, mark)", []),
    ("f(b=mark)", []),
    ("a < mark", []),
    ("a < mark < b", []),
    ("a < b < mark", ["a < b"]),
    ("a < b != c < mark", ["a < b", "b != c"]),
    ("not (a and mark)", ["a"]),
    ("(x := a) and mark", ["(x := a)"]),
    ("[mark for x in a]", ["CompFor"]),
    ("[x for x in mark]", []),
    ("[x for x in a for y in mark]", ["CompFor"]),
    ("[x for x in a if mark]", ["CompFor"]),
    ("[mark for x in a if x]", ["CompFor", "x"]),
    ("{mark: 1 for x in a}", ["CompFor"]),
    ("{1: mark for x in a}", ["CompFor"]),
    ("lambda x=mark: x", []),
    ("lambda x: mark", ["Lambda", "Text"]),
    ("f'{a and mark}'", ["a"]),
    ("a[mark]", []),
]


@pytest.mark.parametrize(("expression", "expected"), EVALUATED)
def test_what_is_tested_before(expression: str, expected: list[str]) -> None:
    (tests,) = (t for one, t in evaluation_conditions(_term(expression), ()) if one.parts.get("id") == "mark")
    assert [_text(one) for one in tests] == expected


def _text(test: object) -> str:
    if not isinstance(test, Term):
        return type(test).__name__
    return test.type if test.type in ("CompFor", "Lambda") else unparse(test)


# A pattern of a `case`, and what it tests of `s`; None: it takes the subject apart.
PATTERNS: list[tuple[str, str | None]] = [
    ("1", "s == 1"),
    ("-1", "s == -1"),
    ("'a'", "s == 'a'"),
    ("None", "s is None"),
    ("True", "s is True"),
    ("1 | 2", "s == 1 or s == 2"),
    ("1 | None", "s == 1 or s is None"),
    ("1 | 2 | 'a'", "s == 1 or s == 2 or s == 'a'"),
    ("A.B", "s == A.B"),
    ("A.B | A.C", "s == A.B or s == A.C"),
    ("_", "True"),
    ("x", "True"),
    ("1 | _", "True"),
    ("(1)", "s == 1"),
    ("(1 | 2)", "s == 1 or s == 2"),
    ("1 | 2 as x", None),
    ("[a, b]", None),
    ("(a, b)", None),
    ("[]", None),
    ("A()", None),
    ("int()", None),
    ("{'a': x}", None),
    ("*_,", None),
    ("1 + 2j", None),
]


@pytest.mark.parametrize(("pattern", "expected"), PATTERNS)
def test_a_case_tests(pattern: str, expected: str | None) -> None:
    found = case_test(name("s"), pattern)
    assert (unparse(found).replace('"', "'") if found is not None else None) == expected


def _term(expression: str) -> Term:
    return lower(ast.parse(expression, mode="eval").body)
