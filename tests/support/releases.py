"""Real releases out of the registry, fetched and audited once for all tests of a run, whichever process runs them."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from auditor.claims import load
from auditor.errors import SourceError
from auditor.model import Snapshot
from auditor.sources import Access, sources
from tests.support.folders import ROOT

IS_CI = "CI" in os.environ
"""Asked before a test's own environment leaves it out."""
FOLDER = ROOT / "anchors" / "l1-kv-pool"
PACK = load(FOLDER)
TARGETS = {target.name: target for target in PACK.targets if target.near_pin}
NEAR_PIN = (
    *("verify", str(FOLDER), "--release", "near-pin", "--ledger", str(ROOT / "reports")),
    *("-f", "json", "-o", "run.json", "-f", "html", "-o", "report.html"),
)


@dataclass(frozen=True)
class NearPin:
    """The audit of the whole pack on the releases near its pins: `run.json` and `report.html` in a folder."""

    folder: Path
    status: int
    err: str


@pytest.fixture(scope="session")
def release_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder that all processes of a test run share."""
    return tmp_path_factory.getbasetemp().parent / "releases"


@pytest.fixture(scope="session")
def near_pin(release_cache: Path) -> NearPin:
    """What the first test that asks has audited, from a cache that has nothing of it."""
    folder = release_cache / "near-pin"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done.json"
        if not done.exists():
            command = [sys.executable, "-m", "auditor", *NEAR_PIN, "--cache-dir", str(release_cache)]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            done.write_bytes(msgspec.json.encode((ran.returncode, ran.stderr)))
    status, err = msgspec.json.decode(done.read_bytes(), type=tuple[int, str])
    if status == 2 and "cannot be reached" in err and not IS_CI:
        pytest.skip(err)
    return NearPin(folder, status, err)


def opened(target: str, version: str, cache: Path) -> Snapshot:
    """A release of a target. Raises SourceError."""
    return sources()["pypi"]().open(TARGETS[target], version, Access(cache))


@contextmanager
def registry() -> Iterator[None]:
    """Skips the test when the registry does not answer, but in CI."""
    try:
        yield
    except SourceError as error:
        if IS_CI:
            raise
        pytest.skip(str(error))
