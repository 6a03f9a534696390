"""Every claim of the shipped pack can both hold and fail: edits of the real code that break and mend it."""

from functools import cache
from pathlib import Path

import pytest

from auditor.claims import Entry
from auditor.mutation.overlay import Edited
from tests.support.claim_expectations import Expectation, load
from tests.support.releases import PACK, TARGETS, opened, registry, release_cache
from tests.support.source_edits import Edit, StaleEditError, edited

__all__ = ["release_cache"]

ENTRIES = {entry.claim.id: entry for name in TARGETS for entry in PACK.entries[name]}
EXPECTED = {claim: one for name, all_ in load().items() if name in TARGETS for claim, one in all_.claims.items()}


def test_every_source_claim_can_be_broken_and_mended_or_says_why_not() -> None:
    assert sorted(EXPECTED) == sorted(ENTRIES)
    assert [name for name, one in EXPECTED.items() if bool(one.breaks) == bool(one.unbroken)] == []
    no_pass = {name for name, one in EXPECTED.items() if one.kind != "pass"}
    assert {name for name, one in EXPECTED.items() if one.mends or one.unmended} == no_pass
    assert [name for name, one in EXPECTED.items() if one.mends and one.unmended] == []


@cache
def code_of(target: str, folder: Path) -> Edited:
    near_pin = TARGETS[target].near_pin or "latest"
    return Edited(TARGETS[target], opened(target, near_pin, folder), lambda version: opened(target, version, folder))


@pytest.mark.online
@pytest.mark.parametrize("name", [name for name, one in EXPECTED.items() if one.breaks or one.mends])
def test_edits_of_the_code_break_and_mend_the_claim(name: str, release_cache: Path) -> None:
    entry = ENTRIES[name]
    with registry():
        code = code_of(name.split("/")[0], release_cache)
        (before,) = code.kinds_before([entry])
        assert EXPECTED[name].kind == before
        after = {label: (expected, kind_after(edit, entry, code)) for label, edit, expected in edits(EXPECTED[name])}
    assert {label: kinds for label, kinds in after.items() if kinds[0] != kinds[1]} == {}


def edits(expected: Expectation) -> list[tuple[str, Edit, str]]:
    """The edits of a claim by name, each with what the claim becomes."""
    breaks = [(f"breaks {number}", edit, edit.becomes or "fail") for number, edit in enumerate(expected.breaks, 1)]
    mends = [(f"mends {number}", edit, edit.becomes or "pass") for number, edit in enumerate(expected.mends, 1)]
    return breaks + mends


def kind_after(edit: Edit, entry: Entry, code: Edited) -> str:
    try:
        (kind,) = code.kinds([entry], edited(edit, first_place(entry), code.before.text))
    except StaleEditError as error:
        return f"stale: {error}"
    return kind.value


def first_place(entry: Entry) -> str:
    """Where a claim looks first."""
    return next((str(place) for check in entry.checks for place in check.subjects()), "")
