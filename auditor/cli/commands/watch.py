"""Audit what is newer upstream than the ledger, and say in a paragraph what became of the claims."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from auditor.cli import audits, commit_history, ledger_runs, packs, report_output, revisions, series
from auditor.cli import options as shared
from auditor.errors import ConfigError
from auditor.model import BaselineState

if TYPE_CHECKING:
    from pathlib import Path

    from auditor.claims import Pack
    from auditor.ledger import Record
    from auditor.model import Result, Run, Target

_EPILOG = """\b
Exit status:
  0    nothing is newer, or no claim came out worse
  1    a claim came out worse, or code that is cited is lost
  2    it could not run: no ledger, unreachable registry
  3    a bug in kvaudit
"""
_MOST = 12  # claims that a paragraph names
_LONGEST = 300  # characters of a message in it


@dataclass(frozen=True, slots=True)
class News:
    """What is newer than the ledger of a target: the newest run, compared with what was last recorded.

    `run` is None where nothing is newer. `since` says, of a claim that came out worse, in which of the new revisions it
    first did. `records` are those of all new revisions, oldest first.
    """

    target: "Target"
    last: str
    run: "Run | None"
    since: dict[str, str]
    records: "tuple[Record, ...]" = ()

    @property
    def worse(self) -> "list[Result]":
        return self.among(BaselineState.NEW)

    def among(self, state: BaselineState) -> "list[Result]":
        """The results of a state."""
        return [result for result in self.run.results if result.baseline is state] if self.run else []


@click.command(epilog=_EPILOG)
@series.options
@click.option("--commit", is_flag=False, flag_value="HEAD", metavar="[REF]", help="Also upstream git, at HEAD or REF.")
@click.option("--pre", is_flag=True, help="Take pre-releases too.")
@click.option("--record", "is_recorded", is_flag=True, help="Put what is new into the ledger.")
@click.option("--target", multiple=True, metavar="NAME", help="Only these targets.")
@click.option("-f", "--format", type=click.Choice(["text", "json"]), default="text", help="Report format.")
def command(pack: str | None, **options: Any) -> int:
    """Audit the releases that are newer than the ledger, and say for each target what became of its claims.

    Every release that is newer than the newest recorded one is audited; the newest is compared with what was recorded
    last. Where the pack has changed meanwhile, the latter is audited again first. The report is a paragraph for each
    target, to be pasted as it is.
    """
    loaded = packs.load(pack, shared.store(options))
    targets = series.targets(loaded, options["target"])
    revisions.places(options["repo"], [target.name for target in targets])
    news: list[News] = []
    for target in targets:
        for one in _news(loaded, target, options):
            if one is None:
                return 3
            news.append(one)
    if options["is_recorded"]:
        records = [record for one in news for record in one.records]
        if records:
            ledger_runs.write(options["ledger"], records)
    if options["format"] == "json":
        report = {"pack": loaded.id, "targets": [_document(one) for one in news]}
        commit_history.write(report, (), is_json=True)
    else:
        report_output.put([(report_output.STDOUT, "\n\n".join(map(_paragraph, news)) + "\n")])
    return 1 if any(one.worse for one in news) else 0


def _news(pack: "Pack", target: "Target", options: dict[str, Any]) -> "Iterator[News | None]":
    """What is new of a target: among its releases, and with `--commit` upstream. None for a bug, which was said."""
    from auditor import ledger

    folder: Path = options["ledger"]
    found = ledger.records(folder, pack.id, target.name)
    if not found:
        begin = f"begin with `kvaudit record --release {target.name}=latest`"
        raise ConfigError(f"{folder} has no record of {target.name}; {begin}")
    releases = [one for one in found if one.revision.commit is None]
    commits = [one for one in found if one.revision.commit is not None]
    if not (releases or options["commit"]):
        raise ConfigError(f"{folder} has only commits of {target.name}; give --commit")
    if target.project and releases:
        yield _compared(pack, target, releases[-1], _newer(target, releases, options), [], options)
    if options["commit"] and target.repository:
        last = commits[-1] if commits else releases[-1]
        yield _compared(pack, target, last, [], [options["commit"]], options)


def _newer(target: "Target", releases: "Sequence[Record]", options: dict[str, Any]) -> list[str]:
    from auditor.sources.pypi import Pypi

    known = {one.revision.name for one in releases}
    last = releases[-1].revision.name
    found = Pypi().versions(target, last, "", shared.access(options), pre=options["pre"])
    return [version for version in found if version not in known]


def _compared(
    pack: "Pack",
    target: "Target",
    last: "Record",
    releases: list[str],
    commits: list[str],
    options: dict[str, Any],
) -> News | None:
    from auditor import ledger
    from auditor.drift.states import compared

    entries = pack.entries.get(target.name, ())
    written = {entry.claim.id: entry.written for entry in entries}
    claims = {entry.claim.id: entry.claim for entry in entries}
    nothing = News(target, last.revision.name, None, {})
    if not (releases or commits):
        return nothing
    if ledger.outdated(last, written):
        # Another text may come out otherwise on the same code, which is nothing that upstream has done.
        if last.revision.commit is None:
            releases = [last.revision.name, *releases]
        else:
            commits = [last.revision.commit, *commits]
    runs = series.audited(target, entries, releases, commits, options)
    if audits.is_bug(one.run for one in runs):
        return None
    audits.refuse_unchecked(one.run for one in runs)
    records = [ledger.recorded(pack.id, one.run, written, one.date) for one in runs]
    before = next((one for one in records if one.revision.name == last.revision.name), last)
    new = [(one, run.run) for one, run in zip(records, runs, strict=True) if one.revision.name != last.revision.name]
    if not new:
        return nothing
    # Records are compared with records, so that what is not recorded makes no difference.
    base = ledger.run_of(before, target, claims)
    states = [compared(ledger.run_of(one, target, claims), base) for one, _ in new]
    messages = {result.claim.id: result.outcome.message for result in new[-1][1].results}
    shown = (replace(one, outcome=replace(one.outcome, message=messages[one.claim.id])) for one in states[-1].results)
    return News(
        target,
        last.revision.name,
        replace(states[-1], results=tuple(shown)),
        dict(_since(states)),
        tuple(one for one, _ in new),
    )


def _since(states: "Sequence[Run]") -> Iterator[tuple[str, str]]:
    """Of each claim that is worse at the newest, the first revision from which on it is so."""
    for result in states[-1].results:
        first = None
        for run in reversed(states):
            if not any(one.claim == result.claim and one.baseline is BaselineState.NEW for one in run.results):
                break
            first = run.revision.name
        if first is not None:
            yield result.claim.id, first


def _paragraph(news: News) -> str:
    """What a person can paste."""
    from auditor.formats import visible
    from auditor.formats.pages.links import upstream

    run = news.run
    if run is None:
        return f"{news.target.name}: nothing is newer than {news.last}."
    worse, better = news.worse, news.among(BaselineState.RESOLVED)
    changed = len(news.among(BaselineState.UPDATED))
    count = len(run.results)
    parts = [
        f"{news.target.name} {run.revision.name}, compared with {news.last}: "
        + (f"{len(worse)} of {count} claims came out worse." if worse else f"none of {count} claims came out worse.")
    ]
    for result in worse[:_MOST]:
        since = news.since[result.claim.id]
        place = f" ({result.outcome.locations[0]})" if result.outcome.locations else ""
        message = visible(result.outcome.message.en, _LONGEST)
        end = "" if message.endswith("…") else "."
        parts.append(f"{result.claim.id} {_change(result)} since {since}{place}: {message}{end}")
    if len(worse) > _MOST:
        parts.append(f"And {len(worse) - _MOST} more.")
    if better:
        parts.append(f"Better: {', '.join(f'{one.claim.id} {_change(one)}' for one in better[:_MOST])}.")
    same = count - len(worse) - len(better) - changed
    if changed + same:
        parts.append(f"The others are as before: {changed} on code that has changed, {same} on the same.")
    url = upstream(news.target, run.revision)
    return " ".join([*parts, *([url] if url else [])])


def _change(result: "Result") -> str:
    before = result.earlier.kind if result.earlier else None
    if before in (None, result.kind):
        return "has lost code that is cited" if result.lost else str(result.kind)
    return f"{before} → {result.kind}"


def _document(news: News) -> dict[str, Any]:
    run = news.run
    if run is None:
        return {"target": news.target.name, "last": news.last, "newest": None, "worse": [], "text": _paragraph(news)}
    revision = run.revision
    return {
        "target": news.target.name,
        "last": news.last,
        "newest": {"source": revision.source, "name": revision.name, "commit": revision.commit},
        "new": [one.revision.name for one in news.records],
        "worse": [_result(one, news) for one in news.worse],
        "better": [_result(one, news) for one in news.among(BaselineState.RESOLVED)],
        "updated": [one.claim.id for one in news.among(BaselineState.UPDATED)],
        "text": _paragraph(news),
    }


def _result(result: "Result", news: News) -> dict[str, Any]:
    return {
        "claim": result.claim.id,
        "before": result.earlier.kind if result.earlier else result.kind,
        "kind": result.kind,
        "since": news.since.get(result.claim.id),
        "message": result.outcome.message.en,
        "location": str(result.outcome.locations[0]) if result.outcome.locations else None,
        "lost": [str(found.citation) for found in result.lost],
    }
