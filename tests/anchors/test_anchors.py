"""A citation is followed to where its code is now."""

from collections.abc import Sequence

import pytest

from auditor.anchors import follow
from auditor.code.project.codebase import Codebase
from auditor.model import Anchor, AnchorState, Citation, FoundCitation, Kind, Location, Outcome, Region, Text
from tests.support.packs import TARGET, Tree

POOL = """\
import math


class Pool:
    size = 16

    def grow(self):
        self.size += 1
        self.size *= 2
        self.size += 1

    def shrink(self):
        self.size -= 1


def grow(pool):
    pool.grow()
"""
FILES = {"engine/pool.py": POOL, "engine/other.py": "class Tank:\n    level = 0\n", "docs/guide.md": "# Guide\n"}
GROW = Anchor("engine/pool.py", "Pool.grow")
WHOLE = Anchor("engine/pool.py")


def followed(
    lines: str,
    anchor: Anchor | None,
    found: Sequence[Location] = (),
    files: dict[str, str] = FILES,
    roots: tuple[str, ...] = ("",),
) -> FoundCitation:
    """What becomes of `path:start-end`, when the check has found its code in some places."""
    path, _, region = lines.partition(":")
    start, _, end = region.partition("-")
    citation = Citation(path, Region(int(start), int(end or start)) if region else None, anchor)
    outcome = Outcome(Kind.PASS, Text("", ""), locations=tuple(found))
    return follow(citation, outcome, Codebase(Tree(files, roots=roots), TARGET))


def place(lines: str, symbol: str | None = None) -> Location:
    path, _, region = lines.partition(":")
    start, _, end = region.partition("-")
    return Location(path, Region(int(start), int(end or start)) if region else None, symbol)


STATES: list[tuple[str, Anchor, AnchorState, int | None, str]] = [
    ("engine/pool.py:7-10", GROW, AnchorState.EXACT, None, "7-10"),
    ("engine/pool.py:7", GROW, AnchorState.EXACT, None, "7-10"),
    ("engine/pool.py:8", GROW, AnchorState.INSIDE, None, "7-10"),
    ("engine/pool.py:8-10", GROW, AnchorState.INSIDE, None, "7-10"),
    ("engine/pool.py:5-13", GROW, AnchorState.INSIDE, None, "7-10"),
    ("engine/pool.py:6-9", GROW, AnchorState.SHIFTED, 1, "7-10"),
    ("engine/pool.py:8-11", GROW, AnchorState.SHIFTED, -1, "7-10"),
    ("engine/pool.py:1-4", GROW, AnchorState.SHIFTED, 6, "7-10"),
    ("engine/pool.py:5", Anchor("engine/pool.py", "Pool.size"), AnchorState.EXACT, None, "5"),
    ("engine/pool.py:3", WHOLE, AnchorState.INSIDE, None, "1-18"),
]


@pytest.mark.parametrize(("lines", "anchor", "state", "offset", "region"), STATES)
def test_a_citation_is_compared_with_its_symbol(
    lines: str, anchor: Anchor, state: AnchorState, offset: int | None, region: str
) -> None:
    found = followed(lines, anchor)
    assert (found.state, found.offset, found.found) == (state, offset, place(f"engine/pool.py:{region}", anchor.symbol))


@pytest.mark.parametrize("above", [0, 1, 40])
def test_lines_added_above_shift_a_citation_by_as_many(above: int) -> None:
    found = followed("engine/pool.py:7-10", GROW, files={"engine/pool.py": "#\n" * above + POOL})
    assert found.offset == (above or None)
    assert found.state is (AnchorState.SHIFTED if above else AnchorState.EXACT)


def test_a_symbol_in_another_file_has_moved() -> None:
    found = followed("engine/pool.py:1-2", Anchor("engine/pool.py", "Tank"))
    assert (found.state, found.offset) == (AnchorState.MOVED, None)
    assert found.found == place("engine/other.py:1-2", "Tank")


def test_a_symbol_has_moved_when_its_file_is_gone() -> None:
    found = followed("engine/gone.py:1-2", Anchor("engine/gone.py", "Tank"))
    assert (found.state, found.found) == (AnchorState.MOVED, place("engine/other.py:1-2", "Tank"))


LOST = [
    ("engine/pool.py:7-10", Anchor("engine/pool.py", "Pool.melt")),
    ("engine/gone.py:7-10", Anchor("engine/gone.py")),
    ("engine/pool.py:7-10", Anchor("engine/pool.py", "Pool.grow", "self.size -= 1")),
    ("engine/broken.py:1", Anchor("engine/broken.py", "x")),
    ("engine/gone.py", None),
    ("docs/gui", None),
    ("engine/pool.py/", None),
]


@pytest.mark.parametrize(("lines", "anchor"), LOST)
def test_code_that_is_nowhere_is_lost(lines: str, anchor: Anchor | None) -> None:
    found = followed(lines, anchor, files={**FILES, "engine/broken.py": "x = (\n"})
    assert found == FoundCitation(found.citation, AnchorState.LOST)


@pytest.mark.parametrize(("lines", "anchor"), [("docs/guide.md:1", Anchor("docs/guide.md")), ("docs/guide.md", None)])
def test_what_a_source_does_not_ship_is_unavailable_and_not_lost(lines: str, anchor: Anchor | None) -> None:
    files = {path: text for path, text in FILES.items() if path.startswith("engine/")}
    found = followed(lines, anchor, files=files, roots=("engine/",))
    assert found == FoundCitation(found.citation, AnchorState.UNAVAILABLE)


