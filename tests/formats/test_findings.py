"""Findings in a person's files, in every format that shows them: as golden files, and as other tools read them."""

import json
import re
from dataclasses import replace

import pytest
from jsonschema import Draft7Validator
from junitparser import JUnitXml

from auditor.findings import Confidence, Finding, FindingLog, Span
from auditor.formats import finding_formats, formats
from auditor.model import Kind, Location, Notification, Region, Rule, Text
from tests.support.folders import GOLDEN, TESTS
from tests.support.logs import EVIL, LONG

SCHEMA = json.loads((TESTS / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = Draft7Validator({**SCHEMA, "$schema": Draft7Validator.META_SCHEMA["$schema"]})

BEYOND = Finding(
    "notes/pool.md",
    Span(12, 5, 12, 30),
    "range",
    Kind.FAIL,
    Text("the file has 80 lines", "该文件只有 80 行"),
    about="engine/pool.py:90-95",
    location=Location("engine/pool.py", Region(70, 75), "Pool.take"),
    revision="engine 1.0 (pypi)",
    replacement="engine/pool.py:70-75",
)
ORDINARY = FindingLog(
    "article",
    Text("Citations of notes", "笔记的引用"),
    "0.1.0",
    ("notes/empty.md", "notes/pool.md"),
    (
        BEYOND,
        Finding(
            "notes/pool.md",
            Span(20, 1, 21, 4),
            "quote",
            Kind.REVIEW,
            Text("line 3 differs", "第 3 行不同"),
            Confidence.LIKELY,
        ),
        Finding(
            "notes/pool.md", Span(30, 1, 30, 4), "range", Kind.FAIL, Text("perhaps", "也许"), Confidence.POSSIBLE, "x:1"
        ),
        Finding("notes/pool.md", Span(31, 1, 31, 4), "which", Kind.OPEN, Text("several files", "有多个文件")),
    ),
    (Rule("range", "The range is in the file.", "The range is in the file.\n\nMore."),),
    ((Text("citations", "处引用"), 4),),
    ("engine 1.0 (pypi)",),
    (Notification("a note"),),
)
WORST = replace(BEYOND, path=EVIL, rule=EVIL, message=Text(LONG, LONG), about=EVIL, revision=EVIL, replacement=EVIL)
HOSTILE = FindingLog(
    EVIL,
    Text(EVIL, EVIL),
    EVIL,
    (EVIL,),
    (WORST, replace(WORST, kind=Kind.REVIEW, location=Location(EVIL, None, EVIL))),
    (Rule(EVIL, EVIL, EVIL),),
    ((Text(EVIL, EVIL), 1),),
    (EVIL,),
    (Notification(EVIL),),
)
LOGS = {"findings": ORDINARY, "hostile-findings": HOSTILE}
NONE = replace(ORDINARY, findings=())


def render(format_id: str, log: FindingLog, *, color: bool = False) -> str:
    return finding_formats()[format_id]().render_findings(log, color=color)


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("format_id", finding_formats())
def test_report_equals_its_golden_file(format_id: str, name: str, request: pytest.FixtureRequest) -> None:
    actual = render(format_id, LOGS[name]).encode()
    path = GOLDEN / format_id / f"{name}.{formats()[format_id].suffix or format_id}"
    if request.config.getoption("--update-golden"):
        path.write_bytes(actual)
    assert path.read_bytes() == actual


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("format_id", finding_formats())
def test_report_has_nothing_that_a_terminal_or_an_editor_obeys(format_id: str, name: str) -> None:
    text = render(format_id, LOGS[name])
    assert {char for char in text if not char.isprintable()} <= {"\n"}
    assert text.endswith("\n")


@pytest.mark.parametrize("name", LOGS)
def test_color_adds_nothing_but_color(name: str) -> None:
    colored = render("text", LOGS[name], color=True)
    assert re.sub(r"\x1b\[[0-9;]+m", "", colored) == render("text", LOGS[name])
    assert colored != render("text", LOGS[name])


@pytest.mark.parametrize("log", [*LOGS.values(), NONE])
def test_sarif_is_as_its_schema_says(log: FindingLog) -> None:
    document = json.loads(render("sarif", log))
    assert not list(VALIDATOR.iter_errors(document))
    assert len(document["runs"][0]["results"]) == len(log.findings)


def test_sarif_fails_what_the_command_fails() -> None:
    results = json.loads(render("sarif", ORDINARY))["runs"][0]["results"]
    assert [one["kind"] for one in results] == ["fail", "review", "review", "open"]
    assert [one.get("level") for one in results] == ["error", None, None, None]
    (fix,) = results[0]["fixes"]
    (replacement,) = fix["artifactChanges"][0]["replacements"]
    assert replacement["insertedContent"]["text"] == "engine/pool.py:70-75"


def test_a_fingerprint_in_sarif_is_the_same_when_lines_are_added_above() -> None:
    lower = replace(ORDINARY, findings=tuple(replace(one, span=Span(99, 1, 99, 2)) for one in ORDINARY.findings))
    both = [json.loads(render("sarif", log))["runs"][0]["results"] for log in (ORDINARY, lower)]
    prints = [[one["partialFingerprints"]["kvaudit/v1"] for one in results] for results in both]
    assert prints[0] == prints[1]
    assert len(set(prints[0])) == len(prints[0])


def test_junit_fails_what_the_command_fails_and_a_file_without_findings_passes() -> None:
    suites = {suite.name: suite for suite in JUnitXml.fromstring(render("junit", ORDINARY).encode())}
    assert (suites["notes/empty.md"].tests, suites["notes/empty.md"].failures, suites["notes/empty.md"].skipped) == (
        1,
        0,
        0,
    )
    assert (suites["notes/pool.md"].tests, suites["notes/pool.md"].failures, suites["notes/pool.md"].skipped) == (
        4,
        1,
        3,
    )


def test_annotations_are_the_ten_worst_and_how_many_more_there_are() -> None:
    many = replace(ORDINARY, findings=ORDINARY.findings[1:] * 5 + (BEYOND,))
    lines = render("github", many).splitlines()
    assert len(lines) == 11
    assert lines[0].startswith("::error file=notes/pool.md,line=12,endLine=12,col=5,endColumn=30,title=range%3A ")
    assert lines[-1].endswith("title=kvaudit::6 more need a look")


@pytest.mark.parametrize("format_id", finding_formats())
def test_that_there_is_no_finding_is_said(format_id: str) -> None:
    assert "nothing" in render(format_id, NONE) or format_id == "sarif"
    assert json.loads(render("sarif", NONE))["runs"][0]["results"] == []


def test_the_log_is_clean_without_a_failure_that_is_sure() -> None:
    assert not ORDINARY.is_clean()
    assert replace(ORDINARY, findings=ORDINARY.findings[1:]).is_clean()
    assert not replace(ORDINARY, findings=ORDINARY.findings[1:]).is_clean(strict=True)
    assert replace(ORDINARY, findings=ORDINARY.findings[2:3]).is_clean(strict=True)
