"""`kvaudit record`: what the ledger holds then, and its README.md."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor import ledger
from tests.support.command_line import CommandLine, kvaudit
from tests.support.git_repositories import ALONE, Repository
from tests.support.packs import CLAIMS, HEAD
from tests.support.registry_server import Registry, serving, wheel

__all__ = ["kvaudit"]

PROJECT = HEAD.replace('engine"}', 'engine", project: engine-kv, near-pin: "1.1"}')
MOVED = CLAIMS.replace("engine/pool.py", "engine_kv/pool.py")
SIZES = {"1.0": 16, "1.1": 32, "1.2rc1": 32, "1.2": 16}


def pool(size: int) -> bytes:
    return f"class Pool:\n    size = {size}\n".encode()


def publish(registry: Registry, version: str, size: int) -> None:
    files = {"engine_kv/__init__.py": b"", "engine_kv/pool.py": pool(size), "engine_kv/same.py": b"x = 1\n"}
    registry.publish(f"engine_kv-{version}-py3-none-any.whl", wheel(files))


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch, kvaudit: CommandLine) -> Iterator[Registry]:
    with serving() as registry:
        for name, value in registry.environment.items():
            monkeypatch.setenv(name, value)
        for version, size in SIZES.items():
            publish(registry, version, size)
        kvaudit.pack(MOVED, PROJECT)
        yield registry


def kinds(folder: Path) -> dict[str, list[str]]:
    """The kinds of the claims, by revision."""
    return {
        record.revision.name: [entry.kind for entry in record.claims]
        for record in ledger.records(folder, "demo", "engine")
    }


@pytest.mark.parametrize(
    ("releases", "expected"),
    [
        (["1.0"], ["1.0"]),
        (["1.0", "1.2rc1", "1.0"], ["1.0", "1.2rc1"]),
        (["1.0.."], ["1.0", "1.1", "1.2"]),
        (["engine=..1.1"], ["1.0", "1.1"]),
        (["latest"], ["1.2"]),
        (["near-pin"], ["1.1"]),
        (["1.2, 1.0"], ["1.0", "1.2"]),
    ],
)
@pytest.mark.usefixtures("registry")
def test_each_release_has_a_record(releases: list[str], expected: list[str], kvaudit: CommandLine) -> None:
    done = kvaudit("record", "demo", *(word for one in releases for word in ("--release", one)))
    assert (done.status, done.out) == (0, ""), done.err
    assert list(kinds(kvaudit.folder / "reports")) == expected


README = """\
# What is recorded of audited revisions

Written by `kvaudit record`, from the records beside it; do not edit. `kvaudit record --again` audits every revision \
here anew, `kvaudit timeline` shows more of them.

✓ pass, ✕ fail, ± review, ? open, – notApplicable. An empty cell: the record does not have the claim.

## engine, demo

3 releases; 2 claims, of which 1 differs between them and 1 is the same in all.

