"""A kept result is used again when, and only when, what it was made from is still the same."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor.cache import Memory, Store
from auditor.claims import Decided, Entry
from auditor.engine import audit
from auditor.errors import SourceError
from auditor.model import AnchorState, Kind, Target
from tests.support.packs import CODE, TARGET, Files, Tree, claim, entries

SIZE = claim("at: engine/pool.py::Pool.size\ncheck: default-value\nequals: 16", "engine/size")
LEVEL = claim("at: engine/tank.py::Tank.level\ncheck: default-value\nequals: 0", "engine/level")
THERE = claim("at: engine/tank.py\ncheck: symbol", "engine/there")
MOVED = claim("at: engine/pool.py::Pond\ncheck: symbol", "engine/moved")
CLAIMS = (SIZE, LEVEL, THERE, MOVED)
FILES: Mapping[str, str | bytes] = {
    **CODE,
    "engine/tank.py": "class Tank:\n    level = 0\n",
    "engine/pond.py": "class Pond: ...\n",
    "engine/unread.txt": "nobody reads this",
}

NAMES = frozenset({"size", "level", "there", "moved"})


class Keeping(Memory):
    """Blobs that know what was made anew."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = 0

    def put(self, key: str, data: bytes) -> None:
        super().put(key, data)
        self.kept += 1


Load = Callable[..., tuple[Entry, ...]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    return lambda *claims: entries(tmp_path, *claims)


def test_a_second_run_is_identical_and_reads_to_compare_only(load: Load) -> None:
    blobs, tree = Memory(), Tree(FILES)
    fresh = audit(TARGET, load(*CLAIMS), Tree(FILES))
    assert [audit(TARGET, load(*CLAIMS), one, blobs) for one in (Tree(FILES), tree)] == [fresh, fresh]
    assert sorted(tree.reads) == ["engine/__init__.py", "engine/pond.py", "engine/pool.py", "engine/tank.py"]
    assert {result.kind for result in fresh.results} == {Kind.PASS}


def anew(load: Load, files: Files, *claims: str, tree: Mapping[str, Any] = {}, target: Target = TARGET) -> set[str]:
    """The claims that are decided anew in `files` after they were decided in FILES."""
    blobs = Keeping()
    audit(TARGET, load(*CLAIMS), Tree(FILES), blobs)
    found = set()
    for entry in load(*(claims or CLAIMS)):
        blobs.kept = 0
        snapshot = Tree(files, **tree)
        run = audit(target, [entry], snapshot, blobs)
        assert run == audit(target, [entry], Tree(files, **tree))
        found |= {entry.claim.id.partition("/")[2]} if blobs.kept else set()
    return found


def without(path: str) -> Files:
    return {name: text for name, text in FILES.items() if name != path}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (FILES, set()),
        ({**FILES, "engine/unread.txt": "still nobody"}, set()),
        ({**FILES, "engine/pool.py": "class Pool:\n    size = 32\n"}, {"size", "moved"}),
        ({**FILES, "engine/pool.py": "class Pool:\n    size = 16\n\n"}, {"size", "moved"}),
        ({**FILES, "engine/tank.py": "class Tank:\n    level = 1\n"}, {"level", "moved"}),
        ({**FILES, "engine/pond.py": "class Puddle: ...\n"}, {"moved"}),
        ({**FILES, "engine/new.py": "class Pond: ...\n"}, {"moved"}),
        (without("engine/tank.py"), {"level", "there", "moved"}),
        (without("engine/unread.txt"), {"moved"}),
    ],
)
def test_a_change_of_the_code_undoes_what_was_made_from_it(files: Files, expected: set[str], load: Load) -> None:
    assert anew(load, files) == expected


def test_a_file_that_was_missing_undoes_what_missed_it(load: Load) -> None:
    blobs, gone = Keeping(), without("engine/tank.py")
    (level,) = load(LEVEL)
    assert audit(TARGET, [level], Tree(gone), blobs).results[0].kind is Kind.OPEN
    assert audit(TARGET, [level], Tree(FILES), blobs).results[0].kind is Kind.PASS


def test_a_change_of_a_claim_undoes_its_own_result(load: Load) -> None:
    assert anew(load, FILES, SIZE.replace("equals: 16", "equals: 17"), LEVEL, THERE, MOVED) == {"size"}
    assert anew(load, FILES, SIZE.replace("It is so.", "It is thus."), LEVEL, THERE, MOVED) == {"size"}


def test_a_claim_that_only_moved_keeps_its_result_and_shows_its_new_place(load: Load) -> None:
    assert anew(load, FILES, *CLAIMS[::-1]) == set()
    blobs = Memory()
    audit(TARGET, load(SIZE), Tree(FILES), blobs)
    run = audit(TARGET, load(LEVEL, SIZE), Tree(FILES), blobs)
    lines = {result.claim.id: result.claim.origin.rpartition(":")[2] for result in run.results}
    assert lines == {"engine/level": "2", "engine/size": "7"}


