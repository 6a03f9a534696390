"""Write new line numbers into a pack's citations, where that needs no judgement."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor import files
from auditor.cli import audits, packs, patch, revisions, streams
from auditor.cli import options as shared
from auditor.errors import AuditError, ConfigError

if TYPE_CHECKING:
    from auditor.claims import Pack
    from auditor.claims.source_spots import Edit
    from auditor.engine.mending import Mender, Mending
    from auditor.model import Target

_EPILOG = f"""{revisions.MEANINGS}
\b
Exit status:
  0    every citation is right, or has been mended
  1    something is left for a person
  2    it could not run
  3    a bug in kvaudit
"""


@click.command(epilog=_EPILOG)
@click.argument("names", nargs=-1, metavar="[PACK | FILE...]")
@click.option("--pack", "of_pack", metavar="PACK", help="Whose targets the texts cite.  [default: the one shipped]")
@click.option(
    "--from",
    "older",
    multiple=True,
    metavar="[TARGET=]REVISION",
    help="What the lines mean now.  [default: as the pack pins, or the text states]",
)
@revisions.reading
@shared.narrowing
@click.option("--metrics", "is_of_metrics", is_flag=True, help="Write new names of metrics into dashboards and rules.")
@click.option("--dry-run", is_flag=True, help="Write nothing; print a patch on stdout, and the rest on stderr.")
@shared.reaching
def command(names: tuple[str, ...], of_pack: str | None, older: tuple[str, ...], **options: Any) -> int:
    """Write into PACK, or texts, where the code of its citations is now: --release, --commit, --installed or --path.

    Lines are written where the code is proven the same, or the claim holds at the new place; a symbol that was renamed
    or moved, where its syntax is the same. Everything else is listed with the reason, the lines as they were, where
    they may have gone and where was looked: also what was wrong from the start. Comments and layout stay.

    With --metrics, FILE is what `kvaudit metrics --used` takes, and a metric's new name is written where it is proven.

    FILE is a text, or a folder of texts, as for `kvaudit article`: numbers are written in the text's own style, only
    where the code is proven the same. What its lines mean now is what the text itself states, or --from.
    """
    if options["is_of_metrics"]:
        from auditor.cli import metric_repairs

        return metric_repairs.repair(names, of_pack, options)
    pack = names[0] if names else None
    if pack is not None and (len(names) > 1 or packs.is_text(pack)):
        from auditor.cli import text_repairs

        return text_repairs.repair(names, of_pack, older, options)
    from auditor.claims.source_spots import claim_spots
    from auditor.cli.repair_plan import Plan

    loaded = packs.load(pack)
    folder = packs.pack_folder(pack)
    chosen = audits.chosen(loaded, options)
    plans = [
        Plan(claim_spots(folder / f"{target.name}.yaml"), mender, mending)
        for target, mender, mending in _mendings(loaded, older, chosen, options)
    ]
    changes = _changes(folder, [edit for plan in plans for edit in plan.edits.values()])
    if options["dry_run"]:
        streams.put(patch.patch(changes))
    for path, (_, text) in changes.items() if not options["dry_run"] else ():
        patch.write(path, text)
    for line in (line for plan in plans for line in plan.lines()) if not options["quiet"] else ():
        (streams.say if options["dry_run"] else streams.tell)(line)
    bugs = [note for plan in plans for note in plan.bugs]
    if bugs:
        streams.say(f"kvaudit: {bugs[0].claim}: {bugs[0].message}; this is a bug in kvaudit, please report it")
        return 3
    return 1 if any(plan.left for plan in plans) and not options["exit_zero"] else 0


def _mendings(
    pack: "Pack", older: Sequence[str], chosen: "audits.Chosen", options: dict[str, Any]
) -> "Iterator[tuple[Target, Mender, Mending]]":
    """Each target that is read, with what becomes of its citations. Raises ConfigError, SourceError."""
    from auditor.engine.collector import without_cycles
    from auditor.engine.mending import Mender

    targets = [target for target in pack.targets if target.name in chosen]
    given = revisions.specs_by_source(options)
    if not any(given.values()):
        raise ConfigError("say where the code is now: --release VERSION, --commit REF or --path TARGET=DIR")
    newer = {spec.target.name: spec for spec in revisions.specs(pack.id, targets, given) if spec.source != "pack"}
    if not newer:
        raise ConfigError("nothing to repair: no target with code is chosen")
    before = revisions.of_words(pack.id, [spec.target for spec in newer.values()], older or ("pinned",), ())
    missing = [name for name in newer if name not in before]
    if missing:
        raise ConfigError(f"--from names no revision of {missing[0]}; say --from {missing[0]}=REVISION too")
    sides = [revisions.placed(side, options["repo"]) for side in (before, newer)]
    revisions.refuse_places(options["repo"], sides)
    pairs = [(sides[0][name], sides[1][name]) for name in newer]
    for target, old, new, releases in audits.both(pack, pairs, chosen, options):
        with without_cycles():
            mender = Mender(target, chosen[target.name], old, new, releases)
            mending = mender.mending()
        yield target, mender, mending


def _changes(folder: Path, edits: "Iterable[Edit]") -> dict[Path, tuple[str, str]]:
    """The text of each file that is edited, before and after. Raises ConfigError when the pack would not load."""
    from auditor import claims
    from auditor.claims.source_spots import edited

    by_file: dict[Path, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.spot.file, []).append(edit)
    changes = {}
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / folder.resolve().name
        copy.mkdir()
        for path in folder.glob("*.yaml"):
            text = files.read(path).decode()
            after = edited(text, by_file.get(path, ()))
            (copy / path.name).write_bytes(after.encode())
            if after != text:
                changes[path] = (text, after)
        try:
            claims.load(copy)
        except AuditError as error:
            raise ConfigError(f"the pack would not load after this, so nothing is written: {error}") from None
    return changes
