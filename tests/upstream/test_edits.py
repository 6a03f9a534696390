"""Every claim of the shipped pack can both hold and fail: edits of the real code that break and mend it."""

import os
from functools import cache
from pathlib import Path

import pytest
import yaml

from auditor.claims import Entry, load
from auditor.errors import SourceError
from auditor.model import Snapshot
from auditor.sources import Access, sources
from benchmarks.mutants.overlay import Edited
from tests.support import edits
from tests.support.folders import ROOT

IS_CI = "CI" in os.environ
PACK = load(ROOT / "anchors" / "l1-kv-pool")
ENTRIES = {entry.claim.id: entry for entries in PACK.entries.values() for entry in entries}
TARGETS = {target.name: target for target in PACK.targets if target.near_pin}
KINDS: dict[str, str] = yaml.safe_load((ROOT / "tests" / "cases" / "releases.yaml").read_text(encoding="utf-8"))
EDITS = {name: found for target in TARGETS for name, found in edits.load(target).items()}
CASES = {
    f"{name} {verb} {number}": (name, edit, verb)
    for name, found in EDITS.items()
    for verb, some in (("breaks", found.breaks), ("mends", found.mends))
    for number, edit in enumerate(some, 1)
}


def test_every_source_claim_can_be_broken_and_mended_or_says_why_not() -> None:
    claims = [name for name in KINDS if name.split("/")[0] in TARGETS]
    assert sorted(EDITS) == sorted(claims)
    assert [name for name, some in EDITS.items() if bool(some.breaks) == bool(some.unbroken)] == []
    no_pass = {name for name in claims if KINDS[name] != "pass"}
    assert {name for name, some in EDITS.items() if some.mends or some.unmended} == no_pass
    assert [name for name, some in EDITS.items() if some.mends and some.unmended] == []


@cache
def code_of(target: str, folder: Path) -> Edited:
    def opened(version: str) -> Snapshot:
        return sources()["pypi"]().open(TARGETS[target], version, Access(folder))

    return Edited(TARGETS[target], opened(TARGETS[target].near_pin or "latest"), opened)


@cache
def kind_before(name: str, folder: Path) -> str:
    (kind,) = code_of(name.split("/")[0], folder).kinds_before([ENTRIES[name]])
    return kind


@pytest.mark.online
@pytest.mark.parametrize("case", CASES)
def test_an_edit_of_the_code_breaks_or_mends_the_claim(case: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    name, edit, verb = CASES[case]
    entry = ENTRIES[name]
    folder = tmp_path_factory.getbasetemp().parent / "releases"
    try:
        code = code_of(name.split("/")[0], folder)
        assert KINDS[name] == kind_before(name, folder)
        changed = edits.edited(edit, own_place(entry), code.before.text)
        (kind,) = code.kinds([entry], changed)
    except SourceError as error:
        if IS_CI:
            raise
        pytest.skip(str(error))
    assert (edit.becomes or {"breaks": "fail", "mends": "pass"}[verb]) == kind


def own_place(entry: Entry) -> str:
    """Where a claim looks first."""
    return next((str(place) for check in entry.checks for place in check.subjects()), "")
