"""Whatever field of a claim names a place, prefetch, lint and repair see it."""

from pathlib import Path

import pytest

from auditor.claims.source_spots import claim_spots
from auditor.engine.mending import Mender
from tests.support import packs
from tests.support.packs import TARGET, Tree

OWN = "at: engine/own.py::Own.run\n"
FIELDS = {
    "at": "check: pattern\nat: engine/far.py::Far.go\ncode: return 1",
    "only of callers": "check: callers\nscope: engine\ncode: go()\nonly: engine/far.py::Far.go",
    "only of overrides": f"check: overrides\n{OWN}only: [engine/far.py::Far.go]",
    "except": "check: absence\nscope: engine\nword: never\nexcept: engine/far.py::Far.go",
    "through": f"check: reads\n{OWN}never: gone\nthrough: {{self.far: engine/far.py::Far.go}}",
    "then": f"check: direction\n{OWN}of: x\nmakes: grow\n"
    "then: [{at: engine/far.py::Far.go, of: distance}]",
    "of": 'check: history\nreleases: ["1.0"]\nof: {check: pattern, at: engine/far.py::Far.go, code: return 1}',
    "all": "all:\n- {check: symbol, at: engine/own.py::Own}\n- {check: symbol, at: engine/far.py::Far.go}",
    "caveats": f"check: symbol\n{OWN}caveats:\n- check: symbol\n  at: engine/far.py::Far.go\n  says: {{en: a, zh: 甲}}",
    "elsewhere": f"check: symbol\n{OWN}elsewhere:\n- {{check: symbol, at: engine/far.py::Far.go}}",
}  # fmt: skip
FAR = """\
class Far:
    def go(self, distance):
        self.travelled += distance
        self.journal.append((distance, self.speed))
        if self.travelled > self.longest:
            raise TooFarError(self.travelled)
        return self.travelled * self.scale
"""
CODE = {
    "engine/__init__.py": "",
    "engine/own.py": "class Own:\n    def run(self, x):\n        return x\n",
    "engine/far.py": FAR,
}
MOVED = {**CODE, "engine/far.py": FAR.replace("Far:", "Traveller:")}


@pytest.mark.parametrize("rest", FIELDS.values(), ids=FIELDS.keys())
class TestEveryField:
    def test_prefetch_names_its_file(self, rest: str, tmp_path: Path) -> None:
        (entry,) = packs.entries(tmp_path, packs.claim(rest))
        assert "engine/far.py" in entry.files

    def test_lint_takes_it_for_what_a_citation_is_of(self, rest: str, tmp_path: Path) -> None:
        (entry,) = packs.entries(tmp_path, packs.claim(f'{rest}\ncites: ["engine/far.py:2"]'))
        assert str(entry.claim.citations[0].anchor) == "engine/far.py::Far.go"

    def test_repair_finds_its_symbol_under_another_name(self, rest: str, tmp_path: Path) -> None:
        entries = packs.entries(tmp_path, packs.claim(rest))
        mending = Mender(TARGET, entries, Tree(CODE), Tree(MOVED)).mending()
        assert [(str(one.before), str(one.anchor)) for one in mending.anchors] == [
            ("engine/far.py::Far.go", "engine/far.py::Traveller.go")
        ]

    def test_repair_knows_where_it_is_written(self, rest: str, tmp_path: Path) -> None:
        packs.entries(tmp_path, packs.claim(rest))
        spots = claim_spots(tmp_path / "engine.yaml")["engine/a/b"].anchors
        assert "engine/far.py::Far.go" in {spot.text for spot in spots if spot.start is not None}


def test_a_file_without_any_of_them_is_no_place_of_the_claim(tmp_path: Path) -> None:
    from auditor.errors import ClaimError

    with pytest.raises(ClaimError, match=r"no check of the claim looks at engine/other\.py"):
        packs.entries(tmp_path, packs.claim(f'{FIELDS["at"]}\ncites: ["engine/other.py:2"]'))
