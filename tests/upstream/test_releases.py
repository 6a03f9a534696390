"""The shipped pack, on the releases nearest the commits that its article is pinned to."""

import json
import os
from pathlib import Path

import pytest
import yaml

from auditor.claims import load
from auditor.engine import files
from auditor.errors import SourceError
from auditor.sources import Access, sources
from tests.support.chinese import is_chinese
from tests.support.command_line import CommandLine, Done, kvaudit
from tests.support.folders import ROOT
from tests.support.git_repositories import Repository

__all__ = ["kvaudit"]

IS_CI = "CI" in os.environ
"""Asked before a test's own environment leaves it out."""
PACK = ROOT / "anchors" / "l1-kv-pool"
KINDS: dict[str, str] = yaml.safe_load((ROOT / "tests" / "cases" / "releases.yaml").read_text(encoding="utf-8"))
OTHERS: dict[str, dict[str, dict[str, str]]] = yaml.safe_load(
    (ROOT / "tests" / "cases" / "other-releases.yaml").read_text(encoding="utf-8")
)
"""Target -> release -> the claims of another kind than on the release near the pin."""


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
    if done.status == 2 and "cannot be reached" in done.err and not IS_CI:
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
    notes = [place["note_zh"] for result in results for place in result["locations"] if place["note"]]
    assert [zh for zh in notes if not is_chinese(zh)] == []
    assert [result["message_zh"] for result in results if not is_chinese(result["message_zh"])] == []
    assert audited(kvaudit, "--offline") == done


@pytest.mark.online
@pytest.mark.parametrize(("target", "release"), [(target, release) for target in OTHERS for release in OTHERS[target]])
def test_every_claim_has_its_kind_on_other_releases(target: str, release: str, kvaudit: CommandLine) -> None:
    done = kvaudit("verify", PACK, "--target", target, "--release", f"{target}={release}", "-f", "json")
    if done.status == 2 and "cannot be reached" in done.err and not IS_CI:
        pytest.skip(done.err)
    (run,) = json.loads(done.out)["runs"]
    found = {result["claim"]: result["kind"] for result in run["results"]}
    near_pin = {claim: kind for claim, kind in KINDS.items() if claim.startswith(f"{target}/")}
    assert found == near_pin | OTHERS[target][release]
    assert [note for note in run["notifications"] if note["is_bug"]] == []


# Claims that read only the files they name, so that a commit of these files is enough.
CHOSEN = (
    "vllm/watermark/applied-where",
    "vllm/watermark/blocks-formula",
    "vllm/watermark/default-zero",
    "vllm/watermark/only-waiting-or-preempted",
    "vllm/block-size/",
    "vllm/metric/usage",
    "vllm/index/preemption",
    "vllm/index/watermark",
)


@pytest.mark.online
def test_releases_as_commits_are_what_they_are_in_the_registry(kvaudit: CommandLine, tmp_path: Path) -> None:
    target = next(target for target in load(PACK).targets if target.name == "vllm")
    entries = [entry for entry in load(PACK).entries["vllm"] if entry.claim.id.startswith(CHOSEN)]
    wanted = files(entries)
    upstream = Repository(tmp_path / "upstream")
    for version in ("0.30.0", "0.31.0"):
        try:
            release = sources()["pypi"]().open(target, version, Access(tmp_path / "cache"))
            upstream.commit({path: release.read(path) for path in sorted(wanted & release.files())}, version)
        except SourceError as error:
            if IS_CI:
                raise
            pytest.skip(str(error))
        upstream.git("tag", f"v{version}")
    select = [word for prefix in CHOSEN for word in ("--select", prefix)]
    options: list[str | Path] = [*select, "--cache-dir", tmp_path / "cache", "-f", "json"]
    for version in ("0.30.0", "0.31.0"):
        released = kvaudit("verify", PACK, "--release", f"vllm={version}", *options)
        ref = ["--commit", f"vllm=v{version}", "--repo", f"vllm={upstream.url}"]
        committed = kvaudit("verify", PACK, *ref, *options)
        runs = [json.loads(done.out)["runs"][0]["results"] for done in (released, committed)]
        assert len(runs[0]) >= len(CHOSEN)
        shown = [[(one["claim"], one["kind"], one["citations"], one["fingerprint"]) for one in run] for run in runs]
        assert shown[0] == shown[1]
