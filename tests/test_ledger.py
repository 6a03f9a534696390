"""What is recorded of an audit, and how a record is read back."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor import ledger
from auditor.errors import ConfigError
from auditor.model import (
    AnchorState,
    Citation,
    Claim,
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

TARGET = Target("engine")
SECRET = "while True: self.upstream.code()"
SIZE = Claim("engine/size", Text("The size is 16.", "大小是 16。"), "demo/engine.yaml:2", "default-value")
POOL = Claim("engine/pool", Text("There is a pool.", "有一个池。"), "demo/engine.yaml:9", "symbol")
CLAIMS = {claim.id: claim for claim in (SIZE, POOL)}
WRITTEN = {"engine/size": "its text", "engine/pool": "another"}


RELEASE = Revision("pypi", "1.0")


def run(revision: Revision = RELEASE, actual: JsonValue = "32") -> Run:
    cited = Citation("engine/pool.py", Region(2, 4))
    found = Location("engine/pool.py", Region(5, 7), "Pool.size")
    outcome = Outcome(
        Kind.FAIL,
        Text(SECRET, SECRET),
        16,
        actual,
        (replace(found, note=Text(SECRET, SECRET)), Location("engine/README.md")),
        "0123456789abcdef",
    )
    citations = (
        FoundCitation(cited, AnchorState.SHIFTED, 3, found),
        FoundCitation(Citation("engine/gone.py", None), AnchorState.LOST),
    )
    results = (Result(POOL, Outcome(Kind.PASS, Text("", ""))), Result(SIZE, outcome, citations))
    return Run(TARGET, revision, results)


def test_what_was_recorded_is_read_back(tmp_path: Path) -> None:
    record = ledger.recorded("demo", run(), WRITTEN)
    path = ledger.write(tmp_path, record)
    assert path == tmp_path / "demo" / "engine" / "1.0.json"
    assert ledger.read(path) == record
    assert ledger.text(ledger.read(path)) == path.read_text(encoding="utf-8")
    expected, found = run(), ledger.run_of(record, TARGET, CLAIMS)
    assert [result.kind for result in expected.results] == [result.kind for result in found.results]
    assert [result.citations for result in expected.results] == [result.citations for result in found.results]
    outcome = found.results[1].outcome
    assert [outcome.expected, outcome.actual, outcome.fingerprint] == [16, "32", "0123456789abcdef"]
    assert [str(location) for location in outcome.locations] == ["engine/pool.py:5-7", "engine/README.md"]


def test_a_record_has_a_line_for_each_claim_and_sorted_keys() -> None:
    text = ledger.text(ledger.recorded("demo", run(), WRITTEN))
    lines = text.splitlines()
    assert [json.loads(line.rstrip(","))["claim"] for line in lines[1:3]] == ["engine/pool", "engine/size"]
    for part in (json.loads(text), *json.loads(text)["claims"]):
        assert sorted(part) == list(part)


def test_nothing_of_upstream_code_and_no_sentence_is_in_a_record() -> None:
    text = ledger.text(ledger.recorded("demo", run(actual=SECRET), WRITTEN))
    assert "upstream" not in text
    assert [claim.statement.en for claim in CLAIMS.values() if claim.statement.en in text] == []


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        16,
        -1,
        0.5,
        "16",
        "1e-06",
        "'write_back'",
        "None",
        "Pool.size",
        "engine:kv_usage_perc",
        "a, b_c, d.e",
        "metric engine:kv_usage_perc",
        "occurs 3 times",
        "does not occur",
        "holds in all",
        "0.6.6, 0.8.5",
    ],
)
def test_a_fact_is_recorded_as_it_is(value: JsonValue) -> None:
    assert ledger.fact(value) == value


@pytest.mark.parametrize(
    "value",
    [
        "a + b",
        "f(x)",
        "a and b",
        "not x",
        "x - y",
        "x-y",
        "a / b",
        "a[0]",
        "if a:\n    b",
        "The pool is full.",
        "a b",
        "'The pool is full'",
        "lambda: x",
        "a, f(b)",
        "名 字",
        "x" * 201,
        "",
        "a\n",
        2**60,
        pytest.param(10**5000, id="huge"),
    ],
)
def test_of_code_and_prose_only_a_digest_is_recorded(value: JsonValue) -> None:
    found = ledger.fact(value)
    assert isinstance(found, str)
    assert found.startswith("#")
    assert ledger.fact(found) == found


def test_a_value_that_json_lacks_is_recorded_as_text() -> None:
    assert [ledger.fact(float(value)) for value in ("nan", "inf", "-inf")] == ["nan", "inf", "-inf"]


def test_different_code_has_different_digests() -> None:
    assert ledger.fact("a + b") != ledger.fact("a - b")


def test_a_value_is_the_same_where_lines_differ_only() -> None:
    one, other = (run(actual=f"Pool.size (engine/pool.py:{lines})") for lines in ("2", "300-310"))
    assert ledger.recorded("demo", one, WRITTEN).claims == ledger.recorded("demo", other, WRITTEN).claims
    assert ledger.facts(one) == ledger.facts(other)


def test_a_commit_is_named_by_its_first_digits_and_has_its_date(tmp_path: Path) -> None:
    commit = "8b365ff949260dbfee92bb319b45333eaff03f6a"
    record = ledger.recorded("demo", run(Revision("git", "HEAD", commit)), WRITTEN, "2026-09-25T08:00:00Z")
    path = ledger.write(tmp_path, record)
    assert path.name == "8b365ff949.json"
    assert ledger.read(path).revision.date == "2026-09-25T08:00:00Z"


def test_records_are_in_the_order_of_their_age(tmp_path: Path) -> None:
    for version in ("0.10", "0.9", "0.9.post1", "0.9rc1"):
        ledger.write(tmp_path, ledger.recorded("demo", run(Revision("pypi", version)), WRITTEN))
    for digit, date in (("a", "2026-02-01T00:00:00Z"), ("b", "2026-01-01T00:00:00Z")):
        ledger.write(tmp_path, ledger.recorded("demo", run(Revision("git", "x", digit * 40)), WRITTEN, date))
    found = [record.revision.name for record in ledger.records(tmp_path, "demo", "engine")]
    assert found == ["0.9rc1", "0.9", "0.9.post1", "0.10", "b" * 10, "a" * 10]
    assert list(ledger.packs(tmp_path)) == [("demo", ("engine",))]
    assert ledger.records(tmp_path, "demo", "other") == ()


def test_a_claim_whose_text_is_another_is_outdated() -> None:
    record = ledger.recorded("demo", run(), WRITTEN)
    assert ledger.outdated(record, WRITTEN) == []
    assert ledger.outdated(record, {**WRITTEN, "engine/size": "new", "engine/more": "x"}) == [
        "engine/more",
        "engine/size",
    ]


def test_a_claim_that_the_pack_has_no_more_is_left_out() -> None:
    record = ledger.recorded("demo", run(), WRITTEN)
    assert [one.claim for one in ledger.run_of(record, TARGET, {POOL.id: POOL}).results] == [POOL]


Change = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(lambda record: record.update(schema="kvaudit-record/2"), "Invalid enum value", id="schema"),
        pytest.param(lambda record: record.update(more=1), "unknown field `more`", id="unknown field"),
        pytest.param(lambda record: record.pop("pack"), "missing required field `pack`", id="missing field"),
        pytest.param(lambda record: record["claims"].reverse(), "see engine/size", id="order"),
        pytest.param(lambda record: record["claims"].append(record["claims"][1]), "see engine/size", id="twice"),
        pytest.param(lambda record: record["claims"][0].update(kind="good"), "$.claims[0].kind", id="kind"),
        pytest.param(lambda record: record["claims"][1]["locations"][0].update(start=0), "no lines", id="line 0"),
        pytest.param(lambda record: record["claims"][1]["locations"][0].update(start=9), "no lines", id="backwards"),
        pytest.param(lambda record: record["claims"][1]["locations"][0].update(path="/x"), "no path", id="absolute"),
        pytest.param(lambda record: record["claims"][1]["citations"][0].update(state="near"), "near", id="state"),
        pytest.param(lambda record: record.update(target="../x"), "cannot be the name of a file", id="target"),
        pytest.param(lambda record: record["revision"].update(name="2.0"), "lies where it says", id="moved"),
        pytest.param(lambda record: record["revision"].update(commit="abc"), "not the beginning", id="commit"),
    ],
)
def test_a_record_that_is_wrong_is_refused_by_its_name(change: Change, message: str, tmp_path: Path) -> None:
    path = ledger.write(tmp_path, ledger.recorded("demo", run(), WRITTEN))
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        ledger.read(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"null", b"\xff", b"<<<<<<< HEAD\n{", b"[" * 100_000, b'{"pack": "a", "pack": "b"}'], ids=ascii
)
def test_a_file_that_is_no_record_is_refused_by_its_name(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "demo" / "engine" / "1.0.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=r"1\.0\.json is no record of the form kvaudit-record/1"):
        ledger.records(tmp_path, "demo", "engine")


def test_a_name_that_leads_out_of_the_ledger_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be the name of a file"):
        ledger.recorded("../demo", run(), WRITTEN)
    assert list(tmp_path.iterdir()) == []
