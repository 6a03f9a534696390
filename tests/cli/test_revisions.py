"""Which revision of which target the options of `verify` mean, and what they read."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from auditor.cli.revisions import specs
from auditor.errors import ConfigError
from auditor.model import Target
from tests.support.command_line import CommandLine, kvaudit
from tests.support.git_repositories import ALONE, Repository
from tests.support.packs import CODE, HEAD

__all__ = ["kvaudit"]

TARGETS = (
    Target("engine", repository="https://example.org/engine", commit="0123e4", project="engine-kv", near_pin="1.0"),
    Target("other", project="other"),
    Target("sums"),
)
PINNED = HEAD.replace('engine"}', 'engine", commit: COMMIT, date: 2026-01-02, project: engine}  # the pin')

Given = Mapping[str, Sequence[str]]


def meant(given: Given, repositories: Sequence[str] = (), targets: Sequence[Target] = TARGETS) -> list[str]:
    found = specs("demo", targets, given, repositories)
    return [f"{spec.target.name}={spec.source}:{spec.spec}@{spec.reached.repository}" for spec in found]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["engine=git:0123e4@https://example.org/engine"]),
        ({"git": ["HEAD"]}, ["engine=git:HEAD@https://example.org/engine"]),
        ({"git": ["engine=v1"]}, ["engine=git:v1@https://example.org/engine"]),
        ({"pypi": ["near-pin"]}, ["engine=pypi:1.0@https://example.org/engine"]),
        ({"installed": [""]}, ["engine=installed:@https://example.org/engine"]),
        ({"installed": ["engine=/env"]}, ["engine=installed:/env@https://example.org/engine"]),
    ],
)
def test_an_option_names_a_revision(given: Given, expected: list[str]) -> None:
    assert expected == meant(given, targets=TARGETS[:1])


def test_targets_about_no_code_are_read_from_the_pack() -> None:
    assert meant({"git": ["HEAD"]}, targets=TARGETS[2:]) == ["sums=pack:demo@None"]
    assert meant({"git": ["engine=v1"]}, targets=TARGETS[::2]) == ["engine=git:v1@https://example.org/engine"]


def test_a_repository_can_be_read_from_another_place() -> None:
    assert meant({}, ["engine=/clone"], TARGETS[:1]) == ["engine=git:0123e4@/clone"]


@pytest.mark.parametrize(
    ("given", "repositories", "message"),
    [
        ({}, [], "the pack pins no commit of other; give one: --commit other=REF"),
        ({"pypi": ["near-pin"]}, [], "the pack names no release near the pin of other; give one: other=VERSION"),
        ({"git": ["HEAD"], "installed": [""]}, [], "give one revision for all targets, not HEAD and installed"),
        ({"git": ["none=HEAD"]}, [], "none=HEAD: there is no target none; there are engine, other"),
        ({}, ["/clone"], "--repo /clone: say of what target: TARGET=PLACE; there are engine, other"),
        ({"pypi": ["1.0"]}, ["engine=/x"], "--repo engine=/x: engine is not read from git here; leave one out"),
    ],
)
def test_what_cannot_be_meant_is_one_line(given: Given, repositories: list[str], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        meant(given, repositories)
    assert message == str(caught.value)


@pytest.fixture
def origin(tmp_path: Path, kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The code of the pack `demo`, pinned in it by the beginning of a commit's id."""
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    made = Repository(tmp_path / "origin")
    commit = made.commit({path: text.encode() for path, text in CODE.items()})
    made.commit({"engine/pool.py": b"class Pool:\n    size = 17\n"})
    kvaudit.pack(head=PINNED.replace("https://example.org/engine", made.url).replace("COMMIT", commit[:10]))
    return made


def test_without_an_option_the_pinned_commit_is_audited(kvaudit: CommandLine, origin: Repository) -> None:
    done = kvaudit("verify", "demo", "-f", "json")
    [run] = json.loads(done.out)["runs"]
    commit = origin.git("rev-parse", "HEAD~1")
    assert (0, {"source": "git", "name": commit[:10], "commit": commit}) == (done.status, run["revision"])


def test_a_later_commit_can_be_audited_from_a_clone(kvaudit: CommandLine, origin: Repository) -> None:
    done = kvaudit("verify", "demo", "--commit", "HEAD", "--repo", f"engine={origin.folder}")
    assert (done.status, "engine/size/sixteen (fail)" in done.err) == (1, True)


def test_a_repository_that_cannot_be_reached_is_status_2(kvaudit: CommandLine, origin: Repository) -> None:
    origin.folder.rename(origin.folder.with_name("gone"))
    done = kvaudit("verify", "demo")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "; try again, give a clone: --repo engine=PATH" in done.err


