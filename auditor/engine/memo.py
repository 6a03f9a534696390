"""Results kept from run to run, each valid as long as what it was made from is the same bytes.

A result is kept under its claim's own text, the program that made it and the revision it is about; of a revision that
can change, such as a folder, together with the digest of every file its checks looked at. It is used again only when
all of these are still so.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, takewhile
from typing import TYPE_CHECKING

import msgspec

from auditor.cache import program
from auditor.errors import SourceError
from auditor.model import Result

if TYPE_CHECKING:
    from auditor.cache import Blobs
    from auditor.claims import Entry
    from auditor.model import Snapshot, Target

LISTING = "\1"
"""Begins, among the paths a result was made from, a beginning of paths: it matters which files there are of these."""
RELEASE = "\0"
"""Begins, among them, the name of another release. What is released does not change."""


@dataclass(frozen=True, slots=True)
class _Kept:
    result: Result
    notes: tuple[str, ...]
    made_from: dict[str, str]
    """Path -> digest; `missing` for a file that was not there."""


class Memo:
    """Kept results of one snapshot."""

    def __init__(self, blobs: "Blobs", snapshot: "Snapshot", target: "Target") -> None:
        self._blobs = blobs
        self._snapshot = snapshot
        self._target = target
        self._digests: dict[str, str] = {}

    def knows(self, entry: "Entry") -> bool:
        """Whether a result of a claim is kept, still valid or not."""
        return self._blobs.get(self._key(entry)) is not None

    def get(self, entry: "Entry") -> "tuple[Result, tuple[str, ...]] | None":
        """The result of a claim and the notes that came with it, if it is still valid."""
        data = self._blobs.get(self._key(entry))
        if data is None:
            return None
        try:
            kept = msgspec.json.decode(data, type=_Kept)
            if all(self._digest(path) == digest for path, digest in kept.made_from.items()):
                return replace(kept.result, claim=entry.claim), kept.notes
        except (msgspec.MsgspecError, SourceError):
            pass  # what cannot be read back, or checked, is made anew
        return None

    def put(self, entry: "Entry", result: Result, notes: tuple[str, ...], made_from: set[str]) -> None:
        """Keep the result of a claim, unless JSON cannot say it: a huge integer, a float that is no number."""
        fixed = self._snapshot.is_fixed
        kept = _Kept(result, notes, {} if fixed else {path: self._digest(path) for path in sorted(made_from)})
        try:
            data = msgspec.json.encode(kept)
        except (OverflowError, ValueError):
            return
        if msgspec.json.decode(data, type=_Kept) == kept:
            self._blobs.put(self._key(entry), data)

    @cached_property
    def _files(self) -> list[str]:
        return sorted(self._snapshot.files())

    def _key(self, entry: "Entry") -> str:
        # The revision is in the key so that auditing two in turn does not make each undo the other's results.
        where = f"{self._snapshot.revision}\0{self._snapshot.roots}\0{self._target}"
        written = f"{program()}\0{where}\0{entry.written}"
        return f"results/{hashlib.sha256(written.encode()).hexdigest()}"

    def _digest(self, path: str) -> str:
        if path.startswith(RELEASE):
            return "released"
        if path not in self._digests:
            try:
                is_list = path.startswith(LISTING)
                data = "\n".join(listing(path, self._files)).encode() if is_list else self._snapshot.read(path)
                self._digests[path] = hashlib.sha256(data).hexdigest()
            except FileNotFoundError:
                self._digests[path] = "missing"
        return self._digests[path]


def listing(path: str, files: Sequence[str]) -> tuple[str, ...]:
    """Those of sorted files that a path which begins with LISTING is about."""
    start = path[len(LISTING) :]
    first = bisect_left(files, start)
    return tuple(takewhile(lambda file: file.startswith(start), islice(files, first, None)))
