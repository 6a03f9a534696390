"""Whether what is looped over has an item for certain."""

import ast

import pytest

from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term
from auditor.code.values.constants import scope_of
from auditor.code.values.emptiness import has_items
from tests.support.snapshots import definition

TEXT = """
from itertools import count, cycle
import itertools

TABLE = {"a": 1}
EMPTY = []
N = 3

def start(x, local, N_=N):
    local = TABLE
    for one in x: pass
"""

ITERABLES = [
    ("[1]", True),
    ("[]", False),
    ("()", False),
    ("{}", False),
    ("{x}", True),
    ("{x: 1}", True),
    ("{**x}", False),
    ("[*x]", False),
    ("[*x, 1]", True),
    ("[*[1]]", True),
    ("'ab'", True),
    ("''", False),
    ("x", False),
    ("TABLE", True),
    ("EMPTY", False),
    ("TABLE.items()", True),
    ("EMPTY.copy()", False),
    ("local", False),
    ("range(3)", True),
    ("range(0)", False),
    ("range(N)", True),
    ("range(3, 1)", False),
    ("range(3, 1, -1)", True),
    ("range(1, 3, 0)", False),
    ("range(x)", False),
    ("range(True)", True),
    ("enumerate(TABLE)", True),
    ("enumerate(x)", False),
    ("sorted([2, 1])", True),
    ("zip([1], [2])", True),
    ("zip([1], x)", False),
    ("zip()", False),
    ("map(f, [1])", True),
    ("map(f, x)", False),
    ("filter(f, [1])", False),
    ("count()", True),
    ("itertools.count(3)", True),
    ("itertools.cycle([1])", True),
    ("cycle([1])", True),
    ("cycle([])", False),
    ("cycle(x)", False),
    ("reversed([1])", True),
    ("[i for i in [1]]", False),
    ("[1] if x else [2]", False),
]


@pytest.mark.parametrize(("iterable", "expected"), ITERABLES)
def test_a_loop_runs_a_round(iterable: str, expected: bool) -> None:
    assert has_items(_term(iterable), scope_of(definition(TEXT, "start"))) == expected


def test_a_count_of_the_file_is_not_endless() -> None:
    start = definition("def count(x): return []\ndef start(x): pass\n", "start")
    assert not has_items(_term("count(x)"), scope_of(start))


def _term(expression: str) -> Term:
    return lower(ast.parse(expression, mode="eval").body)
