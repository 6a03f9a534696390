"""Rows of code: excerpts with what is marked in them, and diffs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    """A line of a diff: `sign` is `+`, `-`, or a blank for a line that both have. None stands for lines left out."""

    before: int | None
    after: int | None
    sign: str
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
                    place.region
                    for place in all_places
                    if place.path == excerpt.path and place.region and place.region.overlaps(shown)
                }
            )
        )
    }


def rows(result: Result, excerpt: Excerpt) -> Iterator[Row]:
    """The lines of an excerpt."""
    marked = marks(result, excerpt)
    for number, code in enumerate(highlighted(excerpt.path, _dedented(excerpt.lines)), excerpt.start):
        line = Region(number, number)
        yield Row(number, code, " ".join(mark for mark in marked if any(line.overlaps(at) for at in marked[mark])))


def diff(change: Change) -> Iterator[DiffRow | None]:
    """The lines of a change, and None where it leaves lines out."""
    place = change.after or change.before
    path = place.path if place else ""
    texts = _dedented([line.text for line in change.lines])
    lines = [DiffLine(line.before, line.after, text) for line, text in zip(change.lines, texts, strict=True)]
    for number, hunk in enumerate(_hunks(lines)):
        if number:
            yield None
        # NOTE: each side is highlighted as the code that it is: a string that opens on a removed line may never close.
        old, new = (
            iter(highlighted(path, tuple(line.text for line in hunk if getattr(line, side) is not None)))
            for side in ("before", "after")
        )
        for line in hunk:
            before = next(old) if line.before is not None else Markup()
            after = next(new) if line.after is not None else before
            yield DiffRow(line.before, line.after, _sign(line), after)


def _sign(line: DiffLine) -> str:
    if line.before is None:
        return "+" if line.after is not None else " "
    return "-" if line.after is None else " "


def _hunks(lines: Sequence[DiffLine]) -> Iterator[Sequence[DiffLine]]:
    """The runs of lines that leave nothing out."""
    start, before, after = 0, None, None
    for at, line in enumerate(lines):
        if _skips(before, line.before) or _skips(after, line.after):
            yield lines[start:at]
            start = at
        before, after = line.before or before, line.after or after
    yield lines[start:]


def _skips(last: int | None, following: int | None) -> bool:
    return last is not None and following is not None and following != last + 1


def _dedented(lines: Sequence[str]) -> tuple[str, ...]:
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return tuple(line[margin:] for line in lines)
