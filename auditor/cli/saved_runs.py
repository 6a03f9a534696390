"""Runs that were saved with `-f json`, or recorded in a ledger, and a log compared with one."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor import __version__, files, ledger
from auditor.cli import packs, streams
from auditor.errors import ConfigError
from auditor.model import Log, Result, Run

if TYPE_CHECKING:
    from collections.abc import Collection

    from auditor.claims import Pack
    from auditor.cli.audits import Chosen


def read(path: str, pack: str | None = None) -> Log:
    """A saved run, or what a ledger has of a revision; `pack` is where the claims of the latter are.

    Raises ConfigError.
    """
    from auditor.formats.json import read

    try:
        text = files.read(Path(path), is_named=True).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from None
    if ledger.SCHEMA in text[-_HEAD:]:
        return _recorded(ledger.read(Path(path).resolve()), pack)
    try:
        return read(text)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


_HEAD = 1_000  # characters at the end of a record, which hold what it is


def _recorded(record: ledger.Record, given: str | None) -> Log:
    """The log that a record is of. Raises ConfigError for one of another pack, or of no target."""
    pack = packs.load(given or record.pack)
    targets = {target.name: target for target in pack.targets}
    if pack.id != record.pack or record.target not in targets:
        raise ConfigError(
            f"the record is of {record.target} in the pack {record.pack}; say where that is: --pack FOLDER"
        )
    claims = {entry.claim.id: entry.claim for entry in pack.entries.get(record.target, ())}
    run = ledger.run_of(record, targets[record.target], claims)
    return Log(pack.id, pack.title, _RECORDED, (run,))


_RECORDED = ""
"""The version of a log that was made of a record, which does not say."""


def compared(log: Log, saved: Log, name: str) -> Log:
    """The log with what became of each claim since a saved run, which is called `name`.

    Raises ConfigError where the two cannot be compared: they are of other packs, or no claim is in both.
    """
    if log.pack != saved.pack:
        raise ConfigError(f"{name} is a run of the pack {saved.pack}, not of {log.pack}; save one with -f json")
    baselines = {run.target.name: run for run in saved.runs}
    runs = []
    for run in log.runs:
        baseline = baselines.get(run.target.name)
        is_recorded = _RECORDED in (log.version, saved.version)
        runs.append(run if baseline is None else _since(run, baseline, is_recorded=is_recorded))
        if baseline is None:
            streams.say(f"kvaudit: {name} has nothing of {run.target.name}, which is compared with nothing")
        elif not {result.claim.id for result in run.results} & {result.claim.id for result in baseline.results}:
            raise ConfigError(f"{name} has none of the claims about {run.target.name}; it is no baseline for them")
    if not any(run.baseline for run in runs):
        raise ConfigError(f"{name} has nothing of {', '.join(run.target.name for run in log.runs) or 'the claims'}")
    if _RECORDED not in (log.version, saved.version) and saved.version != log.version:
        versions = f"{saved.version}, and this is {log.version}"
        streams.say(f"kvaudit: {name} is of kvaudit {versions}: code may seem to differ that does not")
    return replace(log, version=log.version or __version__, runs=tuple(runs))


def _since(run: Run, baseline: Run, *, is_recorded: bool) -> Run:
    from auditor.drift.states import compared

    if not is_recorded:
        return compared(run, baseline)
    found = compared(ledger.facts(run), ledger.facts(baseline))
    pairs = zip(run.results, found.results, strict=True)
    return replace(found, results=tuple(replace(told, outcome=one.outcome) for one, told in pairs))


def narrowed(log: Log, pack: "Pack | None", chosen: "Chosen | None", options: dict[str, Any]) -> Log:
    """A saved run without the claims that are not meant; of those that the pack has, `chosen` says which are."""
    known = {entry.claim.id for entries in pack.entries.values() for entry in entries} if pack else set()
    meant = {entry.claim.id for entries in chosen.values() for entry in entries} if chosen else set()

    def is_wanted(result: Result) -> bool:
        if result.claim.id in known:
            return result.claim.id in meant
        is_selected = not options["select"] or _is_named(result, options["select"])
        return is_selected and not _is_named(result, options["ignore"])

    runs = (run for run in log.runs if not options["target"] or run.target.name in options["target"])
    return replace(log, runs=tuple(replace(run, results=tuple(filter(is_wanted, run.results))) for run in runs))


def _is_named(result: Result, prefixes: "Collection[str]") -> bool:
    return any(result.claim.id.startswith(one) or result.claim.rule.startswith(one) for one in prefixes)
