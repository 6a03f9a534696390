"""What a revision offers to those who run it: its metrics and its options, as plain values; and how two differ.

`auditor.catalogue` makes them of code; reports and the checks of a person's own files see only these.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from auditor.model import Revision
from auditor.text import Text


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file of the target; 1-based and inclusive."""

    path: str
    line: int
    end: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric family that a revision exports."""

    name: str
    """What its constructor is given."""
    family: str
    """What its samples are named after."""
    samples: tuple[str, ...]
    """The names that a scrape shows."""
    type: str
    labels: tuple[str, ...]
    are_labels_known: bool
    """Whether it can have no others."""
    help: str | None
    unit: str | None
    when: str | None
    """The condition under which it exists, as code; None: always."""
    mode: str | None
    """How the values of several processes become one, where that is stated."""
    place: Place


@dataclass(frozen=True, slots=True)
class Unresolved:
    """What could not be read, and where."""

    reason: Text
    place: Place


@dataclass(frozen=True, slots=True)
class Effective:
    """A value that code gives an option later, and when."""

    value: str
    when: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Option:
    """A command-line flag, a field of a configuration class, or an environment variable."""

    kind: Literal["flag", "field", "environment"]
    flags: tuple[str, ...]
    field: str
    default: Any
    """JSON; the expression where it is not static."""
    is_static: bool
    is_required: bool
    type: str | None
    choices: tuple[Any, ...] | None
    """The values that it takes; empty where a run decides them."""
    help: str | None
    is_deprecated: bool
    instead: str | None
    """What its declaration says to use in its place."""
    when: str | None
    effective: tuple[Effective, ...]
    place: Place

    @property
    def name(self) -> str:
        """How a person calls it: the longest flag, or the field."""
        return max((one for one in self.flags if not one.startswith("--no-")), key=len, default=self.field)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What one revision of a target offers."""

    target: str
    revision: Revision
    metrics: tuple[Metric, ...] = ()
    unresolved_metrics: tuple[Unresolved, ...] = ()
    options: tuple[Option, ...] = ()
    unresolved_options: tuple[Unresolved, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.target} {self.revision.name}"


def digest(text: str | None) -> str:
    """What tells texts apart without holding them: 12 hex digits; empty for none."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12] if text else ""


class ChangeKind(StrEnum):
    """What became of a metric or an option between two revisions, the worst first."""

    REMOVED = "removed"
    RENAMED = "renamed"
    TYPE = "type"
    UNIT = "unit"
    LABELS = "labels"
    DEFAULT = "default"
    CHOICES = "choices"
    CONDITION = "condition"
    DEPRECATED = "deprecated"
    HELP = "help"
    ADDED = "added"


class Sureness(StrEnum):
    """How sure it is that one thing is another's successor."""

    PROVEN = "proven"
    """Old code names the new one, or both stand in the same constructor with the same help, type and labels."""
    LIKELY = "likely"
    POSSIBLE = "possible"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two revisions."""

    kind: ChangeKind
    what: Literal["metric", "option"]
    name: str
    """In the older revision; of what was added, in the newer."""
    before: str = ""
    after: str = ""
    now: str | None = None
    """What it is called in the newer one."""
    sureness: Sureness | None = None
    old_place: Place | None = None
    new_place: Place | None = None


def change_key(change: Change) -> str:
    """What a change is about: one place in each revision."""
    return f"{change.what} {change.name}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a newer revision differs from an older one."""

    target: str
    old: Revision
    new: Revision
    changes: tuple[Change, ...]
    """Sorted, the worst first."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """In which revisions a metric or an option is, oldest first, and what it was in the last of them."""

    name: str
    spans: tuple[tuple[str, str], ...]
    """First and last revision of each stretch."""
    type: str = ""
    labels: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    """Names that its help says to use instead."""
    digest: str = ""
    """Of its help: that of another revision is the same where this is."""
    defaults: tuple[tuple[str, str], ...] = ()
    """Each default with the first revision that has it."""

    @property
    def last(self) -> str:
        return self.spans[-1][1]


@dataclass(frozen=True, slots=True)
class History:
    """What recorded revisions of a target had."""

    target: str
    revisions: tuple[str, ...]
    metrics: dict[str, Recorded]
    """By family."""
    options: dict[str, Recorded]
    """By flag, field or variable."""

    def first_after(self, name: Recorded, revision: str) -> str | None:
        """The first recorded revision that has a name, where that is later than one that is recorded; else None."""
        first = name.spans[0][0]
        if revision not in self.revisions or first not in self.revisions:
            return None
        return first if self.revisions.index(first) > self.revisions.index(revision) else None
