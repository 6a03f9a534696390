"""The audit of several targets, each at one revision or between two: what is long and not kept goes on side by side."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.engine import audit, second_process
from auditor.engine.collector import without_cycles
from auditor.engine.memo import Memo
from auditor.engine.opening import Spec, releases
from auditor.errors import SourceError
from auditor.sources import silent

if TYPE_CHECKING:
    from auditor.cache import Blobs
    from auditor.claims import Entry
    from auditor.model import Run, Snapshot
    from auditor.sources import Access, Progress

Chosen = Mapping[str, Sequence["Entry"]]
"""The claims to audit, by target."""

_SAMPLE = 20
"""Claims that tell whether the results of a target are kept; fewer are not worth a process."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What audits of the targets of a pack have in common. `blobs` keeps results from run to run."""

    pack: Path
    chosen: Chosen
    access: "Access"
    blobs: "Blobs | None"
    is_parallel: bool = True
    """Whether targets may be audited side by side."""


def audit_targets(
    snapshots: "Mapping[Spec, Snapshot]", setting: Setting, progress: "Progress" = silent
) -> "dict[Spec, Run | SourceError]":
    """The run of each target, or why it could not be read."""
    with ExitStack() as stack:
        stack.enter_context(without_cycles())
        waits = {spec: stack.enter_context(second_process.started(job)) for spec, job in _beside(snapshots, setting)}
        runs = {spec: _audited(spec, one, setting, progress) for spec, one in snapshots.items() if spec not in waits}
        for spec, wait in waits.items():
            runs[spec] = wait() or _audited(spec, snapshots[spec], setting, progress)
        return {spec: runs[spec] for spec in snapshots}


def _audited(spec: Spec, snapshot: "Snapshot", setting: Setting, progress: "Progress") -> "Run | SourceError":
    entries = setting.chosen[spec.target.name]
    try:
        return audit(spec.target, entries, snapshot, setting.blobs, releases(spec.target, setting.access), progress)
    except SourceError as error:
        return error


def _beside(snapshots: "Mapping[Spec, Snapshot]", setting: Setting) -> "Iterable[tuple[Spec, second_process.Job]]":
    """The targets to audit in a process of their own: all but the first of which hardly any results are kept."""
    if setting.blobs is None or not setting.is_parallel or len(snapshots) < 2:
        return
    long = []
    for spec, snapshot in snapshots.items():
        memo, sample = Memo(setting.blobs, snapshot, spec.target), setting.chosen[spec.target.name][:_SAMPLE]
        if sum(not memo.knows(entry) for entry in sample) > _SAMPLE // 2:
            long.append(spec)
    access = replace(setting.access, progress=silent)
    for spec in long[1:]:
        claims = frozenset(entry.claim.id for entry in setting.chosen[spec.target.name])
        yield spec, second_process.Job(setting.pack, claims, spec, access)


def audit_pairs(
    pairs: "Sequence[tuple[Spec, Spec]]",
    snapshots: "Mapping[Spec, Snapshot]",
    setting: Setting,
    progress: "Progress" = silent,
) -> "dict[Spec, Run | SourceError]":
    """The run of the newer of each pair, compared with the older; or why one of them could not be read."""
    with without_cycles():
        return {new: _compared(old, new, snapshots, setting, progress) for old, new in pairs}


def _compared(
    old: Spec, new: Spec, snapshots: "Mapping[Spec, Snapshot]", setting: Setting, progress: "Progress"
) -> "Run | SourceError":
    from auditor.engine.since import audit_since

    entries, both = setting.chosen[new.target.name], (snapshots[old], snapshots[new])
    try:
        return audit_since(new.target, entries, *both, setting.blobs, releases(new.target, setting.access), progress)
    except SourceError as error:
        return error
