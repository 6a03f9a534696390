"""Releases of an engine in a registry, for the tests of the source `pypi`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from auditor.errors import SourceError
from auditor.model import Target
from auditor.sources import Access
from auditor.sources.pypi import Published, Pypi
from tests.support.registry_server import Registry, serving, wheel

TARGET = Target("engine", project="engine-kv")
POOL = "engine_kv/pool.py"
FILES = {"engine_kv/__init__.py": b"", POOL: b"size = 16\n", "engine_kv/other.py": b"x = 1\n"}
NAME = "engine_kv-1.0-py3-none-any.whl"
READER = """
import sys
from pathlib import Path
from auditor.model import Target
from auditor.sources import Access
from auditor.sources.pypi import Pypi
snapshot = Pypi().open(Target("engine", project="engine-kv"), "1.0", Access(Path(sys.argv[1])))
snapshot.prefetch(snapshot.files())
print(sum(len(snapshot.read(path)) for path in snapshot.files()))
print(*sorted({"requests", "pypi_simple"} & sys.modules.keys()))
"""


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    with serving() as registry:
        for name, value in registry.environment.items():
            monkeypatch.setenv(name, value)
        yield registry


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def opened(spec: str = "1.0", cache: Path | None = None, *, offline: bool = False) -> Published:
    snapshot = Pypi().open(TARGET, spec, Access(cache, offline))
    assert isinstance(snapshot, Published)
    return snapshot


def publish(registry: Registry, *versions: str, yanked: bool = False) -> None:
    for version in versions:
        registry.publish(f"engine_kv-{version}-py3-none-any.whl", wheel(FILES), yanked=yanked)


def error(read: Callable[[], object]) -> str:
    """The one line that it ends in."""
    with pytest.raises(SourceError) as caught:
        read()
    assert "\n" not in str(caught.value)
    return str(caught.value)
