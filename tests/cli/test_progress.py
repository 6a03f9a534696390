"""Progress: on a terminal, after a second, and nowhere else."""

import os
import pty
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import pytest

from auditor.cli.progress_bars import Bars, watched
from auditor.engine import audit
from tests.support.command_line import CommandLine, kvaudit
from tests.support.folders import ROOT
from tests.support.packs import CODE, TARGET, Tree, claim, entries

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


@contextmanager
def terminal(**environment: str) -> Iterator[Terminal]:
    """A terminal for stderr. Not a fixture: pytest sets stderr again when a test begins."""
    reader, writer = pty.openpty()
    with pytest.MonkeyPatch.context() as patch, open(writer, "w", encoding="utf-8") as file:  # noqa: PTH123
        patch.delenv("CI", raising=False)
        for name, value in {"TERM": "xterm", **environment}.items():
            patch.setenv(name, value)
        patch.setattr("sys.stderr", file)
        yield Terminal(reader, file)
    os.close(reader)


def told(seen: Terminal, patience: float, awaited: str = "", *, quiet: bool = False, is_bytes: bool = False) -> str:
    """What is seen of progress while it is told."""
    with watched(quiet=quiet, is_bytes=is_bytes, patience=patience) as progress:
        progress("engine [b]", 1024, 4096)
        if not awaited:
            time.sleep(0.5)
        return seen.shown(awaited)


def is_gone(seen: Terminal) -> bool:
    """Whether the bar has been cleared, and nothing is drawn after it."""
    last = seen.shown("\x1b[2K")
    time.sleep(0.5)
    return last.endswith("\x1b[2K") and seen.shown() == ""


def test_what_takes_long_has_a_bar_that_goes_away() -> None:
    with terminal() as seen:
        assert "engine [b]" in told(seen, 0.01, "1024/4096")
        assert is_gone(seen)


def test_bytes_are_shown_as_such() -> None:
    with terminal() as seen:
        assert "1.0 kB/4.1 kB" in told(seen, 0.01, "4.1 kB", is_bytes=True)


def test_what_is_quick_has_none() -> None:
    with terminal() as seen:
        assert told(seen, 60) == seen.shown() == ""


def test_what_is_over_when_its_bar_is_ready_has_none() -> None:
    with terminal() as seen:
        bars = Bars(is_bytes=False)
        bars.update("engine", 1, 2)
        bars.end()
        bars.show()
        time.sleep(0.5)
        assert seen.shown() == ""


def test_who_asks_for_quiet_has_it() -> None:
    with terminal() as seen:
        assert told(seen, 0, quiet=True) == ""


def test_ci_has_none() -> None:
    with terminal(CI="true") as seen:
        assert told(seen, 0) == ""


def test_a_pipe_has_none(capfd: pytest.CaptureFixture[str]) -> None:
    with watched(quiet=False, patience=0) as progress:
        progress("engine", 1, 2)
        time.sleep(0.3)
    assert capfd.readouterr().err == ""


def broken(seen: Terminal) -> None:
    with watched(quiet=False, patience=0.01) as progress:
        progress("engine", 1, 0)
        assert "engine" in seen.shown("engine")
        raise ZeroDivisionError


def test_the_bar_goes_away_when_something_fails() -> None:
    with terminal() as seen:
        with pytest.raises(ZeroDivisionError):
            broken(seen)
        assert is_gone(seen)


def test_an_audit_tells_of_each_claim(tmp_path: Path) -> None:
    heard: list[tuple[str, int, int]] = []
    claims = entries(tmp_path, claim(CHECK, "engine/a/a"), claim(CHECK, "engine/a/b"))
    audit(TARGET, claims, Tree(CODE), progress=lambda *one: heard.append(one))
    assert heard == [("engine", 0, 2), ("engine", 1, 2)]


def test_a_quick_audit_on_a_terminal_does_not_import_what_draws(kvaudit: CommandLine) -> None:
    code = "import sys; from auditor.cli import run; run(sys.argv[1:]); print('rich' in sys.modules)"
    reader, writer = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", code, "verify", "demo", "--path", "engine=src", "-o", "a.txt"],
        cwd=kvaudit.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=writer,
        check=False,
    )
    os.close(reader)
    os.close(writer)
    assert (done.returncode, done.stdout) == (0, b"False\n")
