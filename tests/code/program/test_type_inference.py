"""The classes that an expression in a function may be an instance of."""

import textwrap

import pytest

from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.type_inference import Inference, frame_of
from auditor.code.syntax.term import Term
from tests.support.snapshots import definition

TEXT = """
from typing import Optional, Annotated, Any

class A: pass
class B: pass
class Sub(A): pass

ONE = A()
TYPED: "B" = make()

def plain(): return A()
def annotated() -> B: return x
def either(): return A() if c else B()
def recursive(): return recursive()

class Pool:
    field: A
    many: list[B]

    def __init__(self, given: A, other):
        self.given = given
        self.made = B()
        self.other = other
        self.none = None
        self.late: Optional[A] = None
        self.first, self.second = A(), B()

    def me(self): return self

    @property
    def best(self) -> A: ...

    def start(self, a: A, b: "B", c, both: A | B, maybe: A | None, items: list[A], table: dict[str, B], *rest: A):
{}
        return last
"""

# The statements before `return last`, the classes of `last`, and whether these are all.
TYPES: list[tuple[str, str, bool]] = [
    ("last = a", "A", True),
    ("last = b", "B", True),
    ("last = c", "", False),
    ("last = both", "A B", True),
    ("last = maybe", "A", True),
    ("last = A()", "A", True),
    ("last = Sub()", "Sub", True),
    ("last = A", "", False),
    ("last = items[0]", "A", True),
    ("last = items.pop()", "A", True),
    ("last = table['k']", "B", True),
    ("last = table.get('k')", "B", True),
    ("for last in items: pass", "A", True),
    ("for k, last in table.items(): pass", "B", True),
    ("for last in [a, b]: pass", "A B", True),
    ("for last, k in [(a, b)]: pass", "A", True),
    ("for last, k in (a, b): pass", "", False),
    ("for k, last in enumerate(items): pass", "A", True),
    ("last, k = a, b", "A", True),
    ("(last, k), j = (a, b), c", "A", True),
    ("[*last], k = [a], b", "", False),
    ("*last, k = a, b", "", False),
    ("last, k = c", "", False),
    ("last = k = a", "A", True),
    ("last = a\nlast = b", "A B", True),
    ("if c:\n  last = a\nelse:\n  last = c", "A", False),
    ("last = a if c else b", "A B", True),
    ("last = a or b", "A B", True),
    ("last = (k := a)", "A", True),
    ("(last := a)", "A", True),
    ("last = await a", "A", True),
    ("last = [k for k in items][0]", "A", True),
    ("last = {1: a}[1]", "A", True),
    ("last = None", "", True),
    ("last = 1", "", True),
    ("last = c < 1", "", True),
    ("last = plain()", "A", True),
    ("last = annotated()", "B", True),
    ("last = either()", "A B", True),
    ("last = recursive()", "", False),
    ("last = unknown()", "", False),
    ("last = ONE", "A", True),
    ("last = TYPED", "B", True),
    ("last = self", "Pool", True),
    ("last = self.me()", "Pool", True),
    ("last = self.field", "A", True),
    ("last = self.many[0]", "B", True),
    ("last = self.given", "A", True),
    ("last = self.made", "B", True),
    ("last = self.other", "", False),
    ("last = self.late", "A", True),
    ("last = self.best", "A", True),
    ("last = self.second", "B", True),
    ("last = self.unknown", "", False),
    ("with a as last: pass", "", False),
    ("try: pass\nexcept E as last: pass", "", False),
    ("match c:\n  case last: pass", "", False),
    ("import x as last", "", True),
    ("last: A = c", "A", True),
    ("last: Any = a", "", False),
    ("last: 'list[A]' = c\nlast = last[0]", "A", False),
    ("last = a\nlast += c", "A", False),
]


@pytest.mark.parametrize(("body", "classes", "is_known"), TYPES)
def test_a_local_is(body: str, classes: str, is_known: bool) -> None:
    start = definition("last = 1\n" + TEXT.format(textwrap.indent(body, "        ")), "Pool.start")
    hierarchy = Hierarchy(start.codebase, (start.path,))
    frame = frame_of(start, Class(start.path, "Pool"))
    last = start.term.terms("body")[-1].term("value")
    assert isinstance(last, Term)
    found = Inference(hierarchy, {}).of(last, frame)
    assert (" ".join(sorted(one.name for one in found.classes)), found.is_known) == (classes, is_known)
