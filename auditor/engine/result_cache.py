"""Results kept from run to run, each valid as long as what it was made from is the same bytes.

A result is kept under its claim's own text, the program that made it and the revision it is about; of a revision that
can change, such as a folder, together with the digest of every file its checks looked at. It is used again only when
all of these are still so.
"""

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from auditor.cache import program
from auditor.engine.premises import Premises
from auditor.errors import SourceError
from auditor.model import Result

if TYPE_CHECKING:
    from auditor.cache import Blobs
    from auditor.claims import Entry
    from auditor.code.project.dependencies import Dependencies
    from auditor.model import Snapshot, Target


@dataclass(frozen=True, slots=True)
class _StoredResult:
    result: Result
    notes: tuple[str, ...]
    premises: dict[str, str]
    is_compared: bool = False


class Memo:
    """ResultStore results of one snapshot."""

    def __init__(self, blobs: "Blobs", snapshot: "Snapshot", target: "Target", *, has_earlier: bool = False) -> None:
        """With `has_earlier`, another revision is at hand: answers to which it makes a difference are not used."""
        self._has_earlier = has_earlier
        self._blobs = blobs
        self._snapshot = snapshot
        self._target = target
        self._premises = Premises(snapshot)

    def knows(self, entry: "Entry") -> bool:
        """Whether a result of a claim is kept, still valid or not."""
        return self._blobs.get(self._key(entry)) is not None

    def get(self, entry: "Entry") -> "tuple[Result, tuple[str, ...]] | None":
        """The result of a claim and the notes that came with it, if it is still valid."""
        data = self._blobs.get(self._key(entry))
        if data is None:
            return None
        try:
            kept = msgspec.json.decode(data, type=_StoredResult)
            if not (kept.is_compared and self._has_earlier) and self._premises.hold(kept.premises):
                return replace(kept.result, claim=entry.claim), kept.notes
        except (msgspec.MsgspecError, SourceError):
            pass  # what cannot be read back, or checked, is made anew
        return None

    def put(self, entry: "Entry", result: Result, notes: tuple[str, ...], used: "Dependencies | None") -> None:
        """Keep the result of a claim, unless JSON cannot say it: a huge integer, a float that is no number.

        Of a revision that never changes, what it rests on (`used`) makes no difference.
        """
        premises = {} if self._snapshot.is_fixed or used is None else self._premises.of(used)
        kept = _StoredResult(result, notes, premises, used is not None and used.is_compared)
        try:
            data = msgspec.json.encode(kept)
        except (OverflowError, ValueError):
            return
        if msgspec.json.decode(data, type=_StoredResult) == kept:
            self._blobs.put(self._key(entry), data)

    def _key(self, entry: "Entry") -> str:
        # The revision is in the key so that auditing two in turn does not make each undo the other's results.
        where = f"{self._snapshot.revision}\0{self._snapshot.roots}\0{self._target}"
        written = f"{program()}\0{where}\0{entry.written}"
        return f"results/{hashlib.sha256(written.encode()).hexdigest()}"
