"""The repository of an engine, for the tests of the source `git`."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.errors import SourceError
from auditor.model import Target
from auditor.sources import Access
from auditor.sources.git import Commit, Git
from tests.support.git_repositories import ALONE, Repository

TARGET = Target("engine", project="engine-kv", date="2026-01-02", near_pin="1.0")
POOL = "engine_kv/pool.py"
FILES = {"engine_kv/__init__.py": b"", POOL: b"size = 16\n", "engine_kv/old.py": b"x = 1\n"}
READER = """
import sys
from pathlib import Path
from auditor.model import Target
from auditor.sources import Access
from auditor.sources.git import Git
target = Target("engine", repository=sys.argv[1], project="engine-kv")
snapshot = Git().open(target, "HEAD", Access(Path(sys.argv[2])))
print(len(snapshot.read("engine_kv/pool.py")))
"""

Say = Callable[[], object]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Two releases, a side branch that was merged, and a file that was renamed."""
    made = Repository(tmp_path_factory.mktemp("original") / "origin")
    made.commit(FILES)
    made.git("tag", "--annotate", "--message", "1.0", "v1.0")
    made.git("branch", "side")
    made.commit({"engine_kv/old.py": None, "engine_kv/new.py": b"x = 1\n"})
    made.git("checkout", "--quiet", "side")
    made.commit({"engine_kv/side.py": b""})
    made.git("checkout", "--quiet", "main")
    made.git("merge", "--quiet", "--message", "merge", "side")
    made.commit({POOL: b"size = 32\n"})
    made.git("tag", "v1.1")
    made.commit({"docs/guide.md": b"# Guide\n"})
    return made


@pytest.fixture
def origin(original: Repository, tmp_path: Path) -> Repository:
    """A copy of it that a test may change."""
    return original.copied(tmp_path / "origin")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def opened(place: str | Path, spec: str, cache: Path | None = None, *, offline: bool = False) -> Commit:
    snapshot = Git().open(replace(TARGET, repository=str(place)), spec, Access(cache, offline))
    assert isinstance(snapshot, Commit)
    return snapshot


def spent(snapshot: Commit) -> int:
    assert snapshot.client is not None
    return snapshot.client.requests


def error(read: Say) -> str:
    """The one line that it ends in."""
    with pytest.raises(SourceError) as caught:
        read()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def old_protocol(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak as servers did that check what they are asked for."""
    (folder / "gitconfig").write_text("[protocol]\n version = 0\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(folder / "gitconfig"))
