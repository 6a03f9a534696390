"""What gives a constant its value, and where that is written."""

import pytest

from auditor.code import Undecidable
from auditor.code.syntax.unparse import unparse
from auditor.code.values.constant_sites import constant_sites
from auditor.code.values.constants import scope_of
from auditor.code.values.initializers import initializer
from auditor.model import Anchor
from tests.support.snapshots import MODULE, codebase, definition

# A file, and the expression that gives `X` its value; None: it cannot be told.
VALUES: list[tuple[str, str | None]] = [
    ("X = 1", "1"),
    ("X: int = 1", "1"),
    ("X: int", None),
    ("X = Y = 1", "1"),
    ("X, Y = 1, 2", "1"),
    ("Y, X = 1, 2", "2"),
    ("(Y, X), Z = (1, 2), 3", "2"),
    ("X, Y = f()", None),
    ("*X, Y = 1, 2", None),
    ("X: Annotated[int, Field(default=3)]", "Field(default=3)"),
    ("X: Annotated[int, Arg(fallback=3)]", "3"),
    ("X: Annotated[int, Other(default=3)]", None),
    ("X = [1]", "[1]"),
    ("X = [1]\nX.append(2)", None),
    ("X = {}\nX['a'] = 1", None),
    ("X = {}\nX['a']['b'] += 1", None),
    ("X = {'a': 1}\ndel X['a']", None),
    ("X = {}\nif X['a'] == 1: pass", "{}"),
    ("X = {}\nY.X.update(a=1)", None),
    ("X = {}\nXX.update(a=1)", "{}"),
    ("X = dict(a=1)\nX['b'] = 2", None),
    ("X = [1] + [2]\nX.clear()", None),
    ("X = [i for i in Y]\nX.sort()", None),
    ("X = 1\nglobals()['X'] = 2", None),
    ("X = 1\nglobals().update(X=2)", None),
    ("X = 1\nprint(globals())", "1"),
    ("X = {}\ndef f():\n  X.pop('a')", None),
    ("X = (1, 2)\nX.index(1)", "(1, 2)"),
]


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_a_constant_is_given(text: str, expected: str | None) -> None:
    constant = definition(text + "\n", "X")
    if expected is None:
        with pytest.raises(Undecidable):
            initializer(constant)
    else:
        assert unparse(initializer(constant)) == expected


FILES = {
    MODULE: """
import engine.sizes as sizes
from engine.sizes import LIMIT, LIMIT as renamed, make

SMALL = 2
LARGE = SMALL * LIMIT

class Pool:
    size = SMALL
    other = size

    def start(self, SIZE):
        return EXPRESSION
""",
    "engine/__init__.py": "",
    "engine/sizes.py": "BASE = 1\nLIMIT = BASE + 1\ndef make(): pass\n",
}

SITES = [
    ("SMALL", "SMALL"),
    ("LARGE", "LARGE SMALL LIMIT BASE"),
    ("LIMIT", "LIMIT BASE"),
    ("renamed", "LIMIT BASE"),
    ("sizes.BASE", "BASE"),
    ("Pool.size", "Pool.size SMALL"),
    ("Pool.other", "Pool.other Pool.size SMALL"),
    ("SIZE", ""),
    ("make", ""),
    ("make()", ""),
    ("unknown", ""),
    ("self.size", ""),
    ("SMALL + SMALL", "SMALL SMALL"),
]


@pytest.mark.parametrize(("expression", "expected"), SITES)
def test_where_a_value_is_written(expression: str, expected: str) -> None:
    files = {**FILES, MODULE: FILES[MODULE].replace("EXPRESSION", expression)}
    start = codebase(files).locate(Anchor(MODULE, "Pool.start"))
    found = constant_sites(start.term.terms("body")[0].term("value"), scope_of(start))
    assert " ".join(one.name for one in found) == expected
