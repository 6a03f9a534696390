"""The audit of one revision after another: what is the same bytes is fetched, read, parsed and decided upon once."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from auditor.code.project.codebase import Codebase
from auditor.engine import audited, files
from auditor.engine.premises import Premises
from auditor.engine.result_cache import Memo
from auditor.model import Snapshot
from auditor.sources import silent

if TYPE_CHECKING:
    from auditor.cache import Blobs
    from auditor.claims import Entry
    from auditor.code.project.dependencies import Dependencies
    from auditor.model import Result, Run, Target
    from auditor.sources import Progress

_PARALLEL = 4  # revisions fetched at a time


class Released(Snapshot, Protocol):
    """A snapshot that names these very bytes for ever, and can tell files apart without reading them."""

    @property
    def digests(self) -> Mapping[str, str]:
        """By path, what tells a file's bytes from all others, in every revision that the source has.

        Raises SourceError.
        """
        ...


class Series:
    """The claims of a target, and what is known of the revisions so far. Each run is what `audit` would give."""

    def __init__(
        self,
        target: "Target",
        entries: "Sequence[Entry]",
        blobs: "Blobs | None" = None,
        releases: "Callable[[str], Snapshot] | None" = None,
    ) -> None:
        self.decided = 0
        """How many results were made anew."""
        self._target = target
        self._entries = entries
        self._blobs = blobs
        self._releases = releases
        self._code: Codebase | None = None
        self._digests: Mapping[str, str] = {}
        self._returning: dict[tuple[str, str], Codebase] = {}
        self._seen: set[tuple[str, str]] = set()
        self._said: dict[str, list[_Said]] = {}

    def runs(self, snapshots: "Sequence[Released]", told: "Progress" = silent) -> "Sequence[Run]":
        """A run of each, in this order, which had best be that of their age. Raises SourceError."""
        found = []
        for number, snapshot in enumerate(snapshots):
            told(f"{self._target.name}: revisions", number, len(snapshots))
            found.append(self._run(snapshot, snapshots[number:]))
        return found

    @property
    def read(self) -> int:
        """How many files were read; files of the same path and bytes are one."""
        self._note()
        return len(self._seen)

    def _run(self, snapshot: "Released", ahead: "Sequence[Released]") -> "Run":
        opened: list[Codebase] = []

        def code() -> Codebase:
            if not opened:
                opened.append(self._opened(snapshot, ahead))
            return opened[0]

        lasting = Memo(self._blobs, snapshot, self._target) if self._blobs is not None else None
        memo = _Memo(self._said, snapshot, lasting)
        run = audited(self._target, self._entries, snapshot.revision, code, memo)
        self.decided += memo.decided
        return run

    def _opened(self, snapshot: "Released", ahead: "Sequence[Released]") -> Codebase:
        """The code of a revision; the first time, what will be wanted of those ahead is fetched together."""
        if self._code is None:
            prefetch(ahead, files(self._entries))
            self._code = Codebase(snapshot, self._target, self._releases)
        else:
            self._note()
            before, here = self._digests, snapshot.digests
            changed = frozenset(path for path in before.keys() | here.keys() if before.get(path) != here.get(path))
            self._keep(changed & before.keys() & self._code.read_paths, ahead)
            found = ((path, self._returning.get((path, here[path]))) for path in changed & here.keys())
            self._code = self._code.successor(snapshot, changed, {path: code for path, code in found if code})
        self._digests = snapshot.digests
        return self._code

    def _keep(self, changed: frozenset[str], ahead: "Sequence[Released]") -> None:
        """Keep what is known of files that are otherwise now and will be the same again; syntax trees are large."""
        if self._code is None:
            return
        before = self._digests
        again = {path for path in changed if any(one.digests.get(path) == before[path] for one in ahead)}
        holder = Codebase(ahead[0], self._target)
        holder.adopt(self._code, but=self._code.read_paths - again)
        self._returning.update(((path, before[path]), holder) for path in again)

    def _note(self) -> None:
        if self._code is not None:
            self._seen.update((path, self._digests[path]) for path in self._code.read_paths & self._digests.keys())


def prefetch(snapshots: "Sequence[Released]", paths: frozenset[str]) -> None:
    """Fetch files of several revisions at a time, and once what is the same in several. Raises SourceError."""
    seen: set[tuple[str, str]] = set()
    with ThreadPoolExecutor(_PARALLEL) as pool:
        wanted: list[frozenset[str]] = []
        for digests in pool.map(lambda snapshot: snapshot.digests, snapshots):
            here = {(path, digests[path]) for path in paths & digests.keys()}
            wanted.append(frozenset(path for path, _ in here - seen))
            seen |= here
        list(pool.map(lambda pair: pair[0].prefetch(pair[1]), zip(snapshots, wanted, strict=True)))


_Said = tuple["Result", tuple[str, ...], Mapping[str, str], tuple[str, ...]]
"""A result, the notes that came with it, what it rests on, and the roots of its snapshot."""


class _Memo:
    """What was said of claims here in an earlier run, or in this one at earlier revisions, if it must be said here too.

    A revision that is released does not change, so what `lasting` keeps of it does not depend on its files.
    """

    def __init__(self, said: dict[str, list[_Said]], snapshot: "Released", lasting: Memo | None) -> None:
        self.decided = 0
        self._all = said
        self._snapshot = snapshot
        self._lasting = lasting
        self._premises = Premises(snapshot)

    def get(self, entry: "Entry") -> "tuple[Result, tuple[str, ...]] | None":
        if self._lasting and (kept := self._lasting.get(entry)):
            return kept
        for result, notes, premises, roots in self._all.get(entry.claim.id, ()):
            if roots == self._snapshot.roots and self._premises.hold(premises):
                if self._lasting:
                    self._lasting.put(entry, result, notes, None)
                return result, notes
        return None

    def put(self, entry: "Entry", result: "Result", notes: tuple[str, ...], used: "Dependencies") -> None:
        self.decided += 1
        if self._lasting:
            self._lasting.put(entry, result, notes, used)
        # What names its revision, such as a file that is not there, can be said of this one only.
        if self._snapshot.revision.name not in repr(result.outcome):
            found = (result, notes, self._premises.of(used), self._snapshot.roots)
            self._all.setdefault(entry.claim.id, []).append(found)
