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
    level, seen = set(paths), set[str]()
    packages = {codebase.package_of(path) for path in paths}
    is_whole = all(level.issuperset(codebase.python_listing(package)) for package in packages)
    for _ in range(_DEPTH + 1):
        codebase.prefetch(level)
        seen |= level
        level = set() if is_whole else {module for path in level for module, _, _ in search.imports(path)} - seen
    names = {path: own for path in sorted(seen) if (own := search.own(path))}
    for _ in range(_DEPTH if names else 0):
        names |= {path: found for path in seen if (found := search.with_imported(path, names))}
    return {path: frozenset(names.get(path, ())) for path in paths}


class _Search:
    def __init__(self, last: str, codebase: "Codebase") -> None:
        self._last = last
        self._codebase = codebase
        assigned = rf"^(\w+)[ \t]*(?::[^=\n]+)?=[ \t]*(?:\w+\.)*{last}[ \t]*$"
        self._alias = re.compile(rf"\b{last}[ \t]+as[ \t]+(\w+)|{assigned}", re.MULTILINE)

    def own(self, path: str) -> set[str]:
        """The names that a file itself gives to what is called `last`."""
        text = self._codebase.text(path)
        lines = (line for line in text.split("\n") if self._last in line) if self._last in text else ()
        return {one for line in lines for match in self._alias.findall(line) for one in match if one}

    def with_imported(self, path: str, known: dict[str, set[str]]) -> set[str]:
        """The same, and those that modules which it imports give it."""
        found = set(known.get(path, ()))
        for module, original, local in self.imports(path):
            if given := known.get(module):
                found |= given if original in ("*", "") else {local} if original in given else set()
        return found

    def imports(self, path: str) -> list[tuple[str, str, str]]:
        """The module, the name there and the name here of what is imported of the code base; no name: the module."""
        code = self._codebase
        return code.memoized(("imports by text", path), lambda: list(dict.fromkeys(_read_imports(path, code))))


def _read_imports(path: str, codebase: "Codebase") -> Iterator[tuple[str, str, str]]:
    text = codebase.text(path)
    for module, local in _IMPORT.findall(text):
        if _may_be_here(module, codebase) and (source := codebase.module(module, path)) not in (None, path):
            yield str(source), "", local or module
    for module, names in _FROM.findall(text):
        if not _may_be_here(module, codebase):
            continue
        source = codebase.module(module, path)
        is_package = source is None or source.endswith("/__init__.py")
        for original, local in _NAMES.findall(_COMMENT.sub("", names)):
            if source is not None and source != path:
                yield source, original, local or original
            dots = "" if module.endswith(".") else "."
            inner = f"{module}{dots}{original}" if original != "*" and is_package else None
            if inner is not None and (found := codebase.module(inner, path)) is not None:
                yield found, "", local or original


def _may_be_here(module: str, codebase: "Codebase") -> bool:
    """Whether a module may be one of the code base: a relative one, or one of a package that is there."""
    first = module.partition(".")[0]

    def is_here() -> bool:
        return codebase.holds(f"{codebase.target.prefix}{first}") or bool(codebase.module(first, ""))

    return not first or codebase.memoized(("top-level package", first), is_here)
