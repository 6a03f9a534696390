"""Places in code: lines, what cites them, and where they went. `auditor.model` exports them all.

Lines are 1-based and inclusive; paths are relative to the repository root.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from auditor.text import Text


class AnchorState(StrEnum):
    """Where the cited code is, seen from the cited lines."""

    EXACT = "exact"
    INSIDE = "inside"
    SHIFTED = "shifted"
    MOVED = "moved"
    LOST = "lost"
    UNAVAILABLE = "unavailable"

    @property
    def is_in_place(self) -> bool:
        """Whether a reader who follows the citation sees the code."""
        return self in (AnchorState.EXACT, AnchorState.INSIDE)


@dataclass(frozen=True, slots=True, order=True)
class Region:
    """Lines `start` to `end` of a file."""

    start: int
    end: int

    def overlaps(self, other: "Region") -> bool:
        return self.start <= other.end and other.start <= self.end

    def contains(self, other: "Region") -> bool:
        return self.start <= other.start and other.end <= self.end

    def __str__(self) -> str:
        return str(self.start) if self.start == self.end else f"{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a snapshot. `region` is None for a whole file or folder; `symbol` is a qualified name."""

    path: str
    region: Region | None = None
    symbol: str | None = None
    note: Text | None = None

    def __str__(self) -> str:
        return self.path if self.region is None else f"{self.path}:{self.region}"


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a claim's code is: a path, a symbol in it (None: the whole file), and code in that symbol."""

    path: str
    symbol: str | None = None
    code: str | None = None

    def __str__(self) -> str:
        return self.path if self.symbol is None else f"{self.path}::{self.symbol}"


@dataclass(frozen=True, slots=True)
class Citation:
    """One range of lines as the article prints it (`region` None: the whole file or folder), and its anchor."""

    path: str
    region: Region | None
    anchor: Anchor | None = None
    is_own: bool = field(default=False, compare=False)
    """Whether the citation itself says what the lines hold; else that is what the claim's checks look at there."""

    def __str__(self) -> str:
        return self.path if self.region is None else f"{self.path}:{self.region}"


@dataclass(frozen=True, slots=True)
class FoundCitation:
    """A citation, where its code is now, and by how many lines it has moved (for `shifted`, else None)."""

    citation: Citation
    state: AnchorState
    offset: int | None = None
    found: Location | None = None


class Place(StrEnum):
    """What kind of place lines are, which relocation keeps."""

    FILE = "file"
    DECLARATION = "declaration"
    """The header of a function or class, or a field or constant."""
    DEFINITION = "definition"
    """A whole function or class."""
    INTERIOR = "interior"
    """A statement in a definition, or part of one."""
    STATEMENTS = "statements"
    """Several of them, or several definitions."""
    COMMENT = "comment"
    """No code: comments, a docstring, blank lines, or what is never reached."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that cited code may have gone to, how well it fits (0 to 1), and why."""

    location: Location
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class Relocation:
    """What became of some lines between two snapshots. Nothing is guessed: `lost` when no place is clearly the one."""

    before: Location
    place: Place
    state: AnchorState
    found: Location | None = None
    offset: int | None = None
    """By how many lines it has moved, for `shifted`."""
    is_same: bool = False
    """Whether the code found is proven to be of the same syntax."""
    candidates: tuple[Candidate, ...] = ()
    """Where to look when it is lost, the best first."""
    searched: tuple[str, ...] = ()
    reason: str = ""
    """Why it is lost, or what differs."""
    text: str = ""
    """The lines as they were: for a person to read, never to be recorded."""

    @property
    def is_ambiguous(self) -> bool:
        """Whether it is lost because several places fit: a person can choose."""
        return self.state is AnchorState.LOST and len(self.candidates) > 1
