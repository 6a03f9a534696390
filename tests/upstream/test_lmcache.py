"""The pack about LMCache's documented configuration, on three releases of LMCache."""

import json
from pathlib import Path

import pytest
import yaml

from tests.support.command_line import CommandLine, kvaudit
from tests.support.folders import CASES, ROOT
from tests.support.releases import registry, release_cache

__all__ = ["kvaudit", "release_cache"]

pytestmark = pytest.mark.online
EXPECTED = yaml.safe_load((CASES / "lmcache-config.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("release", EXPECTED)
def test_what_is_false_is_found_so(release: str, kvaudit: CommandLine, release_cache: Path) -> None:
    pack = ROOT / "anchors" / "lmcache-config"
    with registry():
        done = kvaudit("verify", pack, "--release", release, "-f", "json", "--cache-dir", release_cache)
    (run,) = json.loads(done.out)["runs"]
    others = {result["claim"]: result["kind"] for result in run["results"] if result["kind"] != "pass"}
    assert (len(run["results"]), others) == (56, EXPECTED[release])
