"""Say what an upgrade breaks: claims, metrics, options, and one's own files, worst first."""

from typing import TYPE_CHECKING, Any

import click

from auditor import __version__
from auditor.cli import catalogue_inputs as inputs
from auditor.cli import finding_output, packs, revisions, streams
from auditor.cli import options as shared
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.catalogues import Catalogue, Comparison, Place
    from auditor.claims import Pack
    from auditor.engine.opening import Spec
    from auditor.formats.catalogue.upgrade import Worse
    from auditor.model import DiffLine, Snapshot

_MOST_LINES = 12

_EPILOG = f"""{revisions.MEANINGS}
\b
Exit status:
  0    nothing that your files use breaks, and no claim comes out worse
  1    something does
  2    it could not run
  3    a bug in kvaudit
"""


@click.command(epilog=_EPILOG)
@click.argument("target")
@click.argument("old")
@click.argument("new")
@click.argument("pack", required=False)
@click.option(
    "--used", multiple=True, metavar="FILE", help="A dashboard, rule, manifest or text, or a folder of these."
)
@click.option("--docs", multiple=True, metavar="FILE", help="Documentation, Helm values or command lines.")
@click.option("--ledger", type=click.Path(file_okay=False), metavar="DIR", help="Where recorded catalogues are.")
@click.option("--claims/--no-claims", default=True, help="Audit the pack's claims on both, too.  [claims]")
@click.option("--all", "is_all", is_flag=True, help="Also what is only possibly wrong, and every change.")
@revisions.repo
@finding_output.options("json", "html")
@shared.reaching
def command(target: str, old: str, new: str, pack: str | None, **options: Any) -> int:
    """Say what breaks when TARGET goes from OLD to NEW, and what to write instead.

    First what one's own files use that NEW does not have, then claims of PACK that come out worse, then metrics and
    options that were removed, renamed or given another default, with the lines of the source.
    """
    paired = finding_output.pairs(options["format"], options["output"], "json", "html")
    options |= {"pack": pack, "target": (target,), "against": (), "select": (), "ignore": ()}
    loaded = packs.load(pack, shared.store(options))
    chosen = inputs.targets(loaded, options, ["metrics", "options"])
    sides = [
        revisions.of_words(loaded.id, chosen, [f"{target}={word}"], options["repo"])[target] for word in (old, new)
    ]
    before, after = inputs.catalogues(sides, options, ["metrics", "options"])
    if before.revision == after.revision:
        raise ConfigError(f"{old} and {new} are the same revision of {target}")
    from auditor.catalogue.comparing import compared
    from auditor.usage.report import log

    comparison = compared(before, after)
    read = inputs.read_files([*options["used"], *options["docs"]], [before, after])
    broken = _broken(read, before, after, loaded, options)
    worse = _worse(loaded, sides, options) if options["claims"] else []
    findings = log("upgrade", read, broken, [after], __version__, is_all=options["is_all"])
    from auditor.formats.catalogue import html, json, upgrade

    code = _code(comparison, sides, options)
    own = {
        "json": lambda: json.upgrade([comparison], findings.findings, _claims(worse), __version__),
        "html": lambda: html.upgrade([comparison], findings, worse, code, __version__),
        "text": lambda: upgrade.text([comparison], findings, worse, code, is_long=options["is_all"]),
        "markdown": lambda: upgrade.markdown([comparison], findings, worse),
    }
    finding_output.write(findings, paired, options["color"], own)
    is_clean = findings.is_clean() and not worse
    return 0 if is_clean or options["exit_zero"] else 1


def _broken(read: Any, before: "Catalogue", after: "Catalogue", pack: "Pack", options: dict[str, Any]) -> Any:
    """What files use that the newer revision lacks; what the older one lacked too is not the upgrade's doing."""
    from auditor.usage.report import broken_by

    histories = inputs.histories(pack, [after.target], options)
    return broken_by(read, before, after, histories)


def _code(
    comparison: "Comparison", sides: "Sequence[Spec]", options: dict[str, Any]
) -> "dict[str, tuple[DiffLine, ...]]":
    """The lines of each change that may break something, as they were and as they are, by what it is about."""
    from auditor.catalogues import change_key
    from auditor.formats.catalogue.upgrade import split
    from auditor.model import DiffLine

    access = shared.access(options)
    before, after = (spec.open(access) for spec in sides)
    found: dict[str, tuple[DiffLine, ...]] = {}
    for change in split(comparison.changes)[0]:
        old, new = _lines(before, change.old_place), _lines(after, change.new_place)
        if [line for _, line in old] != [line for _, line in new]:
            gone = [DiffLine(at, None, line) for at, line in old]
            found[change_key(change)] = (*gone, *(DiffLine(None, at, line) for at, line in new))
    return found


def _lines(snapshot: "Snapshot", place: "Place | None") -> list[tuple[int, str]]:
    if place is None or place.path not in snapshot.files():
        return []
    lines = snapshot.read(place.path).decode("utf-8", "replace").splitlines()[place.line - 1 : place.end]
    return list(enumerate(lines[:_MOST_LINES], place.line))


def _worse(pack: "Pack", sides: "Sequence[Spec]", options: dict[str, Any]) -> "Worse":
    """The claims of the target that come out worse, each with its kind and why."""
    from auditor.cli import audits
    from auditor.model import BaselineState

    name = sides[0].target.name
    if not pack.entries.get(name):
        return []
    chosen = {name: list(pack.entries[name])}
    result = audits.audited_since(pack, [(sides[0], sides[1])], chosen, options)
    if audits.is_bug(result.runs):
        streams.say("kvaudit: a claim could not be audited, so the list of claims is not complete")
    return [
        (one.claim.id, one.kind, one.outcome.message)
        for run in result.runs
        for one in run.results
        if one.baseline is BaselineState.NEW
    ]


def _claims(worse: "Worse") -> dict[str, Any]:
    return {"worse": [{"claim": id_, "kind": kind.value, "message": why.en} for id_, kind, why in worse]}