| claim | [1.0](demo/engine/1.0.json) | [1.1](demo/engine/1.1.json) | [1.2](demo/engine/1.2.json) |
| --- | :-: | :-: | :-: |
| `engine/size/sixteen` | ✓ | ✕ | ✓ |
| ✓ pass, claims | 2 | 1 | 2 |
| ✕ fail, claims | 0 | 1 | 0 |
"""


@pytest.mark.usefixtures("registry")
def test_the_readme_shows_what_differs_and_counts_the_rest(kvaudit: CommandLine) -> None:
    assert kvaudit("record", "demo", "--release", "1.0..").status == 0
    assert (kvaudit.folder / "reports" / "README.md").read_text(encoding="utf-8") == README


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("registry")
def test_recording_again_changes_no_byte_and_one_by_one_is_the_same_as_together(kvaudit: CommandLine) -> None:
    assert kvaudit("record", "demo", "--release", "1.0..", "--ledger", "together").status == 0
    for version in ("1.2", "1.0", "1.1"):
        assert kvaudit("record", "demo", "--release", version, "--ledger", "apart").status == 0
    together = files(kvaudit.folder / "together")
    assert together == files(kvaudit.folder / "apart")
    assert kvaudit("record", "demo", "--again", "--ledger", "together").status == 0
    assert together == files(kvaudit.folder / "together")
    assert len(together) == 4


@pytest.mark.usefixtures("registry")
def test_again_records_what_the_pack_says_now(kvaudit: CommandLine) -> None:
    assert kvaudit("record", "demo", "--release", "1.0..").status == 0
    kvaudit.pack(MOVED.replace("equals: 16", "equals: 32"), PROJECT)
    assert kvaudit("record", "demo", "--again").status == 0
    found = kinds(kvaudit.folder / "reports")
    assert found == {"1.0": ["pass", "fail"], "1.1": ["pass", "pass"], "1.2": ["pass", "fail"]}


def test_the_registry_is_asked_once_for_its_releases(registry: Registry, kvaudit: CommandLine) -> None:
    done = kvaudit("record", "demo", "--release", "1.0..", "-v")
    assert registry.asked.count("/simple/engine-kv/") == 1
    assert "engine: 3 revisions, 2 different files read, " in done.err  # the pool of 1.2 is that of 1.0


@pytest.mark.usefixtures("registry")
def test_a_commit_has_a_record_with_its_date(
    kvaudit: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    origin = Repository(tmp_path / "origin")
    commits = [origin.commit({"engine_kv/pool.py": pool(size), "engine_kv/__init__.py": b""}) for size in (16, 32)]
    repo = f"engine={origin.folder}"
    done = kvaudit("record", "demo", "--commit", "HEAD", "--commit", commits[0], "--repo", repo)
    assert done.status == 0, done.err
    records = ledger.records(kvaudit.folder / "reports", "demo", "engine")
    found = [(one.revision.name, one.revision.commit, one.revision.date) for one in records]
    assert found == [
        (commits[0][:10], commits[0], "2026-01-02T12:00:00Z"),
        (commits[1][:10], commits[1], "2026-01-03T12:00:00Z"),
    ]
    assert kvaudit("record", "demo", "--again", "--repo", repo).status == 0
    assert records == ledger.records(kvaudit.folder / "reports", "demo", "engine")


@pytest.mark.usefixtures("registry")
def test_a_readme_that_is_not_up_to_date_is_told_of(kvaudit: CommandLine) -> None:
    assert kvaudit("record", "demo", "--release", "1.0").status == 0
    assert kvaudit("record", "--check").status == 0
    (kvaudit.folder / "reports" / "demo" / "engine" / "1.0.json").unlink()
    done = kvaudit("record", "--check")
    assert (done.status, done.out) == (1, "")
    assert "README.md is not up to date; write it anew with `kvaudit record`" in done.err
    assert kvaudit("record", "demo").status == 0
    assert kvaudit("record", "--check").status == 0


def test_nothing_is_written_when_one_release_cannot_be_read(registry: Registry, kvaudit: CommandLine) -> None:
    registry.publish("engine_kv-1.3-py3-none-any.whl", b"no wheel")
    done = kvaudit("record", "demo", "--release", "1.0..")
    assert done.status == 2
    assert not (kvaudit.folder / "reports").exists()


@pytest.mark.usefixtures("registry")
def test_a_release_of_which_nothing_can_be_decided_is_not_recorded(kvaudit: CommandLine) -> None:
    [size, _] = MOVED.split("- id: engine/pool/class")
    kvaudit.pack(size.replace("Pool.size", "Nowhere.size"), PROJECT)
    done = kvaudit("record", "demo", "--release", "1.0")
    assert done.status == 2
    assert "nothing was checked" in done.err
    assert not (kvaudit.folder / "reports").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--release", "other=1.0"], "--release other=1.0: there is no target other; there are engine"),
        (["--release", "7.."], "--release 7..: engine-kv has no release between these"),
        (["--again"], "reports has no record of demo; begin it: kvaudit record --release near-pin"),
        (["--target", "other"], "--target other: there is no such target; there are engine"),
        (["--repo", "x"], "--repo x: say of what target: TARGET=PLACE; there are engine"),
        (["--check", "--again"], "--check audits nothing; leave --release, --commit and --again out"),
    ],
)
@pytest.mark.usefixtures("registry")
def test_what_cannot_be_recorded_is_one_line(arguments: list[str], message: str, kvaudit: CommandLine) -> None:
    done = kvaudit("record", "demo", *arguments)
    assert (done.status, done.out, done.err) == (2, "", f"kvaudit: {message}\n")


@pytest.mark.parametrize("command", ["record", "timeline"])
@pytest.mark.usefixtures("registry")
def test_no_target_that_can_be_read_is_no_success(command: str, kvaudit: CommandLine) -> None:
    kvaudit.pack(MOVED, HEAD)
    option = {"record": "--release", "timeline": "--releases"}[command]
    done = kvaudit(command, "demo", option, "1.0")
    message = f"kvaudit: {option} 1.0: none of the targets can be read so\n"
    assert (done.status, done.out, done.err) == (2, "", message)


@pytest.mark.usefixtures("registry")
def test_a_ledger_that_is_damaged_is_named(kvaudit: CommandLine) -> None:
    assert kvaudit("record", "demo", "--release", "1.0").status == 0
    (kvaudit.folder / "reports" / "demo" / "engine" / "1.0.json").write_text("<<<<<<<")
    for arguments in (["record", "--check"], ["record", "demo"], ["record", "demo", "--again"], ["timeline", "demo"]):
        done = kvaudit(*arguments)
        assert done.status == 2
        assert "reports/demo/engine/1.0.json is no record" in done.err


@pytest.mark.usefixtures("registry")
def test_records_of_several_machines_are_merged_by_copying_files(kvaudit: CommandLine) -> None:
    for number, version in enumerate(("1.0", "1.1", "1.2")):
        machine = ["--ledger", f"machine-{number}", "--cache-dir", f"cache-{number}"]
        assert kvaudit("record", "demo", "--release", version, *machine).status == 0
        shutil.copytree(kvaudit.folder / f"machine-{number}", kvaudit.folder / "merged", dirs_exist_ok=True)
    assert kvaudit("record", "demo", "--ledger", "merged", "--check").status == 1
    assert kvaudit("record", "demo", "--ledger", "merged").status == 0
    assert kvaudit("record", "demo", "--release", "1.0..", "--ledger", "alone").status == 0
    assert content(kvaudit.folder / "merged") == content(kvaudit.folder / "alone")


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
