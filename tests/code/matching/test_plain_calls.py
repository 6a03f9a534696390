"""Calls of a file's own functions, written out, and with arguments by position."""

import pytest

from auditor.code.matching.plain_calls import by_position, with_plain_calls
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

TEXT = """
FACTOR = 2

def double(n): return n * FACTOR
def nested(n): return double(n) + 1
def documented(n):
    '''Twice.'''
    return n * 2
def defaulted(n, m=1): return n * m
def spread(*n): return n
def early(n):
    if n: return 1
    return 2
@cached
def decorated(n): return n
def comprehended(n): return [i for i in n]
async def later(n): return n
def endless(n): return endless(n)
def again(n): return n
def again(n): return n + 1

class Pool:
    def own(self, n, m): return n + m
    def start(self, a, b):
        return EXPRESSION

def start(a, b):
    LOCALS
    return EXPRESSION
"""

# Locals of `start`, the expression that it returns, and how that reads with plain calls written out.
WRITTEN_OUT = [
    ("pass", "double(a)", "a * FACTOR"),
    ("pass", "double(n=a)", "a * FACTOR"),
    ("pass", "double(a.b)", "a.b * FACTOR"),
    ("pass", "double(3)", "3 * FACTOR"),
    ("pass", "double(a + 1)", "double(a + 1)"),
    ("pass", "double(f())", "double(f())"),
    ("pass", "double(*a)", "double(*a)"),
    ("pass", "double()", "double()"),
    ("pass", "double(a, b)", "double(a, b)"),
    ("pass", "double(double(a))", "double(a * FACTOR)"),
    ("pass", "nested(a)", "a * FACTOR + 1"),
    ("pass", "documented(a)", "a * 2"),
    ("pass", "defaulted(a)", "defaulted(a)"),
    ("pass", "defaulted(a, b)", "a * b"),
    ("pass", "defaulted(m=b, n=a)", "a * b"),
    ("pass", "spread(a)", "spread(a)"),
    ("pass", "early(a)", "early(a)"),
    ("pass", "decorated(a)", "decorated(a)"),
    ("pass", "comprehended(a)", "comprehended(a)"),
    ("pass", "later(a)", "later(a)"),
    ("pass", "again(a)", "again(a)"),
    ("pass", "a.double(b)", "a.double(b)"),
    ("FACTOR = 3", "double(a)", "double(a)"),
    ("double = a", "double(a)", "double(a)"),
    ("import double", "double(a)", "double(a)"),
]


@pytest.mark.parametrize(("local", "expression", "expected"), WRITTEN_OUT)
def test_a_call_is_written_out(local: str, expression: str, expected: str) -> None:
    start = definition(TEXT.replace("LOCALS", local).replace("EXPRESSION", expression), "start")
    (function,) = with_plain_calls(start, 2).terms
    assert unparse(function.terms("body")[-1].term("value")) == expected


def test_a_recursive_function_is_written_out_a_few_times() -> None:
    start = definition(TEXT.replace("LOCALS", "pass").replace("EXPRESSION", "endless(a)"), "start")
    assert unparse(with_plain_calls(start, 2).terms[0].terms("body")[-1].term("value")) == "endless(a)"


# A call in a method, and with its arguments by position.
BY_POSITION = [
    ("self.own(n=a, m=b)", "self.own(a, b)"),
    ("self.own(a, m=b)", "self.own(a, b)"),
    ("self.own(m=b)", "self.own(m=b)"),
    ("self.own(a, *b, m=1)", "self.own(a, *b, m=1)"),
    ("self.own(a, **b)", "self.own(a, **b)"),
    ("self.own(a, b)", "self.own(a, b)"),
    ("self.other(n=a)", "self.other(n=a)"),
    ("defaulted(m=b, n=a)", "defaulted(a, b)"),
    ("spread(n=a)", "spread(n=a)"),
    ("decorated(n=a)", "decorated(n=a)"),
]


@pytest.mark.parametrize(("call", "expected"), BY_POSITION)
def test_arguments_by_position(call: str, expected: str) -> None:
    start = definition(TEXT.replace("LOCALS", "pass").replace("EXPRESSION", call), "Pool.start")
    assert unparse(by_position(start.term.terms("body")[0].term("value"), start)) == expected
