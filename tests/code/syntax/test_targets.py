"""What a statement binds, and which value goes to which target."""

import ast

import pytest

from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.targets import assigned_pairs, bound_targets, local_names, pattern_captures
from auditor.code.syntax.unparse import unparse

BOUND = [
    ("x = 1", ["x"]),
    ("x = a.b = c[d] = 1", ["x", "a.b", "c[d]"]),
    ("(x, [y, *z]) = a", ["x", "y", "z"]),
    ("x: int", ["x"]),
    ("x += 1", ["x"]),
    ("del x, a.b", ["x", "a.b"]),
    ("for x, y in a: z = 1", ["x", "y"]),
    ("def f(a): b = 1", ["f"]),
    ("class A: b = 1", ["A"]),
]

PAIRS = [
    ("x = a", [("x", "a")]),
    ("x, y = a, b", [("x", "a"), ("y", "b")]),
    ("x, (y, z) = a, (b, c)", [("x", "a"), ("y", "b"), ("z", "c")]),
    ("x, (y, z) = a, b", [("x", "a"), ("y", None), ("z", None)]),
    ("x, y = a", [("x", None), ("y", None)]),
    ("x, *y = a, b", [("x", None), ("y", None)]),
    ("x, y = *a, b", [("x", None), ("y", None)]),
    ("x, y = a, b, c", [("x", None), ("y", None)]),
    ("a.b[c] = d, e", [("a.b[c]", "(d, e)")]),
]

CAPTURED = [
    ("1", []),
    ("x", ["x"]),
    ("[a, *b]", ["a", "b"]),
    ("{'k': a, **rest}", ["rest", "a"]),
    ("A(b, c=d) as e", ["e", "b", "d"]),
    ("a.b | None", []),
]


@pytest.mark.parametrize(("statement", "expected"), BOUND)
def test_a_statement_binds_its_own_targets(statement: str, expected: list[str]) -> None:
    assert [unparse(target) for target in bound_targets(lower(ast.parse(statement).body[0]))] == expected


@pytest.mark.parametrize(("statement", "expected"), PAIRS)
def test_each_target_is_paired_with_its_value(statement: str, expected: list[tuple[str, str | None]]) -> None:
    term = lower(ast.parse(statement).body[0])
    pairs = assigned_pairs(term.terms("targets")[0], term.term("value"))
    assert [(unparse(target), unparse(value) if value else None) for target, value in pairs] == expected


@pytest.mark.parametrize(("pattern", "expected"), CAPTURED)
def test_a_pattern_captures_names(pattern: str, expected: list[str]) -> None:
    assert pattern_captures(pattern) == expected


def test_the_names_of_a_function_are_its_parameters_and_all_it_binds() -> None:
    body = "c = 1\n    with d as e:\n        [g for g in h]\n    import i.j, k as m\n    setattr(n, 'o', 1)"
    source = f"def f(a, *b):\n    {body}"
    assert local_names(lower(ast.parse(source).body[0])) == {"a", "b", "c", "e", "g", "i", "m"}
