"""Lines and symbols of one snapshot found again in another.

The code that the lines hold is found first, by its syntax; lines follow from it. What is not clearly one place is lost.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.anchors.definitions import ACCEPTED, Counterpart, DefinitionCandidate, Definitions
from auditor.anchors.elsewhere import Stretch, elsewhere
from auditor.anchors.fingerprints import Layout, Scope, relative_keys
from auditor.anchors.places import UNLIKE, Edge, edge_of, kind, likeness, line_of, padded, within
from auditor.anchors.statements import Alignment
from auditor.anchors.versions import Versions
from auditor.model import AnchorState, Candidate, Location, Place, Region, Relocation

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase

_MOST = 5  # candidates


def relocate(path: str, region: Region | None, before: "Codebase", after: "Codebase") -> Relocation:
    """Where lines of a file (None: the file) are in another snapshot. For many, keep one `Relocations`."""
    return Relocations(before, after).of(path, region)


def relocate_symbol(path: str, symbol: str, before: "Codebase", after: "Codebase") -> Relocation:
    """Where a symbol is in another snapshot. For many, keep one `Relocations`."""
    return Relocations(before, after).of_symbol(path, symbol)


@dataclass(frozen=True, slots=True)
class _Landed:
    """Where an edge is now."""

    path: str
    layout: Layout
    scope: Scope
    line: int


@dataclass(frozen=True, slots=True)
class _Missing:
    """That an edge is nowhere for certain, and what a person is told."""

    reason: str
    candidates: tuple[Candidate, ...] = ()
    searched: tuple[str, ...] = ()
    is_here: bool = False
    """Whether it is among the candidates, so that looking elsewhere would be guessing."""


class Relocations:
    """Relocations between two snapshots, which share what they read."""

    def __init__(self, before: "Codebase", after: "Codebase") -> None:
        self._versions = Versions(before, after)
        self._definitions = Definitions(self._versions)
        self._alignments: dict[tuple[int, int], Alignment] = {}

    def of(self, path: str, region: Region | None) -> Relocation:
        """Where lines of a file, or (None) the file, are."""
        try:
            return self._file(path) if region is None else self._lines(path, region)
        except RecursionError:
            place = Place.FILE if region is None else Place.COMMENT
            reason = "the code is nested too deeply to be compared"
            return Relocation(Location(path, region), place, AnchorState.LOST, reason=reason)

    def _lines(self, path: str, region: Region) -> Relocation:
        old = self._versions.old(path)
        start = Location(path, region)
        if old is None or region.start > len(old.lines):
            why = f"{path} cannot be read" if old is None else f"{path} has {len(old.lines)} lines"
            return Relocation(start, Place.COMMENT, AnchorState.LOST, reason=f"{start}: {why} in the older snapshot")
        if self._versions.after.is_shipped(path) is False:
            return Relocation(start, Place.COMMENT, AnchorState.UNAVAILABLE, reason=f"{path} is not shipped")
        text = old.text(region)
        first, last = edge_of(old, region, is_end=False), edge_of(old, region, is_end=True)
        if first is None or last is None:
            return replace(self._comment(path, region, old), text=text)
        known = Location(path, region, _common(first.scope, last.scope).name or None)
        return replace(self._code(known, kind(first, last), old, first, last), text=text)

    def of_symbol(self, path: str, symbol: str) -> Relocation:
        """Where a symbol is: its whole definition, or the statement that gives it a value."""
        old = self._versions.old(path)
        regions = [scope.region for scope in old.find(symbol)] if old else []
        outer, _, name = symbol.rpartition(".")
        is_value = not regions
        if old is not None and is_value:
            regions = [unit.region for scope in old.find(outer) for unit in scope.units if name in unit.names]
        if len(regions) != 1:
            why = f"is defined {len(regions)} times" if regions else "is not there"
            reason = f"{path}::{symbol} {why} in the older snapshot"
            return Relocation(Location(path, None, symbol), Place.DEFINITION, AnchorState.LOST, reason=reason)
        relocation = self.of(path, regions[0])
        found = relocation.found
        if is_value and found is not None:
            found = replace(found, symbol=self._value(found, name))
        return replace(relocation, before=replace(relocation.before, symbol=symbol), found=found)

    def _value(self, found: Location, name: str) -> str | None:
        """The symbol of what gives a name a value at a place; None when nothing does."""
        new = self._versions.new(found.path)
        if new is None or found.region is None or not any(name in unit.names for unit in within(new, found.region)):
            return None
        return f"{found.symbol}.{name}" if found.symbol else name

    def _file(self, path: str) -> Relocation:
        before = Location(path)
        after = self._versions.after
        if after.holds(path):
            old, new = self._versions.old(path), self._versions.new(path)
            is_same = old is not None and new is not None and old.module.fingerprint == new.module.fingerprint
            return Relocation(before, Place.FILE, AnchorState.EXACT, Location(path), is_same=is_same)
        old = self._versions.old(path)
        if old is None:
            return Relocation(before, Place.FILE, AnchorState.LOST, reason=f"{path} is not there")
        counterpart = self._definitions.of(path, old.module)
        if (found := counterpart.found) is None:
            return _lost(before, Place.FILE, counterpart, f"{path} is not there")
        is_same = found.scope.fingerprint == old.module.fingerprint
        return Relocation(
            before, Place.FILE, AnchorState.MOVED, Location(found.path), is_same=is_same, reason=found.why
        )

    def _code(self, before: Location, place: Place, old: Layout, first: Edge, last: Edge) -> Relocation:
        ends = self._landed(before.path, old, first, is_end=False), self._landed(before.path, old, last, is_end=True)
        start, end = ends
        code = Region(first.line, last.line)
        if isinstance(start, _Missing) or isinstance(end, _Missing):
            missing = next(one for one in ends if isinstance(one, _Missing))
            return self._moved(before, place, old, code, self._with_rest(before.path, old, code, missing))
        if start.path != end.path or start.line > end.line:
            candidates = (_candidate(start, start.line, "its first line"), _candidate(end, end.line, "its last line"))
            reason = "the first and the last line have gone to different places"
            return Relocation(before, place, AnchorState.LOST, candidates=candidates, reason=reason)
        now = Region(start.line, end.line)
        if place is Place.STATEMENTS and likeness(old, code, start.layout, now) < UNLIKE:
            candidate = _candidate(start, end.line, "between its first and its last line")
            reason = "what is between its first and its last line is other code"
            return Relocation(before, place, AnchorState.LOST, candidates=(candidate,), reason=reason)
        return _to_lines(before, place, old, code, start, end)

    def _landed(self, path: str, old: Layout, edge: Edge, *, is_end: bool) -> _Landed | _Missing:
        """Where an edge is now."""
        counterpart = self._definitions.of(path, edge.scope)
        if (found := counterpart.found) is None or (new := self._versions.new(found.path)) is None:
            candidates = tuple(map(_definition_candidate, counterpart.candidates))
            several = " clearly" if candidates else ""
            good = (one for one in counterpart.candidates if one.score >= ACCEPTED)
            is_rivalled = edge.unit is None and any(
                one.is_new or one.scope.fingerprint == edge.scope.fingerprint for one in good
            )
            reason = f"{edge.scope.name or path} is nowhere{several}"
            return _Missing(reason, candidates, counterpart.searched, is_here=is_rivalled)
        if edge.unit is None:
            region = found.scope.region
            is_header = edge.line == old.definition_line(edge.scope)
            line = new.definition_line(found.scope) if is_header else region.start
            return _Landed(found.path, new, found.scope, region.end if is_end else line)
        paired = self._aligned(edge.scope, found.scope).of(edge.unit)
        if paired.unit is None:
            where = found.scope.name or found.path
            reason = f"no one statement of {where} is clearly the one"
            guesses = tuple(
                Candidate(Location(found.path, guess.unit.region, found.scope.name or None), guess.score, guess.why)
                for guess in paired.guesses
            )
            return _Missing(reason, guesses, (found.path,), is_here=any(one.is_equal for one in paired.guesses))
        line = line_of(old, edge, new, found.scope, paired.unit, is_end=is_end)
        return _Landed(found.path, new, found.scope, line)

    def _with_rest(self, path: str, old: Layout, code: Region, missing: _Missing) -> _Missing:
        """What is missing, with the place of most of the lines as a candidate, if that is to be found."""
        units = [unit for unit in within(old, code) if code.start <= unit.region.start]
        sides = []
        for is_end in (False, True):
            regions = [Region(unit.region.start, min(old.end(unit), code.end)) for unit in units]
            edges = (edge_of(old, region, is_end=is_end) for region in (regions[::-1] if is_end else regions))
            landed = (self._landed(path, old, edge, is_end=is_end) for edge in edges if edge is not None)
            sides.append(next((one for one in landed if isinstance(one, _Landed)), None))
        start, end = sides
        if start is None or end is None or start.path != end.path or not start.line < end.line:
            return missing
        now = Region(start.line, end.line)
        kept = likeness(old, code, start.layout, now)
        if kept < UNLIKE:
            return missing
        return replace(
            missing, candidates=(_candidate(start, end.line, "most of the lines", kept), *missing.candidates)
        )

    def _moved(self, before: Location, place: Place, old: Layout, code: Region, missing: _Missing) -> Relocation:
        """Statements that are not in their definition any more: where they stand in another."""
        units = within(old, code)
        if place is Place.DEFINITION and len(units) > 1:
            units = units[1:]  # inlined, it has no header
        candidates, searched = missing.candidates, missing.searched
        is_declaration = units[0].name and len(units) == 1
        if not missing.is_here and not is_declaration:
            changed = self._versions.changed(before.path)
            searched = tuple(dict.fromkeys((*searched, before.path, f"{len(changed)} files that changed")))
            found = elsewhere(self._versions, before.path, units, is_exact=True)
            # A body that is the whole of another has been renamed, which its definition was not taken for.
            is_renamed = place is Place.DEFINITION and any(len(one.scope.every) - 1 == len(units) for one in found)
            if len(found) == 1 and not is_renamed:
                kept = Region(units[0].region.start, code.end)
                return replace(_in_stretch(before, place, old, kept, found[0]), searched=searched)
            why = "the same statements, new there" if found else ""
            found = found or elsewhere(self._versions, before.path, units, is_exact=False)[:_MOST]
            candidates += tuple(
                Candidate(_location(one), round(one.part, 3), why or f"holds {one.part:.0%} of it") for one in found
            )
        unique = {candidate.location: candidate for candidate in reversed(candidates)}.values()
        ranked = sorted((one for one in unique if not any(_is_inside(one, other) for other in unique)), key=_rank)
        return Relocation(
            before, place, AnchorState.LOST, candidates=tuple(ranked), searched=searched, reason=missing.reason
        )

    def _comment(self, path: str, region: Region, old: Layout) -> Relocation:
        """Lines without code: the same lines, once in what has become of the definition around them."""
        before = Location(path, region, old.innermost(region.start).name or None)
        wanted = [line.strip() for line in old.text(region).split("\n")]
        counterpart = self._definitions.of(path, old.innermost(region.start))
        if not any(wanted):
            return Relocation(before, Place.COMMENT, AnchorState.LOST, reason="the lines are blank")
        if (found := counterpart.found) is None or (new := self._versions.new(found.path)) is None:
            return _lost(before, Place.COMMENT, counterpart, f"{before.symbol or path} is nowhere")
        outer = found.scope.region
        lines = [line.strip() for line in new.lines]
        starts = [
            number
            for number in range(outer.start, outer.end - len(wanted) + 2)
            if lines[number - 1 : number - 1 + len(wanted)] == wanted
        ]
        if len(starts) == 1:
            landed = _Landed(found.path, new, found.scope, starts[0])
            stated = _to_lines(
                before, Place.COMMENT, old, region, landed, replace(landed, line=starts[0] + len(wanted) - 1)
            )
            return replace(stated, is_same=True, reason="")
        candidates = tuple(
            Candidate(
                Location(found.path, Region(start, start + len(wanted) - 1), found.scope.name or None), 0.5, "same text"
            )
            for start in starts[:_MOST]
        )
        reason = f"no code; the same lines stand {len(starts)} times in {found.scope.name or found.path}"
        return Relocation(
            before, Place.COMMENT, AnchorState.LOST, candidates=candidates, searched=(found.path,), reason=reason
        )

    def _aligned(self, one: Scope, other: Scope) -> Alignment:
        key = (id(one), id(other))
        if key not in self._alignments:
            self._alignments[key] = Alignment(one, other)
        return self._alignments[key]


def _lost(before: Location, place: Place, counterpart: Counterpart, reason: str) -> Relocation:
    """The relocation of what is in a definition that is nowhere."""
    candidates, searched = tuple(map(_definition_candidate, counterpart.candidates)), counterpart.searched
    return Relocation(before, place, AnchorState.LOST, candidates=candidates, searched=searched, reason=reason)


def _to_lines(before: Location, place: Place, old: Layout, code: Region, start: _Landed, end: _Landed) -> Relocation:
    """The relocation to what is from one line to another."""
    cited = before.region or code
    now = Region(start.line, end.line)
    is_same = relative_keys(within(old, code)) == relative_keys(within(start.layout, now))
    reason = "" if is_same else "the code has changed"
    region = padded(old, cited, code, start.layout, now)
    found = Location(start.path, region, _common(start.scope, end.scope).name or None)
    offset = None
    if found.path != before.path:
        state = AnchorState.MOVED
    elif region == cited:
        state = AnchorState.EXACT
    elif region.contains(cited) or cited.contains(region):
        state = AnchorState.INSIDE
    else:
        state, offset = AnchorState.SHIFTED, region.start - cited.start
    return Relocation(before, place, state, found, offset, is_same=is_same, reason=reason)


def _in_stretch(before: Location, place: Place, old: Layout, code: Region, found: Stretch) -> Relocation:
    """The relocation to the same units in another definition."""
    region = _location(found).region
    assert region is not None
    start = _Landed(found.path, found.layout, found.scope, region.start)
    stated = _to_lines(before, place, old, code, start, replace(start, line=region.end))
    if place is not Place.DEFINITION:
        return stated
    return replace(stated, is_same=False, reason=f"its body is in {found.scope.name or found.path} now")


def _location(found: Stretch) -> Location:
    region = Region(found.units[0].region.start, found.layout.end(found.units[-1]))
    return Location(found.path, region, found.scope.name or None)


def _common(one: Scope, other: Scope) -> Scope:
    """The innermost scope around both."""
    around = []
    scope: Scope | None = one
    while scope is not None:
        around.append(scope)
        scope = scope.parent
    inner: Scope = other
    while inner not in around and inner.parent is not None:
        inner = inner.parent
    return inner


def _candidate(landed: _Landed, end: int, why: str, score: float = 0.5) -> Candidate:
    region = Region(min(landed.line, end), max(landed.line, end))
    return Candidate(Location(landed.path, region, landed.scope.name or None), round(score, 3), why)


def _is_inside(candidate: Candidate, other: Candidate) -> bool:
    """Whether another candidate is in it and is as good, and so says more."""
    here, there = candidate.location.region, other.location.region
    if here is None or there is None or here == there or candidate.location.path != other.location.path:
        return False
    return here.contains(there) and other.score >= candidate.score


def _rank(candidate: Candidate) -> tuple[float, str, int]:
    where = candidate.location
    return -candidate.score, where.path, where.region.start if where.region else 0


def _definition_candidate(found: DefinitionCandidate) -> Candidate:
    region = found.scope.region if found.scope.name else None
    return Candidate(Location(found.path, region, found.scope.name or None), min(found.score, 1.0), found.why)
