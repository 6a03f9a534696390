"""The audit: every claim of a target against one snapshot, exactly one result each."""

import traceback
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from auditor.engine.applicable import silence
from auditor.engine.result_cache import Memo
from auditor.errors import AuditError
from auditor.model import Kind, Notification, Outcome, Result, Run, Text
from auditor.sources import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from auditor.cache import Blobs
    from auditor.claims import Entry
    from auditor.code.project.codebase import Codebase
    from auditor.code.project.dependencies import Dependencies
    from auditor.model import Revision, Snapshot, Target
    from auditor.sources import Progress


_CRASHED = Text("kvaudit failed at this claim; see the notifications", "kvaudit 审计这条论断时自身出错，见通知")


def audit(
    target: "Target",
    entries: "Sequence[Entry]",
    snapshot: "Snapshot",
    blobs: "Blobs | None" = None,
    releases: "Callable[[str], Snapshot] | None" = None,
    progress: "Progress" = silent,
) -> Run:
    """The run of a target's claims; `blobs` keeps results from run to run, `releases` opens other releases.

    Raises SourceError when the snapshot cannot be read. A bug in a check is an `open` result and a notification.
    """
    snapshot.prefetch(files(entries))

    @cache
    def code() -> "Codebase":
        from auditor.code.project.codebase import Codebase

        return Codebase(snapshot, target, releases)

    memo = Memo(blobs, snapshot, target) if blobs is not None else None
    run = audited(target, entries, snapshot.revision, code, memo, progress)
    return replace(run, notifications=(*run.notifications, *notes_of(snapshot)))


def notes_of(snapshot: "Snapshot") -> tuple[Notification, ...]:
    """What a source has to say of a revision."""
    return tuple(Notification(note) for note in getattr(snapshot, "notes", ()))


class ResultStore(Protocol):
    """Where results are kept, with the notes that came with them."""

    def get(self, entry: "Entry") -> "tuple[Result, tuple[str, ...]] | None": ...

    def put(self, entry: "Entry", result: Result, notes: tuple[str, ...], used: "Dependencies") -> None: ...


def audited(
    target: "Target",
    entries: "Sequence[Entry]",
    revision: "Revision",
    code: "Callable[[], Codebase]",
    memo: ResultStore | None = None,
    progress: "Progress" = silent,
) -> Run:
    """The run of a target's claims on code that is asked for only when it is needed. Raises SourceError."""
    results: list[Result] = []
    notes: dict[str, None] = {}
    notifications: list[Notification] = []
    for done, entry in enumerate(sorted(entries, key=lambda entry: entry.claim.id)):
        progress(target.name, done, len(entries))
        if (silent_here := silence(entry.claim, target, revision)) is not None:
            results.append(Result(entry.claim, silent_here))
            continue
        kept = memo.get(entry) if memo else None
        if kept is not None:
            results.append(kept[0])
            notes.update(dict.fromkeys(kept[1]))
            continue
        try:
            read = code()
            read.begin()
            result = _result(entry, read)
        except AuditError:
            raise
        except Exception as error:  # a bug in a check must not cost the other claims
            notifications.append(Notification(_crash(error), entry.claim.id, is_bug=True))
            results.append(Result(entry.claim, Outcome(Kind.OPEN, _CRASHED)))
            continue
        results.append(result)
        notes.update(dict.fromkeys(read.notes))
        if memo and read.dependencies.is_lasting:
            memo.put(entry, result, read.notes, read.dependencies)
    notifications += [Notification(note) for note in notes]
    return Run(target, revision, tuple(results), tuple(notifications))


def files(entries: "Sequence[Entry]") -> frozenset[str]:
    """The files that claims name, which an audit will most likely read."""
    return frozenset(path for entry in entries for path in entry.files)


def _result(entry: "Entry", codebase: "Codebase") -> Result:
    # Imported here because a run of which every result is kept needs nothing that reads code.
    from auditor.code import Undecidable
    from auditor.engine.bounded import bounded

    try:
        with bounded():
            return _decided(entry, codebase)
    except Undecidable as beyond:
        codebase.dependencies.is_lasting = False
        return Result(entry.claim, Outcome(Kind.OPEN, beyond.reason))


def _decided(entry: "Entry", codebase: "Codebase") -> Result:
    from auditor.anchors import follow
    from auditor.engine.decide import decide
    from auditor.engine.excerpts import excerpts
    from auditor.engine.footprint import with_footprint

    outcome = with_footprint(entry, decide(entry, codebase), codebase)
    citations = tuple(follow(citation, outcome, codebase) for citation in entry.claim.citations)
    return Result(entry.claim, outcome, citations, excerpts(outcome.locations, citations, codebase))


def _crash(error: Exception) -> str:
    """What went wrong, and where in kvaudit, without a path of this machine."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno}, in {frame.name})"
