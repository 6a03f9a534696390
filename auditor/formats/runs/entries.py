"""`kvaudit/1`: the entries of a saved run, whose names and types are its JSON Schema."""

from typing import Final, Literal

from msgspec import Struct

from auditor.model import (
    Acceptance,
    Anchor,
    AnchorState,
    BaselineState,
    DiffLine,
    Excerpt,
    Interval,
    JsonValue,
    Kind,
    Notification,
    Region,
    Revision,
    Rule,
    Target,
    Text,
)
from auditor.model import Place as CitedPlace

SCHEMA: Final = "kvaudit/1"


class Lines(Struct):
    """A path, and lines of it: 1-based, inclusive, null for the whole file or folder."""

    path: str
    start: int | None
    end: int | None

    def __post_init__(self) -> None:
        if (self.start is None) is not (self.end is None):
            raise ValueError("start and end must be both a line or both null")

    @property
    def region(self) -> Region | None:
        return None if self.start is None or self.end is None else Region(self.start, self.end)


class Place(Lines):
    """A place in the code, by its path, its lines (1-based, inclusive, null: the whole file) and its qualified name."""

    symbol: str | None
    note: str | None = None
    note_zh: str | None = None


class Cite(Lines):
    """A citation as the article prints it, and the code that it stands for."""

    anchor: Anchor | None = None


class CandidateEntry(Struct):
    """A place that cited code may have gone to: how well it fits (0 to 1), and why."""

    location: Place
    score: float
    why: str


class RelocationEntry(Struct):
    """What became of cited lines since the baseline; `place` is what kind of place they were, `text` what they said."""

    before: Place
    place: str
    state: AnchorState
    found: Place | None
    offset: int | None
    is_same: bool
    candidates: list[CandidateEntry]
    searched: list[str]
    reason: str
    text: str

    def __post_init__(self) -> None:
        CitedPlace(self.place)


class CitationEntry(Lines):
    """A citation, where its code is, and by how many lines it has moved in its file (`shifted`)."""

    state: AnchorState
    offset: int | None
    found: Place | None
    anchor: Anchor | None = None
    since: RelocationEntry | None = None


class OutcomeEntry(Struct):
    """What another run says of a claim."""

    kind: Kind
    message: str
    expected: JsonValue
    actual: JsonValue
    locations: list[Place]
    fingerprint: str
    message_zh: str | None = None
    helpers: dict[str, str] = {}


class ChangeEntry(Struct):
    """How a definition differs in syntax between two revisions; null in the one that does not have it."""

    before: Place | None
    after: Place | None
    lines: list[DiffLine]


class ResultEntry(Struct):
    """What the audit says of one claim. The first location is the primary one; `origin` is `file:line` in the pack."""

    claim: str
    rule: str
    kind: Kind
    message: str
    expected: JsonValue
    actual: JsonValue
    citations: list[CitationEntry]
    locations: list[Place]
    fingerprint: str
    accepted: str | None
    baseline: BaselineState | None
    statement: Text
    origin: str
    message_zh: str | None = None
    """None in a run that was saved before messages were in both languages."""
    acceptance: Acceptance | None = None
    """`accepted` in both languages, and the kind that is accepted."""
    cites: list[Cite] | None = None
    """The claim's citations where they are not the ones in `citations`."""
    section: Text | None = None
    first: str | None = None
    last: str | None = None
    """The releases that the claim speaks of; null: no bound."""
    helpers: dict[str, str] = {}
    """What the code looked at calls and names, as `path::symbol`, each with a digest."""
    excerpts: list[Excerpt] = []
    earlier: OutcomeEntry | None = None
    changes: list[ChangeEntry] = []
    timeline: list[Interval[str]] = []


class RunEntry(Struct):
    """One target audited at one revision: a result for each claim, sorted by claim id."""

    target: str
    revision: Revision
    results: list[ResultEntry]
    notifications: list[Notification]
    target_details: Target
    baseline: Revision | None = None
    absent: list[ResultEntry] = []


class Tool(Struct):
    """What made this."""

    name: str
    version: str


class LogEntry(Struct):
    """The runs of one pack. What `accepted` says is also in `acceptance`, in both languages."""

    schema: Literal["kvaudit/1"]
    pack: str
    tool: Tool
    runs: list[RunEntry]
    title: Text
    rules: list[Rule] = []
