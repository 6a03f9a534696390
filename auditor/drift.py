"""How what is said of claims changes from revision to revision: between two, along a list, back through a history."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from auditor.model import BaselineState, Interval, Kind, Result, Run

if TYPE_CHECKING:
    from auditor.fetch.history import Changes, Step

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


_GRAVITY = {Kind.PASS: 0, Kind.NOT_APPLICABLE: 0, Kind.REVIEW: 1, Kind.OPEN: 2, Kind.FAIL: 3}
"""Which kind is worse: one that says less of what the article promises. An `open` claim may yet hold, so `fail` is
worse; a reader can still rely on a `review`, so `open` is worse than that. What does not apply promises nothing."""


def _state(before: Result, after: Result) -> BaselineState:
    """What became of a claim. What needs a person and did not before is `new`, whatever its kind."""
    worse = _GRAVITY[after.kind] - _GRAVITY[before.kind]
    is_exposed = before.is_suppressed and not after.is_suppressed and worse >= 0
    if worse > 0 or is_exposed or _lost(after) - _lost(before):
        return BaselineState.NEW
    if worse < 0 and not _is_untold(before.kind, after.kind):
        return BaselineState.RESOLVED
    is_same = _identity(before) == _identity(after)
    return BaselineState.UNCHANGED if is_same else BaselineState.UPDATED


def _is_untold(before: Kind, after: Kind) -> bool:
    """Whether a better kind proves nothing: a failure that cannot be decided any more, or does not apply, may go on."""
    return after is Kind.NOT_APPLICABLE or (before, after) == (Kind.FAIL, Kind.OPEN)


def _lost(result: Result) -> set[str]:
    return {str(found.citation) for found in result.lost}


def _identity(result: Result) -> tuple[object, ...]:
    """What is compared: not the message, which tells lines and counts files."""
    return result.kind, result.outcome.fingerprint, result.outcome.values


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


class Verdict(Protocol):
    """What is said of a claim at one commit."""

    @property
    def kind(self) -> Kind: ...

    def outlasts(self, changes: "Changes") -> bool:
        """Whether the same must be said on the other side of these changes."""
        ...


V = TypeVar("V", bound=Verdict)
Judge = Callable[[str, frozenset[str]], Mapping[str, V]]
"""Says of some claims what is to be said of them at a commit."""


@dataclass(frozen=True, slots=True)
class Turn(Generic[V]):
    """A commit at which a claim's kind changed, its parent on the line, and what was said of the claim at both."""

    commit: str
    parent: str
    before: V
    after: V


@dataclass(slots=True)
class Line(Generic[V]):
    """The way back from the newest commit that explains what is said of a claim there.

    `turns` are its commits at which the kind changed, newest first. `end` is the older commit at which the way leaves
    the history, and `oldest` what is said there.
    """

    end: str
    oldest: V
    turns: list[Turn[V]] = field(default_factory=list)

    def intervals(self, newest: str) -> tuple[Interval[str], ...]:
        """The intervals of the line up to the newest commit, oldest first."""
        oldest_first = self.turns[::-1]
        points = [(self.end, self.oldest.kind)]
        for turn in oldest_first:
            points += [(turn.parent, turn.before.kind), (turn.commit, turn.after.kind)]
        return intervals([*points, (newest, points[-1][1])])


def lines(steps: "Sequence[Step]", origin: str, newest: Mapping[str, V], judge: Judge[V]) -> dict[str, Line[V]]:
    """The line of each claim.

    `steps` is a history, each commit before its parents, and `newest` what is said of each claim at the first of them;
    `judge` is asked about parents of the commit in hand. At a merge a line goes on where nothing differs that the
    verdict depends on, else where the kind is the same, else to the first parent; of equals, where `origin` is among
    the ancestors. So a change is charged to the commit that made it, not to the merge that brought it.
    """
    from_origin = _descendants(steps, origin)
    found = {claim: Line(steps[0].id, verdict) for claim, verdict in newest.items()}
    here: dict[str, dict[str, V]] = {steps[0].id: dict(newest)}
    for step in steps:
        verdicts = here.pop(step.id, {})
        ways = sorted(zip(step.parents, step.changes, strict=True), key=lambda way: way[0] not in from_origin)
        left: dict[str, V] = {}
        for claim, verdict in verdicts.items():
            parent = next((parent for parent, changes in ways if verdict.outlasts(changes)), None)
            if parent is None:
                left[claim] = verdict
            else:
                here.setdefault(parent, {})[claim] = verdict
                found[claim].end = parent
        _judged(step, [parent for parent, _ in ways], left, judge, here, found)
    return found


def _judged(
    step: "Step",
    parents: Sequence[str],
    left: dict[str, V],
    judge: Judge[V],
    here: dict[str, dict[str, V]],
    found: dict[str, Line[V]],
) -> None:
    """Go on to where the kind is the same, and else note a turn."""
    first: dict[str, V] = {}
    for parent in parents:
        if not left:
            return
        for claim, verdict in judge(parent, frozenset(left)).items():
            first.setdefault(claim, verdict)
            if verdict.kind is left[claim].kind:
                del left[claim]
                here.setdefault(parent, {})[claim] = verdict
                found[claim].end, found[claim].oldest = parent, verdict
    for claim, verdict in left.items():
        if parents:
            found[claim].turns.append(Turn(step.id, parents[0], first[claim], verdict))
            here.setdefault(parents[0], {})[claim] = first[claim]
            found[claim].end, found[claim].oldest = parents[0], first[claim]


def _descendants(steps: "Sequence[Step]", origin: str) -> set[str]:
    """`origin` and the commits that have it among their ancestors."""
    found = {origin}
    for step in reversed(steps):
        if not found.isdisjoint(step.parents):
            found.add(step.id)
    return found
