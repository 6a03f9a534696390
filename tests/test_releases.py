"""The shipped pack, on the releases nearest the commits that its article is pinned to."""

import json
import os
from pathlib import Path

import pytest
import yaml

from auditor.claims import load
from tests.command_line import CommandLine, Done, kvaudit

__all__ = ["kvaudit"]

ROOT = Path(__file__).parent.parent
PACK = ROOT / "anchors" / "l1-kv-pool"
KINDS: dict[str, str] = yaml.safe_load((ROOT / "tests" / "cases" / "releases.yaml").read_text(encoding="utf-8"))


def test_the_kind_of_every_claim_is_known() -> None:
    ids = {entry.claim.id: entry for entries in load(PACK).entries.values() for entry in entries}
    assert sorted(KINDS) == sorted(ids)


def test_what_fails_is_accepted_with_its_reason() -> None:
    accepted = {
        entry.claim.id: entry.claim.accepted.kind
        for entries in load(PACK).entries.values()
        for entry in entries
        if entry.claim.accepted
    }
    assert accepted.items() <= KINDS.items()
    assert [name for name, kind in KINDS.items() if kind == "fail" and name not in accepted] == []


def audited(kvaudit: CommandLine, *options: str) -> Done:
    done = kvaudit("verify", PACK, "--release", "near-pin", "-f", "json", *options)
    if done.status == 2 and "cannot be reached" in done.err and "CI" not in os.environ:
        pytest.skip(done.err)
    return done


@pytest.mark.online
def test_every_claim_has_its_kind_on_the_releases_near_the_pin(kvaudit: CommandLine) -> None:
    done = audited(kvaudit)
    assert (done.status, done.err) == (0, "")
    runs = json.loads(done.out)["runs"]
    releases = {run["target"]: run["revision"]["name"] for run in runs if run["revision"]["source"] == "pypi"}
    assert releases == {"sglang": "0.5.21", "vllm": "0.31.0"}
    results = [result for run in runs for result in run["results"]]
    assert {result["claim"]: result["kind"] for result in results} == KINDS
    assert [note for run in runs for note in run["notifications"] if note["is_bug"]] == []
    bare = [result for result in results if not result["locations"] and result["kind"] != "open"]
    # What is about no code of this release has none to show.
    assert [result["claim"] for result in bare if result["rule"] != "arithmetic"] == ["vllm/swap/v0-had-swap"]
    assert audited(kvaudit, "--offline") == done
