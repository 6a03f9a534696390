"""Whoever reads, or does not: the exit status is true, nothing is lost, and nothing that is printed is obeyed."""

import json
import os
import re
from pathlib import Path

import pytest

from auditor import files
from auditor.cli.commands import __path__ as commands
from auditor.text import escaped, no_commands
from tests.support.command_line import CommandLine, kvaudit
from tests.support.folders import ROOT
from tests.support.packs import CLAIMS, write

__all__ = ["kvaudit"]

FAILING = CLAIMS.replace("equals: 16", "equals: 17")
VERIFY = ("verify", "demo", "--path", "engine=src", "--no-cache")


@pytest.mark.parametrize(
    ("shell", "status", "lines"),
    [
        ("{} 2> >(exec true)", 1, 0),
        ("{} 2>/dev/full", 1, 0),
        ("{} 2>&-", 1, 0),
        ("{} > >(exec true)", 1, 1),
        ("{} >/dev/full", 2, 1),
        ("{} >&-", 2, 1),
        ("{} >&- 2>&-", 2, 0),
        ("{} >/dev/full 2>/dev/full", 2, 0),
        ("{} -o r.txt >/dev/full 2> >(exec true)", 1, 0),
        ("{} -o /dev/full", 2, 1),
    ],
)
def test_the_exit_status_is_true_whatever_reads(shell: str, status: int, lines: int, kvaudit: CommandLine) -> None:
    kvaudit.pack(FAILING)
    done = kvaudit.apart(*VERIFY, shell=shell)
    _, err = done.communicate()
    assert done.returncode == status
    assert len(err.splitlines()) == lines, err


@pytest.mark.parametrize("arguments", [["--help"], ["claim", "list", "demo"]])
def test_a_full_stdout_is_one_line_for_every_command(arguments: list[str], kvaudit: CommandLine) -> None:
    done = kvaudit.apart(*arguments, shell="{} >/dev/full")
    _, err = done.communicate()
    assert (done.returncode, len(err.splitlines())) == (2, 1), err


def test_nothing_but_streams_writes_to_the_person() -> None:
    for path in Path(next(iter(commands))).parent.rglob("*.py"):
        assert path.name == "streams.py" or not re.search(r"click\.(sech|ech)o|\bprint\(", path.read_text()), path


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("a\tb\nc", "a\tb\nc"),
        ("\x9b31m\u202e", r"\x9b31m\u202e"),
        ("中文　引号", "中文　引号"),
        ("\udcff", r"\udcff"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text: str, shown: str) -> None:
    assert escaped(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x", r"\::error::x"),
        ("a\n  ::set-output::", "a\n  \\::set-output::"),
        ("\x1b[1m::error::", "\x1b[1m\\::error::"),
        ("x ##[error]y", r"x #\#[error]y"),
        ("##vso[task.setvariable]", r"#\#vso[task.setvariable]"),
        ("a[1::2] ## b", "a[1::2] ## b"),
    ],
)
def test_no_line_is_a_command_to_a_log(text: str, shown: str) -> None:
    assert no_commands(text) == shown


HOSTILE = """\
claims:
- id: engine/size/sixteen
  statement: {en: "::error::pwned ##[error] \\e[31mred", zh: "::error::"}
  at: engine/pool.py::Pool.size
  check: default-value
  equals: "\\n::error file=x::y ##vso[task.complete]"
"""


@pytest.mark.parametrize("command", [[*VERIFY], [*VERIFY, "-f", "json"], ["claim", "list", "demo"]], ids=" ".join)
def test_a_pack_gives_no_commands_to_a_log(command: list[str], kvaudit: CommandLine) -> None:
    kvaudit.pack(HOSTILE)
    done = kvaudit(*command)
    for line in (done.out + done.err).splitlines():
        assert not line.lstrip().startswith("::")
        assert not re.search(r"##(\[|vso\[)", line)
        assert "\x1b" not in line


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r"
    path.write_text("old")
    path.chmod(0o640)
    (link := tmp_path / "link").symlink_to("r")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", fail)
        with pytest.raises(OSError, match="No space"):
            files.replace(path, b"new")
    assert [*sorted(tmp_path.iterdir())] == [link, path]
    assert path.read_text() == "old"
    files.replace(link, b"new")
    assert (link.is_symlink(), path.read_text(), path.stat().st_mode & 0o777) == (True, "new", 0o640)
    files.replace(Path(os.devnull), b"x")
    assert not Path(os.devnull).is_file()


