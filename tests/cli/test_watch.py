"""`kvaudit watch`: what became of claims in what is newer than the ledger."""

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
MOVED = CLAIMS.replace("engine/pool.py", "engine_kv/pool.py")


def code(size: int) -> dict[str, bytes]:
    return {"engine_kv/__init__.py": b"", "engine_kv/pool.py": f"class Pool:\n    size = {size}\n".encode()}


def publish(registry: Registry, version: str, files: dict[str, bytes], *, yanked: bool = False) -> None:
    registry.publish(f"engine_kv-{version}-py3-none-any.whl", wheel(files), yanked=yanked)


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch, kvaudit: CommandLine) -> Iterator[Registry]:
    """Releases, of which 1.0 is recorded."""
    with serving() as registry:
        for name, value in registry.environment.items():
            monkeypatch.setenv(name, value)
        publish(registry, "0.9", code(8))
        publish(registry, "1.0", code(16))
        kvaudit.pack(MOVED, PROJECT)
        assert kvaudit("record", "demo", "--release", "1.0").status == 0
        yield registry


@pytest.mark.usefixtures("registry")
def test_nothing_newer_is_said_and_older_releases_are_nothing_new(kvaudit: CommandLine) -> None:
    done = kvaudit("watch", "demo")
    assert (done.status, done.out, done.err) == (0, "engine: nothing is newer than 1.0.\n", "")


def test_a_claim_that_came_out_worse_is_a_paragraph_and_a_status(registry: Registry, kvaudit: CommandLine) -> None:
    publish(registry, "1.1", code(32))
    done = kvaudit("watch", "demo")
    assert (done.status, done.out) == (
        1,
        "engine 1.1, compared with 1.0: 1 of 2 claims came out worse. engine/size/sixteen pass → fail since 1.1 "
        "(engine_kv/pool.py:2): Pool.size is 32, not 16. The others are as before: 1 on code that has changed, "
        "0 on the same. https://example.org/engine/tree/v1.1\n",
    )


def test_what_is_the_same_or_better_is_no_alarm(registry: Registry, kvaudit: CommandLine) -> None:
    publish(registry, "1.1", {**code(16), "engine_kv/more.py": b""})
    done = kvaudit("watch", "demo")
    assert (done.status, done.out.partition(". ")[0]) == (
        0,
        "engine 1.1, compared with 1.0: none of 2 claims came out worse",
    )
    assert kvaudit("record", "demo", "--release", "0.9", "--ledger", "older").status == 0
    done = kvaudit("watch", "demo", "--ledger", "older")
    assert done.status == 0
    assert "Better: engine/size/sixteen fail → pass." in done.out


def test_code_that_is_cited_and_gone_is_worse(registry: Registry, kvaudit: CommandLine) -> None:
    publish(registry, "1.1", {**code(16), "engine_kv/pool.py": b"class Basin:\n    size = 16\n"})
    done = kvaudit("watch", "demo")
    assert done.status == 1
    assert "2 of 2 claims came out worse" in done.out


def test_the_first_of_several_in_which_a_claim_is_worse_is_named(registry: Registry, kvaudit: CommandLine) -> None:
    for version, size in {"1.1": 32, "1.2": 16, "1.3": 32, "1.4": 64}.items():
        publish(registry, version, code(size))
    done = kvaudit("watch", "demo", "-f", "json")
    [target] = json.loads(done.out)["targets"]
    assert (done.status, target["last"], target["newest"]["name"]) == (1, "1.0", "1.4")
    assert target["new"] == ["1.1", "1.2", "1.3", "1.4"]
    assert target["worse"] == [
        {
            "claim": "engine/size/sixteen",
            "before": "pass",
            "kind": "fail",
            "since": "1.3",
            "message": "Pool.size is 64, not 16",
            "location": "engine_kv/pool.py:2",
            "lost": [],
        }
    ]
    assert target["text"].startswith("engine 1.4, compared with 1.0: ")


