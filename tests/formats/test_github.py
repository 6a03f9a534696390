"""Annotations as the runner of a workflow reads them."""

import re
from dataclasses import dataclass, replace

import pytest

from auditor.formats import Show
from auditor.formats.github import Github
from auditor.model import Kind, Log, Outcome, Result, Text
from tests.support import logs

LOGS = {"ordinary": logs.ordinary, "hostile": logs.hostile}


@dataclass(frozen=True)
class Annotation:
    level: str
    properties: dict[str, str]
    message: str


def annotations(log: Log, show: Show | None = None) -> list[Annotation]:
    """Every line, read as the runner does: a command, its properties, its message."""
    return [read(line) for line in Github(show).render(log).split("\n")[:-1]]


def read(line: str) -> Annotation:
    found = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
    assert found, line
    pairs = [one.partition("=") for one in found[2].split(",")]
    return Annotation(found[1], {name: plain(value, "%3A", "%2C") for name, _, value in pairs}, plain(found[3]))


def plain(text: str, *also: str) -> str:
    for escape in ("%0D", "%0A", *also, "%25"):
        text = text.replace(escape, bytes.fromhex(escape[1:]).decode())
    return text


def log(*kinds: Kind) -> Log:
    """A log of claims that come out so."""
    message = Text("m", "m")
    results = tuple(
        replace(
            logs.vllm.results[0],
            claim=replace(logs.vllm.results[0].claim, id=f"a/b/{number:03}", citations=()),
            outcome=Outcome(kind, message),
            citations=(),
        )
        for number, kind in enumerate(kinds)
    )
    return replace(logs.ordinary, runs=(replace(logs.vllm, results=results),))


def test_an_annotation_is_at_its_claim_and_tells_of_the_code() -> None:
    assert annotations(logs.ordinary)[0] == Annotation(
        "error",
        {
            "file": "anchors/l1-kv-pool/sglang.yaml",
            "line": "41",
            "endLine": "41",
            "title": "sglang/1.2/reserved-expression-at-line-37: fail",
        },
        "reserve() adds `length + page`; the sum of three is in estimate(), which only logs\n"
        "Claim: The sum at line 37 is what reserve() adds for a request.\n"
        f"Code: {logs.BUDGET}:52 of sglang f4de6abee6 (git)",
    )


def test_the_worst_come_first_and_what_is_accepted_not_at_all() -> None:
    assert [(one.level, one.properties["title"]) for one in annotations(logs.ordinary)] == [
        ("error", "sglang/1.2/reserved-expression-at-line-37: fail"),
        ("error", "sglang/4/tier-definitions: open"),
        ("error", "sglang/4.1/write-back-default: pass"),
        ("warning", "sglang/4.1/hicache-ratio-default: review"),
    ]


FAIL, REVIEW, OPEN, PASS = Kind.FAIL, Kind.REVIEW, Kind.OPEN, Kind.PASS
MORE: list[tuple[list[Kind], list[tuple[str, int]], tuple[str, str]]] = [
    ([FAIL] * 11, [("error", 10)], ("notice", "1 more need a look: 1 fail")),
    (
        [FAIL] * 8 + [REVIEW] * 30 + [OPEN, PASS],
        [("error", 9), ("warning", 1)],
        ("notice", "29 more need a look: 29 review"),
    ),
    ([OPEN] * 12 + [PASS], [("error", 10)], ("notice", "2 more need a look: 2 open")),
    ([PASS, PASS], [], ("notice", "2 claims, all as recorded")),
    ([], [], ("error", "nothing was audited")),
]


@pytest.mark.parametrize(("kinds", "levels", "last"), MORE)
def test_one_line_says_how_many_more(kinds: list[Kind], levels: list[tuple[str, int]], last: tuple[str, str]) -> None:
    *shown, final = annotations(log(*kinds))
    assert [one.level for one in shown] == [level for level, count in levels for _ in range(count)]
    assert (final.level, final.message) == last
    assert [one.level for one in (*shown, final)].count(final.level) <= 10  # of one level no more are shown


def test_ten_are_all() -> None:
    assert [one.level for one in annotations(log(*[FAIL] * 10))] == ["error"] * 10


@pytest.mark.parametrize("name", LOGS)
def test_every_line_is_a_command_of_ours(name: str) -> None:
    text = Github().render(LOGS[name])
    assert [line for line in text.splitlines() if not re.match("::(error|warning|notice) (file|title)=", line)] == []
    assert len(text.splitlines()) <= 11


@pytest.mark.parametrize("text", ["50 % of a,b:c", "%0A::error::x", "a::b", "%25", ""])
def test_what_a_command_cannot_hold_comes_back(text: str) -> None:
    result = logs.vllm.results[0]
    claim = replace(result.claim, id=text, origin=f"{text}:3", statement=Text(text, text))
    outcome = Outcome(Kind.FAIL, Text(text, text))
    one = Result(claim, outcome)
    (found,) = annotations(replace(logs.ordinary, runs=(replace(logs.vllm, results=(one,)),)))
    assert found.properties.get("title") == f"{text}: fail"
    assert found.properties.get("file", "") == (text or ":3")
    assert found.message == f"{text}\nClaim: {text}"


def test_a_newline_is_shown_and_begins_no_command() -> None:
    result = replace(logs.vllm.results[0], outcome=Outcome(Kind.FAIL, Text("a\n::error::b", "")))
    (found,) = annotations(replace(logs.ordinary, runs=(replace(logs.vllm, results=(result,)),)))
    assert found.message.splitlines()[0] == r"a\n::error::b"


def test_a_crash_is_called_a_bug() -> None:
    titles = [one.properties["title"] for one in annotations(logs.hostile)]
    assert "no/location: bug in kvaudit" in titles
