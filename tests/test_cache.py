"""The store keeps what it was given, or says that it has not got it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.cache import Blobs, Memory, Store
from auditor.errors import SourceError
from tests.support.folders import ROOT

WRITER = """
import sys
from pathlib import Path
from auditor.cache import Store
store = Store(Path(sys.argv[1]))
for turn in range(60):
    store.put("shared", bytes([turn]) * 50_000)
    data = store.get("shared")
    assert data is not None and len(data) == 50_000 and len(set(data)) == 1
assert store.discarded == []
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache")


def entries(store_folder: Path) -> list[Path]:
    return sorted(path for path in store_folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("make", [lambda folder: Store(folder / "cache"), lambda _: Memory()], ids=["disk", "memory"])
def test_what_was_put_is_found_under_its_key_alone(make: Callable[[Path], Blobs], tmp_path: Path) -> None:
    blobs = make(tmp_path)
    blobs.put("pypi/a/x.py", b"old")
    blobs.put("pypi/a/x.py", b"\0new")
    blobs.put("pypi/../é 中", b"")
    assert {key: blobs.get(key) for key in ("pypi/a/x.py", "pypi/../é 中", "pypi/a")} == {
        "pypi/a/x.py": b"\0new",
        "pypi/../é 中": b"",
        "pypi/a": None,
    }


def test_another_store_in_the_same_folder_sees_it(tmp_path: Path) -> None:
    Store(tmp_path).put("key", b"data")
    assert Store(tmp_path).get("key") == b"data"


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda entry: entry[:-1], id="cut"),
        pytest.param(lambda entry: entry[:10], id="cut in its seal"),
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda entry: entry[:-1] + b"!", id="changed"),
        pytest.param(lambda entry: entry + b"!", id="longer"),
    ],
)
def test_a_damaged_entry_is_removed_and_reported(
    damage: Callable[[bytes], bytes], store: Store, tmp_path: Path
) -> None:
    store.put("key", b"some data")
    (path,) = entries(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    assert store.get("key") is None
    assert store.discarded == ["key"]
    assert entries(tmp_path) == []
    store.put("key", b"again")
    assert store.get("key") == b"again"


def test_an_entry_in_the_place_of_another_is_damaged(store: Store, tmp_path: Path) -> None:
    store.put("one", b"1")
    (one,) = entries(tmp_path)
    store.put("two", b"2")
    (two,) = set(entries(tmp_path)) - {one}
    one.write_bytes(two.read_bytes())
    assert store.get("one") is None


def test_size_counts_entries_and_clearing_removes_only_the_stores_own_files(store: Store, tmp_path: Path) -> None:
    for number in range(20):
        store.put(str(number), b"x" * 100)
    folder = tmp_path / "cache"
    (entries(folder)[0].parent / "left-by-kill.tmp").write_bytes(b"x" * 7)
    (folder / "notes.txt").write_text("a person's own")
    assert store.size() == 20 * (32 + 100) + 7
    store.clear()
    assert store.size() == 0
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


def test_a_store_that_was_never_used_is_empty(store: Store) -> None:
    store.clear()
    assert (store.get("key"), store.size()) == (None, 0)


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError, match=r"^cache folder .*file: Not a directory; .*--no-cache$"):
        Store(tmp_path / "file").put("key", b"data")


def test_processes_that_write_the_same_key_never_see_half_an_entry(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], cwd=ROOT) for _ in "12"]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(entries(tmp_path)) == 1


def test_a_killed_writer_leaves_the_old_entry_or_the_new_one(tmp_path: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], cwd=ROOT)
    while not entries(tmp_path) and writer.poll() is None:
        pass
    writer.kill()
    writer.wait()
    store = Store(tmp_path)
    data = store.get("shared")
    assert data is None or len(set(data)) == 1
    assert store.discarded == []
