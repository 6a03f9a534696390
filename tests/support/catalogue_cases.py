"""Case files of catalogues and usages: a heading is a case, fenced blocks are files, and `expected` its outcome."""

import re
from dataclasses import dataclass, field
from pathlib import Path

CASES = Path(__file__).parent.parent / "cases"
_FENCE = re.compile(r"^```(\S+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Case:
    title: str
    files: dict[str, str] = field(default_factory=dict)
    expected: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.title


def cases(name: str) -> list[Case]:
    """The cases of a file below `tests/cases`."""
    found = []
    for part in re.split(r"^## ", (CASES / name).read_text("utf-8"), flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        files, expected = {}, ()
        for language, path, text in _FENCE.findall(body):
            if language == "expected":
                expected = tuple(text.splitlines())
            else:
                files[path or f"engine/main.{language}"] = text
        found.append(Case(title.strip(), files, expected))
    return found
