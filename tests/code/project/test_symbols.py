"""What a file defines and imports, with either parser; and where symbols are found."""

import pytest

from auditor.code import Absent, Undecidable
from auditor.code.project.codebase import Codebase
from auditor.code.project.symbols import Index, index
from auditor.model import Anchor, Location, Region
from tests.support.snapshots import MODULE, NEWER, codebase, definition

TEXT = '''\
"""Docstring."""
import os, a.b
import c.d as e
from f.g import h as i, j
from . import k
from ..l import *

ONE = 1
TWO, (THREE, *FOUR) = x
FIVE: int = 5
SIX: int
ONE += 1
self.nothing, d[0] = 1, 2

@decorated(1)
@functools.cache
def function(a, b=1):
    local = 1
    def inner(): pass
    class Local:
        field = 1

class Outer(Base, mixins.Mixin[int], metaclass=M):
    field = 1
    declared: int

    @property
    async def prop(self): pass
    @prop.setter
    def prop(self, value): pass

    class Inner:
        deep = 1

if a:
    BRANCH = 1
elif b:
    BRANCH = 2
else:
    def branch(): pass
try:
    TRIED = 1
except E:
    TRIED = 2
else:
    ORELSE = 1
finally:
    FINALLY = 1
with x as y: WITH = 1
for z in x:
    FOR = 1
while x:
    WHILE = 1
match x:
    case 1: MATCH = 1
größe = 1; LAST = 2
'''

DEFINED = [
    ("ONE", "constant", 8, 8),
    ("TWO", "constant", 9, 9),
    ("THREE", "constant", 9, 9),
    ("FOUR", "constant", 9, 9),
    ("FIVE", "constant", 10, 10),
    ("SIX", "constant", 11, 11),
    ("ONE", "constant", 12, 12),
    ("function", "function", 15, 21),
    ("function.inner", "function", 19, 19),
    ("function.Local", "class", 20, 21),
    ("function.Local.field", "field", 21, 21),
    ("Outer", "class", 23, 33),
    ("Outer.field", "field", 24, 24),
    ("Outer.declared", "field", 25, 25),
    ("Outer.prop", "function", 27, 28),
    ("Outer.prop", "function", 29, 30),
    ("Outer.Inner", "class", 32, 33),
    ("Outer.Inner.deep", "field", 33, 33),
    ("BRANCH", "constant", 36, 36),
    ("BRANCH", "constant", 38, 38),
    ("branch", "function", 40, 40),
    ("TRIED", "constant", 42, 42),
    ("TRIED", "constant", 44, 44),
    ("ORELSE", "constant", 46, 46),
    ("FINALLY", "constant", 48, 48),
    ("WITH", "constant", 49, 49),
    ("FOR", "constant", 51, 51),
    ("WHILE", "constant", 53, 53),
    ("MATCH", "constant", 55, 55),
    ("größe", "constant", 56, 56),
    ("LAST", "constant", 56, 56),
]

BOTH = pytest.mark.parametrize("found", [index(TEXT, "a.py"), index(TEXT + NEWER, "a.py")], ids=["ast", "libcst"])


@BOTH
def test_the_symbols_of_a_file_are_in_the_order_of_their_lines(found: Index) -> None:
    assert [(s.name, s.type, s.region.start, s.region.end) for s in found.symbols] == DEFINED


@BOTH
def test_decorators_bases_and_imports_are_known(found: Index) -> None:
    assert found.find("function")[0].decorators == ("decorated(1)", "functools.cache")
    assert found.bases["Outer"] == ("Base", "mixins.Mixin[int]")
    assert found.imports == {
        "os": ("os", None),
        "a": ("a", None),
        "e": ("c.d", None),
        "i": ("f.g", "h"),
        "j": ("f.g", "j"),
        "k": (".", "k"),
        "*": ("..l", "*"),
    }


@BOTH
def test_the_innermost_definition_around_some_lines_is_found(found: Index) -> None:
    names = [
        (line, symbol.name if (symbol := found.enclosing(Region(line, line))) else None) for line in (8, 15, 18, 21)
    ]
    assert names == [(8, None), (15, "function"), (18, "function"), (21, "function.Local")]


def test_a_file_of_newer_syntax_says_so() -> None:
    assert [index(text, "a.py").is_newer_syntax for text in (TEXT, TEXT + NEWER)] == [False, True]


BROKEN = [
    ("def f(:\n", r"a\.py:1 cannot be parsed"),
    ("x = 1\n\ty = 2\n", r"a\.py:2 cannot be parsed"),
    ("x = '\\N{no such thing}'\n", r"a\.py:1 cannot be parsed"),
    ("(" * 3_000, r"a\.py.* cannot be parsed|nested too deeply"),
    ("x = " + "-" * 100_000 + "1\n", r"a\.py.* cannot be parsed|nested too deeply"),
]


@pytest.mark.parametrize(("text", "reason"), BROKEN, ids=range(len(BROKEN)))
def test_what_no_parser_reads_is_undecidable(text: str, reason: str) -> None:
    with pytest.raises(Undecidable, match=reason):
        index(text, "a.py")


