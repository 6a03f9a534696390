"""Relocation against its case files, as written and under changes that must not matter.

A case file is Markdown. A heading is a test; `python` blocks are the files, each with its path in backquotes after
`before` or `after` on the line above. In a file before, the comment `# cited` marks the first and the last cited line
(none: the whole file); after, `# found` marks those of what is found (a whole file: `Found: path`), `# candidate 1` the
first line of a candidate, by rank. Such comments are taken out. `Expected: place, state[, same][: part of the
reason].` says the rest. `Not run <variation>: reason.` leaves one out.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import pytest

from auditor.anchors import relocate, relocate_symbol
from auditor.anchors.statements import forced
from auditor.limits import PARSE_SECONDS
from auditor.model import AnchorState, Location, Region, Relocation
from tests.support.folders import CASES
from tests.support.snapshots import NEWER, codebase

FOLDER = CASES / "relocation"
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
    for path in sorted(FOLDER.glob("*.md")):
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


@pytest.mark.parametrize("case", cases(), ids=str)
def test_lines_are_found_where_their_case_says(case: Case) -> None:
    relocation = relocated(case, "written")
    assert expectation(case) == shown(relocation), relocation
    assert (case.state, True) == (relocation.state.value, case.reason in relocation.reason), relocation
    if relocation.state is AnchorState.LOST:
        places = (candidate.location for candidate in relocation.candidates)
        starts = tuple((place.path, place.region.start if place.region else 1) for place in places)
        assert tuple((place.path, place.region.start) for place in case.candidates if place.region) == starts
    varied = {name: relocated(case, name) for name in VARIATIONS.keys() - case.left_out}
    assert {name: one for name, one in varied.items() if shown(one) != expectation(case, VARIATIONS[name][2])} == {}


def relocated(case: Case, variation: str) -> Relocation:
    old, new, _ = VARIATIONS[variation]
    before = codebase({path: old(text) for path, text in case.before.items()})
    after = codebase({path: new(text) for path, text in case.after.items()})
    return relocate(case.cited.path, case.cited.region, before, after)


def expectation(case: Case, shift: int = 0) -> tuple[object, ...]:
    return case.place, case.is_same, shifted(case.found, shift)


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


POOL = """\
class Pool:
    size: int = 16

    @property
    def free(self):
        return self.size - self.used

    @free.setter
    def free(self, value):
        self.used = self.size - value

    def grow(self, by):
        self.size += by
        self.grown.append(by)
"""
MOVED = Location("engine/pools.py", Region(2, 2), "Pool.size")


def went(symbol: str, after: Files) -> Relocation:
    return relocate_symbol("engine/pool.py", symbol, codebase({"engine/pool.py": POOL}), codebase(after))


@pytest.mark.parametrize(
    ("symbol", "path", "text", "found"),
    [
        ("Pool.size", "engine/pools.py", POOL, MOVED),
        ("Pool.grow", "engine/pools.py", POOL, Location("engine/pools.py", Region(12, 14), "Pool.grow")),
        ("Pool", "engine/pools.py", POOL, Location("engine/pools.py", Region(1, 14), "Pool")),
        (
            "Pool.grow",
            "engine/pool.py",
            POOL.replace("grow(", "enlarge("),
            Location("engine/pool.py", Region(12, 14), "Pool.enlarge"),
        ),
        (
            "Pool.size",
            "engine/pool.py",
            POOL.replace("class Pool", "class Tank"),
            Location("engine/pool.py", Region(2, 2), "Tank.size"),
        ),
    ],
)
def test_a_symbol_is_found_by_its_syntax(symbol: str, path: str, text: str, found: Location) -> None:
    relocation = went(symbol, {path: text})
    assert (found, symbol, True) == (relocation.found, relocation.before.symbol, relocation.is_same)


@pytest.mark.parametrize(
    ("symbol", "reason"),
    [
        ("Pool.melt", "engine/pool.py::Pool.melt is not there in the older snapshot"),
        ("Pool.free", "engine/pool.py::Pool.free is defined 2 times in the older snapshot"),
    ],
)
def test_a_symbol_that_is_not_one_definition_is_lost(symbol: str, reason: str) -> None:
    relocation = went(symbol, {"engine/pool.py": POOL})
    assert (AnchorState.LOST, reason) == (relocation.state, relocation.reason)


def test_what_the_newer_source_does_not_ship_is_unavailable() -> None:
    before = codebase({"docs/pool.md": "# Pool\n"})
    after = codebase({"engine/pool.py": POOL}, roots=("engine/",))
    assert relocate("docs/pool.md", Region(1, 1), before, after).state is AnchorState.UNAVAILABLE


def test_the_lines_as_they_were_come_along() -> None:
    relocation = relocate("engine/pool.py", Region(13, 14), codebase({"engine/pool.py": POOL}), codebase({"m.py": ""}))
    assert relocation.text == "        self.size += by\n        self.grown.append(by)"


@pytest.mark.parametrize("region", [Region(90, 91), Region(14, 99), Region(1, 10**9)])
def test_lines_past_the_end_are_no_crash(region: Region) -> None:
    code = codebase({"engine/pool.py": POOL})
    assert relocate("engine/pool.py", region, code, code).before.region == region


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("depth", [200, 400, 900, 5000])
@pytest.mark.parametrize("shape", ["a{0}\n", "x = 1{1}\n", "x = {2}1{3}\n"])
def test_code_that_is_nested_too_deeply_is_no_crash(
    shape: str, depth: int, side: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PARSE_SECONDS.variable, "1")
    deep = shape.format(".b" * depth, " + 1" * depth, "-(" * depth, ")" * depth)
    texts = {"before": "x = 2\n", "after": "x = 2\n", side: deep}
    before, after = (codebase({"engine/pool.py": text}) for text in texts.values())
    relocation = relocate("engine/pool.py", Region(1, 1), before, after)
    assert relocation.found is None or relocation.found.path == "engine/pool.py"


def test_a_function_of_thousands_of_statements_is_followed() -> None:
    body = [f"    value_{n} = compute_{n % 7}(argument, {n})\n" for n in range(4000)]
    after = [*body[:1000], "    log(argument)\n", *body[2000:], *body[1000:2000]]
    old, new = (codebase({"engine/huge.py": "def huge(argument):\n" + "".join(lines)}) for lines in (body, after))
    found = relocate("engine/huge.py", Region(1502, 1504), old, new).found
    assert found == Location("engine/huge.py", Region(3503, 3505), "huge")


@pytest.mark.parametrize("other", ["", "a", "ab", "aba", "aabb", "abab", "bbaaa"])
def test_a_pair_is_forced_when_every_longest_alignment_has_it(other: str) -> None:
    for one in ("".join(letters) for size in range(5) for letters in product("ab", repeat=size)):
        alignments = list(aligned(one, other))
        longest = max(map(len, alignments))
        common = frozenset.intersection(*(found for found in alignments if len(found) == longest))
        assert common == set(forced(one, other).items()), one


def aligned(one: str, other: str, i: int = 0, j: int = 0) -> Iterator[frozenset[tuple[int, int]]]:
    """Every way to pair equal items in order."""
    yield frozenset()
    for a in range(i, len(one)):
        for b in range(j, len(other)):
            if one[a] == other[b]:
                for rest in aligned(one, other, a + 1, b + 1):
                    yield rest | {(a, b)}


def test_the_titles_of_the_cases_are_unique() -> None:
    titles = [case.title for case in cases()]
    assert sorted(set(titles)) == sorted(titles)
