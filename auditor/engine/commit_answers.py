"""What is said of claims at the commits of a history, each file read and parsed once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from auditor.code import Undecidable
from auditor.code.project.codebase import Codebase
from auditor.code.project.decoding import may_define
from auditor.drift.lineage import Line, lines
from auditor.engine import files
from auditor.engine.bounded import bounded
from auditor.engine.decide import decide
from auditor.errors import AuditError
from auditor.fetch.git.history import GONE, Changes, Step, undone
from auditor.fetch.git.repository import LINK, REGULAR, Entry
from auditor.model import Kind, Omission, Outcome, Snapshot, Target, Text
from auditor.sources import silent

if TYPE_CHECKING:
    from auditor.claims import Entry as ClaimEntry
    from auditor.sources import Progress

_AHEAD = 200  # commits whose files are read in one go
_TREES = 8  # lists of all files that are kept


class History(Protocol):
    """The commits between two, opened; `blobs` are the files that were read so far."""

    steps: tuple[Step, ...]
    oldest: str
    blobs: dict[str, bytes | int]

    def entries(self, commit: str) -> dict[str, Entry]: ...

    def snapshot(self, commit: str, entries: dict[str, Entry]) -> Snapshot: ...

    def load(self, oids: set[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of a claim, and what that depends on. The rest serves to see whether it still must be."""

    outcome: Outcome
    read: Mapping[str, Entry]
    listings: tuple[str, ...]
    """Beginnings of paths, where it matters which files there are."""
    searches: frozenset[tuple[str, str]]
    """Symbol, and the folder in which it was looked for."""
    is_defined: Callable[[str, str], bool] = field(repr=False, compare=False)
    """Whether a blob may define a symbol."""

    @property
    def kind(self) -> Kind:
        return self.outcome.kind

    is_behind_links: bool = False
    """Whether some of it lies, or may lie, behind links, of which a change does not show at the files themselves."""

    def is_of(self, entries: Mapping[str, Entry]) -> bool:
        """Whether the same must be said of these files: nothing else was looked at, and they are the same bytes."""
        is_of_files = not (self.searches or self.listings or self.is_behind_links)
        return is_of_files and all(entries.get(path, GONE) == entry for path, entry in self.read.items())

    def outlasts(self, changes: Changes) -> bool:
        if self.is_behind_links:
            return False
        if not self.read.keys().isdisjoint(changes):
            return False
        if any(GONE in pair and path.startswith(self.listings) for path, pair in changes.items()):
            return False
        return not any(
            path.startswith(folder)
            and path.endswith(".py")
            and any(mode not in (*REGULAR, "") or self.is_defined(oid, symbol) for mode, oid in pair)
            for symbol, folder in self.searches
            for path, pair in changes.items()
        )


