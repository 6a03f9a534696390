"""SARIF as the schema of OASIS has it, and as code scanning takes it."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from auditor.formats import Show
from auditor.formats.sarif import LARGEST, MOST_RESULTS, Sarif
from auditor.model import (
    AnchorState,
    BaselineState,
    Citation,
    Claim,
    Excerpt,
    FoundCitation,
    Kind,
    Location,
    Notification,
    Outcome,
    Region,
    Result,
    Revision,
    Run,
    Target,
    Text,
)
from tests.support import engine_code, logs
from tests.support.sarif import LOGS, VALIDATOR, many, of, results, sarif


@pytest.mark.parametrize("show", Show)
@pytest.mark.parametrize("name", LOGS)
def test_it_is_as_the_schema_has_it(name: str, show: Show) -> None:
    assert [error.json_path for error in VALIDATOR.iter_errors(sarif(LOGS[name], show))] == []


def test_what_is_not_as_the_schema_has_it_is_found() -> None:
    document = json.loads(Sarif().render(logs.ordinary))
    document["runs"][0]["results"][0]["level"] = "fatal"
    document["runs"][1]["invocations"][0]["toolExecutionNotifications"] = {}
    assert [error.json_path for error in VALIDATOR.iter_errors(document)] == [
        "$.runs[0].results[0].level",
        "$.runs[1].invocations[0].toolExecutionNotifications",
    ]


def test_what_holds_is_left_out_unless_asked_for() -> None:
    everything = {result.claim.id: result.kind for run in logs.ordinary.runs for result in run.results}
    assert {claim: result["properties"]["claimKind"] for claim, result in results(logs.ordinary, Show.ALL).items()} == (
        everything
    )
    assert set(everything) - set(results(logs.ordinary)) == {
        "sglang/1.2/remaining-total",
        "vllm/block-size/default-16",
        "vllm/kv/formula-gqa",
        "vllm/watermark/default-zero",
        "vllm/watermark/old-v1-default-0-01",
    }


@pytest.mark.parametrize("name", LOGS)
def test_a_level_is_for_what_fails_and_kinds_are_those_of_sarif(name: str) -> None:
    found = [result for run in sarif(LOGS[name], Show.ALL)["runs"] for result in run["results"]]
    assert {(result["kind"], result.get("level")) for result in found} <= {
        ("fail", "error"),
        ("pass", None),
        ("review", None),
        ("open", None),
        ("notApplicable", None),
    }


def test_a_result_fails_when_it_makes_the_audit_fail() -> None:
    kinds = {claim: result["kind"] for claim, result in results(logs.ordinary).items()}
    assert kinds == {
        "sglang/1.2/reserved-expression-at-line-37": "fail",
        "sglang/3/retracted-total-metric-name": "fail",  # accepted, and so suppressed
        "sglang/4/tier-definitions": "fail",  # open, and its citation is lost
        "sglang/4.1/hicache-ratio-default": "review",
        "sglang/4.1/write-back-default": "fail",  # it holds, and is accepted as failing
        "vllm/design/watermark-page": "open",
        "vllm/watermark/only-waiting-or-preempted": "review",
    }
    assert "it is accepted as fail, but it is pass now" in str(results(logs.ordinary)["sglang/4.1/write-back-default"])
    assert "cited as docs/design.mdx:12 is nowhere" in str(results(logs.ordinary)["sglang/4/tier-definitions"])


def test_what_is_accepted_is_suppressed_with_its_reason() -> None:
    suppressions = {claim: result["suppressions"] for claim, result in results(logs.ordinary, Show.ALL).items()}
    assert {claim: found for claim, found in suppressions.items() if found} == {
        "sglang/3/retracted-total-metric-name": [
            {
                "kind": "external",
                "status": "accepted",
                "justification": "Only the attribute is called that. Write sglang:retracted_requests_total.",
            }
        ],
        "vllm/design/watermark-page": [
            {"kind": "external", "status": "accepted", "justification": "A commit has the page."}
        ],
        "vllm/watermark/only-waiting-or-preempted": [
            {
                "kind": "external",
                "status": "accepted",
                "justification": "Add that an idle engine ignores the watermark.",
            }
        ],
    }


def test_the_code_is_the_primary_location_and_the_claim_a_related_one() -> None:
    found = results(logs.ordinary)["sglang/1.2/reserved-expression-at-line-37"]
    places = [*found["locations"], *found["relatedLocations"]]
    physical = [place["physicalLocation"] for place in places]
    assert [
        (place["artifactLocation"]["uriBaseId"], place["artifactLocation"]["uri"], place["region"]["startLine"])
        for place in physical
    ] == [
        ("SOURCE", logs.BUDGET, 52),
        ("SOURCE", logs.BUDGET, 37),
        ("SOURCE", logs.BUDGET, 37),
        ("PACK", "anchors/l1-kv-pool/sglang.yaml", 41),
    ]
    assert places[0]["logicalLocations"] == [
        {"name": "reserve", "fullyQualifiedName": "sglang.srt.mem_cache.prefill_budget.PrefillBudget.reserve"}
    ]
    assert [place.get("message", {}).get("text") for place in places] == [
        None,
        "the three terms are here",
        None,
        "the claim",
    ]


def test_without_code_the_claim_is_the_primary_location() -> None:
    (place,) = results(logs.ordinary)["vllm/design/watermark-page"]["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "anchors/l1-kv-pool/vllm.yaml", "uriBaseId": "PACK"},
        "region": {"startLine": 26, "endLine": 26},
    }


def test_a_location_has_its_code_where_that_was_read() -> None:
    places = results(logs.ordinary)["vllm/watermark/only-waiting-or-preempted"]["relatedLocations"]
    snippets = [place["physicalLocation"]["region"].get("snippet", {}).get("text") for place in places]
    assert snippets[1] == engine_code.WATERMARK_INIT.rstrip("\n")


@pytest.mark.parametrize(
    ("path", "prefix", "expected"),
    [
        ("vllm/config/cache.py", "", "vllm.config.cache.Cache.size"),
        ("python/sglang/srt/a.py", "python/", "sglang.srt.a.Cache.size"),
        ("vllm/config/__init__.py", "", "vllm.config.Cache.size"),
        ("csrc/cache.cu", "", "Cache.size"),
    ],
)
def test_a_logical_location_is_named_as_python_names_it(path: str, prefix: str, expected: str) -> None:
    outcome = Outcome(Kind.FAIL, Text("m", "m"), locations=(Location(path, Region(1, 1), "Cache.size"),))
    run = replace(logs.vllm, target=replace(logs.VLLM, prefix=prefix))
    (place,) = of(replace(logs.vllm.results[0], outcome=outcome, citations=()), run)["locations"]
    assert place["logicalLocations"] == [{"name": "size", "fullyQualifiedName": expected}]


def moved(result: Result, lines: int) -> Result:
    """A result after an edit above its code."""

    def down(place: Location) -> Location:
        region = place.region and Region(place.region.start + lines, place.region.end + lines)
        return replace(place, region=region)

    outcome = replace(result.outcome, locations=tuple(map(down, result.outcome.locations)), message=Text("new", "新"))
    citations = tuple(
        replace(found, state=AnchorState.SHIFTED, offset=lines, found=found.found and down(found.found))
        for found in result.citations
    )
    return replace(result, outcome=outcome, citations=citations)


def test_a_fingerprint_is_the_claims_identity() -> None:
    result = logs.vllm.results[-1]
    (fingerprint,) = of(result)["partialFingerprints"].items()
    assert fingerprint[0] == "kvaudit/v1"
    assert of(moved(result, 500))["partialFingerprints"] == dict([fingerprint])
    assert of(replace(result, claim=replace(result.claim, origin="b/vllm.yaml:9")))["partialFingerprints"] == dict(
        [fingerprint]
    )
    at = replace(logs.vllm, revision=Revision("git", "main", "0" * 40))
    assert of(result, at)["partialFingerprints"] == dict([fingerprint])


def test_no_two_claims_have_one_fingerprint() -> None:
    result = logs.vllm.results[-1]
    others = [
        of(result),
        of(replace(result, claim=replace(result.claim, id="vllm/watermark/other"))),
        of(result, replace(logs.vllm, target=replace(logs.VLLM, name="fork"))),
        *results(logs.ordinary).values(),
    ]
    found = [other["partialFingerprints"]["kvaudit/v1"] for other in others]
    assert len(set(found)) == len(found) - 1  # the first is among those of the log


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (BaselineState.NEW, "new"),
        (BaselineState.UPDATED, "updated"),
        (BaselineState.UNCHANGED, "unchanged"),
        (BaselineState.RESOLVED, "updated"),
        (BaselineState.ABSENT, "absent"),
    ],
)
def test_a_baseline_state_is_one_of_sarifs(state: BaselineState, expected: str) -> None:
    assert of(replace(logs.vllm.results[-1], baseline=state))["baselineState"] == expected


def test_all_results_of_a_run_have_a_baseline_state_or_none_has() -> None:
    for run in sarif(logs.ordinary, Show.ALL)["runs"]:
        assert len({"baselineState" in result for result in run["results"]}) == 1


def test_claims_that_are_gone_are_absent_when_all_is_asked_for() -> None:
    gone = replace(logs.vllm.results[-1], baseline=BaselineState.ABSENT)
    run = replace(logs.vllm, results=(), absent=(gone,), baseline=Revision("pypi", "0.30.0"))
    log = replace(logs.ordinary, runs=(run,))
    assert results(log) == {}
    assert [found["baselineState"] for found in results(log, Show.ALL).values()] == ["absent"]
    assert sarif(log)["runs"][0]["properties"]["baseline"] == "0.30.0"


@pytest.mark.parametrize("show", Show)
def test_every_rule_that_is_used_is_described_and_found_by_its_index(show: Show) -> None:
    for run in sarif(logs.ordinary, show)["runs"]:
        rules = run["tool"]["driver"]["rules"]
        assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [
            result["ruleId"] for result in run["results"]
        ]
        assert {rule["id"] for rule in rules} == {result["ruleId"] for result in run["results"]}
        known = {rule.id: rule for rule in logs.RULES}
        assert [(rule["shortDescription"]["text"], rule["help"]["markdown"]) for rule in rules] == [
            (known[rule["id"]].summary, known[rule["id"]].help) for rule in rules
        ]


def test_a_crash_is_an_error_and_the_audit_did_not_succeed() -> None:
    (broken, *_) = sarif(logs.hostile)["runs"]
    (invocation,) = broken["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][1] == {
        "level": "error",
        "message": {"text": "no/location: ZeroDivisionError: division by zero"},
    }
    (sound, _) = sarif(logs.ordinary)["runs"]
    assert sound["invocations"][0]["executionSuccessful"] is True
    assert [note["level"] for note in sound["invocations"][0]["toolExecutionNotifications"]] == ["note"]


def test_of_too_many_notifications_the_bugs_are_kept() -> None:
    notes = (*(Notification(f"{number}") for number in range(5_000)), Notification("bug", is_bug=True))
    (run,) = sarif(replace(logs.ordinary, runs=(replace(logs.vllm, notifications=notes),)))["runs"]
    told = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert told == ["bug", *map(str, range(999))]


def test_where_a_commit_can_be_had_is_said_and_of_a_release_nothing_is_guessed() -> None:
    commit, release = sarif(logs.ordinary)["runs"]
    assert commit["versionControlProvenance"] == [
        {
            "repositoryUri": "https://github.com/sgl-project/sglang.git",
            "revisionId": logs.SGLANG.commit,
            "mappedTo": {"uriBaseId": "SOURCE"},
        }
    ]
    assert release["versionControlProvenance"] == []


def texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            if key in ("text", "justification") and isinstance(one, str):
                yield one
            yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)


def uris(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            if key == "uri" and isinstance(one, str):
                yield one
            yield from uris(one)
    elif isinstance(value, list):
        for one in value:
            yield from uris(one)


@pytest.mark.parametrize("name", LOGS)
def test_every_path_is_relative(name: str) -> None:
    found = [urlsplit(uri) for uri in uris(sarif(LOGS[name], Show.ALL))]
    assert [uri for uri in found if uri.scheme or uri.netloc or uri.query or uri.fragment or uri.path[:1] == "/"] == []


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("c:x/a b.py", "c%3Ax/a%20b.py"),
        ("//host/a.py", "host/a.py"),
        ("a#b?c.py", "a%23b%3Fc.py"),
        ("100%.py", "100%25.py"),
        ("缓存.py", "%E7%BC%93%E5%AD%98.py"),
        ("\ud800.py", "%3F.py"),
    ],
)
def test_a_path_is_a_relative_reference(path: str, uri: str) -> None:
    outcome = Outcome(Kind.FAIL, Text("m", "m"), locations=(Location(path),))
    (place,) = of(replace(logs.vllm.results[0], outcome=outcome, citations=()))["locations"]
    assert place["physicalLocation"] == {"artifactLocation": {"uri": uri, "uriBaseId": "SOURCE"}}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("it is args[0](self)", r"it is args\[0](self)"),
        ("a[0] = b[1]", "a[0] = b[1]"),
        ("[x](javascript:1)", r"\[x](javascript:1)"),
    ],
)
def test_no_message_has_a_link_by_chance(message: str, expected: str) -> None:
    result = logs.vllm.results[-1]
    found = of(replace(result, outcome=replace(result.outcome, message=Text(message, message))))
    assert found["message"]["text"].splitlines()[0] == expected


def test_runs_of_one_upload_have_categories_of_their_own() -> None:
    assert [run["automationDetails"]["id"] for run in sarif(logs.ordinary)["runs"]] == [
        "kvaudit/l1-kv-pool/sglang/",
        "kvaudit/l1-kv-pool/vllm/",
    ]


@pytest.mark.parametrize(("count", "length", "places"), [(5_001, 10, 0), (120, 600, 2_000)])
def test_it_stays_within_what_code_scanning_takes(count: int, length: int, places: int) -> None:
    text = Sarif().render(many(count, length, places))
    (run,) = json.loads(text)["runs"]
    kept = run["results"]
    assert len(gzip.compress(text.encode())) < 10_000_000
    assert len(text.encode()) < LARGEST + 10_000
    assert len(kept) <= MOST_RESULTS
    assert max(len(one["locations"]) + len(one["relatedLocations"]) for one in kept) <= 100
    assert max(map(len, texts(kept))) <= 1_001
    assert kept[-1]["properties"]["claim"] == f"a/b/{count - 1:06}"  # the worst is kept
    assert [one["properties"]["claim"] for one in kept] == sorted(one["properties"]["claim"] for one in kept)
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == (f"{count - len(kept):,} of {count:,} results are left out, the least urgent")


def test_nothing_is_said_to_be_left_out_when_nothing_is() -> None:
    (run,) = sarif(many(10, 10, 10))["runs"]
    assert (len(run["results"]), run["invocations"][0]["toolExecutionNotifications"]) == (10, [])


def test_an_audit_of_nothing_is_sarif_too() -> None:
    empty = Run(Target("t"), Revision("directory", "."), (), (Notification("m"),))
    log = replace(logs.ordinary, runs=(empty,))
    assert [error.json_path for error in VALIDATOR.iter_errors(sarif(log))] == []
    assert sarif(log)["runs"][0]["results"] == []


def test_a_snippet_is_of_the_very_lines() -> None:
    outcome = Outcome(
        Kind.FAIL, Text("m", "m"), locations=tuple(Location("a.py", Region(*at)) for at in ((9, 9), (11, 12), (12, 13)))
    )
    result = Result(
        Claim("a/b/c", Text("s", "s"), "a.yaml:1", "guard", (Citation("a.py", None),)),
        outcome,
        (FoundCitation(Citation("a.py", None), AnchorState.EXACT),),
        (Excerpt("b.py", 1, ("x",) * 99), Excerpt("a.py", 10, ("ten", "eleven", "twelve"))),
    )
    found = of(result)
    regions = [place["physicalLocation"]["region"] for place in (*found["locations"], *found["relatedLocations"][:-1])]
    assert [region.get("snippet") for region in regions] == [None, {"text": "eleven\ntwelve"}, None]
