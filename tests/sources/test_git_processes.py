"""What git's process is given and lacks, and runs that are killed or at once."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.engine_repository import (
    POOL,
    READER,
    alone,
    cache,
    error,
    opened,
    origin,
    original,
)
from tests.support.git_repositories import Repository

__all__ = ["alone", "cache", "origin", "original"]


def test_hooks_and_variables_of_the_caller_are_left_aside(
    origin: Repository, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = tmp_path / "hooks/reference-transaction"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    (tmp_path / "gitconfig").write_text(f"[core]\n hooksPath = {hook.parent}\n")
    other = Repository(tmp_path / "other")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.folder / ".git/objects"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert opened(origin.folder, "HEAD").read(POOL) == b"size = 32\n"
    assert opened(origin.url, "HEAD", cache).read(POOL) == b"size = 32\n"
    assert not (tmp_path / "ran").exists()


def test_without_git_that_is_one_line(origin: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = "git is not installed; install git 2.31 or newer, or audit without it: --release or --path"
    assert said == error(lambda: opened(origin.folder, "HEAD"))


def test_everything_else_works_without_git(tmp_path: Path) -> None:
    listed = "from auditor.sources import sources; print(*sources()); import sys; print('git' in sys.modules)"
    environment = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", listed], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["directory git installed pack pypi", "False"]


def test_a_git_that_is_too_old_is_one_line(origin: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "bin/git"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho git version 2.17.1\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(old.parent), prepend=os.pathsep)
    assert error(lambda: opened(origin.folder, "HEAD")).startswith("git 2.17.1 is too old; install git 2.31 or newer")


def test_runs_at_once_on_an_empty_cache_all_succeed(origin: Repository, cache: Path) -> None:
    command = [sys.executable, "-c", READER, origin.url, str(cache)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [(*run.communicate(timeout=60), run.returncode) for run in runs] == [("10\n", "", 0)] * 4
    assert len(list(cache.glob("clones/*.git"))) == 1


def test_a_run_after_one_that_was_killed_succeeds(origin: Repository, cache: Path) -> None:
    origin.commit({f"engine_kv/part{number}.py": os.urandom(4000) for number in range(300)})
    for delay in (0.0, 0.01, 0.02, 0.04):
        run = subprocess.Popen([sys.executable, "-c", READER, origin.url, str(cache)], stdout=subprocess.DEVNULL)
        while run.poll() is None and not any(cache.glob("clones/*.git")):
            time.sleep(0.001)
        time.sleep(delay)
        run.send_signal(signal.SIGKILL)
        run.wait()
        assert opened(origin.url, "HEAD", cache).read(POOL) == b"size = 32\n"
        shutil.rmtree(cache)


def test_what_a_killed_run_leaves_is_no_hindrance(origin: Repository, cache: Path) -> None:
    opened(origin.url, "v1.0", cache)
    [clone] = cache.glob("clones/*.git")
    for left in ("shallow.lock", "config.lock", "HEAD.lock", "packed-refs.lock", "objects/pack/tmp_pack_1"):
        (clone / left).write_bytes(b"")
    for ref in clone.glob("refs/kvaudit/*"):
        Path(f"{ref}.lock").write_bytes(b"")
    (clone / "arriving-1/objects").mkdir(parents=True)
    os.utime(clone / "arriving-1", (0, 0))
    assert opened(origin.url, "v1.0", cache).read(POOL) == b"size = 16\n"
    assert list(clone.glob("arriving-*")) == []


def test_without_a_cache_nothing_is_left(origin: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    snapshot = opened(origin.url, origin.git("rev-parse", "side")[:10])
    assert snapshot.read(POOL) == b"size = 16\n"
    del snapshot
    assert list((tmp_path / "temporary").iterdir()) == []
