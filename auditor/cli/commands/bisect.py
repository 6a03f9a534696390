"""Find the commits at which claims came to hold, or ceased to."""

from collections.abc import Iterator
from typing import Any

import click

from auditor.cli import commit_history, packs
from auditor.cli.commit_history import SHORT, Followed, visible


@click.command()
@click.argument("claims", nargs=-1, metavar="[CLAIM]...")
@click.option("--from", required=True, metavar="REF", help="The older end: a commit, tag or branch.")
@click.option("--to", default="HEAD", show_default=True, metavar="REF", help="The newer end.")
@click.option("--target", metavar="NAME", help="The target, where no claim or claims of several are named.")
@commit_history.options
def command(claims: tuple[str, ...], **options: Any) -> None:
    """Find the commits at which the kind of each CLAIM changed: every one, though both ends be the same.

    Without CLAIM, of all claims of a target. A commit is charged that made the change, not the merge that brought it.
    What it took is said on stderr. The exit status is 0 whatever the answer is, and 2 when there is none.
    """
    pack = packs.load(options["pack"])
    target, entries = commit_history.chosen(pack, claims, options["target"])
    followed = Followed(pack, target, entries, options)
    report = {
        "pack": pack.id,
        "target": target.name,
        "from": {"name": options["from"], "commit": followed.history.oldest},
        "to": {"name": options["to"], "commit": followed.history.newest},
        "claims": [_claim(entry.claim.id, followed) for entry in sorted(entries, key=lambda entry: entry.claim.id)],
    }
    commit_history.write(report, _lines(report, is_long=bool(claims)), is_json=options["format"] == "json")


def _claim(claim: str, followed: Followed) -> dict[str, Any]:
    turns = followed.lines[claim].turns
    first = followed.oldest[claim]
    last = turns[0].after if turns else followed.lines[claim].oldest
    return {
        "claim": claim,
        "from": commit_history.outcome_entry(first.outcome),
        "to": commit_history.outcome_entry(last.outcome),
        "branched": followed.is_beside(claim),
        "changes": [
            {
                **followed.commit(turn.commit),
                "before": commit_history.outcome_entry(turn.before.outcome),
                "after": commit_history.outcome_entry(turn.after.outcome),
            }
            for turn in reversed(turns)
        ],
    }


def _lines(report: dict[str, Any], *, is_long: bool) -> Iterator[str]:
    """A block for each claim that changed, and for those that were asked for by name."""
    ends = f"{visible(report['from']['name'])}..{visible(report['to']['name'])}"
    changed = [claim for claim in report["claims"] if claim["changes"] or claim["branched"]]
    for claim in report["claims"] if is_long else changed:
        yield f"{claim['claim']}: {_way(claim)}"
        for change in claim["changes"]:
            pull = f"  #{change['pull']}" if change["pull"] else ""
            yield (
                f"  {change['commit'][:SHORT]}  {change['date']}  {visible(change['author'])}{pull}  "
                f"{change['before']['kind']} -> {change['after']['kind']}"
            )
            yield f"    {visible(change['subject'])}"
            for side in ("before", "after"):
                yield f"    {side:<6}  {visible(change[side]['message'])}"
        if claim["branched"]:
            yield f"  {visible(report['from']['name'])} branched off: there it is {claim['from']['kind']}, since before"
        yield ""
    count = len(report["claims"])
    yield f"{report['target']} {ends}: {len(changed)} of {count} claim{'' if count == 1 else 's'} changed"


def _way(claim: dict[str, Any]) -> str:
    if not claim["changes"]:
        return f"{claim['to']['kind']} throughout" if not claim["branched"] else str(claim["to"]["kind"])
    return " -> ".join([claim["changes"][0]["before"]["kind"], *(one["after"]["kind"] for one in claim["changes"])])
