"""Markdown as GitHub's dialect is rendered, by a library that no one here wrote."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from auditor.formats import Show
from auditor.formats.markdown import MOST, Markdown
from auditor.model import BaselineState, Kind, Log, Outcome, Revision, Text
from tests.support import logs

LOGS = {"ordinary": logs.ordinary, "hostile": logs.hostile}
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = {"<br>", "<code>", "</code>", "</details>"}


def tokens(log: Log, show: Show | None = None) -> list[Token]:
    return READER.parse(Markdown(show).render(log))


def inner(found: list[Token]) -> Iterator[Token]:
    for token in found:
        yield token
        yield from inner(token.children or [])


def tables(log: Log, show: Show | None = None) -> Iterator[list[list[str]]]:
    """The cells of each table as a reader sees them."""
    rows: list[list[str]] = []
    for token in tokens(log, show):
        match token.type:
            case "table_open":
                rows = []
            case "tr_open":
                rows.append([])
            case "inline" if token.level > 3:
                rows[-1].append(seen(token))
            case "table_close":
                yield rows
            case _:
                pass


def seen(token: Token) -> str:
    """The text of a cell."""
    return "".join(
        {"<br>": "\n"}.get(one.content, "") if one.type == "html_inline" else one.content
        for one in token.children or []
    )


def many(count: int, *, kind: Kind = Kind.PASS, text: str = "m") -> Log:
    result = logs.vllm.results[0]
    results = tuple(
        replace(
            result,
            claim=replace(result.claim, id=f"a/b/{number}", statement=Text(text, text)),
            outcome=Outcome(kind, Text(text, text), text, 0),
        )
        for number in range(count)
    )
    return replace(logs.ordinary, runs=(replace(logs.vllm, results=results),))


@pytest.mark.parametrize(
    ("log", "answer"),
    [
        (logs.ordinary, "3 of 12 claims not as recorded"),
        (replace(logs.ordinary, runs=(logs.vllm,)), "6 claims, all as recorded"),
        (many(1), "1 claim, all as recorded"),
        (replace(logs.ordinary, runs=()), "nothing was audited"),
    ],
)
def test_the_answer_comes_first(log: Log, answer: str) -> None:
    assert Markdown().render(log).splitlines()[:3] == ["## Where the KV cache runs out", "", f"**{answer}**"]


def test_what_needs_a_person_comes_next_and_details_are_folded() -> None:
    headings = re.findall(
        r"^(?:### |<details><summary>)(.+?)(?:</summary>)?$", Markdown().render(logs.ordinary), re.MULTILINE
    )
    assert headings == [
        "Needs a person (3)",
        "Holds with a qualification (1)",
        "By target (2)",
        "Accepted (3)",
        "Holds, or does not apply (5)",
        "Notes on the audit (1)",
    ]


def test_a_row_has_claim_kind_reason_and_code() -> None:
    (_, first, *_), *_ = tables(logs.ordinary)
    assert first == [
        "sglang/1.2/reserved-expression-at-line-37\nThe sum at line 37 is what reserve() adds for a request.",
        "fail, new",
        "reserve() adds `length + page`; the sum of three is in estimate(), which only logs\n"
        "expected extend + max_new + page, found length + page",
        f"{logs.BUDGET}:52\n{logs.BUDGET}:37",
    ]


def test_targets_are_counted() -> None:
    counts = list(tables(logs.ordinary))[2]
    assert counts == [
        ["target", "pass", "fail", "review", "open", "notApplicable", "citations in place"],
        ["sglang f4de6abee6 (git)", "2", "2", "1", "1", "0", "2 of 6"],
        ["vllm 0.31.0 (pypi)", "3", "0", "1", "1", "1", "2 of 4"],
    ]


@pytest.mark.parametrize("name", LOGS)
def test_every_row_has_as_many_cells_as_its_table_has_columns(name: str) -> None:
    assert [{len(row) for row in table} for table in tables(LOGS[name])] == [
        {len(table[0])} for table in tables(LOGS[name])
    ]
    # A reader that drops what is too much would hide it, so the source is counted, too.
    lines = [line for line in Markdown().render(LOGS[name]).splitlines() if line.startswith("|")]
    assert {line.count("|") for line in lines} <= {3, 5, 8}


@pytest.mark.parametrize("name", LOGS)
def test_no_markup_is_there_but_ours(name: str) -> None:
    found = list(inner(tokens(LOGS[name])))
    html = {token.content for token in found if token.type == "html_inline"}
    blocks = {line for token in found if token.type == "html_block" for line in token.content.splitlines()}
    assert html <= OURS
    assert [
        line for line in blocks if not re.fullmatch(r"<details><summary>[\w ,]+\(\d+\)</summary>|</details>", line)
    ] == []
    assert {token.type for token in found} & {
        "link_open",
        "image",
        "em_open",
        "code_inline",
        "fence",
        "s_open",
    } == set()


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("name", LOGS)
def test_what_a_browser_gets_is_harmless(name: str) -> None:
    parser = Tags()
    parser.feed(str(READER.render(Markdown().render(LOGS[name]))))
    assert parser.found <= {
        *("h2", "h3", "p", "strong", "br", "code", "details", "summary"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
    assert parser.attributes == set()


@pytest.mark.parametrize(
    "text",
    [
        "a|b",
        "`",
        "``|",
        r"\|",
        r"\\|",
        "<b>",
        "&lt;",
        "**x**",
        "[x](y)",
        "![x](y)",
        "#1",
        "~~x~~",
        "http://x.example",
        "$a$",
    ],
)
def test_text_is_seen_as_it_is(text: str) -> None:
    (_, row), *_ = tables(many(1, kind=Kind.FAIL, text=text))
    assert row[:3] == [f"a/b/0\n{text}", "fail", f"{text}\nexpected {text!r}, found 0"]


@pytest.mark.parametrize(("count", "kind"), [(3_000, Kind.FAIL), (5_000, Kind.PASS)])
def test_it_fits_into_a_summary_and_says_what_does_not(count: int, kind: Kind) -> None:
    text = Markdown().render(many(count, kind=kind, text="<&|" * 50))
    rows = len(re.findall(r"^\| <code>a/b/", text, re.MULTILINE))
    assert len(text.encode()) <= MOST
    assert f"\n{count - rows:,} more do not fit here; the JSON report has them.\n" in text
    assert text.count("<details>") == text.count("</details>")
    assert "### By target (1)\n\n" in text


def test_nothing_is_said_to_be_left_out_when_nothing_is() -> None:
    assert "more do not fit" not in Markdown().render(many(500))


def test_what_holds_is_left_out_when_only_what_fails_is_asked_for() -> None:
    assert "Holds, or does not apply (5)" in Markdown(Show.ALL).render(logs.ordinary)
    assert "Holds, or does not apply" not in Markdown(Show.FAILED).render(logs.ordinary)
    assert "3 of 12 claims" in Markdown(Show.FAILED).render(logs.ordinary)


def test_what_became_of_claims_since_another_run_is_said() -> None:
    gone = replace(logs.vllm.results[0], baseline=BaselineState.ABSENT)
    run = replace(logs.sglang, baseline=Revision("git", "a|b"), absent=(gone,))
    lines = Markdown().render(replace(logs.ordinary, runs=(run, logs.vllm))).splitlines()
    assert [line for line in lines if "since a" in line] == [
        "sglang since a&#124;b: 2 unchanged, 1 new, 1 resolved, 1 absent"
    ]


def test_a_crash_needs_a_person_and_is_called_a_bug() -> None:
    first, *_ = tables(logs.hostile)
    assert ["no/location\n-", "bug in kvaudit", "the check crashed\nexpected -inf, found nan", "a.yaml:1"] in first
