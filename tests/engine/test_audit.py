"""One claim gives exactly one result, whatever its checks do."""

import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from auditor.checks import Check
from auditor.claims import Caveat, Decided, Entry
from auditor.code import Absent, Undecidable
from auditor.code.project.codebase import Codebase
from auditor.engine import audit, files
from auditor.engine.decide import decide
from auditor.errors import SourceError
from auditor.model import Anchor, Citation, Claim, Excerpt, Kind, Location, Notification, Outcome, Region, Text
from tests.support.packs import CODE, TARGET, Tree, claim, entries

PASS, FAIL, REVIEW, OPEN, NOT_APPLICABLE = (
    Kind.PASS,
    Kind.FAIL,
    Kind.REVIEW,
    Kind.OPEN,
    Kind.NOT_APPLICABLE,
)


DEPENDS, GONE = Text("it depends", "视情况而定"), Text("it is gone", "已不在")


@dataclass(frozen=True, kw_only=True)
class Says(Check):
    """A check that says what it is told to."""

    id = "says"

    kind: Kind
    words: str = ""
    places: tuple[Location, ...] = ()

    def run(self, codebase: Codebase) -> Outcome:  # noqa: ARG002
        words = self.words or self.kind
        return Outcome(
            self.kind, Text(words, f"{words} 中"), f"{words} expected", f"{words} actual", self.places, words
        )


@dataclass(frozen=True, kw_only=True)
class Raises(Check):
    """A check that ends in an exception."""

    id = "raises"

    error: Exception

    def run(self, codebase: Codebase) -> Outcome:  # noqa: ARG002
        raise self.error


@dataclass(frozen=True, kw_only=True)
class Reads(Check):
    """A check that reads a file."""

    id = "reads"

    at: Anchor

    def run(self, codebase: Codebase) -> Outcome:
        return Outcome(PASS, Text(codebase.text(self.at.path), "如此"))


def entry(*checks: Check, name: str = "a/b", caveats: Sequence[Check] = (), cites: Sequence[Citation] = ()) -> Entry:
    claim = Claim(name, Text("en", "zh"), "p/t.yaml:1", "says", tuple(cites))
    qualified = tuple(Caveat(check, Text("only at night", "只在夜里")) for check in caveats)
    return Entry.of(claim, Decided(checks, qualified))


def decided(one: Entry) -> Outcome:
    return decide(one, Codebase(Tree(CODE), TARGET))


def test_every_claim_has_one_result_and_they_are_sorted() -> None:
    names = ["b/x", "a/z", "a/b/c", "a/b"]
    run = audit(TARGET, [entry(Says(kind=PASS), name=name) for name in names], Tree(CODE))
    assert [result.claim.id for result in run.results] == sorted(names)
    assert run.counts() == {PASS: 4, FAIL: 0, REVIEW: 0, OPEN: 0, NOT_APPLICABLE: 0}
    assert (run.target, run.revision, run.notifications) == (TARGET, Tree(CODE).revision, ())


def test_a_crash_in_a_check_costs_its_own_claim_alone() -> None:
    pair = [entry(Says(kind=PASS), name="a/a"), entry(Raises(error=ZeroDivisionError("by 0")), name="a/b")]
    run = audit(TARGET, [*pair, entry(Says(kind=FAIL), name="a/c")], Tree(CODE))
    assert [result.kind for result in run.results] == [PASS, OPEN, FAIL]
    assert run.results[1].outcome.message.en == "kvaudit failed at this claim; see the notifications"
    (notification,) = run.notifications
    assert (notification.claim, notification.is_bug) == ("a/b", True)
    assert notification.message.startswith("ZeroDivisionError: by 0 (test_audit.py:")


@pytest.mark.parametrize("error", [RecursionError("deep"), MemoryError()])
def test_what_exceeds_a_limit_is_open_and_no_crash(error: Exception) -> None:
    run = audit(TARGET, [entry(Raises(error=error))], Tree(CODE))
    assert ([result.kind for result in run.results], run.notifications) == ([OPEN], ())


@pytest.mark.parametrize("error", [ZeroDivisionError("deep"), KeyError("x"), AssertionError()])
def test_whatever_a_check_raises_is_a_crash(error: Exception) -> None:
    run = audit(TARGET, [entry(Raises(error=error))], Tree(CODE))
    assert [(result.kind, note.is_bug) for result, note in zip(run.results, run.notifications, strict=True)] == [
        (OPEN, True)
    ]


def test_a_crash_in_a_caveat_is_a_crash() -> None:
    run = audit(TARGET, [entry(Says(kind=PASS), caveats=[Raises(error=KeyError("x"))])], Tree(CODE))
    assert [note.message.partition(" (")[0] for note in run.notifications] == ["KeyError: 'x'"]


