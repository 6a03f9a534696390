"""Relocation against its case files, as written and under changes that must not matter.

A case file is Markdown. A heading is a test; `python` blocks are the files, each with its path in backquotes after
`before` or `after` on the line above. In a file before, the comment `# cited` marks the first and the last cited line
(none: the whole file); after, `# found` marks those of what is found (a whole file: `Found: path`), `# candidate 1` the
first line of a candidate, by rank. Such comments are taken out. `Expected: place, state[, same][: part of the
reason].` says the rest. `Not run <variation>: reason.` leaves one out.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from auditor.anchors import relocate
from auditor.model import AnchorState, Location, Region, Relocation
from tests.snapshots import NEWER, codebase

CASES = Path(__file__).parent / "cases" / "relocation"
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
BLOCK = re.compile(
    r"^(?P<side>before|after) `(?P<path>[^`\n]+)`:\n+```\w*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
MARK = re.compile(r"\s*# (?P<what>cited|found|candidate \d)(?: (?P<more>found|cited))?$")
EXPECTED = re.compile(
    r"^Expected: (?P<place>\w+), (?P<state>\w+)(?P<same>, same)?(?:: (?P<reason>.+))?\.$", re.MULTILINE
)
FOUND = re.compile(r"^Found: `(.+)`$", re.MULTILINE)
LEFT_OUT = re.compile(r"^Not run (\w+): ", re.MULTILINE)
UNRELATED = "def unrelated(first, second=3):\n    return [first, second]\n\n\n"

Files = Mapping[str, str]
Change = Callable[[str], str | bytes]


@dataclass(frozen=True)
class Case:
    """One heading: the lines that are cited, and what is to be found."""

    title: str
    before: Files
    after: Files
    cited: Location
    place: str
    state: str
    is_same: bool
    reason: str
    found: Location | None
    candidates: tuple[Location, ...]
    left_out: frozenset[str]

    def __str__(self) -> str:
        return self.title


def marked(files: dict[str, str], what: str) -> list[tuple[str, int]]:
    """The lines with a mark; the marks stay."""
    return [
        (path, number)
        for path, text in files.items()
        for number, line in enumerate(text.split("\n"), 1)
        if (mark := MARK.search(line)) and what in (mark["what"], mark["more"])
    ]


def location(lines: list[tuple[str, int]]) -> Location:
    (path,) = {path for path, _ in lines}
    return Location(path, Region(lines[0][1], lines[-1][1]))


def plain(files: dict[str, str]) -> Files:
    return {path: "\n".join(MARK.sub("", line) for line in text.split("\n")) for path, text in files.items()}


def case(stem: str, title: str, text: str) -> Case:
    sides: dict[str, dict[str, str]] = {"before": {}, "after": {}}
    for block in BLOCK.finditer(text):
        sides[block["side"]][block["path"]] = block["text"]
    expected = EXPECTED.search(text)
    assert expected, f"{stem}: {title}: nothing is expected"
    cited, found = marked(sides["before"], "cited"), marked(sides["after"], "found")
    candidates = sorted((what, place) for what in "12345" for place in marked(sides["after"], f"candidate {what}"))
    return Case(
        f"{stem}: {title}",
        plain(sides["before"]),
        plain(sides["after"]),
        location(cited) if cited else Location(next(iter(sides["before"]))),
        expected["place"],
        expected["state"],
        bool(expected["same"]),
        expected["reason"] or "",
        location(found) if found else Location(whole[1]) if (whole := FOUND.search(text)) else None,
        tuple(location([place]) for _, place in candidates),
        frozenset(LEFT_OUT.findall(text)),
    )


def cases() -> list[Case]:
    found = []
    for path in sorted(CASES.glob("*.md")):
        _, *parts = HEADING.split(path.read_text("utf-8"))
        found += [case(path.stem, *pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    return found


def tabs(text: str) -> str:
    return re.sub("^(?: {4})+", lambda indent: "\t" * (len(indent[0]) // 4), text, flags=re.MULTILINE)


def crlf(text: str) -> bytes:
    return b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()


VARIATIONS: Mapping[str, tuple[Change, Change, int]] = {
    "written": (str, str, 0),
    "crlf": (str, crlf, 0),
    "tabs": (str, tabs, 0),
    "newer": (str, lambda text: text + NEWER, 0),
    "older": (lambda text: text + NEWER, str, 0),
    "inserted": (str, lambda text: UNRELATED + text, UNRELATED.count("\n")),
    "commented": (str, lambda text: re.sub(r"^(.*[\w)\]])$", r"\1  # why", text, flags=re.MULTILINE), 0),
}
"""What is done to the files before and after, and by how many lines that shifts them."""


def shown(relocation: Relocation) -> tuple[object, ...]:
    """What a case states of a relocation."""
    found = relocation.found
    where = Location(found.path, found.region) if found else None
    return relocation.place.value, relocation.is_same, where


@pytest.mark.parametrize("variation", VARIATIONS)
@pytest.mark.parametrize("case", cases(), ids=str)
def test_lines_are_found_where_their_case_says(case: Case, variation: str) -> None:
    if variation in case.left_out:
        return
    old, new, shift = VARIATIONS[variation]
    before = codebase({path: old(text) for path, text in case.before.items()})
    after = codebase({path: new(text) for path, text in case.after.items()})
    relocation = relocate(case.cited.path, case.cited.region, before, after)
    assert (case.place, case.is_same, shifted(case.found, shift)) == shown(relocation), relocation
    if variation == "written":
        places = tuple(candidate.location for candidate in relocation.candidates)
        starts = tuple((place.path, place.region.start if place.region else 1) for place in places)
        assert (case.state, True) == (relocation.state.value, case.reason in relocation.reason), relocation
        if relocation.state is AnchorState.LOST:
            assert tuple((place.path, place.region.start) for place in case.candidates if place.region) == starts


def shifted(location: Location | None, by: int) -> Location | None:
    if location is None or location.region is None:
        return location
    return Location(location.path, Region(location.region.start + by, location.region.end + by))


@pytest.mark.parametrize("case", cases(), ids=str)
def test_nothing_has_moved_between_a_snapshot_and_itself(case: Case) -> None:
    code = codebase(case.before)
    relocation = relocate(case.cited.path, case.cited.region, code, code)
    if relocation.state is not AnchorState.LOST:
        assert (AnchorState.EXACT, case.cited.region) == (
            relocation.state,
            relocation.found and relocation.found.region,
        )