def test_every_file_that_is_kept_is_written_in_one_place() -> None:
    """Whoever writes in place loses what was there on a full disk."""
    allowed = {"files.py", "upstream.py", "streams.py"}  # a clone that is being made
    for path in (ROOT / "auditor").rglob("*.py"):
        is_writing = re.search(r"\.write_(text|bytes)\(|open\([^)]*\"[wax]", path.read_text())
        assert path.name in allowed or not is_writing or path.name == "repair.py", path


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "x" * 5_000],
        ["verify", "demo", "--path", f"engine={'x' * 5_000}"],
        ["verify", "demo", "--path", f"engine={'x/' * 5_000}"],
        ["verify", "demo", "--installed", "x" * 5_000],
        ["verify", "demo", "--installed", "~nobody-is-called-so/x"],
        ["verify", "demo", "--repo", "engine=~nobody-is-called-so/x"],
        ["verify", "demo", "--path", "engine=~nobody-is-called-so/x"],
        ["verify", "demo", "--installed", "/" + "x/" * 5_000],
        ["verify", "demo", "--repo", f"engine={'x' * 5_000}"],
        ["verify", "demo", "--commit", "x" * 100_000],
        ["verify", "demo", "--release", "1." * 10_000],
        ["verify", "demo", "--path", "engine=src", "-o", "x" * 5_000],
        ["verify", "demo", "--path", "engine=src", "-o", "/" + "x/" * 5_000 + "y"],
        ["verify", "demo", "--path", "engine=src", "--cache-dir", "x" * 5_000],
        ["verify", "demo", "--path", "engine=src", "--cache-dir", "x/" * 5_000],
        ["verify", "demo", "--path", "engine=src", "--baseline", "x" * 5_000],
        ["verify", "demo", "--path", "engine=src", "--ledger", "x" * 5_000],
        ["verify", "demo", "--path", "engine=src", "--against", "x" * 5_000],
        ["verify", "demo", "--path", "engine=src", "-j", "9" * 5_000],
        ["verify", "demo", "--path", "engine=src", "--select", "\x1b[31m"],
        ["verify", "demo", "--path", "\udcff=x"],
        ["verify", "\udcff"],
        ["drift", "x" * 5_000, "y" * 5_000],
        ["drift", "1" + ".1" * 9_000, "2", "--offline"],
        ["report", "x" * 5_000],
        ["site", "x" * 5_000, "demo"],
        ["timeline", "demo", "--last", "9" * 5_000],
        ["explain", "x" * 5_000],
        ["explain", "../../x"],
        ["lock", "x" * 5_000],
        ["cache", "--cache-dir", "x" * 5_000],
        ["x" * 100_000],
        ["__init__"],
        ["history", "x" * 5_000, "--pack", "demo"],
        ["repair", "demo", "--path", f"engine={'x' * 5_000}"],
        ["record", "demo", "--release", "9" * 5_000, "--offline"],
        ["watch", "demo", "--ledger", "x" * 5_000, "--offline"],
    ],
    ids=lambda arguments: " ".join(arguments)[:40].encode("ascii", "backslashreplace").decode(),
)
def test_an_absurd_command_line_is_a_few_short_lines(arguments: list[str], kvaudit: CommandLine) -> None:
    done = kvaudit(*arguments)
    assert done.status == 2, done.err[:300]
    assert "Traceback" not in done.err
    assert "\x1b" not in done.err
    assert len(done.err) < 2_500, len(done.err)


def test_a_key_twice_makes_a_record_and_a_saved_run_ambiguous(kvaudit: CommandLine) -> None:
    saved = kvaudit.verify("-f", "json").out
    assert json.loads(saved)
    write(kvaudit.folder, {"run.json": saved.replace('"pack":', '"pack": "other",\n "pack":', 1)})
    done = kvaudit("report", "run.json")
    assert (done.status, "it holds the key 'pack' twice" in done.err) == (2, True)