@pytest.mark.parametrize(
    ("tree", "target"),
    [
        ({"name": "2.0"}, TARGET),
        ({"roots": ("engine/",)}, TARGET),
        ({}, replace(TARGET, prefix="engine/")),
    ],
)
def test_another_revision_layout_or_target_has_results_of_its_own(
    tree: Mapping[str, Any], target: Target, load: Load
) -> None:
    assert anew(load, FILES, tree=tree, target=target) == NAMES


def test_a_layout_that_ships_more_finds_what_was_unavailable(load: Load) -> None:
    blobs = Memory()
    loaded = load(claim("at: engine/pool.py::Pool\ncheck: symbol\ncites: [docs/guide.md]"))
    states = [
        audit(TARGET, loaded, tree, blobs).results[0].citations[0].state
        for tree in (Tree(FILES, roots=("engine/",)), Tree({**FILES, "docs/guide.md": ""}), Tree(FILES))
    ]
    assert states == [AnchorState.UNAVAILABLE, AnchorState.EXACT, AnchorState.LOST]


@pytest.mark.parametrize("damage", [b"", b"{}", b"not json", b'{"result": 1}', b"\xff", b"[" * 5000])
def test_a_damaged_entry_is_made_anew(damage: bytes, load: Load) -> None:
    class Damaged(Memory):
        def get(self, key: str) -> bytes | None:
            return None if super().get(key) is None else damage

    blobs = Damaged()
    runs = [audit(TARGET, load(*CLAIMS), Tree(FILES), blobs) for _ in range(2)]
    assert runs[0] == runs[1] == audit(TARGET, load(*CLAIMS), Tree(FILES))


def test_an_entry_that_a_disk_damaged_is_made_anew(load: Load, tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    first = audit(TARGET, load(*CLAIMS), Tree(FILES), store)
    blobs = sorted((tmp_path / "cache").glob("*/*.blob"))
    assert len(blobs) == len(CLAIMS)
    for path in blobs:
        path.write_bytes(path.read_bytes()[:-1])
    assert audit(TARGET, load(*CLAIMS), Tree(FILES), store) == first
    assert len(store.discarded) == len(CLAIMS)
    assert len(sorted((tmp_path / "cache").glob("*/*.blob"))) == len(CLAIMS)


@pytest.mark.parametrize(
    "written",
    [
        "check: arithmetic\nexpression: 2**80\nequals: 2**80",
        "check: arithmetic\nexpression: 1e308 * 10\nequals: 1",
        "at: engine/log.py::f\ncheck: log-message\ntext: the pool is full",
    ],
)
def test_what_json_cannot_say_is_decided_each_time(written: str, load: Load) -> None:
    blobs, files = (
        Keeping(),
        {**FILES, "engine/log.py": "def f(logger):\n    logger.info('the pool is \\udcff')\n"},
    )
    runs = [audit(TARGET, load(claim(written)), Tree(files), blobs) for _ in range(2)]
    assert [note for run in runs for note in run.notifications] == []
    assert repr(runs[0]) == repr(runs[1])


def test_a_crash_is_not_kept(load: Load) -> None:
    blobs = Keeping()
    (entry,) = load(SIZE)
    crashing = replace(entry, decided=lambda: Decided((object(),)))  # type: ignore[arg-type]
    assert audit(TARGET, [crashing], Tree(FILES), blobs).notifications[0].is_bug
    assert blobs.kept == 0


def test_notes_come_with_the_result_that_they_belong_to(load: Load) -> None:
    files = {**FILES, "engine/pool.py": "type Size = int\nclass Pool:\n    size = 16\n"}
    other = claim("at: engine/pool.py::Pool\ncheck: symbol", "engine/pool")
    fresh = [audit(TARGET, [entry], Tree(files)).notifications for entry in load(SIZE, other)]
    blobs = Memory()
    audit(TARGET, load(SIZE, other), Tree(files), blobs)
    assert [audit(TARGET, [entry], Tree(files), blobs).notifications for entry in load(SIZE, other)] == fresh


HISTORY = claim('check: history\nreleases: ["1.0"]\nof: {check: symbol, at: "engine/pool.py::Pool"}', "engine/history")


def test_another_release_is_read_once_for_all(load: Load) -> None:
    blobs, opened = Memory(), []

    def release(version: str) -> Tree:
        opened.append(version)
        return Tree(FILES)

    runs = [audit(TARGET, load(HISTORY), Tree(FILES), blobs, release) for _ in range(2)]
    assert (runs[0], ["1.0"], [Kind.PASS]) == (runs[1], opened, [result.kind for result in runs[0].results])


def test_a_release_that_could_not_be_read_is_tried_again(load: Load) -> None:
    def unreachable(version: str) -> Tree:
        raise SourceError(f"{version} is far away")

    blobs = Memory()
    kinds = [
        [result.kind for result in audit(TARGET, load(HISTORY), Tree(FILES), blobs, release).results]
        for release in (unreachable, None, lambda _: Tree(FILES), unreachable)
    ]
    assert kinds == [[Kind.OPEN], [Kind.OPEN], [Kind.PASS], [Kind.PASS]]
