"""The ledger's runs, as commands read and write them."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor import files
from auditor.cli import audits, streams
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.claims import Pack
    from auditor.cli.audits import Chosen
    from auditor.ledger import Record
    from auditor.model import Log, Run, Target


README = "README.md"


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
            what = f"{target.name}: {audits.named(sorted(outdated), 'recorded of another text, or not at all')}"
            streams.say(f"kvaudit: {what}; kvaudit record --again")
    if not found:
        names = ", ".join(target.name for target in targets)
        raise ConfigError(f"{folder} has no record of {names}; name releases: --releases A.., or begin a ledger")
    return found


def in_order(given: "Sequence[Run]", last: int | None) -> "list[Run]":
    """The newest of each target, each compared with the one before. A run of releases is not compared with commits."""
    from auditor.drift.states import compared

    found: list[Run] = []
    of: dict[tuple[str, bool], list[Run]] = {}
    for run in given:
        of.setdefault((run.target.name, run.revision.commit is not None), []).append(run)
    for course in of.values():
        newest = course[-last:] if last else course
        found += [newest[0], *(compared(run, before) for before, run in pairwise(newest))]
    return found


def with_timelines(log: "Log", pack: "Pack", chosen: "Chosen", options: dict[str, Any]) -> "Log":
    """The log with the timeline of each claim. Raises ConfigError where nothing is recorded of its targets."""
    from auditor.drift.states import on_record

    targets = [run.target for run in log.runs if run.target.project or run.target.repository]
    recorded = runs(pack, targets, chosen, options)
    return replace(log, runs=tuple(on_record(run, recorded) for run in log.runs))


def write(folder: Path, records: "Sequence[Record]") -> None:
    """Put records into the ledger, and write its README.md anew. Raises ConfigError."""
    from auditor import ledger

    for record in records:
        ledger.write(folder, record)
    text = readme(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files.replace(folder / README, text.encode())
    except OSError as error:
        raise ConfigError(f"{folder / README} cannot be written: {error.strerror}") from error


def readme(folder: Path) -> str:
    """README.md of the records alone, whatever packs are at hand. Raises ConfigError."""
    from auditor import ledger
    from auditor.formats.pages.ledger import render
    from auditor.model import Claim, Target, Text

    packs: dict[str, list[Run]] = {}
    for pack, targets in ledger.packs(folder):
        runs = packs[pack] = []
        for target in targets:
            for record in ledger.records(folder, pack, target):
                claims = {one.claim: Claim(one.claim, Text("", ""), "", one.rule) for one in record.claims}
                runs.append(ledger.run_of(record, Target(target), claims))
    return render(packs)
