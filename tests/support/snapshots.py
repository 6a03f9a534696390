"""Snapshots made of texts."""

from collections.abc import Mapping

from auditor.code.project.codebase import Codebase, Definition
from auditor.errors import SourceError
from auditor.model import Anchor, Omission, Revision, Target

MODULE = "engine/module.py"
NEWER = "# \0\n"
"""A comment that `ast` refuses in every Python, and libcst takes: with it a file is read as newer syntax."""


class Files:
    """Files by repository path, as text or as bytes."""

    is_fixed = False
    omissions: tuple[Omission, ...] = ()

    def __init__(self, contents: Mapping[str, str | bytes], roots: tuple[str, ...] = ("",)) -> None:
        self.revision = Revision("directory", "test")
        self.roots = roots
        self._contents = {path: text.encode() if isinstance(text, str) else text for path, text in contents.items()}

    def files(self) -> frozenset[str]:
        return frozenset(self._contents)

    def read(self, path: str) -> bytes:
        if path not in self._contents:
            raise FileNotFoundError(path)
        return self._contents[path]

    def prefetch(self, paths: frozenset[str]) -> None:
        """Nothing: everything is here."""


def codebase(
    contents: Mapping[str, str | bytes] | str, *, prefix: str = "", roots: tuple[str, ...] = ("",)
) -> Codebase:
    """The code of some files, or of one text, which is `MODULE`. Paths such as `0.2.0:m.py` are of another release."""
    files = {MODULE: contents} if isinstance(contents, str) else contents

    def release(version: str) -> Files:
        own = {path.removeprefix(f"{version}:"): files[path] for path in files if path.startswith(f"{version}:")}
        if not own:
            raise SourceError(f"there is no release {version}")
        return Files(own, roots)

    here = {path: text for path, text in files.items() if ":" not in path}
    return Codebase(Files(here, roots), Target("engine", prefix=prefix), release)


def definition(text: str, symbol: str | None = None) -> Definition:
    """A symbol of a text."""
    return codebase(text).locate(Anchor(MODULE, symbol))
