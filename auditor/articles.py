"""What a text cites of source code, and what is known of each citation: the values in which `article` and reports meet.

Lines are 1-based and inclusive. An `Extent` counts code points from the start of the text's file.
"""

from dataclasses import dataclass
from enum import StrEnum

from auditor.findings import Finding
from auditor.locations import AnchorState, Location, Region, Relocation
from auditor.model import Excerpt
from auditor.text import Text

Extent = tuple[int, int]
"""Where something stands in a text: the offsets of its first character and of what follows it."""


class Form(StrEnum):
    """How a text cites."""

    LINES = "lines"
    """`a/b.py:10-20`, `b.py L10`, `b.py, lines 10 to 20`, `b.py 第 10 行`."""
    INHERITED = "inherited"
    """`(:1199-1209)`: lines of a file that is named before."""
    LINK = "link"
    """A permalink to lines or a file."""
    HEADER = "header"
    """The first line of a code block, or what stands right above it."""
    CELLS = "cells"
    """The path in one cell of a table's row, and the lines in another."""
    FILE = "file"
    """A path alone."""
    FOLDER = "folder"
    SYMBOL = "symbol"
    """`path::Class.method` or `Class.method()`."""


@dataclass(frozen=True, slots=True)
class Lines:
    """One range as it is printed, with where its numbers stand; `end` is None for a single line."""

    region: Region
    start: Extent
    end: Extent | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """What a link to code says: of `github.com/OWNER/NAME/blob/REF/PATH`."""

    owner: str
    repository: str
    ref: str
    ref_at: Extent
    host: str = "github.com"


@dataclass(frozen=True, slots=True)
class Mention:
    """A citation as it stands in a text."""

    text: str
    extent: Extent
    form: Form
    path: str
    """As printed; for an inherited one, that of the file before."""
    lines: tuple[Lines, ...] = ()
    symbol: str | None = None
    link: Link | None = None
    path_at: Extent | None = None
    """None where the path is printed elsewhere."""
    choices: tuple[str, ...] = ()
    """The paths of a list that stands before, where it inherits one of them."""
    earlier: tuple[str, ...] = ()
    """Paths that its passage names before the one that it inherits, the nearest first."""
    farther: tuple[str, ...] = ()
    """Paths that the passages before name, the nearest first."""
    passage: int = 0
    echoes: tuple[Lines, ...] = ()
    """The same lines where they are printed once more, as in the text of a link."""
    is_approximate: bool = False
    is_sample: bool = False
    """Whether it stands in a code block, but not as its source."""


class Signal(StrEnum):
    """By what a citation was checked."""

    QUOTE = "quoted code"
    NAME = "names beside it"
    SYMBOL = "the symbol it names"
    LINES = "the lines alone"
    """There are such lines, and they hold code."""
    FILE = "the file alone"


@dataclass(frozen=True, slots=True)
class Cited:
    """What is known of a citation at one revision."""

    mention: Mention
    line: int
    column: int
    target: str | None = None
    revision: str | None = None
    path: str | None = None
    """In the repository; None where that is not known."""
    region: Region | None = None
    """The first of its ranges."""
    symbol: str | None = None
    """The definition that holds the lines, or that is cited."""
    state: AnchorState | None = None
    """Where its code is; None where nothing tells."""
    found: Location | None = None
    offset: int | None = None
    signal: Signal | None = None
    unresolved: Text | None = None
    """Why it is not known which file is meant; None where it is."""
    candidates: tuple[str, ...] = ()
    """The files that may be meant."""
    findings: tuple[Finding, ...] = ()
    excerpt: Excerpt | None = None
    relocation: Relocation | None = None
    """Where its code is at the revision to which the text is carried, if any."""

    @property
    def is_resolved(self) -> bool:
        return self.path is not None

    @property
    def is_ambiguous(self) -> bool:
        return self.path is None and len(self.candidates) > 1


@dataclass(frozen=True, slots=True)
class AuditedText:
    """One file, and all that it cites."""

    path: str
    text: str
    citations: tuple[Cited, ...]
    findings: tuple[Finding, ...]
    """Those of its citations, and those of names in it that are no citations."""
    left_out: tuple[tuple[Text, int], ...] = ()
    """What looks like a citation and is none, by the reason."""
