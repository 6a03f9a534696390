import html
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.errors import ConfigError
from auditor.formats import formats
from auditor.formats.json import read
from auditor.model import (
    AnchorState,
    BaselineState,
    Candidate,
    Change,
    Citation,
    DiffLine,
    Interval,
    JsonValue,
    Kind,
    Location,
    Log,
    Place,
    Region,
    Relocation,
    Revision,
    Run,
    Text,
)
from tests.support import logs
from tests.support.folders import GOLDEN

LOGS = {"ordinary": logs.ordinary, "hostile": logs.hostile}


def render(format_id: str, log: Log, *, color: bool = False) -> str:
    return formats()[format_id]().render(log, color=color)


VALUES: st.SearchStrategy[JsonValue] = (
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False)
)


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("format_id", formats())
def test_report_equals_its_golden_file(format_id: str, name: str, request: pytest.FixtureRequest) -> None:
    actual = render(format_id, LOGS[name]).encode()
    path = GOLDEN / format_id / f"{name}.{formats()[format_id].suffix or format_id}"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(actual)
    assert path.read_bytes() == actual


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("format_id", formats())
def test_report_has_nothing_that_a_terminal_or_an_editor_obeys(format_id: str, name: str) -> None:
    text = render(format_id, LOGS[name])
    assert {char for char in text if not char.isprintable()} <= {"\n"}
    assert text.endswith("\n")


@pytest.mark.parametrize("name", LOGS)
def test_color_adds_nothing_but_color(name: str) -> None:
    colored = render("text", LOGS[name], color=True)
    assert re.sub(r"\x1b\[[0-9;]+m", "", colored) == render("text", LOGS[name])
    assert colored != render("text", LOGS[name])


def test_no_line_of_text_is_long() -> None:
    assert max(map(len, render("text", logs.hostile).splitlines())) < 1000


def test_text_tells_what_needs_a_person_first_and_what_holds_last() -> None:
    kinds = re.findall(r"^\S+: (\w+)\[[\w-]+\] sglang/(\S+)", render("text", logs.ordinary), re.MULTILINE)
    assert kinds == [
        ("fail", "1.2/reserved-expression-at-line-37"),
        ("open", "4/tier-definitions"),
        ("pass", "4.1/write-back-default"),
        ("fail", "3/retracted-total-metric-name"),
        ("review", "4.1/hicache-ratio-default"),
        ("pass", "1.2/remaining-total"),
    ]


@pytest.mark.parametrize(
    ("expected", "actual", "shown"),
    [
        (16, 32, ("16", "32")),
        ("16", 16, ("'16'", "16")),
        (True, 1, ("True", "1")),
        (None, "auto", ("auto",)),
        ("auto", None, ("auto",)),
        ("a + b", "a - b", ("a + b", "a - b")),
    ],
)
def test_expected_and_actual_are_told_apart(expected: JsonValue, actual: JsonValue, shown: tuple[str, ...]) -> None:
    review = logs.vllm.results[-1]
    outcome = replace(review.outcome, expected=expected, actual=actual)
    log = replace(logs.ordinary, runs=(replace(logs.vllm, results=(replace(review, outcome=outcome),)),))
    assert re.findall(r"(?:expected|actual) +(.+)", render("text", log)) == list(shown)
    page = html.unescape(render("html", log))
    assert re.findall(r">(?:Expected|Actual)</span>.*?</dt><dd><code>(.+?)</code>", page) == list(shown)


@pytest.mark.parametrize(
    ("log", "last"),
    [
        (logs.ordinary, "3 of 12 claims not as recorded"),
        (replace(logs.ordinary, runs=(logs.vllm,)), "6 claims, all as recorded"),
        (replace(logs.ordinary, runs=(replace(logs.vllm, results=logs.vllm.results[:1]),)), "1 claim, all as recorded"),
        (replace(logs.ordinary, runs=()), "nothing was audited"),
    ],
)
def test_last_line_of_text_says_whether_all_is_as_recorded(log: Log, last: str) -> None:
    assert render("text", log).splitlines()[-1] == last


def test_json_gives_back_an_equal_log() -> None:
    assert read(render("json", logs.ordinary)) == logs.ordinary


def test_json_gives_back_a_hostile_log_but_for_numbers_that_it_cannot_say() -> None:
    text = render("json", logs.hostile)
    again = read(text)
    assert again.runs[1:] == logs.hostile.runs[1:]
    assert again.runs[0].results[:3] == logs.hostile.runs[0].results[:3]
    outcome = again.runs[0].results[3].outcome
    assert (outcome.expected, outcome.actual) == ("-inf", "nan")
    assert render("json", again) == text


@given(
    VALUES,
    st.text(),
    st.sampled_from(Kind),
    st.sampled_from(AnchorState),
    st.none() | st.integers(),
    st.sampled_from(BaselineState),
    st.sampled_from(Place),
)
def test_json_gives_back_whatever_it_was_given(
    value: JsonValue, text: str, kind: Kind, state: AnchorState, offset: int | None, since: BaselineState, part: Place
) -> None:
    before = logs.vllm.results[-1]
    place = Location(text, Region(1, 2), text)
    result = replace(
        before,
        claim=replace(before.claim, statement=Text(text, text), citations=(Citation(text, None),)),
        outcome=replace(before.outcome, kind=kind, message=Text(text, text[::-1]), expected=value, actual=value),
        citations=tuple(replace(found, state=state, offset=offset) for found in before.citations),
        baseline=since,
        earlier=replace(before.outcome, message=Text(text[::-1], text)),
        changes=(Change(None, place, (DiffLine(None, 1, text), DiffLine(3, None, ""))),),
        timeline=(Interval(kind, text, text),),
        relocations=(
            Relocation(place, part, state, place, offset, True, (Candidate(place, 0.5, text),), (text,), text, text),
        ),
    )
    run = replace(logs.vllm, results=(result,), baseline=Revision("git", text, None), absent=(before,))
    log = replace(logs.ordinary, runs=(run,))
    assert read(render("json", log)) == log


