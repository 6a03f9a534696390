"""Expressions with the class's own properties and methods in place of their calls."""

import ast

import pytest

from auditor.code.flow.inlining import inlined
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

CLASS = """
class Base:
    def below(self):
        return self.free

class Pool(Base):
    @property
    def size(self):
        return self.used + self.free

    @cached_property
    def fixed(self):
        return self.size * 2

    def room(self, n):
        return self.free - n

    def room_for(self, n, spare=0):
        return self.free - n - spare

    def has(self, n):
        return any(i == n for i in self.items)

    def all(self, *args):
        return args

    def named(self, **options):
        return options

    async def later(self, n):
        return n + 1

    def each(self, n):
        yield n
        return n

    @staticmethod
    def still(n):
        return n

    def either(self, n):
        if n:
            return 1
        return 2

    def local(self, n):
        m = n + 1
        return m * 2

    def chosen(self, n):
        return 1 if n else 2

    def looped(self):
        for n in self.items:
            return n

    def twice(self, n):
        return self.twice(n)

    def assigned(self, n):
        return n

    def start(self, n):
        self.assigned = n
"""

INLINED = [
    ("self.size", 1, "self.used + self.free"),
    ("self.size", 0, "self.size"),
    ("self.fixed", 1, "self.size * 2"),
    ("self.fixed", 2, "(self.used + self.free) * 2"),
    ("self.size()", 1, "(self.used + self.free)()"),
    ("self.room(a)", 1, "self.free - a"),
    ("self.room(n=a)", 1, "self.free - a"),
    ("self.room(a + b)", 1, "self.free - (a + b)"),
    ("self.room", 1, "self.room"),
    ("self.room(*a)", 1, "self.room(*a)"),
    ("self.room(**a)", 1, "self.room(**a)"),
    ("self.room()", 1, "self.room()"),
    ("self.room_for(a)", 1, "self.room_for(a)"),
    ("self.room_for(a, b)", 1, "self.free - a - b"),
    ("self.below()", 1, "self.free"),
    ("self.room(self.room(a))", 1, "self.free - (self.free - a)"),
    ("self.has(a)", 1, "any((i == a for i in self.items))"),
    ("self.has(i)", 1, "self.has(i)"),
    ("self.all(a)", 1, "self.all(a)"),
    ("self.named(options=a)", 1, "self.named(options=a)"),
    ("self.later(a)", 1, "self.later(a)"),
    ("self.each(a)", 1, "self.each(a)"),
    ("self.still(a)", 1, "self.still(a)"),
    ("self.either(a)", 1, "self.either(a)"),
    ("self.local(a)", 1, "(a + 1) * 2"),
    ("self.chosen(a)", 1, "1 if a else 2"),
    ("self.looped()", 1, "self.looped()"),
    ("self.twice(a)", 2, "self.twice(a)"),
    ("self.assigned(a)", 1, "self.assigned(a)"),
    ("self.unknown(a)", 1, "self.unknown(a)"),
    ("other.room(a)", 1, "other.room(a)"),
    ("not self.size", 1, "not self.used + self.free"),
]


@pytest.mark.parametrize(("expression", "depth", "expected"), INLINED)
def test_an_expression_is_inlined(expression: str, depth: int, expected: str) -> None:
    term = lower(ast.parse(expression, mode="eval").body)
    assert unparse(inlined(term, definition(CLASS, "Pool.start"), depth)) == expected
