"""In which commits and releases a claim holds."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command_line import CommandLine, kvaudit
from tests.support.git_repositories import ALONE, Repository
from tests.support.packs import CLAIMS, HEAD
from tests.support.registry_server import Registry, serving, wheel

__all__ = ["kvaudit"]

PROJECT = HEAD.replace('engine"}', 'engine", project: engine-kv}')
CLAIM, POOL = "engine/size/sixteen", "engine/pool.py"


def pool(size: int) -> bytes:
    return f"class Pool:\n    size = {size}\n".encode()


@pytest.fixture
def origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    made = Repository(tmp_path / "origin")
    for size in (16, 16, 32, 16):
        made.commit({"engine/__init__.py": b"", POOL: pool(size)}, f"{size} (#{size})")
    return made


def test_commits_of_one_kind_are_an_interval(kvaudit: CommandLine, origin: Repository) -> None:
    newest, before, second, first = origin.git("log", "--format=%h", "--abbrev=10").split()
    done = kvaudit("history", CLAIM, "--pack", "demo", "--from", first, "--repo", f"engine={origin.folder}")
    assert (done.status, done.out.splitlines()) == (
        0,
        [
            f"{CLAIM}: The size is 16.",
            f"  holds from {first} to {second} (2026-01-03, #16)",
            "    Pool.size is 16",
            f"  fails from {before} (2026-01-04, #32) to {before} (2026-01-04, #32)",
            "    Pool.size is 32, not 16",
            f"  holds since {newest} (2026-01-05, #16)",
            "    Pool.size is 16",
        ],
    )


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    """Releases of which 1.1, and a pre-release, say otherwise."""
    with serving() as registry:
        for name, value in registry.environment.items():
            monkeypatch.setenv(name, value)
        for version, size in {"0.9": 16, "1.0": 16, "1.1": 32, "1.2rc1": 32, "1.2": 16, "1.10": 16}.items():
            files = {"engine_kv/__init__.py": b"", "engine_kv/pool.py": pool(size)}
            registry.publish(f"engine_kv-{version}-py3-none-any.whl", wheel(files))
        registry.publish("engine_kv-1.3-py3-none-any.whl", wheel(files), yanked=True)
        yield registry


@pytest.mark.parametrize(
    ("releases", "expected"),
    [
        ("1.0..", ["pass 1.0-1.0", "fail 1.1-1.1", "pass 1.2-1.10"]),
        ("..1.1", ["pass 0.9-1.0", "fail 1.1-1.1"]),
        ("1.2..1.9", ["pass 1.2-1.2"]),
        ("1.0, 1.2rc1", ["pass 1.0-1.0", "fail 1.2rc1-1.2rc1"]),
    ],
)
@pytest.mark.usefixtures("registry")
def test_releases_of_one_kind_are_an_interval(releases: str, expected: list[str], kvaudit: CommandLine) -> None:
    kvaudit.pack(CLAIMS.replace("engine/pool.py", "engine_kv/pool.py"), PROJECT)
    done = kvaudit("history", CLAIM, "--pack", "demo", "--releases", releases, "-f", "json")
    assert done.status == 0, done.err
    found = json.loads(done.out)["intervals"]
    assert expected == [f"{one['kind']} {one['first']['release']}-{one['last']['release']}" for one in found]


@pytest.mark.usefixtures("registry")
def test_an_interval_of_releases_is_told_in_words(kvaudit: CommandLine) -> None:
    kvaudit.pack(CLAIMS.replace("engine/pool.py", "engine_kv/pool.py"), PROJECT)
    done = kvaudit("history", CLAIM, "--pack", "demo", "--releases", "..1.1")
    assert done.out.splitlines()[1::2] == ["  holds from 0.9 to 1.0", "  fails since 1.1"]


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either --from, for an answer over commits, or --releases"),
        (["--from", "v1", "--releases", "1.0.."], "give either --from, for an answer over commits, or --releases"),
        (["--releases", "7.."], "--releases 7..: engine-kv has no release between these"),
        (["--releases", "old.."], "engine-kv old..: this is no version; name one such as 1.2.3"),
        (["--releases", "7.0"], "engine-kv 7.0: the registry has no such release; the nearest are 1.3, 1.10"),
        (["--releases", "1.0..", "--offline"], "the list of releases is not in the cache; name them"),
        (["--releases", "1.0", "--repo", "engine=x"], "--repo is for an answer over commits"),
    ],
)
def test_what_cannot_be_answered_is_one_line(arguments: list[str], message: str, kvaudit: CommandLine) -> None:
    kvaudit.pack(CLAIMS, PROJECT)
    done = kvaudit("history", CLAIM, "--pack", "demo", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