def test_json_has_the_names_that_other_programs_rely_on() -> None:
    document = json.loads(render("json", logs.ordinary))
    run = document["runs"][0]
    fail = next(result for result in run["results"] if result["claim"] == "sglang/3/retracted-total-metric-name")
    assert document["schema"] == "kvaudit/1"
    assert document["pack"] == "l1-kv-pool"
    assert document["tool"] == {"name": "kvaudit", "version": "0.1.0"}
    assert run["target"] == "sglang"
    assert run["revision"] == {"source": "git", "name": "f4de6abee6", "commit": logs.SGLANG.commit}
    assert (fail["rule"], fail["kind"], fail["baseline"]) == ("metric", "fail", "unchanged")
    assert (fail["expected"], fail["actual"]) == ("sglang:num_retracted_reqs_total", "sglang:retracted_requests_total")
    assert fail["accepted"] == "Only the attribute is called that. Write sglang:retracted_requests_total."
    place = {"path": logs.COLLECTOR, "start": 471, "end": 475, "symbol": "Collector.__init__"}
    place |= {"note": None, "note_zh": None}
    assert fail["locations"] == [place]
    assert fail["message"] == "no metric is exported under this name; the nearest is sglang:retracted_requests_total"
    assert fail["message_zh"] == "没有以此名导出的指标；最接近的是 sglang:retracted_requests_total"
    assert fail["citations"] == [
        {
            "path": logs.COLLECTOR,
            "start": 469,
            "end": 486,
            "state": "inside",
            "offset": None,
            "found": place,
            "anchor": None,
            "since": None,
        }
    ]


def test_a_run_that_was_saved_in_english_alone_is_read_as_such() -> None:
    def without(pairs: dict[str, object]) -> dict[str, object]:
        return {key: value for key, value in pairs.items() if not key.endswith("_zh")}

    document = json.loads(render("json", logs.ordinary), object_hook=without)
    outcome, english = read(json.dumps(document)).runs[1].results[5].outcome, logs.vllm.results[5].outcome
    assert outcome.message == Text(english.message.en, english.message.en)
    assert [place.note for place in outcome.locations] == [
        place.note and Text(place.note.en, place.note.en) for place in english.locations
    ]


def test_whole_file_citation_has_no_lines_in_json() -> None:
    document = json.loads(render("json", logs.ordinary))
    citation = document["runs"][1]["results"][1]["citations"][0]
    assert (citation["path"], citation["start"], citation["end"]) == ("docs/design/kv.md", None, None)


CHANGES = [
    ("", "", "Expecting value: line 1 column 1"),
    ("[" * 100_000, "", "recursion"),
    ("[]", "", "schema is None, not 'kvaudit/1'"),
    ("{}", "", "schema is None, not 'kvaudit/1'"),
    ('"kvaudit/1"', '"sarif\\n"', "schema is 'sarif\\n', not 'kvaudit/1'"),
    ('"kind": "pass"', '"sort": "pass"', "missing required field `kind` - at `$.runs[0].results[0]`"),
    ('"kind": "pass"', '"kind": "\\u001b[31m\\n"', "'\\x1b[31m\\n' - at `$.runs[0].results[0].kind`"),
    ('"state": "moved"', '"state": null', "got `null` - at `$.runs[0].results[5].citations[0].state`"),
    ('"start": 610', '"start": null', "both null - at `$.runs[0].results[5].citations[0]`"),
    ('"start": 610', '"start": "610"', "Expected `int | null`, got `str`"),
]


@pytest.mark.parametrize(("old", "new", "message"), CHANGES)
def test_what_is_not_a_saved_run_is_refused_in_one_line(old: str, new: str, message: str) -> None:
    text = render("json", logs.ordinary)
    with pytest.raises(ConfigError) as caught:
        read(text.replace(old, new, 1) if new else old)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()


def test_every_claim_has_a_link_of_its_own_in_html() -> None:
    ids = re.findall(r' id="([^"]*)"', render("html", logs.hostile))
    assert sorted(set(ids)) == sorted(ids)


@pytest.mark.parametrize(
    ("run", "link"),
    [
        (logs.sglang, f"https://github.com/sgl-project/sglang/blob/{logs.SGLANG.commit}/{logs.HOOK}#L98-L101"),
        (logs.vllm, "https://github.com/vllm-project/vllm/blob/v0.31.0/vllm/config/cache.py#L71"),
    ],
)
def test_html_links_to_the_line_at_the_revision(run: Run, link: str) -> None:
    assert f'href="{link}"' in render("html", replace(logs.ordinary, runs=(run,)))


@pytest.mark.parametrize(
    "repository", [None, "javascript:alert(1)", "git@github.com:o/r", "file:///srv/code", "https://", "https://["]
)
def test_html_links_to_web_pages_only(repository: str | None) -> None:
    run = replace(logs.vllm, target=replace(logs.VLLM, repository=repository))
    hrefs = re.findall(r'href="([^"]*)"', render("html", replace(logs.ordinary, runs=(run,))))
    assert [href for href in hrefs if not href.startswith("#")] == ["data:,"]
