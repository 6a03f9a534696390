"""Record what an audit of releases or commits says, in the ledger."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor import files
from auditor.cli import audits, ledger_runs, packs, revisions, series, streams
from auditor.cli import options as shared
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.claims import Pack
    from auditor.ledger import Record


@click.command()
@series.options
@click.option(
    "--release", multiple=True, metavar="[TARGET=]RELEASES", help="A version, latest, near-pin, A.. or A..B, or a list."
)
@click.option("--commit", multiple=True, metavar="[TARGET=]REF", help="A commit, tag, branch or HEAD.")
@click.option("--again", is_flag=True, help="Every revision that is in the ledger.")
@click.option("--target", multiple=True, metavar="NAME", help="Only these targets.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when the ledger's README.md is not up to date.")
def command(pack: str | None, **options: Any) -> int:
    """Record what an audit of each revision says: one file for each, and a README.md over all.

    PACK is a folder with a pack.yaml, or the name of a pack that comes with kvaudit. A record holds facts (kinds,
    lines, names, numbers, fingerprints) and nothing of the audited code or of this machine. Without a revision,
    README.md alone is written anew.
    """
    folder: Path = options["ledger"]
    if options["check"]:
        if options["release"] or options["commit"] or options["again"]:
            raise ConfigError("--check audits nothing; leave --release, --commit and --again out")
        return _check(folder)
    loaded = packs.load(pack, shared.store(options))
    records, is_bug = recorded(loaded, _wanted(loaded, folder, options), options)
    if is_bug:
        return 3
    ledger_runs.write(folder, records)
    if not options["quiet"]:
        streams.say(f"kvaudit: {len(records)} revision{'' if len(records) == 1 else 's'} recorded")
    return 0


Wanted = Mapping[str, tuple[Sequence[str], Sequence[str]]]
"""Of each target, by its name: releases as they were given, and commits."""


def recorded(pack: "Pack", wanted: Wanted, options: dict[str, Any]) -> "tuple[list[Record], bool]":
    """The records of revisions, and whether kvaudit failed at a claim, which is said.

    Raises ConfigError, SourceError.
    """
    from auditor import ledger

    targets = {target.name: target for target in pack.targets}
    found: list[Record] = []
    for name in sorted(wanted):
        target, entries = targets[name], pack.entries.get(name, ())
        written = {entry.claim.id: entry.written for entry in entries}
        access = shared.access(options)
        releases = [
            version for given in wanted[name][0] for version in series.versions(target, given, access, "--release")
        ]
        for one in series.audited(target, entries, releases, wanted[name][1], options):
            if audits.is_bug([one.run]):
                return [], True
            audits.refuse_unchecked([one.run])
            found.append(ledger.recorded(pack.id, one.run, written, one.date))
    return found, False


def _wanted(pack: "Pack", folder: Path, options: dict[str, Any]) -> Wanted:
    from auditor import ledger

    targets = series.targets(pack, options["target"])
    revisions.places(options["repo"], [target.name for target in targets])
    releases = revisions.by_target(options["release"], series.released(targets), "--release")
    commits = revisions.by_target(options["commit"], series.committed(targets), "--commit")
    for target in targets if options["again"] else ():
        for record in ledger.records(folder, pack.id, target.name):
            kept, again = (
                (releases, record.revision.name)
                if record.revision.commit is None
                else (commits, record.revision.commit)
            )
            kept.setdefault(target.name, []).append(again)
    if options["again"] and not (releases or commits):
        raise ConfigError(f"{folder} has no record of {pack.id}; begin it: kvaudit record --release near-pin")
    return {name: (releases.get(name, []), commits.get(name, [])) for name in releases.keys() | commits.keys()}


def _check(folder: Path) -> int:
    path = folder / ledger_runs.README
    try:
        is_same = files.read(path).decode() == ledger_runs.readme(folder)
    except FileNotFoundError:
        is_same = False
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from error
    if not is_same:
        streams.say(f"kvaudit: {path} is not up to date; write it anew with `kvaudit record`")
    return 0 if is_same else 1
