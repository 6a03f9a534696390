"""What scripts rely on: exit status, what goes to stdout and what to stderr, where reports go."""

import json
import os
import signal
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import auditor.checks
from auditor.formats import formats
from auditor.registry import discover
from tests.support.command_line import CommandLine, kvaudit
from tests.support.packs import HEAD, claim

__all__ = ["kvaudit"]

FORMATS = list(formats())

HOLDS = claim("at: engine/pool.py::Pool.size\ncheck: default-value\nequals: 16", "engine/a/holds")
FAILS = claim("at: engine/pool.py::Pool.size\ncheck: default-value\nequals: 17", "engine/a/fails")
QUALIFIED = claim("at: engine/tank.py::LEVEL\ncheck: default-value\nequals: 1", "engine/b/qualified")
OPEN = claim("at: engine/pool.py::Pool.gone\ncheck: default-value\nequals: 1", "engine/b/open")
CRASHES = claim("check: crash", "engine/b/crashes")
ACCEPTED = "  accepted: {en: Known., zh: 已知。}\n"
ACCEPTED_REVIEW = "  accepted: {kind: review, en: Known., zh: 已知。}\n"
ACCEPTED_OPEN = ACCEPTED_REVIEW.replace("review", "open")
UNSHIPPED = ACCEPTED_OPEN.replace("open", "open, unshipped: true")
FOUND = ACCEPTED.replace("Known.", "Known., found: {}").replace("{en", "{{en").replace("。}", "。}}")
LOST = '  cites: [{lines: "engine/tank.py:1", at: "engine/tank.py::GONE"}]\n'
SHIFTED = '  cites: ["engine/pool.py:1"]\n'

STATUSES = {
    "a claim holds": (HOLDS, 0, 0),
    "a claim fails": (HOLDS + FAILS, 1, 1),
    "a failure is accepted": (HOLDS + FAILS + ACCEPTED, 0, 0),
    "an acceptance is stale": (HOLDS + ACCEPTED, 1, 1),
    "a claim holds with a qualification": (QUALIFIED, 0, 1),
    "a qualification is accepted": (QUALIFIED + ACCEPTED_REVIEW, 0, 0),
    "a qualification is accepted as a failure": (QUALIFIED + ACCEPTED, 1, 1),
    "a failure is accepted as a qualification": (FAILS + ACCEPTED_REVIEW, 1, 1),
    "a claim is open": (HOLDS + OPEN, 1, 1),
    "an open claim is accepted as failing": (HOLDS + OPEN + ACCEPTED, 1, 1),
    "an open claim is accepted as open": (HOLDS + OPEN + ACCEPTED_OPEN, 0, 0),
    "what was open holds": (HOLDS + ACCEPTED_OPEN, 1, 1),
    "what was open fails": (FAILS + ACCEPTED_OPEN, 1, 1),
    "all that is open is accepted": (OPEN + ACCEPTED_OPEN, 0, 0),
    "it is accepted where nothing is shipped of it, and is": (OPEN + UNSHIPPED, 2, 2),
    "it holds where it is accepted only of what is not shipped": (HOLDS + UNSHIPPED, 0, 0),
    "a failure is accepted with what was found": (FAILS + FOUND.format(16), 0, 0),
    "another value is found than was accepted": (FAILS + FOUND.format(15), 1, 1),
    "a citation is lost": (HOLDS + LOST, 1, 1),
    "a citation of an accepted claim is lost": (FAILS + ACCEPTED + LOST, 1, 1),
    "a citation is shifted": (HOLDS + SHIFTED, 0, 1),
    "no claim can be decided": (OPEN, 2, 2),
    "a check crashes": (HOLDS + CRASHES, 3, 3),
    "a check crashes and a claim fails": (FAILS + CRASHES, 3, 3),
    "the only check crashes": (CRASHES, 3, 3),
}


