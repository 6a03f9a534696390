"""A text as passages: what a reader reads, with where each character stands in the file."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from auditor.articles import Extent

PassageType = Literal["prose", "heading", "row", "code"]
OBJECT = "\ufffc"
"""What stands for a bare URL in the text of a passage."""
CELL = "\u241f"
"""What stands at the end of each cell of a row: no blank, so that nothing goes across it."""


class Mapped:
    """Text without markup; each character knows its extent in the file."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._starts, self._ends = array("L"), array("L")
        self._text: str | None = None

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = "".join(self._parts)
        return self._text

    def __len__(self) -> int:
        return len(self._starts)

    def add(self, text: str, start: int, end: int | None = None) -> None:
        """Text that stands in the file at `start` as it is; or, with `end`, that all of `start` to `end` stands for."""
        self._text = None
        self._parts.append(text)
        if end is None:
            self._starts.extend(range(start, start + len(text)))
            self._ends.extend(range(start + 1, start + len(text) + 1))
        else:
            self._starts.extend([start] * len(text))
            self._ends.extend([end] * len(text))

    def at(self, offset: int) -> int:
        """The first character that stands at an offset of the file, or behind it."""
        return bisect_left(self._starts, offset)

    def extent(self, start: int, end: int) -> Extent:
        """Where characters `start` to `end` (exclusive) stand in the file."""
        return self._starts[start], self._ends[end - 1]


@dataclass(frozen=True, slots=True)
class Hyperlink:
    """A link: which characters of the passage it covers, and its URL with where that stands in the file."""

    start: int
    end: int
    url: str
    url_at: int


@dataclass(eq=False)
class Passage:
    """A paragraph, heading, row of a table or code block."""

    type: PassageType
    mapped: Mapped
    marks: list[tuple[int, int]] = field(default_factory=list)
    """What is in code marks."""
    anchors: list[Hyperlink] = field(default_factory=list)
    cells: list[tuple[int, int]] = field(default_factory=list)
    """Of a row."""
    table: int = 0
    """Which table a row belongs to; 0: none."""
    level: int = 0
    """Of a heading: 1 is the highest."""
    info: str = ""
    """The language of a code block."""

    @property
    def text(self) -> str:
        return self.mapped.text


@dataclass(eq=False)
class Document:
    """A file read."""

    path: str
    text: str
    passages: list[Passage]
    front: dict[str, str] = field(default_factory=dict)
    """What the front matter says, by its keys."""
    has_marks: bool = True
    """Whether the kind of file has marks for code; plain text has none."""

    def __post_init__(self) -> None:
        self._lines = line_starts(self.text)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1


def line_starts(text: str) -> list[int]:
    """The offset at which each line begins."""
    starts = [0]
    position = text.find("\n")
    while position >= 0:
        starts.append(position + 1)
        position = text.find("\n", position + 1)
    return starts


def verbatim(text: str, start: int, pieces: Iterable[tuple[int, int]] | None = None) -> Mapped:
    """Text of a file as it stands there, or pieces of it (offsets in `text`), each on a line of its own."""
    mapped = Mapped()
    if pieces is None:
        mapped.add(text, start)
        return mapped
    for number, (first, last) in enumerate(pieces):
        if number:
            mapped.add("\n", start + first, start + first)
        mapped.add(text[first:last], start + first)
    return mapped
