"""A source is one file: what it declares is all that the command line needs to read from it."""

import subprocess
import sys

from tests.support.command_line import CommandLine, kvaudit
from tests.support.folders import ROOT
from tests.support.packs import write

__all__ = ["kvaudit"]

SOURCE = '''
"""The source `concatenated`."""

from pathlib import Path

from auditor.errors import SourceError
from auditor.model import Revision
from auditor.sources import Access, Option, Source


class Concatenated(Source):
    """One text file, in which a line `=== path` begins each file."""

    option = Option(
        name="concatenated", metavar="[TARGET=]FILE", help="Files in a row.", prefix="cat", example="cat:all.txt"
    )

    @classmethod
    def named(cls, word: str) -> str | None:
        return word if word.endswith(".cat") else None

    def open(self, target, spec: str, access: Access):
        return Opened(spec)


class Opened:
    roots = ("",)
    is_fixed = False
    omissions = ()

    def __init__(self, spec: str) -> None:
        if not Path(spec).is_file():
            raise SourceError(f"{spec}: no such file")
        self.revision = Revision("concatenated", spec)
        parts = Path(spec).read_text().split("=== ")[1:]
        self._files = {part.partition("\\n")[0]: part.partition("\\n")[2].encode() for part in parts}

    def files(self) -> frozenset[str]:
        return frozenset(self._files)

    def read(self, path: str) -> bytes:
        if path not in self._files:
            raise FileNotFoundError(path)
        return self._files[path]

    def prefetch(self, paths: frozenset[str]) -> None:
        pass
'''
PROGRAM = """
import sys
import auditor.sources
auditor.sources.__path__.append("more")
from auditor.cli import run
sys.exit(run(sys.argv[1:]))
"""
TEXT = "=== engine/__init__.py\n=== engine/pool.py\nclass Pool:\n    size = {}\n"


def test_it_is_an_option_and_a_word(kvaudit: CommandLine) -> None:
    write(kvaudit.folder, {"more/concatenated.py": SOURCE, "all.cat": TEXT.format(16), "new.txt": TEXT.format(17)})

    def run(*arguments: str) -> tuple[int, str]:
        command = [sys.executable, "-c", PROGRAM, *arguments]
        env = {"PYTHONPATH": str(ROOT), "HOME": str(kvaudit.folder)}
        done = subprocess.run(
            command, cwd=kvaudit.folder, env=env, capture_output=True, text=True, timeout=60, check=False
        )
        return done.returncode, done.stdout + done.stderr

    status, text = run("verify", "demo", "--concatenated", "all.cat")
    assert (status, "all.cat" in text) == (0, True), text
    status, text = run("verify", "demo", "--concatenated", "engine=new.txt")
    assert (status, "engine/size/sixteen (fail)" in text) == (1, True), text
    assert run("verify", "demo", "--concatenated", "none")[0] == 2
    assert "--concatenated [TARGET=]FILE" in run("verify", "--help")[1]
    status, text = run("drift", "all.cat", "cat:new.txt", "--pack", "demo")
    assert (status, "engine/size/sixteen" in text) == (1, True), text
    assert "cat:all.txt" in run("drift", "--help")[1]
