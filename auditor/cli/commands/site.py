"""Make a static site of the ledger and of saved runs."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor import files as whole
from auditor.cli import ledger_runs, packs, saved_runs, series, streams
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.claims import Pack
    from auditor.model import Log, Run

_INDEX = "index.html"
_NOT_JEKYLL = ".nojekyll"
"""Tells GitHub Pages to serve the files as they are."""


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.argument("pack", required=False)
@click.option("--run", multiple=True, metavar="RUN.json", help="A saved run that gets a page of its own.")
@click.option(
    "--ledger",
    type=click.Path(file_okay=False, path_type=Path),
    default=series.LEDGER,
    show_default=True,
    help="The ledger's folder.",
)
@click.option("-q", "--quiet", is_flag=True, help="Write nothing to stderr but errors.")
def command(folder: Path, pack: str | None, **options: Any) -> int:
    """Make a static site in DIR: an index of the ledger's revisions, their timeline, and a page for each saved run.

    PACK is a folder with a pack.yaml, or the name of a pack that comes with kvaudit. No network is asked, all links are
    relative, and nothing needs JavaScript: serve DIR anywhere, or open its index.html.
    """
    loaded = packs.load(pack)
    saved = [saved_runs.read(path) for path in options["run"]]
    for path, log in zip(options["run"], saved, strict=True):
        if log.pack != loaded.id:
            raise ConfigError(f"--run {path}: it is a run of the pack {log.pack}, not of {loaded.id}")
    recorded = _of_ledger(loaded, options)
    if not recorded and not saved:
        raise ConfigError(
            f"{options['ledger']} has no record of {loaded.id} and no --run is given; begin a ledger with "
            "`kvaudit record`, or save a run with `kvaudit verify -f json -o RUN.json`"
        )
    files = _files(series.log(loaded, recorded), saved)
    for name, text in files.items():
        _write(folder / name, text)
    if not options["quiet"]:
        streams.say(f"kvaudit: {folder / _INDEX} and {len(files) - 1} more files")
    return 0


def _of_ledger(pack: "Pack", options: dict[str, Any]) -> "list[Run]":
    if not any((options["ledger"] / pack.id).glob("*/*.json")):
        return []
    targets = series.targets(pack, ())
    chosen = {target.name: list(pack.entries.get(target.name, ())) for target in targets}
    return ledger_runs.in_order(ledger_runs.runs(pack, targets, chosen, options), None)


def _files(recorded: "Log", saved: "Sequence[Log]") -> dict[str, str]:
    """The files of the site, by their paths in it."""
    from auditor.drift.states import on_record
    from auditor.formats.html import Html
    from auditor.formats.json import Json
    from auditor.formats.pages import site
    from auditor.formats.pages import timeline as timelines

    told = [replace(log, runs=tuple(on_record(run, recorded.runs) for run in log.runs)) for log in saved]
    reports = tuple(site.named(told))
    files = {_NOT_JEKYLL: "", _INDEX: site.render(recorded, reports)}
    if recorded.runs:
        files[site.TIMELINE] = timelines.render(recorded, _INDEX)
    for report in reports:
        files |= {report.page: Html(home=f"../{_INDEX}").render(report.log), report.data: Json().render(report.log)}
    return files


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole.replace(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None