@pytest.mark.usefixtures("origin")
def test_what_is_installed_is_audited_with_its_notes(kvaudit: CommandLine) -> None:
    packages = kvaudit.folder / "env/lib/python3.12/site-packages"
    details = {"engine-2.dist-info/METADATA": "Metadata-Version: 2.1\nName: engine\nVersion: 2\n"}
    for name, text in {**CODE, **details, "../../../pyvenv.cfg": "version = 3.12\n"}.items():
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_text(text)
    done = kvaudit("verify", "demo", "--installed", "env", "-f", "json")
    [run] = json.loads(done.out)["runs"]
    assert (done.status, run["revision"]) == (0, {"source": "installed", "name": "2", "commit": None})


@pytest.mark.usefixtures("origin")
def test_an_environment_with_none_of_the_targets_is_status_2(kvaudit: CommandLine) -> None:
    (kvaudit.folder / "env/lib/python3.12/site-packages").mkdir(parents=True)
    done = kvaudit("verify", "demo", "--installed", "env")
    assert (done.status, done.out, "engine: it is not installed in env (Python 3)" in done.err) == (2, "", True)


def test_of_an_environment_what_is_there_is_audited_and_what_is_not_is_said(
    kvaudit: CommandLine, origin: Repository
) -> None:
    link = f'{{"url": "{origin.url}", "dir_info": {{"editable": true}}}}'
    packages = kvaudit.folder / "env/lib/python3.12/site-packages/engine-2.dist-info"
    packages.mkdir(parents=True)
    (packages / "METADATA").write_text("Metadata-Version: 2.1\nName: engine\nVersion: 2\n")
    (packages / "direct_url.json").write_text(link)
    pack = kvaudit.folder / "demo/pack.yaml"
    pack.write_text(f"{pack.read_text()}  other: {{project: other}}\n")
    other = (kvaudit.folder / "demo/engine.yaml").read_text().replace("engine/", "other/")
    (kvaudit.folder / "demo/other.yaml").write_text(other)
    done = kvaudit("verify", "demo", "--installed", "env", "-f", "json")
    [run] = json.loads(done.out)["runs"]
    assert (
        run["target"],
        [note["message"] for note in run["notifications"]],
    ) == ("engine", ["engine 2 is editable: its source folder was read"])
    assert done.err.startswith("kvaudit: other: it is not installed in env (Python 3)")
    assert kvaudit("verify", "demo", "--installed", "engine=env", "--installed", "other=env").status == 2


def test_locking_writes_the_full_commit_and_nothing_else(kvaudit: CommandLine, origin: Repository) -> None:
    pack, commit = kvaudit.folder / "demo/pack.yaml", origin.git("rev-parse", "HEAD~1")
    before = pack.read_text()
    done = kvaudit("lock", "demo")
    assert (0, f"engine: {commit}, which was {commit[:10]}\n") == (done.status, done.out)
    assert before.replace(f"commit: {commit[:10]},", f"commit: {commit},") == pack.read_text()
    assert (0, f"engine: {commit}\n") == ((again := kvaudit("lock", "demo")).status, again.out)


def test_locking_keeps_quotes_comments_and_line_ends(kvaudit: CommandLine, origin: Repository) -> None:
    commit = origin.git("rev-parse", "HEAD")
    text = (
        "# 0\r\nid: demo\r\ntitle: {en: Demo, zh: 示例}\r\ntargets:\r\n  engine:\r\n"
        f"    repository: {origin.url}\r\n    commit:   '{commit[:8]}'   # {commit[:8]}\r\n"
    )
    pack = kvaudit.folder / "demo/pack.yaml"
    pack.write_bytes(text.encode())
    assert kvaudit("lock", "demo").status == 0
    assert text.replace(f"'{commit[:8]}'", f"'{commit}'").encode() == pack.read_bytes()


def test_a_branch_is_no_pin_to_lock(kvaudit: CommandLine, origin: Repository) -> None:
    kvaudit.pack(head=PINNED.replace("https://example.org/engine", origin.url).replace("COMMIT", "main"))
    done = kvaudit("lock", "demo")
    assert (done.status, "engine: main is the name of" in done.err) == (2, True)


def test_clearing_the_cache_removes_clones_and_nothing_else(kvaudit: CommandLine, origin: Repository) -> None:
    cache = kvaudit.folder / "cache"
    assert kvaudit("verify", "demo", "--cache-dir", cache).status == 0
    (cache / "clones/mine.git").mkdir()
    shown = kvaudit("cache", "--cache-dir", cache).out
    size = int(shown.rpartition(": ")[2].split()[0].replace(",", ""))
    assert size > sum(path.stat().st_size for path in cache.glob("clones/*/objects/pack/*")) > 0
    assert kvaudit("cache", "--clear", "--cache-dir", cache).status == 0
    assert [path.name for path in cache.glob("clones/*")] == ["mine.git"]
    assert origin.git("rev-parse", "HEAD~1") in kvaudit("verify", "demo", "--cache-dir", cache, "-f", "json").out
