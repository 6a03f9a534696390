"""A claim may be stated of other code too: it holds where one of its forms does."""

from pathlib import Path

import pytest

from auditor.claims import Decided
from auditor.code.project.codebase import Codebase
from auditor.engine.decide import decide
from auditor.model import Kind, Outcome
from tests.support.packs import TARGET, Tree, claim, entries

OLD = "def rest(self):\n    return self.free - self.offset\n"
NEW = "class Budget:\n    def rest(self):\n        return self.free - self.offset\n"

FORMS = """\
at: engine/budget.py::Budget.rest
check: formula
equals: self.free - self.offset
elsewhere:
  - check: formula
    at: engine/adder.py::rest
    equals: self.free - self.offset
"""


def decided(written: str, files: dict[str, str], folder: Path) -> Outcome:
    (one,) = entries(folder, claim(written))
    return decide(one, Codebase(Tree(files), TARGET))


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"engine/budget.py": NEW}, Kind.PASS),
        ({"engine/adder.py": OLD}, Kind.PASS),
        ({"engine/adder.py": OLD.replace("-", "+")}, Kind.FAIL),
        ({"engine/budget.py": NEW.replace("-", "+")}, Kind.FAIL),
        ({"engine/budget.py": NEW.replace("-", "+"), "engine/adder.py": "x = 1\n"}, Kind.FAIL),
        # Where the claim's own code is there and cannot be told, a form that does not hold says nothing.
        ({"engine/budget.py": NEW.replace("self.free", "yield"), "engine/adder.py": OLD.replace("-", "+")}, Kind.OPEN),
        ({"engine/other.py": "x = 1\n"}, Kind.OPEN),
    ],
)
def test_a_claim_holds_where_its_code_is(files: dict[str, str], kind: Kind, tmp_path: Path) -> None:
    assert decided(FORMS, files, tmp_path).kind == kind


def test_what_is_said_of_code_that_is_nowhere_is_about_the_place_that_the_claim_names(tmp_path: Path) -> None:
    outcome = decided(FORMS, {"engine/other.py": "x = 1\n"}, tmp_path)
    assert outcome.message.en.startswith("engine/budget.py is not in ")


def test_words_of_a_form_make_it_a_qualification(tmp_path: Path) -> None:
    words = "    says: {en: it was a function then, zh: 当时是函数}\n"
    assert decided(FORMS + words, {"engine/budget.py": NEW}, tmp_path).kind == Kind.PASS
    outcome = decided(FORMS + words, {"engine/adder.py": OLD}, tmp_path)
    assert outcome.kind == Kind.REVIEW
    assert outcome.message.en.endswith("; but it was a function then")
    assert outcome.message.zh.endswith("；但是，当时是函数")
    assert decided(FORMS + words, {"engine/adder.py": OLD.replace("-", "+")}, tmp_path).kind == Kind.FAIL


SEVERAL = """\
check: symbol
at: engine/budget.py::Budget
elsewhere:
  - at: engine/adder.py::rest
    all:
      - check: symbol
      - check: formula
        equals: self.free - self.offset
  - check: symbol
    at: engine/legacy/
caveats:
  - check: symbol
    at: engine/night.py
    says: {en: only at night, zh: 只在夜里}
"""


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"engine/adder.py": OLD}, Kind.PASS),
        ({"engine/adder.py": OLD, "engine/night.py": ""}, Kind.REVIEW),
        ({"engine/legacy/a.py": ""}, Kind.PASS),
        ({"engine/adder.py": OLD.replace("-", "+")}, Kind.FAIL),
        ({"engine/night.py": ""}, Kind.FAIL),
    ],
)
def test_a_form_is_several_checks_or_one_and_caveats_are_for_all(
    files: dict[str, str], kind: Kind, tmp_path: Path
) -> None:
    assert decided(SEVERAL, files, tmp_path).kind == kind


def test_a_form_of_which_a_part_is_nowhere_does_not_decide(tmp_path: Path) -> None:
    steps = """\
check: direction
at: engine/budget.py::Budget.rest
of: self.free
makes: grow
then:
  - {at: "engine/gone.py::Gone.total", of: self.rest}
elsewhere:
  - {check: direction, at: "engine/adder.py::rest", of: self.free, makes: shrink}
"""
    files = {"engine/budget.py": NEW, "engine/adder.py": OLD}
    assert decided(steps, files, tmp_path).kind == Kind.FAIL
    assert decided(steps, {"engine/budget.py": NEW}, tmp_path).kind == Kind.OPEN


def test_a_claim_without_forms_is_as_it_was(tmp_path: Path) -> None:
    (one,) = entries(tmp_path, claim("check: symbol\nat: engine/pool.py::Pool"))
    assert Decided(one.checks) == one.decided()
