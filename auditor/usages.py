"""What a person's own files use of metrics and options, as plain values, and what a revision says of it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from auditor.findings import Span
from auditor.text import Text


@dataclass(frozen=True, slots=True)
class Usage:
    """A metric or an option that stands in a file."""

    path: str
    span: Span
    what: Literal["metric", "pattern", "option", "variable"]
    """`pattern`: a regular expression of metric names; `variable`: an environment variable."""
    name: str
    labels: tuple[str, ...] = ()
    """Labels that the file matches or groups by."""
    value: str | None = None
    """What the file says is the option's value, or its default."""
    is_default: bool = False
    """Whether `value` is what the file says the default is, as a documentation table does."""
    of: str = ""
    """Whose command line it stands in, where that is told."""
    is_sure: bool = True
    """Whether it is meant as a metric or an option: not so of a word in prose."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file that was read."""

    path: str
    usages: tuple[Usage, ...] = ()
    defined: frozenset[str] = frozenset()
    """Names that it defines itself, as recording rules do."""
    problems: tuple[tuple[Span, Text], ...] = ()
    """What in it could not be read."""


class Verdict(StrEnum):
    """What a revision says of a usage."""

    EXPORTED = "exported"
    CONDITIONAL = "conditional"
    """Only under a condition."""
    RENAMED = "renamed"
    GONE = "gone"
    """An older release had it, and this one does not."""
    NOT_EXPORTED = "notExported"
    """Nearly the name of one that is."""
    ESCAPED = "escaped"
    """Written without the colon of one that is, where names may have been escaped or given by an adapter."""
    UNKNOWN = "unknown"
    """Neither this revision nor a known one has it: perhaps another exporter's."""
    LABEL = "label"
    """It is there, and a label that is used is not, but one that is written nearly so."""
    ADDED_LABEL = "addedLabel"
    """It is there, without a label that is used: a scrape would have to add it."""
    DEFAULT = "default"
    """It is there, and its default is another one."""
    DEPRECATED = "deprecated"
    VALUE = "value"
    """It is there, and does not take the value."""


@dataclass(frozen=True, slots=True)
class Used:
    """A usage, and what a revision says of it."""

    usage: Usage
    verdict: Verdict
    message: Text
    now: str | None = None
    """What to write instead."""
    is_proven: bool = False
    """Whether that is sure enough to be written by a program."""
    labels: tuple[str, ...] = field(default=())
    """The labels that are not there."""
