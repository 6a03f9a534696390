"""The commits at which the verdict on a claim changed, found by following it back through a history with merges."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from auditor.drift.states import intervals
from auditor.model import Interval, Kind

if TYPE_CHECKING:
    from auditor.fetch.git.history import Changes, Step


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
