"""What the ledger says, as commands show it."""

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from auditor.cli import _audit
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from auditor.claims import Pack
    from auditor.cli._audit import Chosen
    from auditor.model import Log, Run, Target


def runs(pack: "Pack", targets: "Sequence[Target]", chosen: "Chosen", options: dict[str, Any]) -> "list[Run]":
    """The recorded runs, of each target oldest first. Raises ConfigError where there are none."""
    from auditor import ledger

    folder: Path = options["ledger"]
    found: list[Run] = []
    for target in targets:
        claims = {entry.claim.id: entry.claim for entry in chosen[target.name]}
        written = {entry.claim.id: entry.written for entry in chosen[target.name]}
        records = ledger.records(folder, pack.id, target.name)
        found += [ledger.run_of(record, target, claims) for record in records]
        outdated = {claim for record in records for claim in ledger.outdated(record, written)}
        if outdated and not options["quiet"]:
            what = f"{target.name}: {_audit.named(sorted(outdated), 'recorded of another text, or not at all')}"
            click.echo(f"kvaudit: {what}; kvaudit record --again", err=True)
    if not found:
        names = ", ".join(target.name for target in targets)
        raise ConfigError(f"{folder} has no record of {names}; name releases: --releases A.., or begin a ledger")
    return found


def in_order(given: "Sequence[Run]", last: int | None) -> "list[Run]":
    """The newest of each target, each compared with the one before. A run of releases is not compared with commits."""
    from auditor.drift import compared

    found: list[Run] = []
    of: dict[tuple[str, bool], list[Run]] = {}
    for run in given:
        of.setdefault((run.target.name, run.revision.commit is not None), []).append(run)
    for course in of.values():
        newest = course[-last:] if last else course
        found += [newest[0], *(compared(run, before) for before, run in pairwise(newest))]
    return found


def told(log: "Log", pack: "Pack", chosen: "Chosen", options: dict[str, Any]) -> "Log":
    """The log with the timeline of each claim. Raises ConfigError where nothing is recorded of its targets."""
    from auditor.drift import on_record

    targets = [run.target for run in log.runs if run.target.project or run.target.repository]
    recorded = runs(pack, targets, chosen, options)
    return replace(log, runs=tuple(on_record(run, recorded) for run in log.runs))
