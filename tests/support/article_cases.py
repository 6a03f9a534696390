"""Cases about texts: a heading is a test, its blocks are a text and what is expected of it."""

import re
from dataclasses import dataclass
from pathlib import Path

from auditor.article.audit import ReadText, read_text
from auditor.article.trees import Tree
from auditor.code.project.codebase import Codebase
from auditor.model import Revision, Target
from tests.support.folders import TESTS
from tests.support.snapshots import Files

FOLDER = TESTS / "cases" / "article"
ENGINE = Target("engine", "https://github.com/some/engine", project="engine")

_BLOCK = re.compile(r"^~~~~(\w+) ?([\w.]*)\n(.*?)^~~~~$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class TextCase:
    """A text, and a block of what is expected of it."""

    title: str
    name: str
    text: str
    expected: str

    def __str__(self) -> str:
        return self.title

    def read(self) -> ReadText:
        return read_text(self.name, self.text.encode())


def of_file(name: str) -> list[TextCase]:
    """The cases of a file of this folder."""
    cases = []
    for section in (FOLDER / f"{name}.md").read_text("utf-8").split("\n## ")[1:]:
        title = section.partition("\n")[0]
        (_, path, text), (_, _, expected) = _BLOCK.findall(section)
        cases.append(TextCase(title, path, text, expected))
    return cases


class Commit(Files):
    """The files of a folder as a commit."""

    def __init__(self, folder: Path, commit: str) -> None:
        super().__init__(
            {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}
        )
        self.revision = Revision("git", commit, commit)


def tree(name: str = "source", commit: str = "0123abc0123", target: Target = ENGINE) -> Tree:
    """The small code base that the cases are about; `later` is a later revision of it."""
    snapshot = Commit(FOLDER / name, commit)
    return Tree(target, snapshot, Codebase(snapshot, target))
