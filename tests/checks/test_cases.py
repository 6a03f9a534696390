"""Every check against its case file (tests/support/check_cases.py), and under changes that must not matter."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from auditor.checks import Check, checks
from auditor.code.project.codebase import Codebase
from auditor.code.project.decoding import decode
from auditor.model import Outcome
from tests.support.check_cases import FOLDER, Case, loaded, of_rule
from tests.support.chinese import CHINESE, is_chinese
from tests.support.snapshots import MODULE, NEWER, codebase

UNRELATED = 'def unrelated(first, second=3):\n    """Nothing."""\n    return [first, second]\n\n\n'

VARIATIONS: Mapping[str, Callable[[str], str]] = {
    "inserted": lambda text: UNRELATED + text,
    "indented": lambda text: "if True:\n" + re.sub(r"^(?=.*\S)", "    ", text, flags=re.MULTILINE),
    "newer": lambda text: text + NEWER,
}
"""Changes of the files that must not matter."""


@pytest.mark.parametrize("case", [case for rule in checks() for case in of_rule(rule)], ids=str)
def test_a_check_finds_what_its_case_says(case: Case, tmp_path: Path) -> None:
    check = loaded(case.rule, case.written, next(iter(case.files), MODULE), tmp_path)
    outcome = check.audit(codebase(case.files))
    assert (case.kind, True) == (outcome.kind.value, case.message in outcome.message.en), outcome.message
    places = [(place.path, place.region.start if place.region else 1) for place in outcome.locations]
    assert case.lines == (*places[:1], *sorted(places[1:])), outcome.message
    assert is_chinese(outcome.message.zh), outcome.message
    assert CHINESE.search(outcome.message.en) is None, outcome.message
    varied = {name: check.audit(varied_by(name, case)) for name in VARIATIONS.keys() - case.left_out}
    assert {name: summary(one) for name, one in varied.items() if one.kind.value != case.kind} == {}
    # What is decoded to the same text is the same code.
    for path, text in case.files.items():
        assert decode(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(), path) == text


def varied_by(variation: str, case: Case) -> Codebase:
    return codebase({path: VARIATIONS[variation](text) for path, text in case.files.items()})


def summary(outcome: Outcome) -> str:
    return f"{outcome.kind.value}: {outcome.message.en}"


def test_every_check_has_a_case_file_and_every_case_file_a_check() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(checks())


@pytest.mark.parametrize("rule", checks())
def test_a_case_file_shows_a_claim_that_holds_and_one_that_does_not(rule: str) -> None:
    kinds = {"open"} if rule == "undecidable" else {"pass", "fail", "open"}
    assert {case.kind for case in of_rule(rule)} >= kinds


@pytest.mark.parametrize("rule", checks())
def test_the_titles_of_a_case_file_are_unique(rule: str) -> None:
    titles = [case.title for case in of_rule(rule)]
    assert sorted(set(titles)) == sorted(titles)


@pytest.mark.parametrize(("rule", "check"), checks().items())
@pytest.mark.parametrize("heading", ["*What it checks.*", "*Parameters.*", "*中文。*", "*Example.*"])
def test_the_docstring_of_a_check_has_its_headings(rule: str, check: type[Check], heading: str) -> None:
    assert check.help().count(heading) == 1, rule


@pytest.mark.parametrize(("rule", "check"), checks().items())
def test_the_example_of_a_check_loads_as_that_check(rule: str, check: type[Check], tmp_path: Path) -> None:
    _, _, example = check.help().partition("*Example.*")
    written = re.sub(r"^    ", "", example.strip("\n"), flags=re.MULTILINE)
    assert check is type(loaded(rule, written, MODULE, tmp_path))
