"""What is set once for a group of claims is what each of them says."""

from pathlib import Path

import pytest

from auditor.claims import Pack, load
from auditor.claims.source_spots import Edit, claim_spots, edited
from auditor.errors import ClaimError
from auditor.model import Anchor, Text
from tests.support.packs import HEAD, write

GROUP = """\
claims:
- title: {en: The pool, zh: 池}
  at: engine/pool.py::Pool.usage
  where: {free: self.count()}
  elsewhere: {at: "engine/old.py::Pool.usage"}
  claims:
  - id: engine/1/formula
    statement: Usage is 1 - free / total.
    cites: ["engine/pool.py:3"]
    check: formula
    equals: 1 - free / total
    where: {total: self.size}
    elsewhere:
    - {check: formula, equals: free}
    - all: [{check: returns, value: free}]
  - id: engine/1/own
    statement: {en: It is a class., zh: 是个类。}
    at: engine/pool.py::Pool
    check: symbol
- id: engine/2/alone
  statement: It is there.
  from: 0.3
  to: "0.31.0"
  check: symbol
  at: engine/pool.py::Pool
"""


def loaded(folder: Path, claims: str = GROUP, head: str = HEAD) -> Pack:
    return load(write(folder, {"pack.yaml": head, "engine.yaml": claims}))


def test_a_group_gives_its_claims_what_they_do_not_state(tmp_path: Path) -> None:
    formula, own, alone = loaded(tmp_path).entries["engine"]
    (check,) = formula.checks
    assert vars(check)["at"] == Anchor("engine/pool.py", "Pool.usage")
    where = {name: one.text for name, one in vars(check)["where"].items()}
    assert where == {"free": "self.count()", "total": "self.size"}
    assert vars(own.checks[0])["at"] == Anchor("engine/pool.py", "Pool")
    assert [entry.claim.section for entry in (formula, own, alone)] == [Text("The pool", "池")] * 2 + [None]


def test_the_forms_of_a_group_have_a_place_of_their_own(tmp_path: Path) -> None:
    formula, *_ = loaded(tmp_path).entries["engine"]
    old = Anchor("engine/old.py", "Pool.usage")
    assert [vars(check)["at"] for form in formula.elsewhere for check in form.checks] == [old, old]
    assert [sorted(vars(check)["where"]) for form in formula.elsewhere for check in form.checks] == [["free"]] * 2


def test_a_statement_in_one_language_is_said_in_both(tmp_path: Path) -> None:
    assert loaded(tmp_path).entries["engine"][2].claim.statement == Text("It is there.", "It is there.")


def test_a_claim_says_of_which_releases_it_speaks(tmp_path: Path) -> None:
    claim = loaded(tmp_path).entries["engine"][2].claim
    assert (claim.first, claim.last) == ("0.3", "0.31.0")


def test_a_section_has_the_title_that_the_pack_gives_it(tmp_path: Path) -> None:
    pack = loaded(tmp_path, head=HEAD + 'sections: {"1": Pools, "2": {en: More, zh: 更多}}\n')
    sections = [entry.claim.section for entry in pack.entries["engine"]]
    assert sections == [Text("The pool", "池")] * 2 + [Text("More", "更多")]


@pytest.mark.parametrize(
    ("head", "claims", "expected"),
    [
        pytest.param(
            HEAD + "languages: [en, zh]\n",
            GROUP,
            [
                "engine.yaml:8:16: statement is in one language, and this pack is in en and zh: {en: ..., zh: ...}",
                "engine.yaml:21:14: statement is in one language, and this pack is in en and zh: {en: ..., zh: ...}",
            ],
            id="both languages are declared",
        ),
        pytest.param(
            HEAD, "claims:\n- colour: red\n  claims: []\n",
            ["engine.yaml:2:3: unknown key colour; known here: title, languages, at, where, elsewhere, claims"],
            id="an unknown key of a group",
        ),
        pytest.param(
            HEAD, GROUP.replace("from: 0.3", "from: main"),
            ["engine.yaml:22:9: from: main is no release, such as 0.31.0"],
            id="a branch for a release",
        ),
        pytest.param(
            HEAD, GROUP.replace('elsewhere: {at: "engine/old.py::Pool.usage"}', "elsewhere: [x]"),
            ["engine.yaml:5:14: elsewhere of a group must be a mapping"],
            id="forms where their place is due",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_group_is_said(head: str, claims: str, expected: list[str], tmp_path: Path) -> None:
    with pytest.raises(ClaimError) as caught:
        loaded(tmp_path, claims, head)
    said = [line.removeprefix(f"{tmp_path}/") for line in caught.value.problems]
    assert said[: len(expected)] == expected


def test_a_place_of_a_group_is_repaired_where_it_stands(tmp_path: Path) -> None:
    loaded(tmp_path)
    file = tmp_path / "engine.yaml"
    spots = claim_spots(file)
    assert set(spots) == {"engine/1/formula", "engine/1/own", "engine/2/alone"}
    places = {spot for one in spots.values() for spot in one.anchors if spot.text == "engine/pool.py::Pool.usage"}
    (spot,) = places
    edits = [Edit(spot, "engine/new.py::Pool.usage")] * 2
    assert edited(file.read_text(), edits) == GROUP.replace("engine/pool.py::Pool.usage", "engine/new.py::Pool.usage")
