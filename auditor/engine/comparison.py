"""One snapshot audited and compared with another: what is said of each claim at both, and what changed in its code."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from auditor.anchors import Relocations
from auditor.code import Undecidable
from auditor.code.project.codebase import Codebase
from auditor.drift.diff import Row, diff, with_context
from auditor.drift.statements import Piece, pieces
from auditor.drift.states import compared
from auditor.engine import audited, files, notes_of
from auditor.engine.bounded import bounded
from auditor.engine.result_cache import Memo
from auditor.errors import UnreadableError
from auditor.model import AnchorState, BaselineState, Change, FoundCitation, Location, Region, Relocation, Result, Run
from auditor.sources import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from auditor.cache import Blobs
    from auditor.claims import Entry
    from auditor.model import Snapshot, Target
    from auditor.sources import Progress


def audit_since(
    target: "Target",
    entries: "Sequence[Entry]",
    old: "Snapshot",
    new: "Snapshot",
    blobs: "Blobs | None" = None,
    releases: "Callable[[str], Snapshot] | None" = None,
    progress: "Progress" = silent,
) -> Run:
    """The run of `new` compared with that of `old`: states, earlier outcomes, where cited code went, what changed.

    A bug in a check at `old` is a notification too. Raises SourceError when one of them cannot be read.
    """
    runs: list[Run] = []
    codes: list[Codebase] = []
    for snapshot in (old, new):
        snapshot.prefetch(files(entries))
        code = Codebase(snapshot, target, releases, *codes)
        if codes:
            code.adopt(codes[0], but=_differing(codes[0].read_paths, old, new))
        memo = Memo(blobs, snapshot, target, has_earlier=bool(codes)) if blobs is not None else None
        runs.append(audited(target, entries, snapshot.revision, lambda code=code: code, memo, progress))  # type: ignore[misc]
        codes.append(code)
    baseline, run = runs
    since = _Since(*codes)
    earlier = {result.claim.id: result for result in baseline.results}
    run = replace(run, results=tuple(since.cited(earlier.get(one.claim.id), one) for one in run.results))
    found = compared(run, baseline)
    return replace(
        found,
        results=tuple(since.with_changes(earlier.get(result.claim.id), result) for result in found.results),
        notifications=(
            *found.notifications,
            *(note for note in baseline.notifications if note.is_bug),
            *notes_of(new),
        ),
    )


def _differing(paths: frozenset[str], old: "Snapshot", new: "Snapshot") -> frozenset[str]:
    """Those of some files that are not the same bytes in both."""
    both = paths & new.files()
    new.prefetch(both)
    return paths - {path for path in both if _is_same(path, old, new)}


def _is_same(path: str, old: "Snapshot", new: "Snapshot") -> bool:
    try:
        return old.read(path) == new.read(path)
    except UnreadableError:
        return False


@dataclass(frozen=True, slots=True)
class _Place:
    """A definition that a claim looks at, or lines outside of any, and the lines in it that it looks at."""

    whole: Location
    regions: tuple[Region, ...] = ()


class _Since:
    """What became of code between two snapshots, each definition compared once."""

    def __init__(self, before: Codebase, after: Codebase) -> None:
        self._before = before
        self._after = after
        self._relocations = Relocations(before, after)
        self._origins = Relocations(after, before)
        self._pieces: dict[tuple[int, Location | None], tuple[Piece, ...]] = {}
        self._rows: dict[tuple[Location | None, Location | None], tuple[Row, ...]] = {}

    def with_changes(self, earlier: Result | None, result: Result) -> Result:
        """The result, with what changed in each definition that it looks at, or that its citations are in."""
        if earlier is None:
            return result
        try:
            with bounded():
                return self._with_code_changes(earlier, result)
        except Undecidable:  # what has changed in code that is too deep, say, is not worth the other claims
            return result

    def _with_code_changes(self, earlier: Result, result: Result) -> Result:
        relocations = tuple(self._relocated(citation) for citation in earlier.citations)
        changes = tuple(self._changes(earlier, result))
        return replace(result, changes=changes, relocations=relocations if any(relocations) else ())

    def cited(self, earlier: Result | None, result: Result) -> Result:
        """The result, with a citation lost whose code is gone though other code like it is still where it was."""
        if earlier is None or len(earlier.citations) != len(result.citations):
            return result
        both = zip(earlier.citations, result.citations, strict=True)
        return replace(result, citations=tuple(self._still_there(was, now) for was, now in both))

    def _still_there(self, was: FoundCitation, now: FoundCitation) -> FoundCitation:
        relocation = self._relocated(was) if was.state.is_in_place and now.found and now.found.region else None
        if relocation is None or relocation.state is not AnchorState.LOST or now.found is None or was.found is None:
            return now
        origin = self._origins.of(now.found.path, now.found.region)
        if not origin.is_same or origin.found is None or origin.found.region is None or was.found.region is None:
            return now
        is_itself = origin.found.path == was.found.path and origin.found.region.overlaps(was.found.region)
        return now if is_itself else FoundCitation(now.citation, AnchorState.LOST)

    def _relocated(self, citation: FoundCitation) -> Relocation | None:
        """Where the cited lines went; of a citation that had other lines even then, the code itself."""
        if citation.found is None:
            return None
        place = citation.citation if citation.state.is_in_place else citation.found
        return self._relocations.of(place.path, place.region)

    def _changes(self, earlier: Result, result: Result) -> Iterator[Change]:
        is_file_meant = result.baseline is not BaselineState.UNCHANGED
        helpers = result.changed_helpers
        olds = _places(earlier, self._before, helpers, is_file_meant=is_file_meant)
        news = _places(result, self._after, helpers, is_file_meant=is_file_meant)
        for key, old in olds.items():
            new = news.pop(key, None) or self._counterpart(old)
            yield from self._change(old, new)
            if new is not None:
                news = {other: place for other, place in news.items() if not _is_inside(place.whole, new.whole)}
        for new in news.values():
            yield from self._change(_named(new.whole, self._before), new)

    def _counterpart(self, old: _Place) -> _Place | None:
        """The definition in the newer snapshot: of the same name, else where it went."""
        if (new := _named(old.whole, self._after)) is not None:
            return new
        path, symbol = old.whole.path, old.whole.symbol
        went = self._relocations.of_symbol(path, symbol) if symbol else self._relocations.of(path, old.whole.region)
        return _Place(went.found) if went.found and went.found.region else None

    def _change(self, old: _Place | None, new: _Place | None) -> Iterator[Change]:
        """What differs between the two; only of a definition can be said that it is gone, or new."""
        key = (old.whole if old else None, new.whole if new else None)
        if not all(key) and not any(whole and whole.symbol for whole in key):
            return
        if key not in self._rows:
            is_same = _lines(key[0], self._before) == _lines(key[1], self._after)
            self._rows[key] = () if is_same else diff(*self._both(*key))
        if rows := self._rows[key]:
            yield Change(*key, with_context(rows, new.regions if new else (), old.regions if old else ()))

    def _both(self, *wholes: Location | None) -> Iterator[tuple[Piece, ...]]:
        for whole, code in zip(wholes, (self._before, self._after), strict=True):
            key = (id(code), whole)
            if key not in self._pieces:
                self._pieces[key] = pieces(_lines(whole, code), whole.region.start if whole and whole.region else 1)
            yield self._pieces[key]


def _lines(whole: Location | None, codebase: Codebase) -> tuple[str, ...]:
    if whole is None or whole.region is None:
        return ()
    return tuple(codebase.text(whole.path).split("\n")[whole.region.start - 1 : whole.region.end])


def _places(
    result: Result, codebase: Codebase, helpers: "Sequence[str]", *, is_file_meant: bool
) -> dict[tuple[str, str | None, int], _Place]:
    """The places of a result by path, symbol and which of these it is; what is inside of another is part of that."""
    regions: dict[Location, list[Region]] = {}
    for location in (*result.outcome.locations, *(one.found for one in result.citations if one.found)):
        with suppress(Undecidable):
            whole = _whole(location, codebase, is_file_meant=is_file_meant)
            if whole is not None and whole.region is not None:
                regions.setdefault(whole, []).append(location.region or whole.region)
    for helper in helpers:
        path, _, symbol = helper.partition("::")
        with suppress(Undecidable):
            for definition in codebase.definitions(path, symbol):
                regions.setdefault(definition.location, []).append(definition.region)
    found: dict[tuple[str, str | None, int], _Place] = {}
    counted: Counter[tuple[str, str | None]] = Counter()
    for whole in regions:
        if not any(_is_inside(whole, other) for other in regions if other != whole):
            inner = (own for other, own in regions.items() if other == whole or _is_inside(other, whole))
            key = (whole.path, whole.symbol)
            found[(*key, counted[key])] = _Place(whole, tuple(dict.fromkeys(chain.from_iterable(inner))))
            counted[key] += 1
    return found


def _is_inside(one: Location, other: Location) -> bool:
    is_held = one.region is not None and other.region is not None and other.region.contains(one.region)
    return one.path == other.path and is_held


def _whole(location: Location, codebase: Codebase, *, is_file_meant: bool) -> Location | None:
    """The definition that a location is in; outside of any, its own lines. None for a folder, or a file not meant."""
    if location.region is None and not location.path.endswith(".py"):
        return None
    if location.region is None or location.symbol is None:
        last = codebase.text(location.path).count("\n") + 1
        region = location.region or Region(1, last)
        is_file = region.contains(Region(2, last - 1))
        return Location(location.path, region) if is_file_meant or not is_file else None
    holding = [d for d in codebase.definitions(location.path, location.symbol) if d.region.contains(location.region)]
    return holding[0].location if holding else None


def _named(whole: Location, codebase: Codebase) -> _Place | None:
    """The one definition of the same name in the same file of the other snapshot."""
    with suppress(Undecidable):
        found = codebase.definitions(whole.path, whole.symbol) if whole.symbol else ()
        return _Place(found[0].location) if len(found) == 1 else None
    return None
