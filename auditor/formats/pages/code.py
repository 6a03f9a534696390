"""Rows of code: excerpts with what is marked in them, and diffs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from markupsafe import Markup

from auditor.formats.pages.highlight import highlighted
from auditor.model import Change, Citation, DiffLine, Excerpt, Location, Region, Result


@dataclass(frozen=True, slots=True)
class Row:
    """A line of an excerpt; `marks` are classes of the style sheet."""

    number: int
    code: Markup
    marks: str


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A line of a diff: its number in the revision that has it, and what is said of it: `same`, `ins`, `del`, `gap`."""

    number: str
    change: str
    code: Markup


def marks(result: Result, excerpt: Excerpt) -> dict[str, list[Region]]:
    """Which lines of an excerpt the article cites, where its code is, and what decided the claim."""
    places: dict[str, list[Location | Citation]] = {
        "cited": [found.citation for found in result.citations],
        "found": [found.found for found in result.citations if found.found],
        "evidence": list(result.outcome.locations),
    }
    shown = Region(excerpt.start, excerpt.start + len(excerpt.lines) - 1)
    return {
        mark: regions
        for mark, all_places in places.items()
        if (
            regions := sorted(
                {
                    _pointed(place.region) if mark == "evidence" else place.region
                    for place in all_places
                    if place.path == excerpt.path and place.region and place.region.overlaps(shown)
                }
            )
        )
    }


def _pointed(region: Region) -> Region:
    """Of a whole definition its head: to mark every line of it would point at nothing."""
    return region if region.end - region.start < _WHOLE else Region(region.start, region.start)


_WHOLE = 15
"""Lines, from which evidence is a whole definition and no statement."""


def rows(result: Result, excerpt: Excerpt) -> Iterator[Row]:
    """The lines of an excerpt."""
    marked = marks(result, excerpt)
    for number, code in enumerate(highlighted(excerpt.path, _dedented(excerpt.lines)), excerpt.start):
        line = Region(number, number)
        yield Row(number, code, " ".join(mark for mark in marked if any(line.overlaps(at) for at in marked[mark])))


def diff(change: Change) -> Iterator[DiffRow]:
    """The lines of a change, and the marks for lines that it leaves out."""
    place = change.after or change.before
    path = place.path if place else ""
    texts = iter(_dedented([line.text for line in change.lines if not _is_mark(line)]))
    for is_mark, stretch in groupby(change.lines, _is_mark):
        if is_mark:
            yield from (DiffRow("", "gap", highlighted("", (line.text.strip(),))[0]) for line in stretch)
        else:
            yield from _stretch(path, [replace(line, text=next(texts)) for line in stretch])


def _stretch(path: str, lines: Sequence[DiffLine]) -> Iterator[DiffRow]:
    # NOTE: each side is highlighted as the code that it is: a string that opens on a removed line may never close.
    old = iter(highlighted(path, tuple(line.text for line in lines if line.before is not None)))
    new = iter(highlighted(path, tuple(line.text for line in lines if line.after is not None)))
    for line in lines:
        before = next(old) if line.before is not None else Markup()
        if line.after is None:
            yield DiffRow(str(line.before), "del", before)
        else:
            yield DiffRow(str(line.after), "ins" if line.before is None else "same", next(new))


def _is_mark(line: DiffLine) -> bool:
    return line.before is None and line.after is None


def _dedented(lines: Sequence[str]) -> tuple[str, ...]:
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return tuple(line[margin:] for line in lines)