class CommitAnswers:
    """A history and the claims that are followed through it. `visited` commits have been looked at so far."""

    def __init__(
        self,
        target: Target,
        claims: "Sequence[ClaimEntry]",
        history: History,
        releases: "Callable[[str], Snapshot] | None" = None,
        progress: "Progress" = silent,
    ) -> None:
        self.visited: set[str] = set()
        self._target = target
        self._claims = {entry.claim.id: entry for entry in claims}
        self._history = history
        self._releases = releases
        self._progress = progress
        self._trees: dict[str, dict[str, Entry]] = {}
        self._said: dict[str, list[Answer]] = {claim: [] for claim in self._claims}
        self._code: tuple[Codebase, dict[str, Entry]] | None = None
        self._paths: set[str] = set(files(claims))
        self._folders: set[str] = set()
        self._defined: dict[tuple[str, str], bool] = {}
        self._children: dict[str, tuple[str, Changes]] = {}
        self._first: dict[str, int] = {}
        for number, step in enumerate(history.steps):
            for parent, changes in zip(step.parents, step.changes, strict=True):
                self._children.setdefault(parent, (step.id, changes))
                for (_, before), (_, after) in changes.values():
                    self._first.setdefault(before, number)
                    self._first.setdefault(after, number)

    def lines(self) -> dict[str, Line[Answer]]:
        """The line of each claim from the newest commit back. Raises SourceError."""
        newest = self._history.steps[0].id
        said = self._judge(newest, frozenset(self._claims))
        return lines(self._history.steps, self._history.oldest, said, self._judge)

    def at_oldest(self, claims: frozenset[str]) -> dict[str, Answer]:
        """What is said at the older end, which need not be on a claim's line. Raises SourceError."""
        self._trees[self._history.oldest] = self._history.entries(self._history.oldest)
        return self._judge(self._history.oldest, claims)

    def _judge(self, commit: str, claims: frozenset[str]) -> dict[str, Answer]:
        self.visited.add(commit)
        self._progress(f"{self._target.name}: commits", len(self.visited), 0)
        entries = self._tree(commit)
        found: dict[str, Answer] = {}
        for claim in sorted(claims):
            known = next((said for said in self._said[claim] if said.is_of(entries)), None)
            if known is None:
                known = self._decided(self._claims[claim], self._code_at(commit, entries), entries)
                self._said[claim].append(known)
            found[claim] = known
        return found

    def _decided(self, entry: "ClaimEntry", codebase: Codebase, entries: Mapping[str, Entry]) -> Answer:
        codebase.begin()
        try:
            with bounded():
                outcome = decide(entry, codebase)
        except Undecidable as beyond:
            outcome = Outcome(Kind.OPEN, beyond.reason)
        except AuditError:
            raise
        except Exception as error:  # a bug in a check must not cost the other claims
            outcome = Outcome(Kind.OPEN, _crashed(error))
        dependencies = codebase.dependencies
        self._paths |= dependencies.files
        searches = frozenset(dependencies.searches)
        self._folders |= {folder for _, folder in searches}
        read = {path: entries.get(path, GONE) for path in dependencies.files}
        places = dependencies.files | dependencies.folders
        links = [Omission(path, Text("", "")) for path, (mode, _) in entries.items() if mode == LINK]
        is_behind_links = any(link.touches(place) for link in links for place in places)
        return Answer(outcome, read, tuple(dependencies.listings), searches, self._may_define, is_behind_links)

    def _code_at(self, commit: str, entries: dict[str, Entry]) -> Codebase:
        """The code of a commit, with what is already known of files that are the same in the one before."""
        if self._code is not None and self._code[1] is entries:
            return self._code[0]
        snapshot = self._history.snapshot(commit, entries)
        if self._code is None:
            snapshot.prefetch(frozenset(self._paths))
            code = Codebase(snapshot, self._target, self._releases)
        else:
            before, known = self._code
            behind_links = {path for path in before.read_paths if entries.get(path, GONE)[0] not in REGULAR}
            changed = frozenset(path for path, _ in entries.items() ^ known.items()) | behind_links
            wanted = (entries.get(path, GONE) for path in changed & self._paths)
            self._load({oid for mode, oid in wanted if mode in REGULAR})
            code = before.successor(snapshot, changed)
        self._code = (code, entries)
        return code

    def _tree(self, commit: str) -> dict[str, Entry]:
        """The files of a commit: those of a known one after it, without what has been changed since."""
        changes: list[Changes] = []
        at = commit
        while at not in self._trees:
            if at not in self._children:
                self._trees[at] = self._history.entries(at)
                break
            at, change = self._children[at]
            changes.append(change)
        if changes:
            self._trees[commit] = undone(self._trees[at], changes)
            while len(self._trees) > _TREES:
                del self._trees[list(self._trees)[1]]  # the first is the newest commit, where every search ends
        return self._trees[commit]

    def _may_define(self, oid: str, symbol: str) -> bool:
        if not oid:
            return False
        if (oid, symbol) not in self._defined:
            self._load({oid})
            data = self._history.blobs[oid]
            words = symbol.encode().split(b".")
            is_possible = isinstance(data, bytes) and all(word in data for word in words)
            self._defined[oid, symbol] = is_possible and may_define(_text(data), symbol)
        return self._defined[oid, symbol]

    def _load(self, oids: set[str]) -> None:
        """Read files, and with them those of the next commits that will be wanted most likely."""
        missing = oids - self._history.blobs.keys()
        ahead: set[str] = set()
        for start in {self._first[oid] for oid in missing if oid in self._first}:
            for step in self._history.steps[start : start + _AHEAD]:
                for changes in step.changes:
                    ahead.update(
                        oid
                        for path, pair in changes.items()
                        if self._is_wanted(path)
                        for mode, oid in pair
                        if mode in REGULAR
                    )
        if missing:
            self._history.load((missing | ahead) - {""} - self._history.blobs.keys())

    def _is_wanted(self, path: str) -> bool:
        return path in self._paths or (path.endswith(".py") and any(path.startswith(one) for one in self._folders))


def _crashed(error: Exception) -> Text:
    what = f"{type(error).__name__}: {error}"
    return Text(f"kvaudit failed at this claim: {what}", f"kvaudit 审计这条论断时自身出错：{what}")


def _text(data: bytes | int) -> str:
    return data.decode("utf-8", "replace").replace("\r", "\n") if isinstance(data, bytes) else ""
