"""The packs that travel with kvaudit are well-formed. Whether their claims hold is for test_releases."""

import re

import pytest

from auditor.checks import checks
from auditor.claims import Entry, Pack, load
from auditor.claims.entries import ID
from auditor.model import Text
from auditor.sources import sources
from tests.support.folders import ROOT

FOLDERS = sorted(path.parent for path in (ROOT / "anchors").glob("*/pack.yaml"))
PACKS = [load(folder) for folder in FOLDERS]
CLAIMS = [entry for pack in PACKS for entries in pack.entries.values() for entry in entries]

CHINESE = re.compile("[\u4e00-\u9fff]")
TYPOGRAPHY = "–—’“”…×→≥≤"


def texts(entry: Entry) -> list[Text]:
    """Everything that a claim says to its reader."""
    accepted = [entry.claim.accepted.reason] if entry.claim.accepted else []
    return [entry.claim.statement, *accepted, *(caveat.says for caveat in entry.caveats)]


def test_a_pack_is_shipped() -> None:
    assert [pack.id for pack in PACKS] == [folder.name for folder in FOLDERS] != []


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.id)
def test_an_id_is_used_once(pack: Pack) -> None:
    ids = [entry.claim.id for entries in pack.entries.values() for entry in entries]
    assert sorted(set(ids)) == sorted(ids)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.id)
def test_every_target_has_claims_and_a_place_to_be_read_from(pack: Pack) -> None:
    assert sorted(pack.entries) == sorted(target.name for target in pack.targets)
    assert [name for name, entries in pack.entries.items() if not entries] == []
    for target in pack.targets:
        if target.repository or target.project:
            assert re.fullmatch(r"https://\S+", target.repository or "https://read-from-a-folder")
            assert re.fullmatch(r"[0-9a-f]{10,40}", target.commit or "0" * 10)
            assert re.fullmatch(r"20\d\d-\d\d-\d\d", target.date or "2000-01-01")
            assert target.project
            assert {"git", "pypi"} <= set(sources())


def test_an_id_begins_with_its_target() -> None:
    for target, entries in ((name, some) for pack in PACKS for name, some in pack.entries.items()):
        ids = [entry.claim.id for entry in entries]
        assert [name for name in ids if not (ID.fullmatch(name) and name.startswith(f"{target}/"))] == []


def is_bilingual(text: Text) -> bool:
    is_stripped = text.en.strip() == text.en != "" and text.zh.strip() == text.zh != ""
    is_english = all(char.isascii() or char in TYPOGRAPHY for char in text.en)
    return is_stripped and is_english and CHINESE.search(text.zh) is not None


def test_a_claim_speaks_both_languages() -> None:
    assert [entry.claim.id for entry in CLAIMS if not all(map(is_bilingual, texts(entry)))] == []


def test_a_claim_is_decided_by_rules_that_exist() -> None:
    for entry in CLAIMS:
        rules = [check.id for check in (*entry.checks, *(caveat.check for caveat in entry.caveats))]
        assert set(rules) <= set(checks()), entry.claim.id
        assert entry.claim.rule == (rules[0] if len(entry.checks) == 1 else "all"), entry.claim.id


def test_a_claim_about_code_is_not_arithmetic_alone() -> None:
    for entry in CLAIMS:
        is_about_code = any(check.id != "arithmetic" for check in entry.checks)
        assert is_about_code == (not entry.claim.id.startswith("arithmetic/")), entry.claim.id
        lost = [citation for citation in entry.claim.citations if citation.region and citation.anchor is None]
        assert lost == [], entry.claim.id
