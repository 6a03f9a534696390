"""The blocks of statements, the terms of one scope, abrupt completion and dead code."""

import ast
import textwrap

import pytest

from auditor.code.syntax.blocks import abrupt_completions, blocks, reachable, walk_scope
from auditor.code.syntax.from_ast import lower_all
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse

BLOCKS = [
    ("if a:\n    b\nelse:\n    c", ["b", "c"]),
    ("while a:\n    b", ["b"]),
    ("try:\n    a\nexcept B:\n    c\nexcept D:\n    e\nelse:\n    f\nfinally:\n    g", ["a", "c", "e", "f", "g"]),
    ("match a:\n    case 1:\n        b\n    case 2:\n        c", ["b", "c"]),
    ("with a:\n    b", ["b"]),
    ("a", []),
]

COMPLETIONS = [
    ("a", set()),
    ("return a", {"Return"}),
    ("if a:\n    raise b\nelse:\n    return", {"Raise", "Return"}),
    ("for a in b:\n    break", set()),
    ("for a in b:\n    c\nelse:\n    break", {"Break"}),
    ("break", {"Break"}),
    ("while a:\n    if b:\n        continue\n    return", {"Return"}),
    ("try:\n    a\nexcept B:\n    continue\nfinally:\n    raise", {"Continue", "Raise"}),
    ("match a:\n    case 1:\n        break", {"Break"}),
    ("def f():\n    return 1", set()),
    ("class A:\n    for a in b:\n        raise", set()),
]

REACHABLE = [
    ("a\nreturn\nb", ["a", "Return"]),
    ("if False:\n    a\nelse:\n    b", ["b"]),
    ("if 1:\n    a\nb", ["a", "b"]),
    ("while True:\n    a\nb", ["While"]),
    ("while True:\n    break\nb", ["While", "b"]),
    ("while True:\n    for a in c:\n        break\nb", ["While"]),
    ("while 0:\n    a\nb", ["b"]),
]


def _lowered(source: str) -> tuple[Term, ...]:
    return lower_all(ast.parse(textwrap.dedent(source)).body)


def _shown(statement: Term) -> str:
    return unparse(statement.term("value")) if statement.type == "Expr" else statement.type


@pytest.mark.parametrize(("source", "expected"), BLOCKS)
def test_the_blocks_of_a_statement(source: str, expected: list[str]) -> None:
    assert [_shown(block[0]) for block in blocks(_lowered(source)[0])] == expected


@pytest.mark.parametrize(("source", "expected"), COMPLETIONS)
def test_how_a_block_is_left_early(source: str, expected: set[str]) -> None:
    assert abrupt_completions(_lowered(source)) == expected


@pytest.mark.parametrize(("source", "expected"), REACHABLE)
def test_dead_code_is_left_out(source: str, expected: list[str]) -> None:
    assert [_shown(statement) for statement in reachable(_lowered(source))] == expected


def test_the_terms_of_a_scope_are_without_those_of_nested_functions_and_classes() -> None:
    source = "a\nif b:\n    def f(): c\n    d = lambda: e\n    class G: h\n"
    names = [term.text("id") for term in walk_scope(_lowered(source)) if term.type == "Name"]
    assert names == ["a", "b", "d"]
