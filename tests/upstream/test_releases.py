"""The shipped pack, on the releases nearest the commits that its article is pinned to, and on others."""

import json
import re
from pathlib import Path

import pytest

from auditor.cache import Store
from auditor.engine import files
from auditor.engine.series import Series
from auditor.sources import Access
from auditor.sources.pypi import Pypi
from tests.support.chinese import is_chinese
from tests.support.claim_expectations import load
from tests.support.command_line import CommandLine, kvaudit
from tests.support.git_repositories import Repository
from tests.support.releases import FOLDER, NEAR_PIN, PACK, TARGETS, NearPin, near_pin, opened, registry, release_cache

__all__ = ["kvaudit", "near_pin", "release_cache"]

EXPECTED = load()
KINDS = {claim: one.kind for target in EXPECTED.values() for claim, one in target.claims.items()}


def test_the_kind_of_every_claim_is_known() -> None:
    ids = {entry.claim.id: entry for entries in PACK.entries.values() for entry in entries}
    assert sorted(KINDS) == sorted(ids)


def test_an_expectation_of_another_release_is_another_kind_on_a_release_that_is_audited() -> None:
    for target in EXPECTED.values():
        for name, claim in target.claims.items():
            assert claim.elsewhere.keys() <= target.releases.keys(), name
            assert claim.kind not in claim.elsewhere.values(), name


def test_what_fails_is_accepted_with_its_reason() -> None:
    accepted = {
        entry.claim.id: entry.claim.accepted.kind
        for entries in PACK.entries.values()
        for entry in entries
        if entry.claim.accepted
    }
    assert accepted.items() <= KINDS.items()
    assert [name for name, kind in KINDS.items() if kind == "fail" and name not in accepted] == []


@pytest.mark.online
def test_every_claim_has_its_kind_on_the_releases_near_the_pin(
    near_pin: NearPin, release_cache: Path, kvaudit: CommandLine
) -> None:
    assert (near_pin.status, near_pin.err) == (0, "")
    runs = json.loads((near_pin.folder / "run.json").read_text("utf-8"))["runs"]
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
    done = kvaudit(*NEAR_PIN, "--cache-dir", release_cache, "--offline")
    assert (done.status, done.out, done.err) == (0, "", "")
    for name in ("run.json", "report.html"):
        assert (kvaudit.folder / name).read_bytes() == (near_pin.folder / name).read_bytes()


@pytest.mark.online
@pytest.mark.parametrize("target", TARGETS)
def test_every_claim_has_its_kind_on_other_releases(target: str, near_pin: NearPin, release_cache: Path) -> None:
    assert near_pin.status in (0, 1)  # what it has fetched and found is in the cache
    with registry():
        snapshots = [Pypi().open(TARGETS[target], one, Access(release_cache)) for one in EXPECTED[target].releases]
        series = Series(
            TARGETS[target], PACK.entries[target], Store(release_cache), lambda one: opened(target, one, release_cache)
        )
        runs = series.runs(snapshots)
    for release, run in zip(EXPECTED[target].releases, runs, strict=True):
        assert [note for note in run.notifications if note.is_bug] == [], release
        kinds = {result.claim.id: result.outcome.kind.value for result in run.results}
        assert kinds == EXPECTED[target].kinds(release), release


# Claims that rest on nothing but these files, so that a commit of them is enough.
CHOSEN_FROM = re.compile(r"vllm/((config|utils|v1)/.*|\w+)\.py")
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
def test_releases_as_commits_are_what_they_are_in_the_registry(
    kvaudit: CommandLine, release_cache: Path, tmp_path: Path
) -> None:
    entries = [entry for entry in PACK.entries["vllm"] if entry.claim.id.startswith(CHOSEN)]
    upstream = Repository(tmp_path / "upstream")
    for version in ("0.30.0", "0.31.0"):
        with registry():
            release = opened("vllm", version, release_cache)
            wanted = {one for one in release.files() if CHOSEN_FROM.match(one)}
            release.prefetch(frozenset(wanted | files(entries)))
            there = sorted(wanted | files(entries) & release.files())
            upstream.commit({path: release.read(path) for path in there}, version)
        upstream.git("tag", f"v{version}")
    select = [word for prefix in CHOSEN for word in ("--select", prefix)]
    options: list[str | Path] = [*select, "--cache-dir", release_cache, "-f", "json"]
    for version in ("0.30.0", "0.31.0"):
        released = kvaudit("verify", FOLDER, "--release", f"vllm={version}", *options)
        ref = ["--commit", f"vllm=v{version}", "--repo", f"vllm={upstream.url}"]
        committed = kvaudit("verify", FOLDER, *ref, *options)
        runs = [json.loads(done.out)["runs"][0]["results"] for done in (released, committed)]
        assert len(runs[0]) >= len(CHOSEN)
        shown = [[(one["claim"], one["kind"], one["citations"], one["fingerprint"]) for one in run] for run in runs]
        assert shown[0] == shown[1]
