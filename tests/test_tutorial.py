"""The tutorial, step by step: its files are written, its commands run, and what they print is compared.

A line `...` stands for any lines, and three dots in a line for anything.
"""

import re
import shlex

import pytest

from tests.support.command_line import CommandLine, kvaudit
from tests.support.folders import ROOT
from tests.support.packs import write

__all__ = ["kvaudit"]

BLOCK = re.compile(r"^```(python|yaml|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def expression(expected: str) -> str:
    lines = expected.rstrip("\n").split("\n")
    parts = ["(?:.*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n" for line in lines]
    return "".join(parts) + r"\n*"


@pytest.mark.parametrize("name", ["tutorial.md", "tutorial.zh.md"])
def test_the_tutorial_does_what_it_says(name: str, kvaudit: CommandLine) -> None:
    steps = BLOCK.findall((ROOT / "docs" / name).read_text(encoding="utf-8"))
    assert [language for language, _ in steps].count("console") >= 5
    for language, text in steps:
        if language == "python":
            write(kvaudit.folder, {"engine/pool.py": text})
        elif language == "yaml":
            with (kvaudit.folder / "claims/engine.yaml").open("a", encoding="utf-8") as file:
                file.write(text)
        else:
            for command, expected in re.findall(r"^\$ kvaudit (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
                done = kvaudit(*shlex.split(command))
                assert re.fullmatch(expression(expected), done.out), (command, done.out, done.err)


def test_both_tutorials_have_the_same_steps() -> None:
    texts = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("tutorial.md", "tutorial.zh.md")]
    assert BLOCK.findall(texts[0]) == BLOCK.findall(texts[1])
