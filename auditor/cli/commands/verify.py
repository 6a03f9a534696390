"""Audit the claims of a pack against its targets."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.cli import audits, ledger_runs, packs, report_output, revisions, saved_runs, streams
from auditor.cli import options as shared
from auditor.config import Configured
from auditor.errors import ConfigError
from auditor.model import Kind, Log

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.engine.opening import Spec
    from auditor.model import Result

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command(cls=Configured, say=streams.say)
@click.argument("pack", required=False)
@revisions.reading
@shared.narrowing
@click.option("--baseline", metavar="RUN.json", help="Say what became of each claim since a run saved by -f json.")
@click.option("--against", multiple=True, metavar="[TARGET=]REVISION", help="The same since a release, commit or tag.")
@click.option("--ledger", type=_FOLDER, metavar="DIR", help="Show each claim's timeline, from the ledger in DIR.")
@report_output.report_options
@click.option("--strict", is_flag=True, help="Fail on review, open and displaced citations too.")
@shared.reaching
def command(pack: str | None, **options: Any) -> int:
    """Audit the claims of a pack against its targets.

    PACK is a folder with a pack.yaml, or the name of a pack that comes with kvaudit.

    With --baseline or --against, reports say what became of each claim since. The exit status is the same as without:
    it tells of the claims, and that of `kvaudit drift` of what became of them. For REVISION see `kvaudit drift --help`.
    """
    if options["baseline"] and options["against"]:
        raise ConfigError("give --baseline or --against, not both: a run is compared with one other")
    paired = report_output.pairs(options["format"], options["output"])
    loaded = packs.load(pack, shared.store(options))
    if pack is None and packs.is_fallback(loaded.folder) and not options["quiet"]:
        streams.say(f"kvaudit: no pack is named here, so {loaded.id} is meant; `kvaudit init` begins one of your own")
    chosen = audits.chosen(loaded, options)
    targets = [target for target in loaded.targets if target.name in chosen]
    specs = list(revisions.specs(loaded.id, targets, revisions.specs_by_source(options), options["repo"]))
    saved = saved_runs.read(options["baseline"], pack) if options["baseline"] else None
    if options["against"]:
        log = audits.audited_since(loaded, _pairs(loaded.id, specs, options), chosen, options)
    else:
        log = audits.audited(loaded, specs, chosen, options)
    if saved:
        log = saved_runs.compared(log, saved_runs.narrowed(saved, loaded, chosen, options), options["baseline"])
    if options["ledger"]:
        log = ledger_runs.with_timelines(log, loaded, chosen, options)
    report_output.write(log, paired, options["color"], options["show"], is_long=options["verbose"])
    return _status(log, options)


def _pairs(pack: str, specs: "Sequence[Spec]", options: dict[str, Any]) -> "list[tuple[Spec, Spec]]":
    """What each target is read at, after what it is compared with. Raises ConfigError for one with no other."""
    older = revisions.of_words(pack, [spec.target for spec in specs], options["against"], options["repo"])
    for spec in specs:
        if spec.target.name not in older and spec.source != "pack":
            raise ConfigError(f"--against names no revision of {spec.target.name}; say {spec.target.name}=REVISION too")
    return [(older.get(spec.target.name, spec), spec) for spec in specs]


def _status(log: Log, options: dict[str, Any]) -> int:
    """The exit status, and the line that says why it is not 0. Raises ConfigError when nothing was checked."""
    if audits.is_bug(log.runs):
        return 3
    audits.refuse_unchecked(log.runs)
    results = [result for run in log.runs for result in run.results]
    wrong = [result for result in results if not result.is_as_recorded(strict=options["strict"])]
    if wrong and not options["quiet"]:
        claims = [f"{result.claim.id} ({_why(result)})" for result in wrong]
        streams.say(f"kvaudit: {audits.named(claims, 'not as recorded')}")
    if log.unread:
        return 2
    return 1 if wrong and not options["exit_zero"] else 0


def _why(result: "Result") -> str:
    if result.outdated:
        return result.outdated.en.removesuffix(" now")
    return "a citation is lost" if result.lost and result.kind is not Kind.FAIL else result.kind
