"""Lines as texts print them: what follows a path, and the numbers in it with where they stand."""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable

from auditor.article import notation
from auditor.articles import Extent, Lines
from auditor.model import Region

_MARKS = 3  # characters of marks that may end a path


def lines_after(text: str, at: int, end: int | None = None) -> "tuple[re.Match[str], int] | None":
    """What follows a path and says lines, and where it ends."""
    marked = at
    while text.startswith(("`", "*"), marked) and marked - at < _MARKS:  # in comments and strings marks are characters
        marked += 1
    if marked > at and (behind := lines_after(text, marked, end)):
        return behind
    for pattern in notation.AFTER:
        found = pattern.match(text, at, len(text) if end is None else end)
        if found:
            close = re.compile(r"\s?行?\s?[)）\]】]").match(text, found.end())
            is_open = any(char in found[0] for char in "(（[【") and not any(char in found[0] for char in ")）]】")
            return found, close.end() if close and is_open else found.end()
    return None


def numbers(text: str, start: int, end: int) -> list[Lines]:
    """The ranges in a piece of text, by its own offsets."""
    found = []
    for one in notation.NUMBERS.finditer(text, start, end):
        first = int(one["start"])
        last = int(one["end"]) if one["end"] else first
        if last < first and one["end"] and len(one["end"]) < len(one["start"]):
            # 1610-43 is short for 1610-1643.
            last = int(one["start"][: len(one["start"]) - len(one["end"])] + one["end"])
        if last < first:
            first, last = last, first
        found.append(Lines(Region(first, last), one.span("start"), one.span("end") if one["end"] else None))
    return found


def moved(extent: Extent, by: int) -> Extent:
    return extent[0] + by, extent[1] + by


class Taken:
    """Pieces of a text that do not overlap."""

    def __init__(self, pieces: Iterable[Extent] = ()) -> None:
        self._pieces = sorted(pieces)

    def __contains__(self, at: int) -> bool:
        number = bisect_right(self._pieces, (at, sys.maxsize)) - 1
        return number >= 0 and at < self._pieces[number][1]
