"""The plain values in which checks, drift and formats meet. Named after SARIF where SARIF has a word.

Lines are 1-based and inclusive. Paths are relative to the repository root, with forward slashes: a wheel's
`sglang/x.py` is `python/sglang/x.py` here.
"""

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from auditor.locations import Anchor as Anchor
from auditor.locations import AnchorState as AnchorState
from auditor.locations import Candidate as Candidate
from auditor.locations import Citation as Citation
from auditor.locations import FoundCitation as FoundCitation
from auditor.locations import Location as Location
from auditor.locations import Place as Place
from auditor.locations import Region as Region
from auditor.locations import Relocation as Relocation
from auditor.snapshots import Omission as Omission
from auditor.snapshots import Revision as Revision
from auditor.snapshots import Snapshot as Snapshot
from auditor.snapshots import Target as Target
from auditor.text import Text as Text

R = TypeVar("R")

JsonValue = None | bool | int | float | str
"""What `expected` and `actual` hold."""


class Kind(StrEnum):
    """What an audit says of a claim."""

    PASS = "pass"
    FAIL = "fail"
    REVIEW = "review"
    OPEN = "open"
    NOT_APPLICABLE = "notApplicable"

    @property
    def gravity(self) -> int:
        """How little it says of what the article promises; the gravest of several checks decides.

        An `open` claim may yet hold, so `fail` is graver; a reader can still rely on a `review`.
        """
        return _LEAST_GRAVE.index(self)

    @property
    def holds(self) -> bool:
        """Whether the claim holds, if only with a qualification."""
        return self in (Kind.PASS, Kind.REVIEW)


_LEAST_GRAVE = (Kind.NOT_APPLICABLE, Kind.PASS, Kind.REVIEW, Kind.OPEN, Kind.FAIL)


class BaselineState(StrEnum):
    """What became of a claim since another run."""

    UNCHANGED = "unchanged"
    UPDATED = "updated"
    """The code differs, and the kind is the same."""
    NEW = "new"
    """The kind is worse."""
    RESOLVED = "resolved"
    """The kind is better."""
    ABSENT = "absent"
    """The claim is in the other run only."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """That a person knows how a claim comes out, and why: with how to mend the sentence.

    `kind` is fail, review or open. `found` is what `actual` said then, as text without lines: with another value, or
    another nearest name, it is out of date. None accepts the kind, whatever is found.
    """

    kind: Kind
    reason: Text
    found: str | None = None
    unshipped: bool = False
    """Whether it is accepted only where the source does not ship what is cited, as a wheel does not ship documents."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement that code can prove or refute. What decides it is beside it, in the pack."""

    id: str
    statement: Text
    origin: str
    """`file:line` of the claim in its pack."""
    rule: str
    """The id of its check; `all` where several decide it together."""
    citations: tuple[Citation, ...] = ()
    accepted: Acceptance | None = None
    section: Text | None = None
    """What the part of the article that it is from is called."""
    first: str | None = None
    """The release from which it speaks; None: from the first."""
    last: str | None = None
    """The release to which it speaks, that one too; None: to the newest."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check found. The first location is the primary one."""

    kind: Kind
    message: Text
    expected: JsonValue = None
    actual: JsonValue = None
    locations: tuple[Location, ...] = ()
    fingerprint: str = ""
    """Identity of the code looked at, and of what that calls; empty where there is none."""
    helpers: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """What the code looked at calls and names, a few calls deep, as `path::symbol`, each with a digest."""

    @property
    def identity(self) -> tuple[object, ...]:
        """What two outcomes of a claim are compared by: not the message, which tells lines and counts files.

        Of what holds, nor what was found: it is what was expected, however the code writes it.
        """
        return self.kind, self.fingerprint, self.values[:1] if self.kind is Kind.PASS else self.values

    @property
    def values(self) -> tuple[str, str]:
        """Expected and actual, to be compared: 16 apart from '16', and no line of a place in them."""
        return repr(without_lines(self.expected)), repr(without_lines(self.actual))


