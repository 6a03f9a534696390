"""The calls that change nothing."""

import ast

import pytest

from auditor.code.flow.pure_calls import is_pure
from auditor.code.syntax.from_ast import lower

CALLS = [
    ("len(x)", True),
    ("isinstance(x, A)", True),
    ("max(x, default=0)", True),
    ("max(x, key=f)", False),
    ("sorted(x)", True),
    ("sorted(x, key=f)", False),
    ("sorted(x, **options)", False),
    ("dict(x)", True),
    ("map(f, x)", False),
    ("filter(f, x)", False),
    ("next(x)", False),
    ("setattr(x, 'a', 1)", False),
    ("getattr(x, 'a')", True),
    ("x.len()", False),
    ("x.sort()", False),
    ("f()(x)", False),
    ("vars(x)", False),
    ("exec(x)", False),
    ("iter(x)", True),
    ("iter(f, 0)", False),
    ("type(x)", True),
    ("type('A', (B,), {})", False),
    ("max(*x)", True),
]


@pytest.mark.parametrize(("call", "expected"), CALLS)
def test_a_call_is_pure(call: str, expected: bool) -> None:
    assert is_pure(lower(ast.parse(call, mode="eval").body)) == expected
