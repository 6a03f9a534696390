"""The audit of several targets, each at one revision or between two: what is long and not kept goes on side by side."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.engine import audit, second_process
from auditor.engine.collector import without_cycles
from auditor.engine.opening import Spec, releases
from auditor.engine.result_cache import Memo
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
        jobs = _beside(dict.fromkeys(snapshots), snapshots, setting)
        waits = {job.spec: stack.enter_context(second_process.started(job)) for job in jobs}
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


def _beside(
    audits: "Mapping[Spec, Spec | None]", snapshots: "Mapping[Spec, Snapshot]", setting: Setting
) -> "Iterator[second_process.Job]":
    """The audits to do in a process of their own: all but the first of which hardly any results are kept.

    `audits` are the revisions, each with what it is compared with.
    """
    if setting.blobs is None or not setting.is_parallel or len(audits) < 2:
        return
    long = []
    for spec in audits:
        memo, sample = Memo(setting.blobs, snapshots[spec], spec.target), setting.chosen[spec.target.name][:_SAMPLE]
        if sum(not memo.knows(entry) for entry in sample) > _SAMPLE // 2:
            long.append(spec)
    access = replace(setting.access, progress=silent)
    for spec in long[1:]:
        claims = frozenset(entry.claim.id for entry in setting.chosen[spec.target.name])
        yield second_process.Job(setting.pack, claims, spec, access, audits[spec])


def audit_pairs(
    pairs: "Sequence[tuple[Spec, Spec]]",
    snapshots: "Mapping[Spec, Snapshot]",
    setting: Setting,
    progress: "Progress" = silent,
) -> "dict[Spec, Run | SourceError]":
    """The run of the newer of each pair, compared with the older; or why one of them could not be read."""
    audits: dict[Spec, Spec | None] = {new: old for old, new in pairs}
    with ExitStack() as stack:
        stack.enter_context(without_cycles())
        jobs = _beside(audits, snapshots, setting)
        waits = {job.spec: stack.enter_context(second_process.started(job)) for job in jobs}
        here = [pair for pair in pairs if pair[1] not in waits]
        runs = {new: _compared(old, new, snapshots, setting, progress) for old, new in here}
        for old, new in pairs:
            if new in waits:
                runs[new] = waits[new]() or _compared(old, new, snapshots, setting, progress)
        return {new: runs[new] for _, new in pairs}


def _compared(
    old: Spec, new: Spec, snapshots: "Mapping[Spec, Snapshot]", setting: Setting, progress: "Progress"
) -> "Run | SourceError":
    from auditor.engine.comparison import audit_since

    entries, both = setting.chosen[new.target.name], (snapshots[old], snapshots[new])
    try:
        return audit_since(new.target, entries, *both, setting.blobs, releases(new.target, setting.access), progress)
    except SourceError as error:
        return error
