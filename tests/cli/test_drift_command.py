"""`kvaudit drift`, `verify --baseline` and `verify --against`, as scripts and people see them."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import auditor.checks
from auditor import ledger
from auditor.cli import revisions
from auditor.formats.json import read
from auditor.formats.text import Text
from auditor.registry import discover
from tests.support.command_line import CommandLine, Done, kvaudit
from tests.support.compared import log as compared_log
from tests.support.folders import GOLDEN
from tests.support.git_repositories import Repository
from tests.support.packs import CLAIMS, CODE, HEAD, claim, write

__all__ = ["kvaudit"]

COMPARED = GOLDEN / "text" / "compared.txt"
MOVED = {**CODE, "engine/pool.py": "# one\n# two\n" + CODE["engine/pool.py"]}
CHANGED = {**CODE, "engine/pool.py": "class Pool:\n    size = 16\n    count = 0\n"}
BROKEN = {**CODE, "engine/pool.py": "class Pool:\n    size = 32\n"}
SECOND = "claims:\n" + claim("at: engine/pool.py::Pool\ncheck: symbol", "engine/other/only")


@pytest.fixture(autouse=True)
def versions(kvaudit: CommandLine) -> None:
    for name, code in {"moved": MOVED, "changed": CHANGED, "broken": BROKEN}.items():
        write(kvaudit.folder / name, code)


def drift(kvaudit: CommandLine, old: str, new: str, *args: str) -> Done:
    return kvaudit("drift", old, new, "--pack", "demo", *args)


def saved(kvaudit: CommandLine, folder: str = "src", *args: str) -> str:
    name = f"{folder}.json"
    kvaudit("verify", "demo", "--path", f"engine={folder}", "-f", "json", "-o", name, *args)
    return name


def states(done: Done) -> dict[str, Any]:
    document = json.loads(done.out)
    return {result["claim"]: result["baseline"] for run in document["runs"] for result in run["results"]}


@pytest.mark.parametrize(
    ("new", "status", "expected"),
    [
        ("src", 0, {"engine/pool/class": "unchanged", "engine/size/sixteen": "unchanged"}),
        ("moved", 0, {"engine/pool/class": "unchanged", "engine/size/sixteen": "unchanged"}),
        ("changed", 0, {"engine/pool/class": "updated", "engine/size/sixteen": "unchanged"}),
        ("broken", 1, {"engine/pool/class": "updated", "engine/size/sixteen": "new"}),
    ],
)
@pytest.mark.parametrize("is_saved", [(False, False), (True, False), (False, True), (True, True)], ids=str)
def test_states_and_status_are_the_same_whatever_the_two_are_told_as(
    new: str, status: int, expected: dict[str, str], is_saved: tuple[bool, bool], kvaudit: CommandLine
) -> None:
    words = [
        saved(kvaudit, name) if one else f"engine={name}" for name, one in zip(("src", new), is_saved, strict=True)
    ]
    done = drift(kvaudit, words[0], words[1], "-f", "json")
    assert (done.status, states(done)) == (status, expected)
    assert len(done.err.splitlines()) == status


def test_what_got_better_is_no_reason_to_fail(kvaudit: CommandLine) -> None:
    done = drift(kvaudit, "engine=broken", "engine=src", "-f", "json")
    assert (done.status, states(done)["engine/size/sixteen"], done.err) == (0, "resolved", "")


def test_what_broke_is_named_in_a_line_on_stderr(kvaudit: CommandLine) -> None:
    done = drift(kvaudit, "engine=src", "engine=broken")
    assert done.err == "kvaudit: 1 claim worse than before: engine/size/sixteen\n"
    assert (0, done.out) == (
        kvaudit("drift", "engine=src", "engine=broken", "--pack", "demo", "--exit-zero").status,
        done.out,
    )
    assert not drift(kvaudit, "engine=src", "engine=broken", "--quiet").err


def test_a_reader_sees_what_broke_with_its_lines_and_the_rest_in_short(kvaudit: CommandLine) -> None:
    short = drift(kvaudit, "engine=src", "engine=broken").out
    assert short.index("broke: 1 claim") < short.index("changed, and comes out as before: 1 claim")
    assert "  before    pass: " in short
    assert "  actual    16 before\n" in short
    assert "        2 +    size = 32\n" in short
    assert short.count("size = 32\n") == 1
    assert drift(kvaudit, "engine=src", "engine=broken", "-v").out.count("size = 32\n") == 2
    assert short.endswith("\n1 claim came out worse; 1 of 2 claims not as recorded\n")


def test_moved_code_takes_a_line_and_tells_how_far(kvaudit: CommandLine) -> None:
    done = drift(kvaudit, "engine=src", "engine=moved")
    assert "only moved: 2 claims\n  engine/pool.py:3 +2: pass engine/pool/class\n" in done.out
    assert (
        "went      engine/pool.py:2 to engine/pool.py:4 (shifted +2, the same syntax)"
        in drift(kvaudit, "engine=src", "engine=moved", "-v").out
    )


def test_a_comparison_of_one_with_itself_says_that_nothing_changed(kvaudit: CommandLine) -> None:
    done = drift(kvaudit, "engine=src", "engine=src")
    assert done.out.splitlines()[1:3] == ["", "2 unchanged"]


def test_a_text_report_of_a_comparison_equals_its_golden_file(request: pytest.FixtureRequest) -> None:
    actual = Text().render(compared_log)
    if request.config.getoption("--update-golden"):
        COMPARED.write_text(actual, "utf-8")
    assert COMPARED.read_text("utf-8") == actual


# What words mean.


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("0.31.0", ("pypi", "0.31.0")),
        ("0.31.0rc1", ("pypi", "0.31.0rc1")),
        ("latest", ("pypi", "latest")),
        ("near-pin", ("pypi", "near-pin")),
        ("pinned", ("git", "")),
        ("HEAD", ("git", "HEAD")),
        ("v0.31.0", ("git", "v0.31.0")),
        ("1234567", ("git", "1234567")),
        ("12345e7", ("git", "12345e7")),
        ("releases/v0.11", ("git", "releases/v0.11")),
        ("src", ("directory", "src")),
        ("git:src", ("git", "src")),
        ("git:0.5.21", ("git", "0.5.21")),
        ("pypi:7", ("pypi", "7")),
        ("dir:0.31.0", ("directory", "0.31.0")),
        ("installed", ("installed", "")),
        ("installed:/bin/python", ("installed", "/bin/python")),
        ("feature:x", ("git", "feature:x")),
    ],
)
@pytest.mark.usefixtures("kvaudit")
def test_a_word_is_a_release_a_folder_or_else_a_commit(word: str, expected: tuple[str, str]) -> None:
    assert expected == revisions.source_and_spec(word)


TWO = HEAD + '  pump: {repository: "https://example.org/pump"}\n'


def test_targets_are_told_apart_with_commas_and_those_of_one_side_only_are_left_out(kvaudit: CommandLine) -> None:
    kvaudit.pack(head=TWO)
    pump = claim("at: pump/pool.py::Pool\ncheck: symbol", "pump/a/b")
    write(kvaudit.folder / "demo", {"pump.yaml": "claims:\n" + pump})
    for folder in ("src", "changed"):
        write(kvaudit.folder / folder, {"pump/pool.py": f"class Pool:\n    {folder} = 1\n"})
    both = drift(kvaudit, "engine=src,pump=src", "engine=changed,pump=src", "-f", "json")
    assert states(both) == {"engine/pool/class": "updated", "engine/size/sixteen": "unchanged", "pump/a/b": "unchanged"}
    one = drift(kvaudit, "engine=src,pump=src", "pump=changed", "-f", "json")
    assert states(one) == {"pump/a/b": "updated"}
    assert (
        drift(kvaudit, "engine=src", "pump=src").err
        == "kvaudit: OLD is of engine and NEW of pump; nothing is in both\n"
    )


def test_commits_are_read_from_a_clone(kvaudit: CommandLine) -> None:
    repository = Repository(kvaudit.folder / "clone")
    old, new = (repository.commit({path: text.encode() for path, text in code.items()}) for code in (CODE, BROKEN))
    place = f"engine={kvaudit.folder / 'clone'}"
    done = drift(kvaudit, old[:10], new, "--repo", place, "-f", "json")
    run = json.loads(done.out)["runs"][0]
    assert (done.status, run["baseline"]["commit"], run["revision"]["commit"]) == (1, old, new)
    mixed = drift(kvaudit, old, "engine=broken", "--repo", place, "-f", "json")
    assert states(mixed) == states(done)


REFUSED = [
    (["engine=src", "engine=nowhere.json"], "kvaudit: engine=nowhere.json cannot be read: No such file"),
    (["gone.json", "engine=src"], "kvaudit: gone.json cannot be read: No such file"),
    (["engine=src", "pump=src"], "kvaudit: pump=src: there is no target pump; there are engine"),
    (["engine=src", "dir:nowhere"], "kvaudit: nowhere: no such folder"),
    (["engine=src", "engine="], "kvaudit: a revision is empty; name a release, commit, tag, branch or folder"),
    (["engine=src", "git:"], "kvaudit: git:: say which revision comes after git:"),
    (["src,src", "engine=src"], "kvaudit: engine src,src: this is not the name of a commit, branch or tag"),
    (["engine=src", "engine=src", "--repo", "engine=x"], "kvaudit: --repo engine=x: no revision is read from git of "),
    (["engine=src", "engine=src", "--select", "x/"], "kvaudit: --select x/: no claim's id or rule begins so"),
    (["engine=src", "near-pin"], "kvaudit: the pack names no release near the pin of engine"),
    (["demo/engine.yaml", "engine=src"], "kvaudit: demo/engine.yaml: not a saved run of kvaudit"),
    (["engine=src"], "Error: Missing argument 'NEW'."),
]


@pytest.mark.parametrize(("args", "message"), REFUSED)
def test_what_cannot_be_compared_is_refused(args: list[str], message: str, kvaudit: CommandLine) -> None:
    done = kvaudit("drift", *args, "--pack", "demo", "--offline")
    assert (done.status, done.out) == (2, "")
    assert message in done.err


# The baseline of an audit.


@pytest.mark.parametrize("option", ["baseline", "against"])
def test_an_audit_tells_states_and_its_status_is_that_of_the_claims(option: str, kvaudit: CommandLine) -> None:
    old, broken = (saved(kvaudit, name) if option == "baseline" else f"engine={name}" for name in ("src", "broken"))
    fine = kvaudit.verify("-f", "json", f"--{option}", broken)
    assert (fine.status, states(fine)["engine/size/sixteen"]) == (0, "resolved")
    fails = kvaudit("verify", "demo", "--path", "engine=broken", "-f", "json", f"--{option}", old)
    assert (fails.status, states(fails)["engine/size/sixteen"]) == (1, "new")
    still = kvaudit("verify", "demo", "--path", "engine=broken", "-f", "json", f"--{option}", broken)
    assert (still.status, states(still)["engine/size/sixteen"]) == (1, "unchanged")


def test_a_line_at_the_top_of_a_file_makes_nothing_new(kvaudit: CommandLine) -> None:
    done = kvaudit("verify", "demo", "--path", "engine=moved", "--baseline", saved(kvaudit), "-f", "json")
    assert set(states(done).values()) == {"unchanged"}


def test_a_claim_that_is_ignored_is_not_gone_and_one_ignored_before_is_not_hidden(kvaudit: CommandLine) -> None:
    whole, part = saved(kvaudit), saved(kvaudit, "broken", "--ignore", "engine/size")
    narrow = kvaudit.verify("--baseline", whole, "--ignore", "engine/size", "-f", "json")
    assert json.loads(narrow.out)["runs"][0]["absent"] == []
    again = kvaudit("verify", "demo", "--path", "engine=broken", "--baseline", part, "-f", "json")
    assert states(again) == {"engine/pool/class": "unchanged", "engine/size/sixteen": "new"}


def test_a_claim_that_the_pack_has_no_more_is_absent(kvaudit: CommandLine) -> None:
    baseline = saved(kvaudit)
    kvaudit.pack(CLAIMS.replace("engine/pool/class", "engine/pool/renamed"))
    document = json.loads(kvaudit.verify("--baseline", baseline, "-f", "json").out)
    assert [(one["claim"], one["baseline"]) for one in document["runs"][0]["absent"]] == [
        ("engine/pool/class", "absent")
    ]


def test_a_baseline_that_shares_nothing_is_refused(kvaudit: CommandLine) -> None:
    baseline = saved(kvaudit)
    kvaudit.pack(SECOND)
    done = kvaudit.verify("--baseline", baseline)
    assert (done.status, done.out) == (2, "")
    assert done.err == "kvaudit: src.json has none of the claims about engine; it is no baseline for them\n"
    kvaudit.pack(head=HEAD.replace("id: demo", "id: other"))
    done = kvaudit.verify("--baseline", baseline)
    assert done.err == "kvaudit: src.json is a run of the pack demo, not of other; save one with -f json\n"


def test_a_run_can_be_compared_with_one_other_only(kvaudit: CommandLine) -> None:
    done = kvaudit.verify("--baseline", "a.json", "--against", "HEAD")
    assert done.err == "kvaudit: give --baseline or --against, not both: a run is compared with one other\n"


def test_what_another_version_saved_is_compared_with_a_warning(kvaudit: CommandLine) -> None:
    path = kvaudit.folder / saved(kvaudit)
    path.write_text(path.read_text("utf-8").replace('"version": "', '"version": "9.'), "utf-8")
    done = kvaudit.verify("--baseline", path, "-f", "json")
    assert (0, {"unchanged"}) == (done.status, set(states(done).values()))
    assert "is of kvaudit 9." in done.err


@pytest.mark.parametrize(("name", "expected"), [("moved", "unchanged"), ("broken", "new")])
def test_a_record_of_the_ledger_is_a_baseline_too(name: str, expected: str, kvaudit: CommandLine) -> None:
    [run] = read((kvaudit.folder / saved(kvaudit)).read_text("utf-8")).runs
    run = replace(run, revision=replace(run.revision, source="pypi", name="1.0"))
    written = {result.claim.id: "" for result in run.results}
    path = ledger.write(kvaudit.folder / "reports", ledger.recorded("demo", run, written))
    done = drift(kvaudit, str(path), f"engine={name}", "-f", "json")
    assert (states(done)["engine/size/sixteen"], json.loads(done.out)["runs"][0]["baseline"]["name"]) == (
        expected,
        "1.0",
    )
    again = drift(kvaudit, str(path), str(path), "-f", "json")
    assert {"unchanged"} == set(states(again).values())


FUSSY = '''
from dataclasses import dataclass
from auditor.checks import Check
from auditor.model import Kind, Outcome, Text

@dataclass(frozen=True, kw_only=True)
class Fussy(Check):
    """Fails where there is a count."""

    def run(self, code):
        if "count" in code.text("engine/pool.py"):
            raise ZeroDivisionError("by 0")
        return Outcome(Kind.PASS, Text("fine", "好"))
'''


@pytest.fixture
def fussy(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more check, in one more file."""
    write(kvaudit.folder / "plugins", {"fussy.py": FUSSY})
    monkeypatch.setattr(auditor.checks, "__path__", [*auditor.checks.__path__, str(kvaudit.folder / "plugins")])
    discover.cache_clear()
    yield
    discover.cache_clear()
    sys.modules.pop("auditor.checks.fussy", None)


