"""A snapshot with some files edited, and what a claim comes out as on it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from auditor.code.project.codebase import Codebase
from auditor.engine.decide import decide
from auditor.engine.footprint import with_footprint

if TYPE_CHECKING:
    from auditor.claims import Entry
    from auditor.model import Kind, Outcome, Revision, Snapshot, Target


class Overlay:
    """A snapshot with some files edited (or added; None: removed)."""

    is_fixed = False

    def __init__(self, below: "Snapshot", edited: Mapping[str, str | None]) -> None:
        self.revision: Revision = below.revision
        self.omissions = below.omissions
        self._below = below
        self._edited = {path: None if text is None else text.encode() for path, text in edited.items()}
        new = edited.keys() - below.files()
        gone = {path for path, data in self._edited.items() if data is None}
        self.roots = (*below.roots, *sorted(new))
        self._files = (below.files() | new) - gone if new or gone else below.files()

    def files(self) -> frozenset[str]:
        return self._files

    def read(self, path: str) -> bytes:
        if path not in self._edited:
            return self._below.read(path)
        data = self._edited[path]
        if data is None:
            raise FileNotFoundError(path)
        return data

    def prefetch(self, paths: frozenset[str]) -> None:
        self._below.prefetch(paths - self._edited.keys())


class Edited:
    """A code base with edits to be tried on it; what is known of the files that are not edited is kept."""

    def __init__(
        self, target: "Target", snapshot: "Snapshot", releases: "Callable[[str], Snapshot] | None" = None
    ) -> None:
        self.target, self.snapshot, self.releases = target, snapshot, releases
        self.before = Codebase(snapshot, target, releases)

    def kinds(self, entries: "list[Entry]", edited: Mapping[str, str | None]) -> "list[Kind]":
        """What claims come out as with some files edited."""
        return [outcome.kind for outcome in self.outcomes(entries, edited)]

    def outcomes(
        self, entries: "list[Entry]", edited: Mapping[str, str | None], *, is_whole: bool = False
    ) -> "list[Outcome]":
        """What is found with some files edited; whole, with the fingerprint of what it rests on too."""
        code = Codebase(Overlay(self.snapshot, edited), self.target, self.releases)
        code.adopt(self.before, but=frozenset(edited))
        found = [_decided(entry, code, is_whole=is_whole) for entry in entries]
        self.before.adopt(code, but=frozenset(edited))  # what was read besides, for the next edit
        return found

    def kinds_before(self, entries: "list[Entry]") -> "list[Kind]":
        """What claims come out as without an edit."""
        return [outcome.kind for outcome in self.outcomes_before(entries)]

    def outcomes_before(self, entries: "list[Entry]", *, is_whole: bool = False) -> "list[Outcome]":
        """What is found without an edit."""
        return [_decided(entry, self.before, is_whole=is_whole) for entry in entries]


def _decided(entry: "Entry", codebase: Codebase, *, is_whole: bool) -> "Outcome":
    outcome = decide(entry, codebase)
    return with_footprint(entry, outcome, codebase) if is_whole else outcome
