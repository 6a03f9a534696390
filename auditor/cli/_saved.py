"""Runs that were saved with `-f json`, and a log compared with one."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.errors import ConfigError
from auditor.model import Result

if TYPE_CHECKING:
    from collections.abc import Collection

    from auditor.claims import Pack
    from auditor.cli._audit import Chosen
    from auditor.model import Log


def read(path: str) -> "Log":
    """A saved run. Raises ConfigError."""
    from auditor.formats.json import read

    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from None
    try:
        return read(text)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def compared(log: "Log", saved: "Log", name: str) -> "Log":
    """The log with what became of each claim since a saved run, which is called `name`.

    Raises ConfigError where the two cannot be compared: they are of other packs, or no claim is in both.
    """
    from auditor.drift import compared

    if log.pack != saved.pack:
        raise ConfigError(f"{name} is a run of the pack {saved.pack}, not of {log.pack}; save one with -f json")
    baselines = {run.target.name: run for run in saved.runs}
    runs = []
    for run in log.runs:
        baseline = baselines.get(run.target.name)
        runs.append(run if baseline is None else compared(run, baseline))
        if baseline is None:
            click.echo(f"kvaudit: {name} has nothing of {run.target.name}, which is compared with nothing", err=True)
        elif not {result.claim.id for result in run.results} & {result.claim.id for result in baseline.results}:
            raise ConfigError(f"{name} has none of the claims about {run.target.name}; it is no baseline for them")
    if not any(run.baseline for run in runs):
        raise ConfigError(f"{name} has nothing of {', '.join(run.target.name for run in log.runs) or 'the claims'}")
    if saved.version != log.version:
        versions = f"{saved.version}, and this is {log.version}"
        click.echo(f"kvaudit: {name} is of kvaudit {versions}: code may seem to differ that does not", err=True)
    return replace(log, runs=tuple(runs))


def narrowed(log: "Log", pack: "Pack | None", chosen: "Chosen | None", options: dict[str, Any]) -> "Log":
    """A saved run without the claims that are not meant; of those that the pack has, `chosen` says which are."""
    known = {entry.claim.id for entries in pack.entries.values() for entry in entries} if pack else set()
    meant = {entry.claim.id for entries in chosen.values() for entry in entries} if chosen else set()

    def is_meant(result: Result) -> bool:
        if result.claim.id in known:
            return result.claim.id in meant
        is_selected = not options["select"] or _is_named(result, options["select"])
        return is_selected and not _is_named(result, options["ignore"])

    runs = (run for run in log.runs if not options["target"] or run.target.name in options["target"])
    return replace(log, runs=tuple(replace(run, results=tuple(filter(is_meant, run.results))) for run in runs))


def _is_named(result: Result, prefixes: "Collection[str]") -> bool:
    return any(result.claim.id.startswith(one) or result.claim.rule.startswith(one) for one in prefixes)