ENCODED = [
    (b"x = '\xc3\xa4'\n", "x = 'ä'\n"),
    (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
    (b"# -*- coding: latin-1 -*-\nx = '\xe4'\n", "# -*- coding: latin-1 -*-\nx = 'ä'\n"),
    (b"x = 1\r\ny = 2\rz = 3\n", "x = 1\ny = 2\nz = 3\n"),
    (b"", ""),
]


@pytest.mark.parametrize(("data", "expected"), ENCODED)
def test_a_file_is_text_in_its_own_encoding(data: bytes, expected: str) -> None:
    assert expected == codebase({MODULE: data}).text(MODULE)


@pytest.mark.parametrize("data", [b"x = '\xe4'\n", b"# coding: no-such\n", b"\xff\xfex\x00"])
def test_a_file_in_no_encoding_is_undecidable(data: bytes) -> None:
    with pytest.raises(Undecidable, match="is not text in its stated encoding"):
        codebase({MODULE: data}).text(MODULE)


FILES = {
    "python/engine/a.py": "class Pool:\n    def free(self): ...\n",
    "python/engine/core/b.py": "class Cache: ...\nclass Pool: ...\n",
    "python/engine/core/c.py": "x = 1\n",
    "python/engine/__init__.py": "",
    "python/engine/pkg/__init__.py": "",
    "python/other/d.py": "class Other: ...\n",
    "tests/e.py": "class Test: ...\n",
}


def code(roots: tuple[str, ...] = ("",)) -> Codebase:
    return codebase(FILES, prefix="python/", roots=roots)


FOUND = [
    ("python/engine/a.py", "Pool.free", "python/engine/a.py:2"),
    ("python/engine/core/c.py", "Cache", "python/engine/core/b.py:1"),
    ("python/engine/core/gone.py", "Cache", "python/engine/core/b.py:1"),
    ("python/engine/core/c.py", "Pool", "python/engine/core/b.py:2"),
    ("python/engine/core/c.py", "Pool.free", "python/engine/a.py:2"),
    ("python/engine/a.py", None, "python/engine/a.py"),
]


@pytest.mark.parametrize(("path", "symbol", "expected"), FOUND)
def test_a_symbol_is_found_where_it_is_nearest(path: str, symbol: str | None, expected: str) -> None:
    assert expected == str(code().locate(Anchor(path, symbol)).location)


LOST = [
    ("python/engine/a.py", "Other", "no Other in python/engine/a.py, nor anywhere under python/engine/"),
    ("python/engine/a.py", "Pool.frees", "the nearest there is Pool.free"),
    ("python/engine/gone.py", None, "python/engine/gone.py is not in test"),
    ("python/engine/gone.py", "Nowhere", "is not in test, and no Nowhere in"),
    ("tests/e.py", "Tests", "no Tests in tests/e.py"),
]


@pytest.mark.parametrize(("path", "symbol", "reason"), LOST)
def test_a_symbol_that_is_nowhere_is_absent(path: str, symbol: str | None, reason: str) -> None:
    with pytest.raises(Absent, match=reason):
        code().locate(Anchor(path, symbol))


def test_a_path_that_this_kind_of_source_does_not_ship_is_said_to_be() -> None:
    with pytest.raises(Absent, match="directory sources do not ship it"):
        code(("python/engine/",)).locate(Anchor("docs/gone.md", None))


IMPORTED = [
    ("engine.a", "python/engine/core/b.py", "python/engine/a.py"),
    ("engine.pkg", "python/engine/a.py", "python/engine/pkg/__init__.py"),
    (".c", "python/engine/core/b.py", "python/engine/core/c.py"),
    ("..a", "python/engine/core/b.py", "python/engine/a.py"),
    (".", "python/engine/a.py", "python/engine/__init__.py"),
    (".a", "python/engine/__init__.py", "python/engine/a.py"),
    ("torch", "python/engine/a.py", None),
    ("....a", "python/engine/a.py", None),
]


@pytest.mark.parametrize(("module", "importer", "expected"), IMPORTED)
def test_a_module_is_found_as_it_is_imported(module: str, importer: str, expected: str | None) -> None:
    assert expected == code().module(module, importer)


def test_a_location_names_the_definition_around_it() -> None:
    found = definition("class A:\n    def f(self):\n        x = 1\n        return x\n", "A.f")
    first, last = found.term.terms("body")
    assert Location(MODULE, Region(3, 4), "A.f") == found.location_of(first, last)


def test_a_fingerprint_is_of_the_code_alone() -> None:
    one = definition("def f(a):\n    return a + 1\n", "f")
    same = definition("x = 1\n\ndef f(a: int) -> int:\n    'Docstring.'\n    return (a + 1)  # comment\n", "f")
    other = definition("def f(a):\n    return a + 2\n", "f")
    assert [one.fingerprint == two.fingerprint for two in (same, other)] == [True, False]


def test_what_answers_depended_on_is_kept_until_the_next_question() -> None:
    found = code()
    found.locate(Anchor("python/engine/core/c.py", "Cache"))
    assert ({"python/engine/core/b.py", "python/engine/core/c.py"}, True) == (
        found.dependencies.paths,
        bool(found.dependencies.folders),
    )
    found.begin()
    assert (set(), False) == (found.dependencies.paths, bool(found.dependencies.folders))


def test_a_note_is_made_of_each_file_of_newer_syntax_that_was_read() -> None:
    found = codebase({"a.py": NEWER, "b.py": "x = 1\n"})
    found.index("a.py")
    found.index("b.py")
    assert found.notes == ("a.py uses syntax newer than the running Python; it was read with libcst alone",)
