"""Show in which releases each claim holds, and what changed in between."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.cli import _audit, _output, _packs, _past, _revisions
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.claims import Entry, Pack
    from auditor.model import Run, Target


@click.command()
@_revisions.options
@click.option("--releases", multiple=True, metavar="[TARGET=]RELEASES", help="A.. or A..B, or a list such as 1.0,1.1.")
@click.option("--commits", multiple=True, metavar="[TARGET=]REF", help="Commits or tags, with commas between.")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the newest N of each target.")
@_audit.narrowing
@click.option("-o", "--output", default=_output.STDOUT, metavar="FILE", help="Where it goes; - is stdout.")
@click.option("-f", "--format", type=click.Choice(["text", "json", "html"]), help="[default: text, or as -o ends]")
def command(pack: str | None, **options: Any) -> int:
    """Show in which releases each claim holds, and what changed in between: a matrix of claims and revisions.

    Without --releases and --commits it is that of the ledger, and nothing is asked of any network. With them, revisions
    are audited, and what is the same in several is fetched, read and parsed once.

    The exit status is 0 whatever the answer is, and 2 when there is none.
    """
    kind = _format(options["format"], options["output"])
    loaded = _packs.load(pack)
    chosen = {name: entries for name, entries in _audit.chosen(loaded, options).items() if entries}
    targets = [target for target in _revisions.targets(loaded, ()) if target.name in chosen]
    if not targets:
        raise ConfigError("nothing to show: no claim about a code base is selected; see `kvaudit claim list`")
    is_audited = options["releases"] or options["commits"]
    found = _audited(loaded, targets, chosen, options) if is_audited else _of_ledger(loaded, targets, chosen, options)
    rows = [_compared(runs[-options["last"] :] if options["last"] else runs) for runs in found]
    log = _revisions.log(loaded, [run for runs in rows for run in runs])
    if is_audited and _audit.is_bug(log):
        return 3
    _write(_RENDER[kind](rows), log, options["output"]) if False else _output_of(kind, log, options)
    return 0
