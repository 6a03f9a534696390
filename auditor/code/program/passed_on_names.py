"""Names under which modules pass something on: `from time import sleep as nap`, `nap = time.sleep`, imports of these.

By the text alone, which is far faster than parsing; a name that is found may stand for something else after all.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase

_FROM = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([.\w]+)(?:[ \t]+as[ \t]+(\w+))?", re.MULTILINE)
_NAMES = re.compile(r"(\w+|\*)(?:[ \t\n]+as[ \t\n]+(\w+))?")
_COMMENT = re.compile(r"#[^\n]*")
_DEPTH = 3
"""Modules that a name may be passed on through."""


def passed_on(last: str, codebase: "Codebase", paths: Sequence[str]) -> dict[str, frozenset[str]]:
    """For each file, the names that may stand there for something that is called `last` where it is defined.

    Names of modules that it imports are among them: `sleep as nap` there may be `module.nap` here.
    """
    search = _Search(last, codebase)
    level = set(paths)
    for _ in range(_DEPTH):
        codebase.prefetch(level)
        level = {module for path in level for module in search.modules(path)} - search.read
    return {path: search.names(path, _DEPTH) for path in paths}


class _Search:
    def __init__(self, last: str, codebase: "Codebase") -> None:
        self.last = last
        self.read: set[str] = set()
        self._codebase = codebase
        assigned = rf"^(\w+)[ \t]*(?::[^=\n]+)?=[ \t]*(?:\w+\.)*{last}[ \t]*$"
        self._alias = re.compile(rf"\b{last}[ \t]+as[ \t]+(\w+)|{assigned}", re.MULTILINE)
        self._imports: dict[str, list[tuple[str, str, str]]] = {}
        self._names: dict[tuple[str, int], frozenset[str]] = {}

    def modules(self, path: str) -> set[str]:
        self.read.add(path)
        return {module for module, _, _ in self._from_imports(path)}

    def names(self, path: str, depth: int) -> frozenset[str]:
        """The names that a module has, or modules that it imports, for what is called `last` elsewhere."""
        key = (path, depth)
        if key not in self._names:
            self._names[key] = frozenset()  # for modules that import each other
            found = {one for match in self._alias.findall(self._codebase.text(path)) for one in match if one}
            for module, original, local in self._from_imports(path) if depth else ():
                given = self.names(module, depth - 1)
                found |= given if original in ("*", "") else {local} if original in given else set()
            self._names[key] = frozenset(found)
        return self._names[key]

    def _from_imports(self, path: str) -> list[tuple[str, str, str]]:
        """The module, the name there and the name here of what is imported; no name there: the module itself."""
        if path not in self._imports:
            self._imports[path] = list(self._read_imports(path))
        return self._imports[path]

    def _read_imports(self, path: str) -> Iterator[tuple[str, str, str]]:
        for module, local in _IMPORT.findall(self._codebase.text(path)):
            if (source := self._codebase.module(module, path)) is not None and source != path:
                yield source, "", local or module
        for module, names in _FROM.findall(self._codebase.text(path)):
            source = self._codebase.module(module, path)
            for original, local in _NAMES.findall(_COMMENT.sub("", names)):
                if source is not None and source != path:
                    yield source, original, local or original
                dots = "" if module.endswith(".") else "."
                if original != "*" and (inner := self._codebase.module(f"{module}{dots}{original}", path)) is not None:
                    yield inner, "", local or original
