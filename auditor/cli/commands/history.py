"""Say in which commits or releases a claim holds."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from auditor.cli import commit_history, packs, series
from auditor.cli import options as shared
from auditor.cli.commit_history import SHORT, Followed, visible
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.claims import Entry, Pack
    from auditor.model import Interval, Outcome, Target

_VERBS = {
    "pass": "holds",
    "review": "holds with a qualification",
    "fail": "fails",
    "open": "cannot be decided",
    "notApplicable": "does not apply",
}


@click.command()
@click.argument("claim")
@click.option("--from", metavar="REF", help="Over commits: the older end, a commit, tag or branch.")
@click.option("--to", default="HEAD", show_default=True, metavar="REF", help="The newer end.")
@click.option("--releases", metavar="A..B", help="Over releases: A.. or A..B, or a list such as 1.0,1.1.")
@commit_history.options
def command(claim: str, **options: Any) -> None:
    """Say in which commits, or in which releases, CLAIM holds, as intervals.

    The exit status is 0 whatever the answer is, and 2 when there is none.
    """
    if (options["from"] is None) is (options["releases"] is None):
        raise ConfigError("give either --from, for an answer over commits, or --releases")
    pack = packs.load(options["pack"])
    target, [entry] = commit_history.chosen(pack, [claim], None)
    over = _over_commits if options["releases"] is None else _over_releases
    report = {"pack": pack.id, "target": target.name, "claim": claim, "intervals": over(pack, target, entry, options)}
    commit_history.write(report, _lines(report, entry.claim.statement.en), is_json=options["format"] == "json")


def _over_commits(pack: "Pack", target: "Target", entry: "Entry", options: dict[str, Any]) -> list[dict[str, Any]]:
    followed = Followed(pack, target, [entry], options)
    line = followed.lines[entry.claim.id]
    outcomes = {turn.commit: turn.after.outcome for turn in line.turns} | {line.end: line.oldest.outcome}
    return [
        _interval(interval, followed.commit(interval.first), followed.commit(interval.last), outcomes[interval.first])
        for interval in line.intervals(followed.history.newest)
    ]


def _over_releases(_: "Pack", target: "Target", entry: "Entry", options: dict[str, Any]) -> list[dict[str, Any]]:
    from auditor.drift.states import intervals

    if options["repo"]:
        raise ConfigError("--repo is for an answer over commits; leave it out with --releases")
    wanted = series.versions(target, options["releases"], shared.access(options), "--releases")
    runs = [one.run for one in series.audited(target, [entry], wanted, [], {**options, "verbose": False})]
    outcomes = {run.revision.name: run.results[0].outcome for run in runs}
    points = [(version, outcome.kind) for version, outcome in outcomes.items()]
    return [
        _interval(interval, {"release": interval.first}, {"release": interval.last}, outcomes[interval.first])
        for interval in intervals(points)
    ]


def _interval(
    interval: "Interval[str]", first: dict[str, Any], last: dict[str, Any], outcome: "Outcome"
) -> dict[str, Any]:
    return {"kind": interval.kind, "first": first, "last": last, **commit_history.outcome_entry(outcome)}


def _lines(report: dict[str, Any], statement: str) -> Iterator[str]:
    yield f"{report['claim']}: {visible(statement)}"
    for number, interval in enumerate(report["intervals"]):
        verb = _VERBS[interval["kind"]]
        is_newest = number == len(report["intervals"]) - 1
        if is_newest and number:
            yield f"  {verb} since {_name(interval['first'])}"
        else:
            yield f"  {verb} from {_name(interval['first'])} to {_name(interval['last'])}"
        yield f"    {visible(interval['message'])}"


def _name(revision: dict[str, Any]) -> str:
    if "release" in revision:
        return str(revision["release"])
    pull = f", #{revision['pull']}" if revision["pull"] else ""
    when = f" ({revision['date']}{pull})" if revision["date"] else ""
    return f"{revision['commit'][:SHORT]}{when}"
