"""Two snapshots of a target side by side: their files as layouts, and which files changed."""

import math
import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from auditor.anchors.fingerprints import Layout, layout
from auditor.code import Undecidable

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase

_WORD = re.compile(r"[^\W\d]\w*")


class Versions:
    """What relocation reads, each file once. `package` is the folder that is searched."""

    def __init__(self, before: "Codebase", after: "Codebase") -> None:
        self.before, self.after = before, after
        self._layouts: dict[tuple[bool, str], Layout | None] = {}
        self._changed: dict[str, tuple[str, ...]] = {}
        self._frequencies: dict[str, Counter[str]] = {}

    def old(self, path: str) -> Layout | None:
        """The scopes of a file as it was; None for one that is not there, and lines alone for one that is no code."""
        return self._layout(path, is_new=False)

    def new(self, path: str) -> Layout | None:
        """The scopes of a file as it is; None for one that is not there, and lines alone for one that is no code."""
        return self._layout(path, is_new=True)

    def package(self, path: str) -> str:
        return self.after.package_of(path)

    def every(self, path: str) -> list[str]:
        """The Python files of the package that a file belongs to, as it is."""
        return self.after.python_under(self.package(path))

    def changed(self, path: str) -> tuple[str, ...]:
        """Those that are new or differ, but for the file itself."""
        package = self.package(path)
        if package not in self._changed:
            self.before.python_under(package)  # so that all come at once
            self._changed[package] = tuple(one for one in self.after.python_under(package) if self._differs(one))
        return tuple(one for one in self._changed[package] if one != path)

    def words(self, path: str, *, is_new: bool = True) -> frozenset[str]:
        """The words of a file, comments included; none when it cannot be read."""
        try:
            return (self.after if is_new else self.before).derived(path, _words)
        except Undecidable:
            return frozenset()

    def share(self, words: frozenset[str], path: str, home: str) -> float:
        """How much of some words of a file (`home`) another that changed has, rare ones counting more: from 0 to 1."""
        package = self.package(home)
        if package not in self._frequencies:
            self._frequencies[package] = Counter(word for one in self.changed(home) for word in self.words(one))
        known, total = self._frequencies[package], len(self.changed(home)) + 1
        weights = {word: math.log((total + 1) / max(known[word], 1)) for word in words}
        there = self.words(path)
        return sum(weight for word, weight in weights.items() if word in there) / (sum(weights.values()) or 1.0)

    def _differs(self, path: str) -> bool:
        try:
            return not self.before.is_there(path) or self.before.text(path) != self.after.text(path)
        except Undecidable:
            return True

    def _layout(self, path: str, *, is_new: bool) -> Layout | None:
        key = (is_new, path)
        if key not in self._layouts:
            code = self.after if is_new else self.before
            self._layouts[key] = None
            with suppress(Undecidable):
                self._layouts[key] = Layout.of(code.text(path))
                self._layouts[key] = layout(code, path)
        return self._layouts[key]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))
