"""The command line as a test runs it: on small packs, in an environment of its own."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from auditor.cli import run
from tests.support.folders import ROOT
from tests.support.packs import CLAIMS, CODE, HEAD, Files, write

LEAKS = ("KVAUDIT_", "NO_COLOR", "FORCE_COLOR", "CI", "TERM", "COLUMNS", "PYTHONIOENCODING")


@dataclass(frozen=True)
class Done:
    """What a command left."""

    status: int
    out: str
    err: str


@dataclass
class CommandLine:
    """kvaudit in a folder with the pack `demo` and its code in `src`."""

    folder: Path
    capture: pytest.CaptureFixture[str]

    def __call__(self, *args: str | Path) -> Done:
        self.capture.readouterr()
        status = run([str(arg) for arg in args])
        return Done(status, *self.capture.readouterr())

    def verify(self, *args: str | Path) -> Done:
        return self("verify", "demo", "--path", "engine=src", *args)

    def pack(self, claims: str = CLAIMS, head: str = HEAD) -> None:
        write(self.folder / "demo", {"pack.yaml": head, "engine.yaml": claims})

    def code(self, files: Files) -> None:
        write(self.folder / "src", files)

    def apart(self, *args: str | Path, env: Mapping[str, str] = {}, shell: str = "{}") -> subprocess.Popen[bytes]:
        """A process of its own; `shell` says what its command line is part of."""
        command = " ".join([sys.executable, "-m", "auditor", *map(str, args)])
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **env}
        pipe = subprocess.PIPE
        return subprocess.Popen(
            ["bash", "-c", shell.format(f"exec {command}" if shell == "{}" else command)],
            cwd=self.folder,
            env=environment,
            stdout=pipe,
            stderr=pipe,
        )


@pytest.fixture
def kvaudit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[CommandLine]:
    for name in os.environ:
        if name.startswith(LEAKS):
            monkeypatch.delenv(name)
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    command_line = CommandLine(tmp_path, capsys)
    command_line.pack()
    command_line.code(CODE)
    yield command_line
    gc.enable()