def test_a_source_that_fails_ends_the_audit() -> None:
    with pytest.raises(SourceError, match="the line is dead"):
        audit(TARGET, [entry(Raises(error=SourceError("the line is dead")))], Tree(CODE))


def test_an_interruption_ends_the_audit() -> None:
    class Interrupted(Tree):
        def read(self, path: str) -> bytes:
            raise KeyboardInterrupt(path)

    with pytest.raises(KeyboardInterrupt):
        audit(TARGET, [entry(Reads(at=Anchor("engine/pool.py")))], Interrupted(CODE))


@pytest.mark.parametrize("error", [Undecidable(DEPENDS), Absent(GONE)])
def test_what_cannot_be_decided_is_open_with_the_reason(error: Undecidable) -> None:
    assert decided(entry(Raises(error=error))) == Outcome(OPEN, error.reason)


def test_quantities_that_double_each_other_are_not_written_out(tmp_path: Path) -> None:
    where = ", ".join(f"a{number}: a{number + 1} + a{number + 1}" for number in range(40))
    written = f"check: arithmetic\nexpression: a0\nequals: 1\nwhere: {{{where}, a40: 1}}"
    (result,) = audit(TARGET, entries(tmp_path, claim(written)), Tree(CODE)).results
    assert (result.kind, result.outcome.message.en) == (OPEN, "a0 is too large to be worked out")


GRAVEST_FIRST = [FAIL, NOT_APPLICABLE, OPEN, REVIEW, PASS]  # of what is not there, a claim does not speak


@pytest.mark.parametrize("kinds", [*itertools.product(GRAVEST_FIRST, repeat=2)], ids=lambda kinds: "+".join(kinds))
def test_of_several_checks_the_gravest_decides(kinds: tuple[Kind, Kind]) -> None:
    outcome = decided(entry(*(Says(kind=kind) for kind in kinds)))
    gravest = min(kinds, key=GRAVEST_FIRST.index)
    assert (outcome.kind, outcome.message.en) == (gravest, gravest)
    assert (outcome.expected, outcome.actual) == (f"{gravest} expected", f"{gravest} actual")


def test_several_checks_are_told_together() -> None:
    here, there, nowhere = (Location("m.py", Region(line, line)) for line in (1, 2, 3))
    outcome = decided(
        entry(
            Says(kind=PASS, words="one", places=(here, there)),
            Says(kind=FAIL, words="two", places=(nowhere,)),
            Says(kind=FAIL, words="two", places=(here,)),
            Says(kind=FAIL, words="three"),
        )
    )
    assert outcome.message == Text("two; three", "two 中；three 中")
    assert outcome.locations == (nowhere, here, there)


def test_the_fingerprint_of_several_checks_is_that_of_all() -> None:
    def fingerprint(*words: str) -> str:
        return decided(entry(*(Says(kind=PASS, words=word) for word in words))).fingerprint

    assert fingerprint("a", "b") == fingerprint("a", "b")
    assert len({fingerprint("a", "b"), fingerprint("a", "c"), fingerprint("b", "b")}) == 3


QUALIFIED = "; but only at night"
UNTOLD = "; but whether it holds only with a qualification is open: it depends"
CAVEATS = [
    (PASS, Says(kind=PASS), REVIEW, f"pass{QUALIFIED}"),
    (PASS, Says(kind=REVIEW), REVIEW, f"pass{QUALIFIED}"),
    (PASS, Says(kind=FAIL), PASS, "pass"),
    (PASS, Says(kind=NOT_APPLICABLE), PASS, "pass"),
    (PASS, Says(kind=OPEN), OPEN, f"pass{QUALIFIED}"),
    (PASS, Raises(error=Absent(GONE)), PASS, "pass"),
    (PASS, Raises(error=Undecidable(DEPENDS)), OPEN, f"pass{UNTOLD}"),
    (REVIEW, Says(kind=PASS), REVIEW, f"review{QUALIFIED}"),
    (REVIEW, Says(kind=FAIL), REVIEW, "review"),
    (REVIEW, Raises(error=Undecidable(DEPENDS)), OPEN, f"review{UNTOLD}"),
    (FAIL, Says(kind=PASS), FAIL, "fail"),
    (OPEN, Says(kind=PASS), OPEN, "open"),
    (NOT_APPLICABLE, Says(kind=PASS), NOT_APPLICABLE, "notApplicable"),
]


