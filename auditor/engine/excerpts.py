"""The lines that a report shows of a claim: those found, and those cited."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.model import Excerpt, FoundCitation, Location, Region

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase

_AROUND = 3  # lines of context on each side
_LONGEST = 40  # lines shown of one place
_MOST = 160  # lines shown of one claim
_WIDEST = 500  # characters shown of one line


def excerpts(
    locations: Sequence[Location], citations: Sequence[FoundCitation], codebase: "Codebase"
) -> tuple[Excerpt, ...]:
    """Excerpts of every place, neighbours joined, the primary location's file first."""
    wanted: dict[str, list[Region]] = {}
    found = [(citation.found.path, citation.found.region) for citation in citations if citation.found]
    cited = [(citation.citation.path, citation.citation.region) for citation in citations]
    for path, region in [*((place.path, place.region) for place in locations), *found, *cited]:
        if region is not None:
            wanted.setdefault(path, []).append(region)
    return tuple(
        _limited(excerpt for path, regions in wanted.items() for excerpt in _excerpts(path, regions, codebase))
    )


def _excerpts(path: str, regions: list[Region], codebase: "Codebase") -> Iterator[Excerpt]:
    try:
        lines = codebase.text(path).split("\n")
    except Undecidable:
        return
    for region in _joined(regions, len(lines)):
        shown = (line[:_WIDEST] for line in lines[region.start - 1 : region.end])
        yield Excerpt(path, region.start, tuple(shown))


def _joined(regions: list[Region], last: int) -> list[Region]:
    """The regions with context, cut to length and to the file, those that touch as one."""
    joined: list[Region] = []
    for region in sorted(regions):
        start = max(1, region.start - _AROUND)
        end = min(last, region.end + _AROUND, region.start + _LONGEST)
        if start > end:
            continue  # cited beyond the end of the file
        if joined and start <= joined[-1].end + 1:
            joined[-1] = Region(joined[-1].start, max(joined[-1].end, end))
        else:
            joined.append(Region(start, end))
    return joined


def _limited(found: Iterator[Excerpt]) -> Iterator[Excerpt]:
    left = _MOST
    for excerpt in found:
        if left <= 0:
            return
        yield Excerpt(excerpt.path, excerpt.start, excerpt.lines[:left])
        left -= len(excerpt.lines)
