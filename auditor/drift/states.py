"""What became of claims between two runs (baseline states), and along a list of revisions (intervals)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from auditor.model import BaselineState, Interval, Kind, Result, Run

R = TypeVar("R")


def compared(run: Run, baseline: Run) -> Run:
    """The run with a state for each result, what was said earlier where that differs, and the claims that are gone.

    Claims are matched by their ids, never by lines. A claim that the other run has nothing of is `new` where it needs
    a person, else it has no state: there is nothing to compare it with.
    """
    earlier = {result.claim.id: result for result in baseline.results}
    here = {result.claim.id for result in run.results}
    absent = (replace(result, baseline=BaselineState.ABSENT) for result in baseline.results)
    return replace(
        run,
        results=tuple(_since(result, earlier.get(result.claim.id)) for result in run.results),
        baseline=baseline.revision,
        absent=tuple(result for result in absent if result.claim.id not in here),
    )


def _since(result: Result, before: Result | None) -> Result:
    if before is None:
        is_fine = result.kind in (Kind.PASS, Kind.NOT_APPLICABLE) and result.is_as_recorded()
        return replace(result, baseline=None if is_fine else BaselineState.NEW, earlier=None)
    earlier = None if before.outcome == result.outcome else before.outcome
    return replace(result, baseline=_state(before, result), earlier=earlier)


def _state(before: Result, after: Result) -> BaselineState:
    """What became of a claim. What needs a person and did not before is `new`, whatever its kind."""
    # What does not apply promises nothing, as what holds breaks no promise.
    worse = max(after.kind.gravity, Kind.PASS.gravity) - max(before.kind.gravity, Kind.PASS.gravity)
    is_exposed = before.is_suppressed and not after.is_suppressed and worse >= 0
    # What was undecided, and is now what a person has accepted, needs nobody any more.
    is_settled = before.kind is Kind.OPEN and not before.is_suppressed and after.is_suppressed
    is_worse = worse > 0 and not is_settled
    if is_worse or is_exposed or _is_undecided(before.kind, after.kind) or _lost(after) - _lost(before):
        return BaselineState.NEW
    if (worse < 0 or is_settled) and after.kind is not Kind.NOT_APPLICABLE:
        return BaselineState.RESOLVED
    is_same = before.outcome.identity == after.outcome.identity
    return BaselineState.UNCHANGED if is_same else BaselineState.UPDATED


def _is_undecided(before: Kind, after: Kind) -> bool:
    """Whether what was decided is so no more: a failure that may go on unseen is no improvement."""
    return after is Kind.OPEN and before not in (Kind.OPEN, Kind.NOT_APPLICABLE)


def _lost(result: Result) -> set[str]:
    return {str(found.citation) for found in result.lost}


def intervals(points: Iterable[tuple[R, Kind]]) -> tuple[Interval[R], ...]:
    """The intervals of a list of revisions in order, each with its kind."""
    found: list[Interval[R]] = []
    for revision, kind in points:
        if found and found[-1].kind is kind:
            found[-1] = Interval(kind, found[-1].first, revision)
        else:
            found.append(Interval(kind, revision, revision))
    return tuple(found)


def on_record(run: Run, recorded: Iterable[Run]) -> Run:
    """The run with the timeline of each claim, from recorded runs, oldest first: releases, or commits for a commit."""
    is_commit = run.revision.source == "git"
    known = [
        (
            one.revision.name[:10] if one.revision.commit else one.revision.name,
            {r.claim.id: r.kind for r in one.results},
        )
        for one in recorded
        if one.target.name == run.target.name and (one.revision.commit is not None) is is_commit
    ]
    return replace(
        run,
        results=tuple(
            replace(
                result,
                timeline=intervals((name, kinds[result.claim.id]) for name, kinds in known if result.claim.id in kinds),
            )
            for result in run.results
        ),
    )
