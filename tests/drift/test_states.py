"""What became of claims between two runs, and of the code that they look at.

A case file is Markdown; a heading is a test. `python` blocks are the file before and after, or, with a path in
backquotes above, as many files before as after. A `diff` block is what is to be shown: the numbers of a line before and
after, then its sign and text. `State:` says what becomes of the claim in the `yaml` block, which kinds it has, and
where its citation goes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from auditor.drift.diff import LONGEST, diff, with_context
from auditor.drift.statements import pieces
from auditor.drift.states import compared
from auditor.engine.comparison import audit_since
from auditor.model import (
    Acceptance,
    AnchorState,
    BaselineState,
    Citation,
    Claim,
    DiffLine,
    FoundCitation,
    JsonValue,
    Kind,
    Location,
    Outcome,
    Region,
    Result,
    Revision,
    Run,
    Target,
    Text,
)
from tests.support.folders import CASES
from tests.support.packs import TARGET, Tree, claim, entries
from tests.support.snapshots import MODULE

FOLDER = CASES / "drift"
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
BLOCK = re.compile(r"(?:^`([^`\n]+)`\n+)?^```(yaml|python|diff)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STATE = re.compile(r"^State: (\w+), (\w+) and (\w+)(?:, (.+))?\.$", re.MULTILINE)
ABOVE = re.compile(r"^<!-- (\d+) lines above -->$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One heading of a case file."""

    title: str
    text: str

    def __str__(self) -> str:
        return self.title

    @property
    def diff(self) -> list[str]:
        found = re.search(r"^```diff\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL)
        return found[1].splitlines() if found else []

    @property
    def sides(self) -> "tuple[dict[str, str], dict[str, str]]":
        blocks = [(path or MODULE, text) for path, language, text in BLOCK.findall(self.text) if language == "python"]
        half = len(blocks) // 2
        above = ABOVE.search(self.text)
        lines = "".join(f"# {number}\n" for number in range(int(above[1]))) if above else ""
        return dict(blocks[:half]), {path: lines + text for path, text in blocks[half:]}


def cases(name: str) -> list[Case]:
    _, *parts = HEADING.split((FOLDER / f"{name}.md").read_text("utf-8"))
    return [Case(title, text) for title, text in zip(parts[::2], parts[1::2], strict=True)]


def drawn(lines: Sequence[DiffLine]) -> list[str]:
    def number(line: int | None) -> str:
        return f"{line or '':>3}"

    def sign(line: DiffLine) -> str:
        return " " if (line.before is None) is (line.after is None) else "+" if line.before is None else "-"

    return [f"{number(line.before)} {number(line.after)} {sign(line)}{line.text}".rstrip() for line in lines]


@pytest.mark.parametrize("case", cases("diff"), ids=str)
def test_a_diff_shows_what_differs_in_syntax(case: Case) -> None:
    before, after = (pieces(side.get(MODULE, "").splitlines()) for side in case.sides)
    assert case.diff == drawn(with_context(diff(before, after)))


@pytest.mark.parametrize("case", cases("diff"), ids=str)
def test_code_does_not_differ_from_itself(case: Case) -> None:
    for side in case.sides:
        code = pieces(side[MODULE].splitlines())
        assert diff(code, code) == ()


@pytest.mark.parametrize("case", cases("states"), ids=str)
def test_a_claim_has_the_state_that_its_case_says(case: Case, tmp_path: Path) -> None:
    written = re.search(r"^```yaml\n(.*?)^```$", case.text, re.MULTILINE | re.DOTALL)
    expected = STATE.search(case.text)
    assert written
    assert expected
    old, new = (Tree(side) for side in case.sides)
    run = audit_since(TARGET, entries(tmp_path, claim(written[1])), old, new)
    [result] = run.results
    before = result.earlier or result.outcome
    went = [f"{one.state}{f' {one.offset:+}' if one.offset else ''}" for one in result.relocations if one]
    found = (str(result.baseline), str(before.kind), str(result.kind), ", ".join(went) or None)
    assert expected.groups() == found
    assert case.diff == [line for change in result.changes for line in drawn(change.lines)]


def test_of_a_long_change_the_lines_that_were_looked_at_are_shown() -> None:
    before = [f"a_{number} = 1" for number in range(400)]
    after = [f"a_{number} = {1 if number % 9 else 2}" for number in range(400)]
    rows = diff(pieces(before), pieces(after))
    lines = with_context(rows, (Region(361, 361),))
    marks = [line.text for line in lines if line.before is None and line.after is None]
    assert len([line for line in lines if line.before or line.after]) == LONGEST
    assert {"a_360 = 2"} == {line.text for line in lines if line.after == 361}
    assert marks[-1] == "⋮ -4 +4"
    changed = sum(line.before is None or line.after is None for line in lines) - len(marks)
    told = sum(int(one) for mark in marks for one in re.findall(r"[-+](\d+)", mark))
    assert changed + told == 2 * 45


def test_a_change_that_is_longer_than_may_be_shown_is_cut_and_says_so() -> None:
    lines = with_context(diff((), pieces([f"a_{number} = 1" for number in range(100)])))
    assert (len(lines), lines[-1]) == (LONGEST + 1, DiffLine(None, None, f"⋮ -0 +{100 - LONGEST}"))


# Of two runs alone.

CITED = Citation("engine/pool.py", Region(2, 4))


def result(
    kind: str,
    *,
    name: str = "engine/size",
    fingerprint: str = "0",
    actual: JsonValue = 16,
    accepted: str | None = None,
    lost: bool = False,
    line: int = 2,
    message: str = "it is so",
) -> Result:
    acceptance = Acceptance(Kind(accepted), Text("Known.", "已知。")) if accepted else None
    claim = Claim(name, Text("The size is 16.", "大小是 16。"), "demo/engine.yaml:2", "symbol", (CITED,), acceptance)
    found = Location("engine/pool.py", Region(line, line + 2), "Pool.size")
    state = AnchorState.LOST if lost else AnchorState.EXACT
    citation = FoundCitation(CITED, state, None, None if lost else found)
    outcome = Outcome(Kind(kind), Text(message, message), 16, actual, (found,), fingerprint)
    return Result(claim, outcome, (citation,))


def run(*results: Result, name: str = "1.0") -> Run:
    return Run(Target("engine"), Revision("pypi", name), results)


def states(before: Result | None, after: Result) -> BaselineState | None:
    [found] = compared(run(after), run(*([before] if before else []))).results
    return found.baseline


KINDS = ("pass", "review", "open", "fail", "notApplicable")
BECAME = {
    "pass": ("unchanged", "new", "new", "new", "updated"),
    "review": ("resolved", "unchanged", "new", "new", "updated"),
    "open": ("resolved", "resolved", "unchanged", "new", "updated"),
    "fail": ("resolved", "resolved", "new", "unchanged", "updated"),
    "notApplicable": ("updated", "new", "new", "new", "unchanged"),
}


@pytest.mark.parametrize("before", KINDS)
def test_worse_kinds_are_new_and_better_ones_resolved(before: str) -> None:
    assert BECAME[before] == tuple(states(result(before), result(after)) for after in KINDS)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(result("pass"), result("pass", line=500, message="at line 500"), "unchanged", id="other lines"),
        pytest.param(result("pass"), result("pass", fingerprint="1"), "updated", id="other code"),
        pytest.param(result("fail", actual=17), result("fail", actual=18), "updated", id="another value"),
        pytest.param(result("fail", actual=1), result("fail", actual=True), "updated", id="True is not 1"),
        pytest.param(result("fail", actual=16), result("fail", actual="16"), "updated", id="'16' is not 16"),
        pytest.param(result("fail", actual=float("nan")), result("fail", actual="nan"), "unchanged", id="a saved NaN"),
        pytest.param(
            result("pass", actual="f (a/b.py:2), g (a/b.py:3-4)"),
            result("pass", actual="f (a/b.py:20), g (a/b.py:30-41)"),
            "unchanged",
            id="places at other lines",
        ),
        pytest.param(
            result("fail", actual="f (a/b.py:2)"), result("fail", actual="f (a/c.py:2)"), "updated", id="another place"
        ),
        pytest.param(
            result("pass", actual="a + b"),
            result("pass", actual="b + a"),
            "unchanged",
            id="what holds, written otherwise",
        ),
        pytest.param(result("fail", accepted="fail"), result("fail"), "new", id="accepted no more"),
        pytest.param(result("fail"), result("fail", accepted="fail"), "unchanged", id="accepted now"),
        pytest.param(
            result("fail", accepted="fail"), result("pass", accepted="fail"), "resolved", id="acceptance stale"
        ),
        pytest.param(
            result("review", accepted="review"), result("fail", accepted="review"), "new", id="worse than accepted"
        ),
        pytest.param(
            result("open", accepted="fail"), result("fail", accepted="fail"), "resolved", id="decided as accepted"
        ),
        pytest.param(result("open", accepted="open"), result("fail", accepted="open"), "new", id="decided otherwise"),
        pytest.param(result("pass"), result("pass", lost=True), "new", id="its citation is lost"),
        pytest.param(result("fail"), result("pass", lost=True), "new", id="better, but its citation is lost"),
        pytest.param(result("pass", lost=True), result("pass", lost=True), "unchanged", id="lost even before"),
        pytest.param(result("pass", lost=True), result("pass"), "unchanged", id="found again"),
        pytest.param(None, result("pass"), None, id="a claim that is new, and holds"),
        pytest.param(None, result("notApplicable"), None, id="a claim that is new, and does not apply"),
        pytest.param(None, result("review"), "new", id="a claim that is new, and qualified"),
        pytest.param(None, result("open"), "new", id="a claim that is new, and open"),
        pytest.param(None, result("fail"), "new", id="a claim that is new, and fails"),
        pytest.param(None, result("fail", accepted="fail"), "new", id="a claim that is new, and fails as accepted"),
        pytest.param(None, result("pass", lost=True), "new", id="a claim that is new, and cites what is not there"),
    ],
)
def test_what_needs_a_person_and_did_not_before_is_new(
    before: Result | None, after: Result, expected: str | None
) -> None:
    assert expected == states(before, after)


