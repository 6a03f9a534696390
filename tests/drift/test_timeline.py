"""Intervals, and the way back through a history that explains what is said of a claim."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from auditor.drift.lineage import Line, lines
from auditor.drift.states import intervals
from auditor.fetch.git.history import GONE, Changes, Step, undone
from auditor.model import Kind

KINDS = {"+": Kind.PASS, "-": Kind.FAIL, "?": Kind.OPEN}
FILE, OTHER = "engine/pool.py", "engine/other.py"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", []),
        ("+", ["pass 0-0"]),
        ("+++", ["pass 0-2"]),
        ("--+", ["fail 0-1", "pass 2-2"]),
        ("+-+-", ["pass 0-0", "fail 1-1", "pass 2-2", "fail 3-3"]),
        ("+??+", ["pass 0-0", "open 1-2", "pass 3-3"]),
    ],
)
def test_revisions_in_a_row_of_one_kind_are_one_interval(given: str, expected: list[str]) -> None:
    found = intervals(enumerate(KINDS[sign] for sign in given))
    assert expected == [f"{one.kind} {one.first}-{one.last}" for one in found]


@dataclass(frozen=True)
class Word:
    """What is said of a claim that reads one file."""

    kind: Kind

    def outlasts(self, changes: Changes) -> bool:
        return FILE not in changes


@dataclass
class Past:
    """A history in a notation: `commit: parent parent`, newest first, and the kind at each commit."""

    graph: str
    kinds: str
    """`a+ b-`: a commit, and its sign."""

    def __post_init__(self) -> None:
        self.signs = {word[0]: word[1] for word in self.kinds.split()}
        self.judged: list[str] = []

    def judge(self, commit: str, claims: frozenset[str]) -> Mapping[str, Word]:
        self.judged.append(commit)
        return {claim: Word(KINDS[self.signs[commit].replace("p", "+")]) for claim in claims}

    def changes(self, parent: str, commit: str) -> Changes:
        """A file is what the sign of its commit says it is."""
        is_same = self.signs[parent] == self.signs[commit]
        entries = (("100644", self.signs[parent]), ("100644", self.signs[commit]))
        return {OTHER: entries} if is_same else {FILE: entries}

    def steps(self) -> list[Step]:
        rows = [row.strip().partition(":") for row in self.graph.split(",")]
        return [
            Step(
                commit, tuple(parents.split()), "", "", "", tuple(self.changes(one, commit) for one in parents.split())
            )
            for commit, _, parents in rows
        ]

    def line(self, origin: str = "a") -> Line[Word]:
        steps = self.steps()
        newest = self.judge(steps[0].id, frozenset({"claim"}))
        return lines(steps, origin, newest, self.judge)["claim"]


@pytest.mark.parametrize(
    ("graph", "kinds", "expected"),
    [
        pytest.param("d:c, c:b, b:a", "a+ b+ c+ d+", "a: pass", id="nothing changes"),
        pytest.param("d:c, c:b, b:a", "a- b- c+ d+", "a: fail, c: pass", id="a change"),
        pytest.param("d:c, c:b, b:a", "a+ b- c+ d+", "a: pass, b: fail, c: pass", id="there and back"),
        pytest.param("d:c, c:b, b:a", "a+ b? c+ d+", "a: pass, b: open, c: pass", id="open in between"),
        pytest.param("d:c, c:b, b:a", "a+ bp c+ dp", "a: pass", id="the file changes and the kind does not"),
        pytest.param("m:b s, b:a, s:a", "a- b- s+ m+", "a: fail, s: pass", id="a merge brings a change"),
        pytest.param("m:b s, b:a, s:a", "a- b- s- m+", "a: fail, m: pass", id="a merge makes a change"),
        pytest.param("m:b s, b:a, s:a", "a- b+ s- m+", "a: fail, b: pass", id="a merge keeps a change"),
        pytest.param("m:b s, b:a, s:a", "a- b- s+ mp", "a: fail, s: pass", id="a merge mends what it brings"),
        pytest.param("m:b s, b:x, s:a", "a+ x+ b+ s+ m+", "a: pass", id="of equals, the way to the origin"),
        pytest.param("m:b s, b:a, s:x", "a- x+ b- s+ m+", "x: pass", id="a line that the origin is not on"),
        pytest.param("b:a, a:", "a+ b-", "a: pass, b: fail", id="the first commit of all"),
    ],
)
def test_a_change_is_charged_to_the_commit_that_made_it(graph: str, kinds: str, expected: str) -> None:
    line = Past(graph, kinds).line()
    told = [f"{line.end}: {line.oldest.kind}", *(f"{turn.commit}: {turn.after.kind}" for turn in line.turns[::-1])]
    assert expected == ", ".join(told)


def test_only_sides_of_a_change_of_what_was_read_are_judged() -> None:
    past = Past("f:e, e:d, d:c, c:b, b:a", "a- b- c- d+ e+ f+")
    past.line()
    assert past.judged == ["f", "c"]


def test_the_intervals_of_a_line_end_at_the_newest_commit() -> None:
    line = Past("e:d, d:c, c:b, b:a", "a+ b+ c- d- e-").line()
    found = [(one.kind, one.first, one.last) for one in line.intervals("e")]
    assert found == [(Kind.PASS, "a", "b"), (Kind.FAIL, "c", "e")]


def test_files_of_a_commit_follow_from_those_after_it() -> None:
    one, two, three = ("100644", "1"), ("100644", "2"), ("100755", "3")
    newest = {"kept": one, "changed": three, "new": two}
    changes = [{"changed": (two, three)}, {"changed": (one, two), "new": (GONE, two), "old": (three, GONE)}]
    assert undone(newest, changes) == {"kept": one, "changed": one, "old": three}