@pytest.mark.parametrize("path", ["engine/pool.py", "engine/", "engine", "docs/guide.md"])
def test_a_whole_file_or_folder_is_where_it_is(path: str) -> None:
    found = followed(path, None)
    assert (found.state, found.found) == (AnchorState.EXACT, Location(path))


@pytest.mark.parametrize(
    ("lines", "state", "region"),
    [
        ("engine/pool.py:8", AnchorState.EXACT, "8"),
        ("engine/pool.py:10", AnchorState.EXACT, "10"),
        ("engine/pool.py:7", AnchorState.SHIFTED, "8"),
        ("engine/pool.py:12", AnchorState.SHIFTED, "10"),
        ("engine/pool.py:7-9", AnchorState.INSIDE, "8"),
        ("engine/pool.py:9-11", AnchorState.INSIDE, "10"),
    ],
)
def test_of_several_matches_the_nearest_is_meant(lines: str, state: AnchorState, region: str) -> None:
    found = followed(lines, Anchor("engine/pool.py", "Pool.grow", "self.size += 1"))
    assert (found.state, found.found) == (state, place(f"engine/pool.py:{region}", "Pool.grow"))


def test_what_the_check_found_is_what_the_citation_meant() -> None:
    found = followed("engine/pool.py:13", GROW, [place("engine/pool.py:13", "Pool.shrink")])
    assert (found.state, found.found) == (AnchorState.EXACT, place("engine/pool.py:13", "Pool.shrink"))


def test_the_nearest_of_what_the_check_found_is_meant() -> None:
    places = [place("engine/pool.py:5"), place("engine/pool.py:8"), place("engine/pool.py:13")]
    found = followed("engine/pool.py:9", GROW, places)
    assert (found.state, found.offset, found.found) == (AnchorState.SHIFTED, -1, place("engine/pool.py:8"))


def test_of_places_that_hold_the_cited_lines_the_smallest_is_meant() -> None:
    places = [place("engine/pool.py:4-13"), place("engine/pool.py:7-10"), place("engine/pool.py:12-13")]
    found = followed("engine/pool.py:8-9", GROW, places)
    assert (found.state, found.found) == (AnchorState.INSIDE, place("engine/pool.py:7-10"))


def test_what_the_check_found_elsewhere_says_nothing_of_the_cited_file() -> None:
    found = followed("engine/pool.py:7-10", GROW, [place("engine/other.py:1"), place("engine/pool.py")])
    assert (found.state, found.found) == (AnchorState.EXACT, place("engine/pool.py:7-10", "Pool.grow"))


def test_code_of_its_own_outweighs_what_the_check_found() -> None:
    anchor = Anchor("engine/pool.py", "Pool.grow", "self.size *= 2")
    found = followed("engine/pool.py:13", anchor, [place("engine/pool.py:13", "Pool.shrink")])
    assert (found.state, found.offset, found.found) == (
        AnchorState.SHIFTED,
        -4,
        place("engine/pool.py:9", "Pool.grow"),
    )


def test_a_whole_file_does_not_hide_what_the_check_found_in_it() -> None:
    found = followed("engine/pool.py:9", WHOLE, [place("engine/pool.py:13", "Pool.shrink")])
    assert (found.state, found.offset, found.found) == (
        AnchorState.SHIFTED,
        4,
        place("engine/pool.py:13", "Pool.shrink"),
    )


def test_a_symbol_that_is_defined_twice_is_found_at_the_nearest() -> None:
    twice = "if fast:\n    def run():\n        return 1\nelse:\n    def run():\n        return 2\n"
    found = followed("engine/run.py:5-6", Anchor("engine/run.py", "run"), files={"engine/run.py": twice})
    assert (found.state, found.found) == (AnchorState.EXACT, place("engine/run.py:5-6", "run"))


def test_lines_that_the_file_never_had_held_nothing() -> None:
    found = followed("engine/pool.py:907-910", GROW)
    assert (found.state, found.found) == (AnchorState.LOST, None)


def test_lines_that_another_revision_had_may_have_shifted() -> None:
    earlier = Codebase(Tree({"engine/pool.py": "#\n" * 900 + POOL}), TARGET)
    code = Codebase(Tree(FILES), TARGET, earlier=earlier)
    found = follow(Citation("engine/pool.py", Region(907, 910), GROW), Outcome(Kind.PASS, Text("", "")), code)
    assert (found.state, found.offset) == (AnchorState.SHIFTED, -900)


@pytest.mark.parametrize(
    ("symbol", "state"),
    [("Pool.grow", AnchorState.EXACT), ("Pool.gone", AnchorState.LOST), ("Tank", AnchorState.MOVED)],
)
def test_what_a_citation_says_that_its_lines_hold_counts_more_than_what_a_check_found(
    symbol: str, state: AnchorState
) -> None:
    anchor = Anchor("engine/pool.py", symbol)
    outcome = Outcome(Kind.PASS, Text("", ""), locations=(place("engine/pool.py:12-13"),))
    citation = Citation("engine/pool.py", Region(7, 10), anchor, is_own=True)
    assert follow(citation, outcome, Codebase(Tree(FILES), TARGET)).state is state


MODULES = [("engine/tank.py", "engine/tank/__init__.py"), ("engine/tank/__init__.py", "engine/tank.py")]


@pytest.mark.parametrize(("before", "after"), MODULES)
@pytest.mark.parametrize("symbol", [None, "Tank"])
def test_a_module_that_became_a_package_has_moved(before: str, after: str, symbol: str | None) -> None:
    files = {after: FILES["engine/other.py"], "engine/namesake.py": "class Tank:\n    level = 1\n"}
    found = followed(f"{before}:1-2", Anchor(before, symbol), files=files)
    assert (found.state, found.found and found.found.path) == (AnchorState.MOVED, after)