@pytest.fixture(autouse=True)
def crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more check, in one more file: it raises."""
    module = """
        from dataclasses import dataclass
        from auditor.checks import Check

        @dataclass(frozen=True, kw_only=True)
        class Crash(Check):
            '''Fails.'''

            def run(self, code):
                raise ZeroDivisionError("by 0")
    """
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / "crash.py").write_text(textwrap.dedent(module))
    monkeypatch.setattr(auditor.checks, "__path__", [*auditor.checks.__path__, str(folder)])
    discover.cache_clear()
    yield
    discover.cache_clear()
    sys.modules.pop("auditor.checks.crash", None)


@pytest.fixture(autouse=True)
def tank(kvaudit: CommandLine) -> None:
    kvaudit.code({"engine/tank.py": "import os\nLEVEL = 1 if os.name == 'nt' else 2\n"})


@pytest.mark.parametrize("report", FORMATS)
@pytest.mark.parametrize(("claims", "status", "strict"), STATUSES.values(), ids=STATUSES)
def test_the_status_is_the_same_for_every_format(
    claims: str, status: int, strict: int, report: str, kvaudit: CommandLine
) -> None:
    kvaudit.pack("claims:\n" + claims)
    runs = [kvaudit.verify("-f", report, *options) for options in ([], ["--strict"], ["--exit-zero"])]
    assert [run.status for run in runs] == [status, strict, 0 if status == 1 else status]
    assert [len(run.err.splitlines()) for run in runs] == [int(status > 0), int(strict > 0), int(status > 0)]
    assert [run.out for run in runs] == [runs[0].out] * 3
    assert runs[0].out


REFUSED = [
    (["verify", "nowhere"], "kvaudit: nowhere is no pack: neither a folder with a pack.yaml nor one of "),
    (["verify", "demo", "--path", "engine=nowhere"], "kvaudit: nowhere: no such folder; --path expects "),
    (["verify", "demo", "--path", "src"], "kvaudit: --path src: say whose code it is: --path TARGET=src"),
    (["verify", "demo", "--path", "pump=src"], "kvaudit: pump=src: there is no target pump; there are engine"),
    (["verify", "demo", "--path", "engine=src", "--path", "engine=src"], "kvaudit: engine=src: engine is already "),
    (["verify", "demo", "--release", "1", "--release", "2"], "kvaudit: give one revision for all targets, not 1 and 2"),
    (["verify", "demo", "--release", "near-pin"], "kvaudit: the pack names no release near the pin of engine"),
    (["verify", "demo", "--target", "pump"], "kvaudit: --target pump: there is no such target; there are engine"),
    (["verify", "demo", "--select", "x/"], "kvaudit: --select x/: no claim's id or rule begins so"),
    (["verify", "demo", "--ignore", "x/"], "kvaudit: --ignore x/: no claim's id or rule begins so"),
    (["verify", "demo", "--path", "engine=src", "--ignore", "engine/"], "kvaudit: nothing to audit: no claim is "),
    (["verify", "demo", "-f", "pdf"], "Error: Invalid value for '-f' / '--format': 'pdf' is not one of "),
    (["verify", "demo", "-f", "json", "-f", "html"], "kvaudit: two reports go to stdout; give each its own -o"),
    (["verify", "demo", "-f", "json", "-o", "-", "-f", "html", "-o", "-"], "kvaudit: two reports go to stdout"),
    (["verify", "demo", "-f", "json", "-f", "html", "-o", "a", "-o", "./a"], "kvaudit: two reports go to a; give"),
    (["verify", "demo", "-f", "json", "-o", "a", "-o", "b"], "kvaudit: there are more -o than -f; give them in pairs"),
    (["verify", "demo", "-o", "a.pdf"], "kvaudit: a.pdf: say its format with -f: "),
    (["verify", "demo", "-o", "no/a.html"], "kvaudit: no/a.html: there is no folder no"),
    (["verify", "demo", "--path", "engine=src", "-f", "json", "-o", "src"], "kvaudit: src cannot be written: Is a dir"),
    (["verify", "demo", "--path", "engine=src", "--cache-dir", "demo/pack.yaml/x"], "kvaudit: cache folder demo/pack"),
    (["verify", "demo", "-j", "0"], "Error: Invalid value for '-j' / '--jobs': 0 is not in the range 1<=x<=64."),
    (["verify", "demo", "--colour"], "Error: No such option '--colour'"),
    (["verify", "demo", "demo"], "Error: Got unexpected extra argument (demo)"),
    (["report", "nowhere.json"], "kvaudit: nowhere.json cannot be read: No such file or directory"),
    (["report", "demo/pack.yaml"], "kvaudit: demo/pack.yaml: not a saved run of kvaudit: Expecting value: line 1"),
    (["report", "src"], "Error: Invalid value for '[RUN]': File 'src' is a directory."),
    (["explain", "guess"], "kvaudit: there is no rule guess; there are "),
    (["claim", "list", "nowhere"], "kvaudit: nowhere is no pack"),
    (["guess"], "Error: No such command 'guess'."),
    ([], "Usage: kvaudit "),
]


@pytest.mark.parametrize(("args", "message"), REFUSED)
def test_what_cannot_run_says_so_on_stderr_alone(args: list[str], message: str, kvaudit: CommandLine) -> None:
    done = kvaudit(*args)
    assert (done.status, done.out) == (2, "")
    assert any(line.startswith(message) for line in done.err.splitlines()), done.err
    assert not list(kvaudit.folder.glob("a*"))


def test_every_problem_of_a_pack_is_a_line(kvaudit: CommandLine) -> None:
    kvaudit.pack("claims:\n" + claim("check: symbol", "x"))
    done = kvaudit("claim", "lint", "demo")
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines() == [
        "kvaudit: demo/engine.yaml:2:3: at is missing",
        "kvaudit: demo/engine.yaml:2:7: the id x is not of the form target/section/slug",
    ]


def test_a_line_on_stderr_says_what_is_wrong_with_which_claim(kvaudit: CommandLine) -> None:
    lost = HOLDS.replace("a/holds", "c/lost") + LOST
    kvaudit.pack("claims:\n" + FAILS + OPEN + HOLDS + ACCEPTED + lost)
    assert kvaudit.verify().err == (
        "kvaudit: 4 claims not as recorded: engine/a/fails (fail), engine/a/holds (accepted as fail, but it is pass), "
        "engine/b/open (open), engine/c/lost (a citation is lost)\n"
    )
    assert (kvaudit.verify("-q").status, kvaudit.verify("-q").err) == (1, "")


def test_a_long_list_of_claims_is_cut(kvaudit: CommandLine) -> None:
    kvaudit.pack("claims:\n" + "".join(FAILS.replace("a/fails", f"a/{number}") for number in range(7)))
    assert kvaudit.verify().err.endswith("engine/a/4 (fail) and 2 more\n")


def test_an_undecided_audit_names_what_it_read(kvaudit: CommandLine) -> None:
    kvaudit.pack("claims:\n" + OPEN)
    done = kvaudit.verify("-q")
    assert done.err == "kvaudit: nothing was checked: no claim could be decided on engine src; the report says why\n"


def test_claims_about_no_code_need_none(kvaudit: CommandLine) -> None:
    kvaudit.pack("claims:\n" + claim("check: arithmetic\nexpression: 6 * 7\nequals: 42"), HEAD.partition("  engine")[0])
    (kvaudit.folder / "demo/engine.yaml").rename(kvaudit.folder / "demo/sums.yaml")
    (kvaudit.folder / "demo/pack.yaml").write_text(HEAD.partition("  engine")[0] + "  sums: {}\n", encoding="utf-8")
    assert (kvaudit("verify", "demo").status, kvaudit("verify", "demo").err) == (0, "")


def test_a_crash_is_told_with_its_claim_and_without_a_path_of_this_machine(kvaudit: CommandLine) -> None:
    kvaudit.pack("claims:\n" + HOLDS + CRASHES)
    done = kvaudit.verify("-q", "-f", "json")
    assert done.err.startswith("kvaudit: engine/b/crashes: ZeroDivisionError: by 0 (crash.py:")
    assert str(kvaudit.folder) not in done.out + done.err
    kinds = {result["claim"]: result["kind"] for result in json.loads(done.out)["runs"][0]["results"]}
    assert kinds == {"engine/a/holds": "pass", "engine/b/crashes": "open"}


SELECTIONS = [
    ([], {"holds", "fails", "qualified", "open"}),
    (["--select", "engine/a"], {"holds", "fails"}),
    (["--select", "engine/a/h"], {"holds"}),
    (["--select", "default"], {"holds", "fails", "qualified", "open"}),
    (["--select", "engine/a/h", "--select", "engine/b/q"], {"holds", "qualified"}),
    (["--ignore", "engine/b"], {"holds", "fails"}),
    (["--select", "engine/a", "--ignore", "engine/a/f"], {"holds"}),
    (["--target", "engine"], {"holds", "fails", "qualified", "open"}),
    (["--target", "engine", "--target", "engine"], {"holds", "fails", "qualified", "open"}),
]


@pytest.mark.parametrize(("options", "expected"), SELECTIONS)
def test_options_narrow_what_is_audited(options: list[str], expected: set[str], kvaudit: CommandLine) -> None:
    kvaudit.pack("claims:\n" + HOLDS + FAILS + QUALIFIED + OPEN)
    (run,) = json.loads(kvaudit.verify("-f", "json", *options).out)["runs"]
    assert {result["claim"].rpartition("/")[2] for result in run["results"]} == expected


def test_a_rule_selects_claims_that_have_it_among_others(kvaudit: CommandLine) -> None:
    several = claim("at: engine/pool.py::Pool\nall:\n- check: symbol\n- {check: pattern, code: size}", "engine/c/both")
    kvaudit.pack("claims:\n" + HOLDS + several)
    (run,) = json.loads(kvaudit.verify("-f", "json", "--select", "pattern").out)["runs"]
    assert [(result["claim"], result["rule"]) for result in run["results"]] == [("engine/c/both", "all")]


def test_an_interruption_has_a_status_of_its_own(kvaudit: CommandLine) -> None:
    fifo = kvaudit.folder / "fifo"
    os.mkfifo(fifo)
    process = kvaudit.apart("report", "fifo")
    with fifo.open("wb"):  # returns when the other side has opened it
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err.strip()) == (130, b"", b"kvaudit: interrupted")


@pytest.mark.parametrize("command", ["verify demo --path engine=src -f html", "claim schema", "rules"])
def test_a_reader_that_has_had_enough_is_no_error(command: str, kvaudit: CommandLine) -> None:
    process = kvaudit.apart(*command.split(), shell="{} | head -c 1; exit ${{PIPESTATUS[0]}}")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, len(out), err) == (0, 1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_stdout_that_takes_nothing_is_an_error(kvaudit: CommandLine) -> None:
    process = kvaudit.apart("verify", "demo", "--path", "engine=src", shell="{} > /dev/full")
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (2, b"kvaudit: stdout cannot be written: No space left on device\n")


def test_a_stdout_that_is_closed_is_an_error(kvaudit: CommandLine) -> None:
    process = kvaudit.apart("verify", "demo", "--path", "engine=src", shell="{} >&-")
    _, err = process.communicate(timeout=60)
    message = b"kvaudit: stdout is closed; say where the report goes: -o report.txt\n"
    assert (process.returncode, err) == (2, message)


HEAVY = ["git", "jinja2", "libcst", "msgspec", "requests", "rich", "sympy", "yaml"]


def test_help_imports_nothing_that_takes_time(kvaudit: CommandLine) -> None:
    code = f"import sys; from auditor.cli import run; run(['--help']); print([m for m in {HEAVY} if m in sys.modules])"
    process = kvaudit.apart(shell=f'{sys.executable} -c "{code.replace("{", "{{").replace("}", "}}")}" # {{}}')
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert out.decode().splitlines()[-1] == "[]"


@pytest.mark.parametrize(("words", "expected"), [("kvaudit cla", "claim"), ("kvaudit verify --rel", "--release")])
def test_the_shell_completes(words: str, expected: str, kvaudit: CommandLine) -> None:
    asked = {"_KVAUDIT_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    out, err = kvaudit.apart(env=asked).communicate()
    assert (f"plain,{expected}" in out.decode().splitlines(), err) == (True, b"")