@pytest.mark.parametrize(("kind", "caveat", "expected", "message"), CAVEATS)
def test_a_caveat_qualifies_what_holds(kind: Kind, caveat: Check, expected: Kind, message: str) -> None:
    outcome = decided(entry(Says(kind=kind), caveats=[caveat]))
    assert (outcome.kind, outcome.message.en) == (expected, message)
    assert (outcome.expected, outcome.actual) == (f"{kind} expected", f"{kind} actual")


def test_caveats_add_up_and_show_where_they_hold() -> None:
    first, second, third = (Location("m.py", Region(line, line), "f") for line in (1, 2, 3))
    check = Says(kind=PASS, places=(first,))
    outcome = decided(entry(check, caveats=[Says(kind=PASS, places=(second, third, first)), Says(kind=PASS)]))
    assert outcome.message == Text(f"pass{QUALIFIED}{QUALIFIED}", "pass 中；但是，只在夜里；但是，只在夜里")
    noted = [replace(place, note=Text("only at night", "只在夜里")) for place in (second, third)]
    assert outcome.locations == (first, *noted)


def test_an_open_caveat_stays_open_when_another_holds() -> None:
    caveats = [Raises(error=Undecidable(DEPENDS)), Says(kind=PASS)]
    for order in (caveats, caveats[::-1]):
        assert decided(entry(Says(kind=PASS), caveats=order)).kind is OPEN


def test_an_audit_asks_for_the_files_that_its_claims_name() -> None:
    cites = [Citation("c.py", None), Citation("d.py", Region(1, 1), Anchor("e.py"))]
    check, caveat = Reads(at=Anchor("a.py")), Reads(at=Anchor("b.py"))
    assert files([entry(check, Says(kind=PASS), caveats=[caveat], cites=cites)]) == {
        "a.py",
        "b.py",
        "c.py",
        "d.py",
        "e.py",
    }


def shown(*places: str, text: str) -> tuple[Excerpt, ...]:
    regions = (Region(*map(int, place.split("-"))) for place in places)
    check = Says(kind=PASS, places=tuple(Location("m.py", region) for region in regions))
    (result,) = audit(TARGET, [entry(check)], Tree({"m.py": text})).results
    return result.excerpts


NUMBERED = "\n".join(map(str, range(1, 301)))


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (["10-11"], ["7-14"]),
        (["1-1"], ["1-4"]),
        (["300-300"], ["297-300"]),
        (["10-10", "17-17"], ["7-20"]),
        (["10-10", "18-18"], ["7-13", "15-21"]),
        (["18-18", "10-10"], ["7-13", "15-21"]),
        (["10-12", "11-11"], ["7-15"]),
        (["10-200"], ["7-50"]),
        (["900-901"], []),
        (["10-90", "110-190", "210-290", "10-11", "299-300"], ["7-50", "107-150", "207-250", "296-300"]),
    ],
)
def test_an_excerpt_shows_a_place_with_its_neighbours(places: list[str], expected: list[str]) -> None:
    excerpts = shown(*places, text=NUMBERED)
    assert [f"{one.lines[0]}-{one.lines[-1]}" for one in excerpts] == expected
    assert [str(one.start) for one in excerpts] == [one.lines[0] for one in excerpts]


def test_no_claim_shows_more_than_a_reader_can_take() -> None:
    text = "\n".join(["x" * 10_000] * 5000)
    excerpts = shown(*(f"{line}-{line + 40}" for line in range(1, 4900, 100)), text=text)
    assert sum(len(one.lines) for one in excerpts) == 160
    assert {len(line) for one in excerpts for line in one.lines} == {500}


def test_a_file_that_cannot_be_read_has_no_excerpt() -> None:
    check = Says(kind=PASS, places=(Location("bad.py", Region(1, 1)), Location("gone.py", Region(1, 1))))
    run = audit(TARGET, [entry(check)], Tree({"bad.py": b"\xff\xfe"}))
    assert [result.excerpts for result in run.results] == [()]
    assert run.notifications == ()


@dataclass(frozen=True, kw_only=True)
class Finds(Check):
    """A check that looks for a symbol."""

    id = "finds"

    at: Anchor

    def run(self, codebase: Codebase) -> Outcome:
        return Outcome(PASS, Text(codebase.locate(self.at).name, "如此"))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads the syntax itself")
def test_a_notification_says_once_what_was_read_in_another_way() -> None:
    check = Finds(at=Anchor("m.py", "Pool"))
    run = audit(
        TARGET, [entry(check, name="a/a"), entry(check, name="a/b")], Tree({"m.py": "type A = int\nclass Pool: ...\n"})
    )
    assert [result.kind for result in run.results] == [PASS, PASS]
    assert run.notifications == (
        Notification("m.py uses syntax newer than the running Python; it was read with libcst alone"),
    )
