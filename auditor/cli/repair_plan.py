"""What is written into a file of claims, and what a person is told of the rest."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.claims.source_spots import ClaimSpots, Edit, Spot
from auditor.cli.commit_history import visible
from auditor.model import Anchor, Notification, Relocation

if TYPE_CHECKING:
    from auditor.engine.mending import Mended, Mender, Mending, Reanchored

_LINES = 12  # of old text that are shown
_LAST = re.compile(r":[0-9,-]+$")


@dataclass(frozen=True, slots=True)
class _Left:
    """What a person has to look at."""

    spot: Spot
    claim: str
    about: str
    reason: str
    relocation: Relocation | None = None


class Plan:
    """The edits of one file of claims, by their spots, and what is left."""

    def __init__(self, written: Mapping[str, ClaimSpots], mender: "Mender", mending: "Mending") -> None:
        self.edits: dict[Spot, Edit] = {}
        self.left: list[_Left] = []
        self._right = 0
        self._reasons: dict[Spot, str] = {}
        self._mender = mender
        self._mending = mending
        of_claim: dict[str, list[Mended]] = {}
        for one in mending.citations:
            of_claim.setdefault(one.claim.id, []).append(one)
        for claim, citations in of_claim.items():
            self._cite(written[claim], citations)
        for anchor in mending.anchors:
            self._anchor(written[anchor.claim.id], anchor)

    @property
    def bugs(self) -> list[Notification]:
        runs = (self._mending.old, self._mending.new)
        return [note for run in runs for note in run.notifications if note.is_bug]

    def lines(self) -> Iterator[str]:
        """The report."""
        old, new = self._mending.old, self._mending.new
        ends = f"{old.target.name} {visible(old.revision.name)} -> {visible(new.revision.name)}"
        yield f"{ends}: {len(self.edits)} to write, {self._right} right as they are, {len(self.left)} left"
        for spot, edit in sorted(self.edits.items(), key=lambda pair: pair[0].line):
            yield f"  {spot}: {visible(spot.text)} -> {visible(edit.text)}  ({self._reasons[spot]})"
        for one in sorted(self.left, key=lambda one: (one.spot.line, one.about)):
            yield from _explained(one)
        if self.edits:
            commit = f"commit: {new.revision.commit}" if new.revision.commit else "the commit of that revision"
            if new.revision.source == "pypi" and new.target.commit is None:
                commit = f"near-pin: {new.revision.name}"
            yield f"  the lines written mean {visible(new.revision.name)}: pin {visible(commit)} in pack.yaml"
        yield ""

    def _cite(self, claim: ClaimSpots, citations: "list[Mended]") -> None:
        """The citations of one claim: an item of `cites` prints one or several."""
        rest = iter(citations)
        before = set(self.edits)
        stay: dict[str, Spot] = {}
        for spot, own in claim.cites:
            count = spot.text.count(",") + 1 if _LAST.search(spot.text) else 1
            printed = [next(rest) for _ in range(count)]
            anchors = [own] if own else [one for one in claim.anchors if _path(one) == _path(spot)]
            self._print(spot, anchors, printed)
            if own is None and spot not in self.edits:
                stay.setdefault(_path(spot), spot)
        self._take_back(citations[0].claim.id, [spot for spot in self.edits if spot not in before], stay)

    def _take_back(self, claim: str, edited: "list[Spot]", stay: Mapping[str, Spot]) -> None:
        """Leave as it is what would go to another file while a citation stays that means the same place of the claim:
        without it, nobody could tell what the lines hold that stay."""
        gone = {_path(spot) for spot in edited if _path(self.edits[spot]) != _path(spot)} & stay.keys()
        for spot in edited:
            if _path(spot) in gone:
                edit = self.edits.pop(spot)
                if not _LAST.search(spot.text):
                    continue  # an anchor, which goes with the lines
                reason = f"it is at {edit.text}; but {stay[_path(spot)].text}, cited with it, is left"
                self.left.append(_Left(spot, claim, spot.text, reason))

    def _print(self, spot: Spot, anchors: Sequence[Spot], printed: "list[Mended]") -> None:
        lines = [one.lines for one in printed if one.lines is not None]
        if len(lines) < len(printed):
            for one in printed:
                if one.lines is None:
                    self._leave(spot, one, one.reason)
                elif one.lines.region != one.citation.region:
                    self._leave(spot, one, f"it is at {one.lines}; but it is printed with lines that are left")
            return
        paths = {one.path for one in lines}
        if len(paths) > 1:
            for one in printed:
                self._leave(spot, one, f"it is at {one.lines}; lines printed together are in several files now")
            return
        (path,) = paths
        regions = [str(one.region) for one in lines if one.region is not None]
        text = f"{path}:{','.join(regions)}" if regions else path
        if text == spot.text:
            self._right += len(printed)
            return
        spots = [spot, *anchors] if path != _path(spot) else [spot]
        if any(one.start is None for one in spots):
            for one in printed:
                self._leave(spot, one, f"it is at {one.lines}; but it is written in a way that cannot be edited")
            return
        moved = [Edit(one, str(there)) for one in anchors if (there := self._moved(one, path)) is not None]
        if path != _path(spot) and len(moved) < len(anchors):
            for one in printed:
                self._leave(
                    spot, one, f"it is at {one.lines}; but what its `at:` names is not proven to be the same there"
                )
            return
        self._edit(Edit(spot, text), printed[0].reason)
        for edit in moved if path != _path(spot) else ():
            self._edit(edit, "the same code")

    def _moved(self, spot: Spot, path: str) -> Anchor | None:
        """An anchor in the file that the code has gone to."""
        there = self._mender.moved(_anchor(spot))
        return there if there is not None and there.path == path else None

    def _anchor(self, claim: ClaimSpots, found: "Reanchored") -> None:
        before, after = found.before, found.anchor
        for spot in claim.anchors:
            if spot.text != str(before) or spot in self.edits:
                continue
            if spot.start is None:
                after = None
            short = [one for one, own in claim.cites if own is None and _path(one) == before.path]
            if after is None:
                reason = f"`at:` is nowhere now: {found.relocation.reason or 'its code has changed'}"
                self.left.append(_Left(spot, found.claim.id, spot.text, reason, found.relocation))
            elif after.path != before.path and any(
                one not in self.edits or _path(self.edits[one]) != after.path for one in short
            ):
                reason = f"it is {after} now; but the lines that are cited with it are not mended"
                self.left.append(_Left(spot, found.claim.id, spot.text, reason))
            else:
                self._edit(Edit(spot, str(after)), "the same code")

    def _edit(self, edit: Edit, reason: str) -> None:
        self.edits.setdefault(edit.spot, edit)
        self._reasons.setdefault(edit.spot, reason)

    def _leave(self, spot: Spot, one: "Mended", reason: str) -> None:
        self.left.append(_Left(spot, one.claim.id, str(one.citation), reason, one.relocation))


def _explained(left: _Left) -> Iterator[str]:
    yield f"  {left.spot}: {visible(left.about)} ({left.claim}) is left: {visible(left.reason)}"
    if left.relocation is not None:
        yield from followed(left.relocation)


def followed(relocation: Relocation) -> Iterator[str]:
    """Lines as they were, where they are now or may be, and where was looked."""
    shown = relocation.text.split("\n")
    for line in shown[:_LINES] if relocation.text else ():
        yield f"      | {visible(line)}"
    if len(shown) > _LINES:
        yield f"      | ... {len(shown) - _LINES} more lines"
    if relocation.found:
        yield f"    now {visible(relocation.found)}"
    for candidate in relocation.candidates:
        symbol = f" {visible(candidate.location.symbol)}" if candidate.location.symbol else ""
        yield f"    perhaps {visible(candidate.location)}{symbol} ({candidate.score:.2f}, {candidate.why})"
    if relocation.searched and not relocation.found:
        yield f"    looked in {', '.join(map(visible, relocation.searched))}"


def _path(written: Spot | Edit) -> str:
    return _LAST.sub("", written.text).partition("::")[0]


def _anchor(spot: Spot) -> Anchor:
    path, _, symbol = spot.text.partition("::")
    return Anchor(path, symbol or None)
