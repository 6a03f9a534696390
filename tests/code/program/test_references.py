"""Where code uses something, however it is written."""

import ast
import textwrap

import pytest

from auditor.code.matching.notation import Pattern
from auditor.code.program.references import may_be_named, takes_anything, uses
from auditor.code.syntax.from_ast import lower
from tests.support.snapshots import MODULE, codebase

# A pattern, the body of a function, and how it is used there: called, handed on, by a name that is worked out.
USES = [
    ("self.pool.take(...)", "self.pool.take(1)", "called"),
    ("self.pool.take(...)", "self.pool.give(1)", ""),
    ("self.pool.take(...)", "p = self.pool\np.take(1)", "called"),
    ("self.pool.take(...)", "take = self.pool.take\ntake(1)", "called"),
    ("self.pool.take(...)", "keep(self.pool.take)", "handed"),
    ("self.pool.take(...)", "return self.pool.take", "handed"),
    ("self.pool.take(...)", "getattr(self.pool, 'take')(1)", "called"),
    ("self.pool.take(...)", "getattr(self.pool, name)(1)", "dynamic"),
    ("self.pool.take(...)", "getattr(self.pool, 'gi' + name)(1)", ""),
    ("self.pool.take(...)", "getattr(self.pool, 't' + name)(1)", "dynamic"),
    ("self.pool.take(...)", "keep(say := self.pool.take)", "handed"),
    ("take(...)", "take(1)", "called"),
    ("take(...)", "from engine.other import take as get\nget(1)", "called"),
    ("take(...)", "partial(take, 1)", "handed"),
    ("take(...)", "take = 1", ""),
    ("time.sleep(...)", "import time\ntime.sleep(1)", "called"),
    ("time.sleep(...)", "from time import sleep\nsleep(1)", "called"),
    ("time.sleep(...)", "from time import sleep as nap\nnap(1)", "called"),
    ("time.sleep(...)", "import time as t\nt.sleep(1)", "called"),
    ("time.sleep(...)", "from trio import sleep\nsleep(1)", ""),
    ("self.n = ...", "self.n = 1", "called"),
    ("self.n = ...", "self.n += 1", "called"),
    ("self.n = ...", "self.m, self.n = 1, 2", "called"),
    ("self.n = ...", "for self.n in x: pass", "called"),
    ("self.n = ...", "with x as self.n: pass", "called"),
    ("self.n = ...", "del self.n", "called"),
    ("self.n = ...", "setattr(self, 'n', 1)", "called"),
    ("self.n = ...", "setattr(self, name, 1)", "dynamic"),
    ("self.n = ...", "self.n: int", ""),
    ("self.n = ...", "return self.n", ""),
    ("self.n += 1", "self.n = self.n + 1", "called"),
    ("self.n += 1", "self.n = 1 + self.n", "called"),
    ("self.n -= 1", "self.n = 1 - self.n", ""),
]


@pytest.mark.parametrize(("pattern", "body", "expected"), USES)
def test_a_use(pattern: str, body: str, expected: str) -> None:
    files = {
        MODULE: f"def start(self, x, name):\n{textwrap.indent(body, '  ')}\n",
        "engine/__init__.py": "",
        "engine/other.py": "def take(n): pass\n",
    }
    found = list(uses([Pattern(pattern)], codebase(files), [MODULE]))
    kinds = {"handed" if one.is_handed_on else "dynamic" if one.is_dynamic else "called" for one in found}
    assert kinds == set(expected.split())


NAMES = [
    ("name", "take", True),
    ("'take'", "take", True),
    ("'give'", "take", False),
    ("f'ta{x}'", "take", True),
    ("f'{x}ve'", "take", False),
    ("'ta' + x", "take", True),
    ("'ta' 'ke'", "take", True),
    ("'give' if x else 'take'", "take", True),
    ("'give' if x else 'gave'", "take", False),
    ("'t.ke'", "take", False),
]


@pytest.mark.parametrize(("expression", "name", "expected"), NAMES)
def test_an_expression_may_be_a_name(expression: str, name: str, expected: bool) -> None:
    assert may_be_named(lower(ast.parse(expression, mode="eval").body), name) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [("f(...)", True), ("f()", True), ("f(1)", False), ("f(..., a=1)", False), ("f(a=...)", True), ("x", True)],
)
def test_a_call_takes_anything(pattern: str, expected: bool) -> None:
    assert takes_anything(Pattern(pattern)) == expected
