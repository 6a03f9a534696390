"""JUnit as a library reads it that no one here wrote."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase

from auditor.formats import Show
from auditor.formats.junit import Junit
from auditor.model import Log, Notification, Run, Target
from tests.support import logs

LOGS = {"ordinary": logs.ordinary, "hostile": logs.hostile}


def parsed(log: Log, show: Show | None = None) -> JUnitXml:
    found = JUnitXml.fromstring(Junit(show).render(log).encode())
    assert isinstance(found, JUnitXml)
    return found


def cases(log: Log, show: Show | None = None) -> dict[str, TestCase]:
    return {case.name: case for suite in parsed(log, show) for case in suite}


def became(case: TestCase) -> list[tuple[type, str]]:
    """What became of a test."""
    return [(type(result), result.message) for result in case.result]


def test_a_claim_is_a_test() -> None:
    assert {name: case.classname for name, case in cases(logs.ordinary).items()} == {
        result.claim.id: result.claim.id.rpartition("/")[0].replace("/", ".")
        for run in logs.ordinary.runs
        for result in run.results
    }


def test_a_test_is_where_its_claim_is() -> None:
    root = ElementTree.fromstring(Junit().render(logs.ordinary))
    found = {case.get("name"): (case.get("file"), case.get("line")) for case in root.iter("testcase")}
    assert found["sglang/4/tier-definitions"] == ("anchors/l1-kv-pool/sglang.yaml", "25")


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("vllm/block-size/default-16", []),
        (
            "sglang/1.2/reserved-expression-at-line-37",
            [(Failure, "reserve() adds `length + page`; the sum of three is in estimate(), which only logs")],
        ),
        (
            "sglang/3/retracted-total-metric-name",
            [(Skipped, "no metric is exported under this name; the nearest is sglang:retracted_requests_total")],
        ),
        (
            "sglang/4/tier-definitions",
            [
                (
                    Failure,
                    "the code cited as docs/design.mdx:12 is nowhere; "
                    "docs/design.mdx is gone, so there is nothing to read the definitions from",
                )
            ],
        ),
        ("sglang/4.1/hicache-ratio-default", [(Skipped, "2.0 is one of two defaults: 1.2 when args.buffer_only")]),
        (
            "sglang/4.1/write-back-default",
            [(Failure, "it is accepted as fail, but it is pass now; the default is 'write_through'")],
        ),
        ("vllm/design/watermark-page", [(Skipped, "a wheel has no docs/; audit a commit to decide this")]),
        ("vllm/watermark/old-v1-default-0-01", [(Skipped, "speaks of versions before 0.10; this is 0.31.0")]),
    ],
)
def test_a_test_becomes_what_its_claim_does(claim: str, expected: list[tuple[type, str]]) -> None:
    assert became(cases(logs.ordinary)[claim]) == expected


def test_a_crash_is_an_error() -> None:
    assert became(cases(logs.hostile)["no/location"]) == [(Error, "the check crashed")]
    told = ElementTree.fromstring(Junit().render(logs.hostile)).findtext("testsuite/system-err", "")
    assert told.splitlines()[-1] == "no/location: ZeroDivisionError: division by zero"


def test_a_failure_has_the_evidence() -> None:
    (failure,) = cases(logs.ordinary)["sglang/1.2/reserved-expression-at-line-37"].result
    assert str(failure.text).splitlines() == [
        "claim: The sum at line 37 is what reserve() adds for a request.",
        "expected: extend + max_new + page",
        "actual: length + page",
        f"at: {logs.BUDGET}:52",
        f"at: {logs.BUDGET}:37",
        f"cited: {logs.BUDGET}:37 (exact)",
    ]


@pytest.mark.parametrize("show", Show)
@pytest.mark.parametrize("name", LOGS)
def test_the_counts_are_those_of_the_tests(name: str, show: Show) -> None:
    document = parsed(LOGS[name], show)
    for suite in document:
        became = [type(result) for case in suite for result in case.result]
        counted = (len(list(suite)), *(became.count(kind) for kind in (Failure, Error, Skipped)))
        assert (suite.tests, suite.failures, suite.errors, suite.skipped) == counted
    assert document.tests == sum(suite.tests for suite in document)
    assert document.failures == sum(suite.failures for suite in document)


@pytest.mark.parametrize("name", LOGS)
def test_what_makes_the_audit_fail_makes_the_suite_fail(name: str) -> None:
    document = parsed(LOGS[name])
    wrong = sum(not result.is_as_recorded() for run in LOGS[name].runs for result in run.results)
    assert document.failures + document.errors == wrong


def test_what_holds_is_left_out_when_only_what_fails_is_asked_for() -> None:
    assert "vllm/block-size/default-16" in cases(logs.ordinary, Show.ALL)
    assert "vllm/block-size/default-16" not in cases(logs.ordinary, Show.FAILED)
    assert "sglang/4.1/write-back-default" in cases(logs.ordinary, Show.FAILED)


def test_a_suite_says_what_was_audited() -> None:
    _, suite = ElementTree.fromstring(Junit().render(logs.ordinary))
    assert suite.get("name") == "vllm 0.31.0 (pypi)"
    assert {one.get("name"): one.get("value") for one in suite.iterfind("properties/property")} == {
        "pack": "l1-kv-pool",
        "kvaudit": "0.1.0",
        "target": "vllm",
        "source": "pypi",
        "revision": "0.31.0",
        "commit": "",
    }


def test_nothing_in_it_is_a_command_to_a_log() -> None:
    notes = [Notification("::error::x"), Notification("a"), Notification("::error::y ##[error] ##vso[task.complete]")]
    log = replace(logs.ordinary, runs=(replace(logs.vllm, notifications=tuple(notes)),))
    text = Junit().render(log)
    assert not re.search(r"^\s*::|##\[|##vso", text, re.MULTILINE)
    assert ElementTree.fromstring(text).findtext("*/system-err") == "\n".join(note.message for note in notes)


def test_it_is_the_same_tomorrow() -> None:
    root = ElementTree.fromstring(Junit().render(logs.ordinary))
    assert {name for element in root.iter() for name in element.attrib} & {"time", "timestamp", "hostname"} == set()


def test_an_audit_of_nothing_is_junit_too() -> None:
    document = parsed(replace(logs.ordinary, runs=(Run(Target("t"), logs.vllm.revision, ()),)))
    assert (document.tests, [suite.name for suite in document]) == (0, ["t 0.31.0 (pypi)"])
