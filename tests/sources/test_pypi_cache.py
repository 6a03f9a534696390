"""What is kept of a registry between runs, and what becomes of it when it is damaged or offline."""

import subprocess
import sys
from pathlib import Path

import pytest

from auditor.cache import Memory
from auditor.fetch.pypi.client import Client
from auditor.fetch.pypi.index import Index
from auditor.fetch.pypi.remote import Distribution
from auditor.fetch.pypi.settings import Settings
from tests.support.engine_releases import FILES, NAME, POOL, READER, cache, error, opened, publish, registry
from tests.support.folders import ROOT
from tests.support.registry_server import Registry

__all__ = ["cache", "registry"]


def test_a_second_run_asks_nothing_and_imports_no_client(registry: Registry, cache: Path) -> None:
    publish(registry, "1.0")

    def run() -> list[str]:
        return subprocess.run(
            [sys.executable, "-W", "error", "-c", READER, str(cache)],
            check=True, capture_output=True, text=True, cwd=ROOT,
        ).stdout.splitlines()  # fmt: skip

    assert run() == ["16", "pypi_simple requests"]
    asked = len(registry.asked)
    assert run() == ["16", ""]
    assert asked == len(registry.asked)


def test_two_processes_share_an_empty_cache(registry: Registry, cache: Path) -> None:
    publish(registry, "1.0")
    readers = [
        subprocess.Popen([sys.executable, "-c", READER, str(cache)], stdout=subprocess.PIPE, cwd=ROOT) for _ in "12"
    ]
    assert [reader.communicate()[0].split()[0] for reader in readers] == [b"16", b"16"]


def test_offline_reads_what_is_cached_and_names_what_is_not(registry: Registry, cache: Path) -> None:
    publish(registry, "1.0", "1.1", "2.0rc1")
    opened("1.0", cache).read(POOL)
    opened("1.1", cache)
    opened("2.0rc1", cache)
    asked = len(registry.asked)
    assert FILES[POOL] == opened("1.0.0", cache, offline=True).read(POOL)
    assert opened("latest", cache, offline=True).revision.name == "1.1"
    snapshot = opened("1.0", cache, offline=True)
    snapshot.prefetch(snapshot.files())
    assert [error(lambda: snapshot.read("engine_kv/other.py")), error(lambda: opened("0.9", cache, offline=True))] == [
        "engine-kv 1.0: engine_kv/other.py is not in the cache; run once without --offline",
        "engine-kv 0.9: it is not in the cache; run once without --offline",
    ]
    assert asked == len(registry.asked)


@pytest.mark.parametrize("spec", ["1.0", "latest"])
@pytest.mark.usefixtures("registry")
def test_offline_with_an_empty_cache_is_one_line(spec: str, cache: Path) -> None:
    expected = f"engine-kv {spec}: it is not in the cache; run once without --offline"
    assert expected == error(lambda: opened(spec, cache, offline=True))


def test_damaged_entries_are_fetched_again(registry: Registry, cache: Path) -> None:
    publish(registry, "1.0")
    opened("1.0", cache).read(POOL)
    for entry in cache.rglob("*.blob"):
        entry.write_bytes(entry.read_bytes()[:-1])
    assert (
        error(lambda: opened("1.0", cache, offline=True))
        == "engine-kv 1.0: it is not in the cache: its entry was damaged; run once without --offline"
    )
    assert FILES[POOL] == opened("1.0", cache).read(POOL)
    assert FILES[POOL] == opened("1.0", cache, offline=True).read(POOL)


class OlderCache(Memory):
    """What another version of the program has filled."""

    def get(self, key: str) -> bytes | None:
        return super().get(key) or (None if key.endswith("/directory") else b'{"other": "form"}')


def test_entries_of_another_form_are_fetched_again(registry: Registry) -> None:
    publish(registry, "1.0")
    blobs, client = OlderCache(), Client(Settings(registry.index))
    release = Index(registry.index, "engine-kv", blobs, client).find("1.0")
    assert release.filename == NAME
    assert FILES.keys() <= Distribution(release, blobs, client, lambda *_: None).sizes.keys()


def test_a_damaged_member_is_named_offline_and_fetched_again_otherwise(registry: Registry, cache: Path) -> None:
    registry.has_ranges = False
    publish(registry, "1.0")
    opened("1.0", cache)
    for entry in cache.rglob("*.blob"):
        if entry.read_bytes().endswith(FILES[POOL]):
            entry.write_bytes(b"")
    snapshot = opened("1.0", cache, offline=True)
    assert "engine_kv/pool.py is not in the cache: its entry was damaged" in error(lambda: snapshot.read(POOL))
    assert FILES[POOL] == opened("1.0", cache).read(POOL)


def test_a_wheel_that_has_gone_from_the_registry_is_said_to_be_gone(registry: Registry, cache: Path) -> None:
    publish(registry, "1.0")
    opened("1.0", cache)
    registry.files.clear()
    assert f"{NAME} is no longer in the registry; clear the cache" in error(lambda: opened("1.0", cache).read(POOL))