def test_pre_releases_and_what_was_yanked_are_left_out(registry: Registry, kvaudit: CommandLine) -> None:
    publish(registry, "1.1rc1", code(32))
    publish(registry, "1.2", code(32), yanked=True)
    assert kvaudit("watch", "demo").status == 0
    done = kvaudit("watch", "demo", "--pre")
    assert (done.status, done.out.partition(",")[0]) == (1, "engine 1.1rc1")


def test_what_is_recorded_is_not_new_the_next_time(registry: Registry, kvaudit: CommandLine) -> None:
    publish(registry, "1.1", code(32))
    publish(registry, "1.2", code(32))
    assert kvaudit("watch", "demo", "--record").status == 1
    assert sorted(path.stem for path in Path("reports/demo/engine").iterdir()) == ["1.0", "1.1", "1.2"]
    assert kvaudit("record", "--check").status == 0
    done = kvaudit("watch", "demo")
    assert (done.status, done.out) == (0, "engine: nothing is newer than 1.2.\n")


def test_a_claim_that_was_changed_in_the_pack_is_no_news_from_upstream(
    registry: Registry, kvaudit: CommandLine
) -> None:
    publish(registry, "1.1", {**code(16), "engine_kv/more.py": b""})
    kvaudit.pack(MOVED.replace("equals: 16", "equals: 17"), PROJECT)
    done = kvaudit("watch", "demo")
    assert (done.status, done.out.partition(". ")[0]) == (
        0,
        "engine 1.1, compared with 1.0: none of 2 claims came out worse",
    )


def test_upstream_is_compared_with_the_newest_release_or_commit_of_the_ledger(
    registry: Registry, kvaudit: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    origin = Repository(tmp_path / "origin")
    origin.commit(code(16))
    repo = ["--repo", f"engine={origin.folder}"]
    done = kvaudit("watch", "demo", "--commit", "HEAD", *repo, "--record")
    head = origin.git("rev-parse", "HEAD")
    assert done.status == 0, done.err
    assert done.out.startswith(
        f"engine: nothing is newer than 1.0.\n\nengine {head[:10]}, compared with 1.0: none of 2"
    )
    assert (Path("reports/demo/engine") / f"{head[:10]}.json").is_file()
    done = kvaudit("watch", "demo", "--commit", *repo)
    assert (done.status, done.out.splitlines()[-1]) == (0, f"engine: nothing is newer than {head[:10]}.")
    newer = origin.commit(code(32))
    done = kvaudit("watch", "demo", "--commit", *repo)
    assert done.status == 1
    assert f"engine {newer[:10]}, compared with {head[:10]}: 1 of 2 claims came out worse" in done.out
    assert registry.asked


@pytest.mark.parametrize("offline", [[], ["--offline"]], ids=["ill", "offline"])
def test_a_registry_that_does_not_answer_is_neither_good_news_nor_bad(
    offline: list[str], registry: Registry, kvaudit: CommandLine
) -> None:
    registry.failures = [503] * 9
    done = kvaudit("watch", "demo", *offline)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)


@pytest.mark.usefixtures("registry")
def test_an_empty_ledger_is_no_good_news(kvaudit: CommandLine) -> None:
    done = kvaudit("watch", "demo", "--ledger", "none")
    message = "kvaudit: none has no record of engine; begin with `kvaudit record --release engine=latest`\n"
    assert (done.status, done.out, done.err) == (2, "", message)


def test_a_new_release_in_which_nothing_can_be_decided_is_no_good_news(
    registry: Registry, kvaudit: CommandLine
) -> None:
    [size, _] = MOVED.split("- id: engine/pool/class")
    kvaudit.pack(size, PROJECT)
    assert kvaudit("record", "demo", "--again").status == 0
    publish(registry, "1.1", {"engine_kv/__init__.py": b""})
    done = kvaudit("watch", "demo", "--record")
    assert (done.status, done.out) == (2, "")
    assert "nothing was checked" in done.err
    assert not Path("reports/demo/engine/1.1.json").exists()