def without_lines(value: JsonValue) -> JsonValue:
    """A value without the lines of the places in it, and as a saved run has it."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return _LINES.sub("", value) if isinstance(value, str) else value


def found_text(value: JsonValue) -> str:
    """What was found, as an acceptance writes it: `none` where there is no value."""
    value = without_lines(value)
    return "none" if value is None else str(value)


_LINES = re.compile(r"(?<=\.py):\d+(?:-\d+)?")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of a file, for a report to show. `start` is the number of the first."""

    path: str
    start: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Interval(Generic[R]):
    """Revisions in a row, `first` to `last`, of which the same is said."""

    kind: Kind
    first: R
    last: R


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a diff, with its number in each revision; None in the one that does not have it.

    One without numbers is a mark, for lines that are not shown or that are elsewhere: `⋮`, `⋮ 3-5 → 9-11`, `⋮ -2 +7`.
    """

    before: int | None
    after: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """How one definition that a claim looks at differs in syntax: layout and comments are no change.

    `before` is None for code that is new, `after` for code that is gone.
    """

    before: Location | None
    after: Location | None
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """One claim audited: exactly one for each claim."""

    claim: Claim
    outcome: Outcome
    citations: tuple[FoundCitation, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    baseline: BaselineState | None = None
    earlier: Outcome | None = None
    """What the run that this one is compared with says of the claim, where it differs."""
    changes: tuple[Change, ...] = ()
    """What has changed since then in the code that the claim looks at."""
    timeline: tuple[Interval[str], ...] = ()
    """What recorded revisions say, oldest first, by their names."""
    relocations: tuple[Relocation | None, ...] = ()
    """Where the code of each citation went since the other run; None for one that was lost even then."""

    @property
    def kind(self) -> Kind:
        return self.outcome.kind

    @property
    def changed_helpers(self) -> tuple[str, ...]:
        """What the code looked at calls or names that differs from the other run, or is in one of the two only."""
        before = self.earlier.helpers if self.earlier else ()
        now = self.outcome.helpers
        if not before or not now:
            return ()
        sides = [{(name.partition("::")[2], digest) for name, digest in side} for side in (before, now)]
        differing = sides[0] ^ sides[1]  # what moved to another file as it was is the same
        every = {name for name, digest in (*before, *now) if (name.partition("::")[2], digest) in differing}
        return tuple(sorted(every))

    @property
    def is_suppressed(self) -> bool:
        """Whether a person has accepted what the audit found."""
        accepted = self.acceptance
        return accepted is not None and self.kind is accepted.kind and self.outdated is None

    @property
    def acceptance(self) -> Acceptance | None:
        """What a person has accepted of the claim here."""
        accepted = self.claim.accepted
        if accepted and accepted.unshipped and all(one.state is not AnchorState.UNAVAILABLE for one in self.citations):
            return None
        return accepted

    @property
    def is_acceptance_stale(self) -> bool:
        """Whether the claim comes out otherwise than a person has accepted."""
        return self.outdated is not None

    @property
    def outdated(self) -> Text | None:
        """How the claim comes out otherwise than was accepted; None where it does not, or was not accepted at all.

        An acceptance says nothing of a revision that the claim does not speak of.
        """
        accepted = self.acceptance
        if accepted is None or self.kind is Kind.NOT_APPLICABLE:
            return None
        if self.kind is not accepted.kind:
            return Text("accepted as {}, but it is {} now", "曾按 {} 接受，现在是 {}").filled(accepted.kind, self.kind)
        now = found_text(self.outcome.actual)
        if accepted.found is None or accepted.found == now:
            return None
        return Text("accepted as {}, but {} was found now", "曾按 {} 接受，现在找到的是 {}").filled(accepted.found, now)

    @property
    def lost(self) -> tuple[FoundCitation, ...]:
        return tuple(found for found in self.citations if found.state is AnchorState.LOST)

    def is_as_recorded(self, *, strict: bool = False) -> bool:
        """Whether nothing here needs a person. `strict` also asks for no `review`, `open` or displaced citation."""
        if self.outdated is not None or self.lost:
            return False
        if self.kind in (Kind.FAIL, Kind.OPEN) and not self.is_suppressed:
            return False
        return not strict or (
            (self.kind in (Kind.PASS, Kind.NOT_APPLICABLE) or self.is_suppressed)
            and all(found.state.is_in_place or found.state is AnchorState.UNAVAILABLE for found in self.citations)
        )


@dataclass(frozen=True, slots=True)
class Notification:
    """Something about the audit itself: a crash in a check, a file that could not be parsed."""

    message: str
    claim: str | None = None
    is_bug: bool = False
    """Whether kvaudit is at fault."""


@dataclass(frozen=True, slots=True)
class Run:
    """One target audited at one revision; results are sorted by claim id."""

    target: Target
    revision: Revision
    results: tuple[Result, ...]
    notifications: tuple[Notification, ...] = ()
    baseline: Revision | None = None
    """The revision that this one is compared with."""
    absent: tuple[Result, ...] = ()
    """Results of that revision whose claims are not in this run."""

    def counts(self) -> dict[Kind, int]:
        """How many results of each kind, every kind named."""
        counted = Counter(result.kind for result in self.results)
        return {kind: counted[kind] for kind in Kind}


@dataclass(frozen=True, slots=True)
class Rule:
    """The kind of a check, for a report to explain: its id, one line of what it checks, and its help in Markdown."""

    id: str
    summary: str
    help: str


@dataclass(frozen=True, slots=True)
class Log:
    """What a report shows: the runs of one pack."""

    pack: str
    title: Text
    version: str
    """The version of kvaudit that made it."""
    runs: tuple[Run, ...]
    rules: tuple[Rule, ...] = ()
    """The rules of its claims, sorted by id."""
    unread: tuple[str, ...] = ()
    """The targets that could not be read, by name: nothing is known of their claims."""
