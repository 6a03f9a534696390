"""From a citation to the lines where its code is now. The code is found first; lines only follow from it."""

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.model import AnchorState, Citation, FoundCitation, Location, Outcome, Region

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition
    from auditor.model import Anchor


def follow(citation: Citation, outcome: Outcome, codebase: "Codebase") -> FoundCitation:
    """Where the code of a citation is.

    What the check itself found in the cited file is what the citation meant; where the citation says itself what its
    lines hold, only so far as that is part of it. The rest is looked up by symbol. Of several places the one nearest
    the cited lines is taken. Lines that the file never had cannot have held it.
    """
    if not codebase.is_shipped(citation.path):
        return FoundCitation(citation, AnchorState.UNAVAILABLE)
    if citation.region is None:
        return _whole(citation, codebase)
    anchored: list[Location] = []
    if citation.anchor is not None:
        with contextlib.suppress(Undecidable):
            anchored = locations(citation.anchor, codebase)
    found = [place for place in outcome.locations if place.path == citation.path and place.region]
    if citation.anchor is not None and citation.anchor.code is not None:
        found = []
    elif citation.is_own:
        found = [place for place in found if any(_holds(whole, place) for whole in anchored)]
    found += [place for place in anchored if not found or _is_whole(citation.region, place)]
    if not found:
        return FoundCitation(citation, AnchorState.LOST)
    region = citation.region
    nearest = min(found, key=lambda location: (_distance(region, location.region), _size(location)))
    state = _compared(citation, region, nearest)
    if state.state is AnchorState.SHIFTED and not codebase.had_line(citation.path, region.start):
        return FoundCitation(citation, AnchorState.LOST)
    return state


def _holds(whole: Location, place: Location) -> bool:
    is_inside = whole.region is None or (place.region is not None and whole.region.contains(place.region))
    return whole.path == place.path and is_inside


def locations(anchor: "Anchor", codebase: "Codebase") -> "list[Location]":
    """Where an anchor's code is: the symbol or the file, or each match of the code in it. Raises Undecidable."""
    definitions = _definitions(anchor, codebase)
    if anchor.code is None:
        return [replace(definition.location, region=definition.region) for definition in definitions]
    from auditor.code.matching.notation import Pattern
    from auditor.code.matching.search import search

    pattern = Pattern(anchor.code)
    return [
        definition.location_of(*match.terms) for definition in definitions for match in search(pattern, definition.code)
    ]


def _definitions(anchor: "Anchor", codebase: "Codebase") -> "tuple[Definition, ...]":
    """Every definition in the file itself, since lines say which is meant; else the one elsewhere."""
    with contextlib.suppress(Undecidable):
        if found := codebase.definitions(anchor.path, anchor.symbol):
            return found
    return (codebase.locate(anchor),)


def _whole(citation: Citation, codebase: "Codebase") -> FoundCitation:
    path = citation.path
    if codebase.holds(path):
        return FoundCitation(citation, AnchorState.EXACT, found=Location(path))
    return FoundCitation(citation, AnchorState.LOST)


def _compared(citation: Citation, cited: Region, found: Location) -> FoundCitation:
    region = found.region
    if region is None or found.path != citation.path:
        return FoundCitation(citation, AnchorState.MOVED, found=found)
    is_first_line = cited.start == cited.end == region.start
    if cited == region or is_first_line:
        return FoundCitation(citation, AnchorState.EXACT, found=found)
    if cited.contains(region) or region.contains(cited):
        return FoundCitation(citation, AnchorState.INSIDE, found=found)
    return FoundCitation(citation, AnchorState.SHIFTED, region.start - cited.start, found)


def _is_whole(cited: Region, place: Location) -> bool:
    """Whether lines are as many as would be cited for the whole of a definition, not for a part of it."""
    return _size(place) <= 2 * (cited.end - cited.start)


def _distance(cited: Region, region: Region | None) -> int:
    """How far apart two regions begin; none when one holds the other."""
    if region is None or cited.contains(region) or region.contains(cited):
        return 0
    return abs(region.start - cited.start)


def _size(location: Location) -> int:
    return location.region.end - location.region.start if location.region else 0
