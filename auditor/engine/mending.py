"""What can be written in a pack without a person's judgement when code has moved; and what cannot, with the reason.

Lines are written only where the code is proven the same, or the claim still holds at the new place. A citation that was
wrong from the start is never mended: its lines say nothing of what was meant.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.anchors import Relocations, follow
from auditor.code import Absent, Undecidable
from auditor.code.project.codebase import Codebase
from auditor.engine import audited
from auditor.model import Anchor, AnchorState, Citation, Kind, Location, Relocation, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from auditor.claims import Entry
    from auditor.model import Claim, Result, Snapshot, Target


@dataclass(frozen=True, slots=True)
class Mended:
    """What becomes of one citation: `lines` are what it must say (the same where it is right); None: a person's."""

    claim: "Claim"
    number: int
    """Which of the claim's citations."""
    lines: Citation | None
    reason: str = ""
    """Why it is left, or why another line may be written."""
    relocation: Relocation | None = None

    @property
    def citation(self) -> Citation:
        return self.claim.citations[self.number]


@dataclass(frozen=True, slots=True)
class Reanchored:
    """What becomes of an anchor whose symbol is nowhere any more; `anchor` None: a person's."""

    claim: "Claim"
    before: Anchor
    anchor: Anchor | None
    relocation: Relocation


@dataclass(frozen=True, slots=True)
class Mending:
    """What becomes of the citations and anchors of a target's claims."""

    old: Run
    new: Run
    citations: tuple[Mended, ...]
    anchors: tuple[Reanchored, ...]


class Mender:
    """Two snapshots of a target, and what its claims say of them."""

    def __init__(
        self,
        target: "Target",
        entries: "Sequence[Entry]",
        old: "Snapshot",
        new: "Snapshot",
        releases: "Callable[[str], Snapshot] | None" = None,
    ) -> None:
        """Audits both. Raises SourceError."""
        self._entries = sorted(entries, key=lambda entry: entry.claim.id)
        self._before = Codebase(old, target, releases)
        self._after = Codebase(new, target, releases, self._before)
        self._old = audited(target, entries, old.revision, lambda: self._before)
        self._new = audited(target, entries, new.revision, lambda: self._after)
        self._relocations = Relocations(self._before, self._after)

    def mending(self) -> Mending:
        """What becomes of every citation and anchor."""
        both = list(zip(self._old.results, self._new.results, strict=True))
        citations = [self._mended(old, new, number) for old, new in both for number in range(len(old.claim.citations))]
        anchors = [found for entry in self._entries for found in self._reanchored(entry)]
        return Mending(self._old, self._new, tuple(citations), tuple(anchors))

    def moved(self, anchor: Anchor) -> Anchor | None:
        """An anchor at the same syntax elsewhere; None where that is not proven."""
        if anchor.symbol is None:
            relocation = self._relocations.of(anchor.path, None)
        else:
            relocation = self._relocations.of_symbol(anchor.path, anchor.symbol)
        return _anchor(anchor, relocation)

    def _mended(self, old: "Result", new: "Result", number: int) -> Mended:
        was, citation = old.citations[number], old.claim.citations[number]
        name = self._old.revision.name
        if was.state is AnchorState.UNAVAILABLE:
            return Mended(old.claim, number, None, f"what {name} is read from does not ship it")
        if old.kind is Kind.FAIL and not old.is_suppressed:  # whoever accepted it has read what its lines are about
            return Mended(old.claim, number, None, f"even in {name} the claim fails: {old.outcome.message.en}")
        if not was.state.is_in_place:
            where = f", which is at {was.found}" if was.found else ""
            return Mended(old.claim, number, None, f"even in {name} these lines do not hold the code{where}")
        relocation = self._relocations.of(citation.path, citation.region)
        found = relocation.found
        if found is None:
            return Mended(old.claim, number, None, relocation.reason or relocation.state, relocation)
        lines = _at(citation, found)
        if relocation.is_same:
            return Mended(old.claim, number, lines, "the same code", relocation)
        holds = new.kind is Kind.PASS or (new.kind is old.kind and new.kind is Kind.REVIEW)
        is_there = follow(lines, new.outcome, self._after).state.is_in_place
        if holds and is_there:
            return Mended(old.claim, number, lines, "the claim holds there", relocation)
        why = f"the claim is {new.kind}: {new.outcome.message.en}" if not holds else "its code is not in these lines"
        return Mended(old.claim, number, None, f"{relocation.reason or 'the code has changed'}, and {why}", relocation)

    def _reanchored(self, entry: "Entry") -> "list[Reanchored]":
        found = []
        for anchor in entry.anchors:
            if anchor.symbol is not None and self._is_lost(anchor):
                relocation = self._relocations.of_symbol(anchor.path, anchor.symbol)
                found.append(Reanchored(entry.claim, anchor, _anchor(anchor, relocation), relocation))
        return found

    def _is_lost(self, anchor: Anchor) -> bool:
        """Whether a symbol was there, and is nowhere now."""
        try:
            self._before.locate(anchor)
        except Undecidable:
            return False
        try:
            self._after.locate(anchor)
        except Absent:
            return True
        except Undecidable:
            return False
        return False


def _at(citation: Citation, found: Location) -> Citation:
    """A citation of the same code at another place."""
    anchor = citation.anchor
    if anchor is not None and anchor.path == citation.path != found.path:
        anchor = replace(anchor, path=found.path)
    return Citation(found.path, found.region, anchor, citation.is_own)


def _anchor(before: Anchor, relocation: Relocation) -> Anchor | None:
    found = relocation.found
    if found is None or not relocation.is_same or (before.symbol is not None and found.symbol is None):
        return None
    return Anchor(found.path, found.symbol if before.symbol else None)
