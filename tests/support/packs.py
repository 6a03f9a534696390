"""Small packs and sources, written where a test wants them."""

from collections.abc import Mapping
from pathlib import Path

from auditor.claims import Entry, load
from auditor.model import Omission, Revision, Target

HEAD = """\
id: demo
title: {en: Demo, zh: 示例}
targets:
  engine: {repository: "https://example.org/engine"}
"""

CLAIMS = """\
claims:
- id: engine/size/sixteen
  statement: {en: The size is 16., zh: 大小是 16。}
  cites: ["engine/pool.py:2"]
  at: engine/pool.py::Pool.size
  check: default-value
  equals: 16
- id: engine/pool/class
  statement: {en: There is a pool., zh: 有一个池。}
  at: engine/pool.py::Pool
  check: symbol
  type: class
"""

CODE = {"engine/__init__.py": "", "engine/pool.py": "class Pool:\n    size = 16\n"}

TARGET = Target("engine", repository="https://example.org/engine")

Files = Mapping[str, str | bytes]


def write(folder: Path, files: Files) -> Path:
    """The folder, with files in it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def claim(rest: str, name: str = "engine/a/b") -> str:
    """A claim, as an item of a file of claims; `rest` is what decides it."""
    lines = (f"  {line}\n" for line in rest.splitlines())
    return f"- id: {name}\n  statement: {{en: It is so., zh: 如此。}}\n{''.join(lines)}"


def entries(folder: Path, *claims: str) -> tuple[Entry, ...]:
    """Claims as they are loaded."""
    write(folder, {"pack.yaml": HEAD, "engine.yaml": "claims:\n" + "".join(claims)})
    return load(folder).entries["engine"]


class Tree:
    """A snapshot out of a dictionary, which counts what is read of it."""

    is_fixed = False
    omissions: tuple[Omission, ...] = ()

    def __init__(self, files: Files, name: str = "1.0", roots: tuple[str, ...] = ("",)) -> None:
        self.revision = Revision("dictionary", name)
        self.roots = roots
        self.reads: list[str] = []
        self._files = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}

    def files(self) -> frozenset[str]:
        return frozenset(self._files)

    def read(self, path: str) -> bytes:
        self.reads.append(path)
        if path not in self._files:
            raise FileNotFoundError(path)
        return self._files[path]

    def prefetch(self, paths: frozenset[str]) -> None:
        """Everything is here."""