@pytest.mark.usefixtures("fussy")
def test_a_bug_at_the_older_revision_is_not_taken_for_progress(kvaudit: CommandLine) -> None:
    kvaudit.pack("claims:\n" + claim("check: fussy"))
    done = drift(kvaudit, "engine=changed", "engine=src")
    assert (done.status, done.err.partition(" (")[0]) == (3, "kvaudit: engine/a/b: ZeroDivisionError: by 0")


def test_an_older_revision_of_which_nothing_could_be_decided_is_an_error(kvaudit: CommandLine) -> None:
    write(kvaudit.folder / "empty", {"engine/__init__.py": ""})
    kvaudit.pack("claims:\n" + claim("at: engine/pool.py::Pool.size\ncheck: default-value\nequals: 16"))
    done = drift(kvaudit, "engine=empty", "engine=src")
    assert (done.status, "nothing was checked: no claim could be decided on engine empty" in done.err) == (2, True)


MEASURED = {**CODE, "engine/pool.py": "class Pool:\n    size = measure()\n"}


@pytest.mark.parametrize("value", [16, 17])
def test_what_cannot_be_decided_any_more_is_worse_whatever_it_was(value: int, kvaudit: CommandLine) -> None:
    kvaudit.pack("claims:\n" + claim(f"at: engine/pool.py::Pool.size\ncheck: default-value\nequals: {value}"))
    write(kvaudit.folder / "measured", MEASURED)
    done = drift(kvaudit, "engine=src", "engine=measured")
    assert (done.status, "comes out as before" in done.out, "(updated)" in done.out) == (1, False, False)
    assert "1 claim worse than before: engine/a/b" in done.err


