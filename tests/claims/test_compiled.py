"""What is plain of a pack is kept, and nobody can tell but by the time it takes."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from auditor.cache import Memory, Store
from auditor.claims import Pack, load
from auditor.errors import ClaimError, ConfigError
from auditor.formats import formats
from tests.support.command_line import CommandLine, kvaudit
from tests.support.folders import ROOT
from tests.support.packs import CLAIMS, HEAD, write

__all__ = ["kvaudit"]

SHIPPED = next((ROOT / "anchors").glob("*/pack.yaml")).parent
READERS = ("auditor.checks", "auditor.code", "auditor.claims.reading", "auditor.anchors", "yaml", "libcst", "sympy")
"""What reads packs and code, which a run of which all is kept has no use for."""

UNKNOWN = CLAIMS + "- id: engine/a/b\n  statement: {en: a, zh: b}\n  check: nonsense\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "demo", {"pack.yaml": HEAD, "engine.yaml": CLAIMS})


def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The packs that are parsed from here on."""
    from auditor.claims import reading

    found: list[Path] = []
    real = reading.read

    def read(folder: Path, files: Mapping[Path, bytes | None]) -> Pack:
        found.append(folder)
        return real(folder, files)

    monkeypatch.setattr(reading, "read", read)
    return found


def decided(pack: Pack) -> list[str]:
    """What decides each claim, in text: values in our own notation are not compared."""
    return [repr(entry.decided()) for several in pack.entries.values() for entry in several]


def test_a_kept_pack_is_as_it_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed, blobs = reads(monkeypatch), Memory()
    read, first, second = load(SHIPPED), load(SHIPPED, blobs), load(SHIPPED, blobs)
    assert read == first == second
    assert len(parsed) == 2
    assert decided(read) == decided(second)
    assert len(parsed) == 3


def test_what_decides_is_of_the_text_that_was_loaded(folder: Path) -> None:
    blobs = Memory()
    before = decided(load(folder, blobs))
    second = load(folder, blobs)
    (folder / "engine.yaml").write_text("claims: []")
    assert decided(second) == before


def renamed(folder: Path) -> Path:
    return folder.rename(folder.with_name("other"))


def edited(folder: Path) -> Path:
    return write(folder, {"engine.yaml": CLAIMS.replace("equals: 16", "equals: 17")})


def moved_down(folder: Path) -> Path:
    return write(folder, {"engine.yaml": "# a comment\n" + CLAIMS})


def retitled(folder: Path) -> Path:
    return write(folder, {"pack.yaml": HEAD.replace("Demo", "Show")})


def grown(folder: Path) -> Path:
    targets = HEAD + '  other: {repository: "https://example.org/other"}\n'
    return write(folder, {"pack.yaml": targets, "other.yaml": CLAIMS.replace("engine/", "other/")})


@pytest.mark.parametrize("change", [renamed, edited, moved_down, retitled, grown])
def test_a_pack_that_differs_is_read_anew(change: Callable[[Path], Path], folder: Path) -> None:
    blobs = Memory()
    before = load(folder, blobs)
    after = change(folder)
    assert load(after) == load(after, blobs) != before


@pytest.mark.parametrize("bad", ["nonsense.yaml", "engine.yml"])
def test_a_file_that_should_not_be_there_is_seen_after_the_pack_is_kept(bad: str, folder: Path) -> None:
    blobs = Memory()
    load(folder, blobs)
    write(folder, {bad: "claims: []"})
    with pytest.raises(ClaimError, match=bad):
        load(folder, blobs)


def test_a_pack_with_a_problem_is_not_kept(folder: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    write(folder, {"engine.yaml": UNKNOWN})
    for _ in range(2):
        with pytest.raises(ClaimError, match="there is no check nonsense"):
            load(folder, store)
    assert store.size() == 0


def test_a_file_that_cannot_be_read_is_a_problem_as_without_a_cache(folder: Path) -> None:
    (folder / "engine.yaml").unlink()
    (folder / "engine.yaml").mkdir()
    said = []
    for blobs in (None, Memory()):
        with pytest.raises(ClaimError) as caught:
            load(folder, blobs)
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert "it cannot be read" in said[0]


def test_a_folder_without_a_head_is_no_pack(folder: Path) -> None:
    blobs = Memory()
    load(folder, blobs)
    (folder / "pack.yaml").unlink()
    with pytest.raises(ConfigError, match="is no pack"):
        load(folder, blobs)


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"id": "demo"}', b"[" * 100_000])
def test_what_cannot_be_read_back_is_read_anew(data: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blobs = Memory()
    load(folder, blobs)
    (key,) = blobs._entries
    blobs.put(key, data)
    parsed = reads(monkeypatch)
    assert load(folder, blobs) == load(folder, blobs)
    assert len(parsed) == 1


def test_where_a_claim_is_from_is_told_as_the_pack_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    blobs = Memory()
    origins = {}
    for name in (folder, Path(), Path("../demo")):
        for _ in range(2):
            origins[str(name)] = load(name, blobs).entries["engine"][0].claim.origin
    assert origins == {str(folder): "demo/engine.yaml:2", ".": "engine.yaml:2", "../demo": "demo/engine.yaml:2"}


@pytest.mark.parametrize("name", list(formats()))
def test_every_report_is_the_same_whatever_is_kept(name: str, kvaudit: CommandLine) -> None:
    cold, warm, without = (kvaudit.verify("-f", name, *args) for args in ((), (), ("--no-cache",)))
    assert cold.out
    assert cold == warm == without


@pytest.mark.parametrize("prefix", ["default-value", "symbol", "engine/pool", "nothing"])
def test_claims_are_selected_the_same_whatever_is_kept(prefix: str, kvaudit: CommandLine) -> None:
    cold, warm, without = (kvaudit.verify("--select", prefix, *args) for args in ((), (), ("--no-cache",)))
    assert cold == warm == without


def test_without_a_cache_nothing_is_kept(kvaudit: CommandLine) -> None:
    kvaudit.verify("--no-cache")
    assert not (kvaudit.folder / "home").exists()


def imported(kvaudit: CommandLine, *args: str) -> set[str]:
    """What a run of its own imports of the readers."""
    script = f"""
import sys
from auditor.cli import run
run({["verify", "demo", "--path", "engine=src", "-o", "report.txt", *args]!r})
print(*(name for name in {READERS!r} if name in sys.modules))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=kvaudit.folder, env=environment, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_a_run_of_which_all_is_kept_imports_nothing_that_reads(kvaudit: CommandLine) -> None:
    assert {"auditor.checks", "auditor.code", "auditor.claims.reading", "yaml"} <= imported(kvaudit)
    assert imported(kvaudit) == set()
    assert "auditor.checks" in imported(kvaudit, "--no-cache")


def test_a_claim_that_is_to_be_decided_again_is(kvaudit: CommandLine) -> None:
    assert kvaudit.verify().status == 0
    kvaudit.code({"engine/pool.py": "class Pool:\n    size = 17\n"})
    changed = kvaudit.verify()
    assert changed.status == 1
    assert changed == kvaudit.verify("--no-cache")


def test_lint_reads_a_pack_that_is_kept(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    kvaudit.verify()
    parsed = reads(monkeypatch)
    kvaudit.verify()
    assert parsed == []
    kvaudit("claim", "lint", "demo")
    assert parsed == [Path("demo")]
