"""Say what became of each claim from one revision to another."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from auditor.cli import audits, packs, report_output, revisions, saved_runs, streams
from auditor.cli import options as shared
from auditor.errors import ConfigError
from auditor.model import BaselineState, Log

if TYPE_CHECKING:
    from auditor.engine.opening import Spec

_EPILOG = f"""{revisions.MEANINGS}
\b
Exit status:
  0    no claim came out worse
  1    a claim came out worse, or code that is cited is lost
  2    it could not run, or the two cannot be compared
  3    a bug in kvaudit
"""


@click.command(epilog=_EPILOG)
@click.argument("old")
@click.argument("new")
@click.option("--pack", help="A folder with a pack.yaml, or the name of a shipped pack.")
@revisions.repo
@shared.narrowing
@report_output.report_options
@shared.reaching
def command(old: str, new: str, **options: Any) -> int:
    """Say what became of each claim from OLD to NEW, and what changed in the code that it looks at.

    OLD and NEW are each a revision or a saved run (a file, from `kvaudit verify -f json`). What broke comes first, then
    what changed and still holds, then what only moved. The lines that changed are shown of what broke; with -v, of all.
    """
    paired = report_output.pairs(options["format"], options["output"])
    log = _compared(old, new, options)
    log = replace(log, runs=tuple(run for run in log.runs if run.baseline))
    report_output.write(log, paired, options["color"], options["show"], is_long=options["verbose"])
    if audits.is_bug(log.runs):
        return 3
    audits.refuse_unchecked(log.runs)
    states = [(result.claim.id, result.baseline) for run in log.runs for result in run.results]
    worse = [claim for claim, state in states if state is BaselineState.NEW]
    if worse and not options["quiet"]:
        streams.say(f"kvaudit: {audits.named(worse, 'worse than before')}")
    if log.unread:
        return 2
    return 1 if worse and not options["exit_zero"] else 0


def _compared(old: str, new: str, options: dict[str, Any]) -> Log:
    before, after = (saved_runs.read(word, options["pack"]) if revisions.is_file(word) else None for word in (old, new))
    if before and after:
        revisions.refuse_places(options["repo"], [])
        earlier = saved_runs.narrowed(before, None, None, options)
        return saved_runs.compared(saved_runs.narrowed(after, None, None, options), earlier, old)
    saved = before or after
    pack = packs.load(options["pack"] or (saved.pack if saved else None), shared.store(options))
    chosen = audits.chosen(pack, options)
    targets = [target for target in pack.targets if target.name in chosen]
    sides = [
        revisions.of_words(pack.id, targets, [word], options["repo"])
        for word, log in ((old, before), (new, after))
        if log is None
    ]
    revisions.refuse_places(options["repo"], sides)
    if saved is None:
        return audits.audited_since(pack, _pairs(*sides), chosen, options)
    read = audits.audited(pack, list(sides[0].values()), chosen, options)
    saved = saved_runs.narrowed(saved, pack, chosen, options)
    return saved_runs.compared(read, saved, old) if before else saved_runs.compared(saved, read, new)


def _pairs(older: "dict[str, Spec]", newer: "dict[str, Spec]") -> "list[tuple[Spec, Spec]]":
    """The targets that both sides name. Raises ConfigError when there is none."""
    both = [name for name in newer if name in older]
    if not both:
        raise ConfigError(f"OLD is of {', '.join(older)} and NEW of {', '.join(newer)}; nothing is in both")
    return [(older[name], newer[name]) for name in both]