def test_code_that_is_cited_and_lost_is_status_1(kvaudit: CommandLine) -> None:
    cites = 'cites: [{lines: "engine/pool.py:4-5", at: "engine/pool.py::helper"}]\n'
    kvaudit.pack("claims:\n" + claim(f"{cites}at: engine/pool.py::Pool.size\ncheck: default-value\nequals: 16"))
    write(
        kvaudit.folder / "with", {**CODE, "engine/pool.py": CODE["engine/pool.py"] + "\ndef helper():\n    return 1\n"}
    )
    done = drift(kvaudit, "engine=with", "engine=src")
    assert (done.status, "only moved" in done.out) == (1, False)
    assert drift(kvaudit, "engine=with", "engine=with").status == 0


@pytest.mark.parametrize(("lines", "state"), [("1", "exact"), ("5", "exact"), ("3", "shifted")])
def test_a_constant_is_a_place_of_the_default_that_it_is(lines: str, state: str, kvaudit: CommandLine) -> None:
    text = "LIMIT = 120\n\n\nclass Pool:\n    def __init__(self, cap=LIMIT):\n        self.cap = cap\n"
    rest = f'cites: ["engine/pool.py:{lines}"]\nat: engine/pool.py::Pool.__init__\ncheck: default-value\n'
    kvaudit.pack("claims:\n" + claim(f"{rest}parameter: cap\nequals: 120"))
    kvaudit.code({"engine/pool.py": text})
    [run] = json.loads(kvaudit.verify("-f", "json").out)["runs"]
    assert run["results"][0]["citations"][0]["state"] == state
