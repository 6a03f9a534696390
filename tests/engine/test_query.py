"""A query finds what a search of every file finds, with the definition and the names."""

from pathlib import Path

import pytest

from auditor.cache import Store
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import search
from auditor.code.project.codebase import Codebase
from auditor.engine.corpus import Corpus
from auditor.engine.query import PatternMatch, Unread, query
from auditor.model import Target
from tests.support.packs import Files, Tree

TARGET = Target("engine")
FILES: Files = {
    "engine/pool.py": '''\
"""min(a, b) in a docstring is no code."""
import functools

LIMIT: int = min(4, 5)


@functools.cache
class Pool(Base, key=min(1, 2)):
    """A pool: min(x, y)."""

    size = 16

    @property
    def used(self):
        if self.size > 3 and not self.free in (1, 2):
            self.total = self.total + min(self.size, 3)
            return min(self.size, self.size)
        elif self.size:
            raise ValueError(f"only {self.size}")

        def inner(x):
            self.total += 1
            return x == x

        return inner
''',
    "engine/core/admin.py": "administrator = minimum\nfor one in ones:\n    f(min)\n",
    "engine/other.txt": "min(a, b)",
    "engine/new.py": "match x:\n    case 1:\n        min(1, y)\n",
}
PATTERNS = (
    "min(...)", "min($A, $A)", "self.size", "$X == $X", "LIMIT = ...", "self.total += ...", "raise ValueError(...)",
    "if self.size: ...", "self.free not in ...", "return ...", "class Pool(...): ...", "for $X in ones: ...", "a < b",
    "3 < self.size", "min", "...[0]", "f(min)", "$A if $B else $C", "lambda: ...", "16",
    "self.total = ...\nreturn ...", "def inner(x): ...",
)  # fmt: skip


def located(found: PatternMatch) -> tuple[str, int, str | None]:
    assert found.location.region
    return found.location.path, found.location.region.start, found.location.symbol


@pytest.mark.parametrize("text", PATTERNS)
def test_a_query_finds_what_a_search_finds(text: str) -> None:
    pattern, snapshot = Pattern(text), Tree(FILES)
    code = Codebase(snapshot, TARGET)
    expected = []
    for path in sorted(path for path in FILES if path.endswith(".py")):
        whole = code.whole(path)
        places = [whole.location_of(*match.terms) for match in search(pattern, whole.code)]
        expected += [(place.path, place.region.start, place.symbol) for place in places if place.region]
    found = [located(one) for one in query(pattern, TARGET, snapshot) if isinstance(one, PatternMatch)]
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_names_stand_for_what_they_are_bound_to() -> None:
    (found,) = query(Pattern("self.total = self.total + min($A, $B)"), TARGET, Tree(FILES))
    assert isinstance(found, PatternMatch)
    assert (found.bound, found.location.symbol) == ({"A": "self.size", "B": "3"}, "Pool.used")
    assert found.lines == ("            self.total = self.total + min(self.size, 3)",)


def test_a_query_is_narrowed_to_files_and_folders() -> None:
    def paths(*within: str) -> set[str]:
        return {
            one.location.path
            for one in query(Pattern("min"), TARGET, Tree(FILES), within)
            if isinstance(one, PatternMatch)
        }

    assert paths("engine/core") == paths("engine/core/") == {"engine/core/admin.py"}
    assert paths("engine/new.py", "engine/pool.py") == {"engine/new.py", "engine/pool.py"}
    assert paths("engine/co") == set()


def test_a_file_that_cannot_be_read_is_said() -> None:
    found = list(query(Pattern("min(...)"), TARGET, Tree({"a.py": "min(1\n", "b.py": "min(1)\n", "c.py": "x(\n"})))
    assert [type(one) for one in found] == [Unread, PatternMatch]


def test_the_corpus_of_what_does_not_change_is_kept(tmp_path: Path) -> None:
    class Fixed(Tree):
        is_fixed = True

    first, second = Fixed(FILES), Fixed(FILES)
    found = [list(query(Pattern("min(...)"), TARGET, one, (), Store(tmp_path))) for one in (first, second)]
    assert (found[0] == found[1], bool(first.reads), second.reads) == (True, True, [])
    changing = Tree({**FILES, "engine/more.py": "min(0)\n"})
    assert len(list(query(Pattern("min(...)"), TARGET, changing, (), Store(tmp_path)))) == len(found[0]) + 1


def test_a_word_is_not_found_across_two_files() -> None:
    text = Corpus(("a", "b"), (0, 3, 6), b"mi\n" + b"n \n")
    assert list(text.holding([b"min"])) == []
