"""Where reports go, in what colour, and a saved run rendered again."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from auditor.checks import checks
from auditor.formats import formats
from tests.support.command_line import CommandLine, kvaudit
from tests.support.folders import GOLDEN
from tests.support.packs import CLAIMS

__all__ = ["kvaudit"]

BEGINNINGS = {
    "github": "::notice title=kvaudit::2 claims, all as recorded",
    "html": "<!DOCTYPE html>",
    "json": '{\n "schema": "kvaudit/1"',
    "junit": '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites',
    "markdown": "## Demo",
    "sarif": '{\n "$schema": "https://docs.oasis-open.org/sarif',
    "text": "engine src",
}


def kind_of(text: str) -> str:
    """The format that a report is in."""
    (found,) = [name for name, beginning in BEGINNINGS.items() if text.lstrip().startswith(beginning)]
    return found


PAIRS: list[tuple[list[str], dict[str, str]]] = [
    ([], {"-": "text"}),
    (["-f", "json"], {"-": "json"}),
    (["-f", "html", "-o", "-"], {"-": "html"}),
    (["-o", "a.json"], {"a.json": "json"}),
    (["-o", "a.txt"], {"a.txt": "text"}),
    (["-o", "a"], {"a": "text"}),
    (["-o", "-"], {"-": "text"}),
    (["-o", "a.html", "-o", "a.json", "-o", "-"], {"a.html": "html", "a.json": "json", "-": "text"}),
    (["-f", "json", "-o", "a.html"], {"a.html": "json"}),
    (["-f", "html", "-o", "a", "-f", "json", "-o", "b"], {"a": "html", "b": "json"}),
    (["-o", "a", "-o", "b", "-f", "html", "-f", "json"], {"a": "html", "b": "json"}),
    (["-f", "html", "-f", "json", "-o", "a"], {"a": "html", "-": "json"}),
    (["-f", "json", "-o", "src/../a b.json"], {"a b.json": "json"}),
    (["-o", "a.sarif", "-o", "a.md", "-o", "a.xml"], {"a.sarif": "sarif", "a.md": "markdown", "a.xml": "junit"}),
    (["-o", "A.SARIF", "-o", "a.github"], {"A.SARIF": "sarif", "a.github": "github"}),
    (["-f", "github"], {"-": "github"}),
]


@pytest.mark.parametrize(("options", "expected"), PAIRS)
def test_formats_and_outputs_are_paired_in_their_order(
    options: list[str], expected: dict[str, str], kvaudit: CommandLine
) -> None:
    before = {*kvaudit.folder.iterdir(), kvaudit.folder / "home"}
    done = kvaudit.verify(*options)
    written = {path.name: path.read_text(encoding="utf-8") for path in {*kvaudit.folder.iterdir()} - before}
    assert (done.status, done.err) == (0, "")
    found = {name: kind_of(text) for name, text in written.items()} | ({"-": kind_of(done.out)} if done.out else {})
    assert found == expected


def test_a_report_replaces_the_one_before(kvaudit: CommandLine) -> None:
    Path("a.json").write_text("x" * 1_000_000)
    kvaudit.verify("-o", "a.json")
    assert json.loads(Path("a.json").read_text(encoding="utf-8"))["pack"] == "demo"


def test_a_report_is_kept_when_the_next_audit_cannot_run(kvaudit: CommandLine) -> None:
    Path("a.json").write_text("before")
    assert kvaudit("verify", "demo", "--path", "engine=nowhere", "-o", "a.json").status == 2
    assert Path("a.json").read_text() == "before"


COLOR = [
    ([], {}, False),
    ([], {"FORCE_COLOR": "1"}, True),
    ([], {"FORCE_COLOR": ""}, False),
    ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ([], {"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    (["--color", "always"], {}, True),
    (["--color", "always"], {"NO_COLOR": "1"}, True),
    (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    (["--color", "auto"], {"KVAUDIT_VERIFY_COLOR": "always"}, False),
    ([], {"KVAUDIT_VERIFY_COLOR": "always"}, True),
    (["--color", "always", "-f", "json"], {}, False),
    (["--color", "always", "-f", "html"], {}, False),
]


@pytest.mark.parametrize(("options", "environment", "is_colored"), COLOR)
def test_color_is_for_who_asks_for_it(
    options: list[str],
    environment: dict[str, str],
    is_colored: bool,
    kvaudit: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in kvaudit.verify(*options).out) == is_colored


def test_a_file_has_no_color(kvaudit: CommandLine) -> None:
    kvaudit.verify("-o", "a.txt", "--color", "always")
    assert "\x1b" not in Path("a.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("report", list(formats()))
def test_a_saved_run_is_rendered_again_byte_for_byte(report: str, kvaudit: CommandLine) -> None:
    kvaudit.pack(CLAIMS.replace("equals: 16", "equals: 17\n  accepted: {en: Known — yes., zh: 已知。}"))
    fresh = kvaudit.verify("-f", report)
    kvaudit.verify("-o", "run.json")
    again = kvaudit("report", "run.json", "-f", report)
    assert (again.status, again.err, again.out) == (0, "", fresh.out)
    kvaudit("report", "run.json", "-f", report, "-o", "again")
    assert Path("again").read_bytes().decode() == fresh.out


@pytest.mark.parametrize("show", ["all", "failed"])
@pytest.mark.parametrize("report", list(formats()))
def test_what_is_shown_is_the_same_of_a_saved_run(report: str, show: str, kvaudit: CommandLine) -> None:
    fresh = kvaudit.verify("-f", report, "--show", show)
    kvaudit.verify("-o", "run.json")
    again = kvaudit("report", "run.json", "-f", report, "--show", show)
    assert (again.status, again.err, again.out) == (0, "", fresh.out)


@pytest.mark.parametrize(
    ("report", "show", "is_shown"),
    [
        ("text", None, True),
        ("text", "failed", False),
        ("markdown", None, True),
        ("markdown", "failed", False),
        ("junit", None, True),
        ("junit", "failed", False),
        ("sarif", None, False),
        ("sarif", "all", True),
        ("sarif", "failed", False),
        ("json", "failed", True),
    ],
)
def test_what_holds_is_shown_or_left_out(report: str, show: str | None, is_shown: bool, kvaudit: CommandLine) -> None:
    kvaudit.pack(CLAIMS.replace("equals: 16", "equals: 17"))
    options = [] if show is None else ["--show", show]
    out = kvaudit.verify("-f", report, *options).out
    assert ("engine/size/sixteen" in out, "engine/pool/class" in out) == (True, is_shown)


def test_a_setting_says_what_is_shown(kvaudit: CommandLine) -> None:
    Path("kvaudit.toml").write_text('show = "failed"\n')
    assert "engine/pool/class" not in kvaudit.verify().out
    assert "engine/pool/class" in kvaudit.verify("--show", "all").out


def test_the_schema_of_a_run_is_printed_and_a_run_is_as_it_says(kvaudit: CommandLine) -> None:
    done = kvaudit("report", "--schema")
    schema = json.loads(done.out)
    assert (done.status, done.err, schema["$id"]) == (0, "", "urn:kvaudit:1")
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    kvaudit.pack(CLAIMS.replace("equals: 16", "equals: 17\n  accepted: {en: Known., zh: 已知。}"))
    assert list(validator.iter_errors(json.loads(kvaudit.verify("-f", "json").out))) == []
    for name in ("ordinary", "hostile"):
        golden = (GOLDEN / "json" / f"{name}.json").read_text(encoding="utf-8")
        assert list(validator.iter_errors(json.loads(golden))) == []


BROKEN: list[tuple[str, object, str]] = [
    ("schema", "kvaudit/2", "$.schema"),
    ("pack", None, "$.pack"),
    ("runs", {}, "$.runs"),
    ("runs/0/revision/source", 1, "$.runs[0].revision.source"),
    ("runs/0/results/0/kind", "maybe", "$.runs[0].results[0].kind"),
    ("runs/0/results/0/expected", [], "$.runs[0].results[0].expected"),
    ("runs/0/results/1/citations/0/state", "near", "$.runs[0].results[1].citations[0].state"),
    ("runs/0/results/1/citations/0/start", "2", "$.runs[0].results[1].citations[0].start"),
]


@pytest.mark.parametrize(("place", "value", "found"), BROKEN)
def test_the_schema_finds_what_is_wrong(place: str, value: object, found: str, kvaudit: CommandLine) -> None:
    validator = Draft202012Validator(json.loads(kvaudit("report", "--schema").out))
    document = json.loads(kvaudit.verify("-f", "json").out)
    at: Any = document
    *path, last = (int(key) if key.isdecimal() else key for key in place.split("/"))
    for key in path:
        at = at[key]
    at[last] = value
    assert [error.json_path for error in validator.iter_errors(document)] == [found]


CONTRACT = {
    "LogEntry": ["schema", "pack", "tool", "runs"],
    "Tool": ["name", "version"],
    "RunEntry": ["target", "revision", "results", "notifications"],
    "Revision": ["source", "name", "commit"],
    "ResultEntry": [
        *("claim", "rule", "kind", "message", "expected", "actual", "citations", "locations"),
        *("fingerprint", "accepted", "baseline"),
    ],
    "CitationEntry": ["path", "start", "end", "state", "offset", "found"],
    "Place": ["path", "start", "end", "symbol"],
}


@pytest.mark.parametrize("name", CONTRACT)
def test_the_names_that_others_rely_on_are_in_the_schema(name: str, kvaudit: CommandLine) -> None:
    entry = json.loads(kvaudit("report", "--schema").out)["$defs"][name]
    assert [key for key in CONTRACT[name] if key not in entry["properties"]] == []
    assert set(CONTRACT[name]) - set(entry["required"]) <= {"commit"}
    assert entry["description"]


def test_a_report_of_nothing_says_what_it_needs(kvaudit: CommandLine) -> None:
    done = kvaudit("report")
    assert (done.status, done.out) == (2, "")
    assert "say which saved run: kvaudit report RUN.json" in done.err


def test_a_report_needs_neither_pack_nor_code(kvaudit: CommandLine) -> None:
    kvaudit.verify("-o", "run.json")
    text = kvaudit("report", "run.json").out
    (kvaudit.folder / "demo").rename(kvaudit.folder / "gone")
    (kvaudit.folder / "src").rename(kvaudit.folder / "gone too")
    assert kvaudit("report", "run.json").out == text


@pytest.mark.parametrize("content", [b"\xff", b"", b"{", b'{"schema": "kvaudit/2"}', b"[" * 100_000])
def test_a_file_that_is_no_run_is_named(content: bytes, kvaudit: CommandLine) -> None:
    Path("run.json").write_bytes(content)
    done = kvaudit("report", "run.json")
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert done.err.startswith(("kvaudit: run.json: not a saved run", "kvaudit: run.json cannot be read: "))


def test_half_a_character_is_no_kind(kvaudit: CommandLine) -> None:
    Path("run.json").write_text(kvaudit.verify("-f", "json").out.replace('"pass"', r'"\ud800"'))
    done = kvaudit("report", "run.json")
    assert (done.status, len(done.err.splitlines()), "run.json: not a saved run" in done.err) == (2, 1, True), done.err


def test_the_report_holds_nothing_of_this_machine(kvaudit: CommandLine) -> None:
    runs = [kvaudit.verify("-f", name).out for name in formats()]
    assert [text for text in runs if str(kvaudit.folder) in text or "/home" in text] == []
    assert runs == [kvaudit.verify("-f", name, "--no-cache").out for name in formats()]


def test_the_cache_is_shown_and_cleared(kvaudit: CommandLine) -> None:
    folder = kvaudit.folder / "kept"
    assert kvaudit("cache", "--cache-dir", folder).out == f"{folder}: 0 bytes\n"
    kvaudit.verify("--cache-dir", folder)
    size = re.fullmatch(rf"{folder}: ([1-9][\d,]*) bytes\n", kvaudit("cache", "--cache-dir", folder).out)
    assert size
    assert kvaudit("cache", "--cache-dir", folder, "--clear").out == f"{folder}: {size[1]} bytes removed\n"
    assert kvaudit("cache", "--cache-dir", folder).out == f"{folder}: 0 bytes\n"


def test_the_cache_is_where_the_audit_keeps_it(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kvaudit("cache").out == f"{kvaudit.folder / 'home' / 'kvaudit'}: 0 bytes\n"
    kvaudit.verify()
    assert not kvaudit("cache").out.endswith(": 0 bytes\n")
    monkeypatch.setenv("KVAUDIT_VERIFY_CACHE_DIR", "other")
    kvaudit.verify()
    assert re.fullmatch(r"other: [\d,]{3,} bytes\n", kvaudit("cache").out)


def test_without_a_cache_nothing_is_kept(kvaudit: CommandLine) -> None:
    kvaudit.verify("--no-cache")
    assert not (kvaudit.folder / "home").exists()


def test_rules_are_listed_with_what_they_check(kvaudit: CommandLine) -> None:
    lines = kvaudit("rules").out.splitlines()
    assert [re.split(r"\s{2,}|(?<=\S) (?=[A-Z])", line)[0] for line in lines] == list(checks())
    assert [line for line in lines if not line.endswith(".")] == []
    assert [line for line in kvaudit("rules", "--language", "zh").out.splitlines() if not line.endswith("。")] == []


@pytest.mark.parametrize("rule", checks())
def test_a_rule_is_explained_with_its_parameters_and_an_example(rule: str, kvaudit: CommandLine) -> None:
    done = kvaudit("explain", rule)
    assert done.out.startswith(f"{rule}: {checks()[rule].summary()}\n")
    assert re.findall(r"\*(What it checks|Parameters|Example)\.\*", done.out) == [
        "What it checks",
        "Parameters",
        "Example",
    ]
    assert f"    check: {rule}\n" in done.out


def test_claims_are_listed(kvaudit: CommandLine) -> None:
    kvaudit.pack(CLAIMS + "  accepted: {en: Known., zh: 已知。}\n")
    assert kvaudit("claim", "list", "demo").out.splitlines() == [
        "engine/size/sixteen  [default-value]  The size is 16.",
        "engine/pool/class  [symbol] (accepted)  There is a pool.",
    ]


def test_a_sound_pack_is_said_to_be_so(kvaudit: CommandLine) -> None:
    assert kvaudit("claim", "lint", "demo").out == "demo: 2 claims about engine, no problem\n"


def test_the_schema_is_printed(kvaudit: CommandLine) -> None:
    assert json.loads(kvaudit("claim", "schema").out)["title"] == "kvaudit claims"


@pytest.mark.parametrize("args", [["--help"], ["-h"], ["verify", "--help"], ["claim", "lint", "-h"], ["--version"]])
def test_help_is_a_success(args: list[str], kvaudit: CommandLine) -> None:
    done = kvaudit(*args)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(("Usage: kvaudit", "kvaudit 0."))
