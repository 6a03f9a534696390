"""Progress: on a terminal, after a second, and nowhere else."""

import os
import pty
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import pytest

from auditor.cli._progress import watched
from auditor.engine import audit
from tests.command_line import CommandLine, kvaudit
from tests.packs import CODE, TARGET, Tree, claim, entries

__all__ = ["kvaudit"]

CHECK = "at: engine/pool.py::Pool\ncheck: symbol\ntype: class"


@dataclass
class Terminal:
    """What a person sees of stderr."""

    reader: int
    writer: TextIO

    def shown(self, awaited: str = "") -> str:
        """What has been written, once `awaited` is in it; without it, what is there now."""
        self.writer.flush()
        os.set_blocking(self.reader, False)
        found = ""
        for _ in range(1_000 if awaited else 1):
            with suppress(BlockingIOError):
                found += os.read(self.reader, 1_000_000).decode()
            if awaited and awaited in found:
                break
            time.sleep(0.02)
        return found


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    reader, writer = pty.openpty()
    with open(writer, "w", encoding="utf-8") as file:  # noqa: PTH123 # it has no path
        monkeypatch.setattr("sys.stderr", file)
        monkeypatch.delenv("CI", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        yield Terminal(reader, file)
    os.close(reader)


def work(*, patience: float, quiet: bool = False) -> None:
    with watched(quiet=quiet, patience=patience) as progress:
        progress("engine", 1, 2)
        time.sleep(0.3)


def test_what_takes_long_has_a_bar_that_goes_away(terminal: Terminal) -> None:
    with watched(quiet=False, patience=0.01) as progress:
        progress("engine [b]", 1024, 4096)
        assert "engine [b]" in terminal.shown("1024/4096")
    assert "\x1b[2K" in terminal.shown("\x1b[2K")  # the line is cleared
    time.sleep(0.5)
    assert terminal.shown() == ""


def test_bytes_are_shown_as_such(terminal: Terminal) -> None:
    with watched(quiet=False, is_bytes=True, patience=0.01) as progress:
        progress("engine", 1024, 4096)
        assert "1.0 kB/4.1 kB" in terminal.shown("4.1 kB")


def test_of_what_has_no_known_size_only_what_is_done_is_shown(terminal: Terminal) -> None:
    with watched(quiet=False, patience=0.01) as progress:
        progress("engine", 1024, 0)
        assert "/0" not in terminal.shown("1024")


def test_what_is_quick_has_none(terminal: Terminal) -> None:
    work(patience=60)
    assert terminal.shown() == ""


def test_who_asks_for_quiet_has_it(terminal: Terminal) -> None:
    work(patience=0, quiet=True)
    assert terminal.shown() == ""


def test_ci_has_none(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    work(patience=0)
    assert terminal.shown() == ""


def test_a_pipe_has_none(capfd: pytest.CaptureFixture[str]) -> None:
    work(patience=0)
    assert capfd.readouterr().err == ""


def broken(terminal: Terminal) -> None:
    with watched(quiet=False, patience=0.01) as progress:
        progress("engine", 1, 2)
        terminal.shown("engine")
        raise ZeroDivisionError


def test_the_bar_goes_away_when_something_fails(terminal: Terminal) -> None:
    with pytest.raises(ZeroDivisionError):
        broken(terminal)
    terminal.shown("\x1b[2K")
    time.sleep(0.5)
    assert terminal.shown() == ""


def test_an_audit_tells_of_each_claim(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    claims = entries(tmp_path, claim(CHECK, "engine/a/a"), claim(CHECK, "engine/a/b"))
    audit(TARGET, claims, Tree(CODE), progress=lambda *one: told.append(one))
    assert told == [("engine", 0, 2), ("engine", 1, 2)]


def test_a_quick_audit_on_a_terminal_does_not_import_what_draws(kvaudit: CommandLine) -> None:
    code = "import sys; from auditor.cli import run; run(sys.argv[1:]); print('rich' in sys.modules)"
    reader, writer = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", code, "verify", "demo", "--path", "engine=src", "-o", "a.txt"],
        cwd=kvaudit.folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        stdout=subprocess.PIPE,
        stderr=writer,
        check=False,
    )
    os.close(reader)
    os.close(writer)
    assert (done.returncode, done.stdout) == (0, b"False\n")
