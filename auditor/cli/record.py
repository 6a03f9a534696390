"""Record what an audit of releases or commits says, in the ledger."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.cli import _access, _audit, _packs, _revisions
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.claims import Pack
    from auditor.ledger import Record
    from auditor.model import Run

README = "README.md"


@click.command()
@_revisions.options
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
    loaded = _packs.load(pack, _audit.store(options))
    records, is_bug = recorded(loaded, _wanted(loaded, folder, options), options)
    if is_bug:
        return 3
    write(folder, records)
    if not options["quiet"]:
        click.echo(f"kvaudit: {len(records)} revision{'' if len(records) == 1 else 's'} recorded", err=True)
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
        access = _access.access(options)
        releases = [
            version for given in wanted[name][0] for version in _revisions.versions(target, given, access, "--release")
        ]
        for one in _revisions.audited(target, entries, releases, wanted[name][1], options):
            if _audit.is_bug(_revisions.log(pack, [one.run])):
                return [], True
            found.append(ledger.recorded(pack.id, one.run, written, one.date))
    return found, False


def write(folder: Path, records: "Sequence[Record]") -> None:
    """Put records into the ledger, and write its README.md anew. Raises ConfigError."""
    from auditor import ledger

    for record in records:
        ledger.write(folder, record)
    text = _readme(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / README).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ConfigError(f"{folder / README} cannot be written: {error.strerror}") from error


def _wanted(pack: "Pack", folder: Path, options: dict[str, Any]) -> Wanted:
    from auditor import ledger

    targets = _revisions.targets(pack, options["target"])
    _revisions.check_places(options["repo"], targets)
    releases = _revisions.of_targets(_revisions.released(targets), options["release"], "--release")
    commits = _revisions.of_targets(_revisions.committed(targets), options["commit"], "--commit")
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
    path = folder / README
    try:
        is_same = path.read_text(encoding="utf-8") == _readme(folder)
    except FileNotFoundError:
        is_same = False
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from error
    if not is_same:
        click.echo(f"kvaudit: {path} is not up to date; write it anew with `kvaudit record`", err=True)
    return 0 if is_same else 1


def _readme(folder: Path) -> str:
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