def test_a_claim_that_was_renamed_or_ignored_before_does_not_hide_what_it_says() -> None:
    found = compared(run(result("fail", name="engine/new-name")), run(result("fail", name="engine/old-name")))
    expected = [("engine/new-name", "new"), ("engine/old-name", "absent")]
    assert expected == [(one.claim.id, one.baseline) for one in (*found.results, *found.absent)]


def test_what_was_said_before_is_there_where_it_differs() -> None:
    before, same, after = result("pass"), result("pass", name="engine/same"), result("fail")
    found = compared(run(after, same, name="2.0"), run(before, same))
    expected = [before.outcome, None]
    assert expected == [one.earlier for one in found.results]
    assert Revision("pypi", "1.0") == found.baseline
    assert Revision("pypi", "2.0") == found.revision


def test_nothing_becomes_of_a_run_compared_with_itself() -> None:
    same = run(*(result(kind, name=f"engine/{kind}", lost=kind == "open") for kind in KINDS))
    found = compared(same, same)
    assert {BaselineState.UNCHANGED} == {one.baseline for one in found.results}
    assert replace(found, baseline=None, results=()) == replace(same, results=())


def test_the_result_of_a_comparison_can_be_compared_again() -> None:
    first = compared(run(result("fail")), run(result("pass")))
    again = compared(first, run(result("fail")))
    [found] = again.results
    assert (found.baseline, found.earlier) == (BaselineState.UNCHANGED, None)
