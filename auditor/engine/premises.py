"""Whether an earlier answer still holds of a snapshot: it does when all that it rests on is the same.

What it rests on is written down as text: the digest of each file, the names that begin with a listed beginning, the
other releases. `past.py` asks the same of changes between two commits, without looking at either.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from auditor.errors import UnreadableError

if TYPE_CHECKING:
    from auditor.code.project.dependencies import Dependencies
    from auditor.model import Snapshot

_LISTING = "\1"
"""Begins, among the paths, a beginning of paths: it matters which files there are of these."""
_RELEASE = "\0"
"""Begins, among them, the name of another release. What is released does not change."""


class Premises:
    """What a snapshot says of the things that answers can rest on."""

    def __init__(self, snapshot: "Snapshot") -> None:
        self._snapshot = snapshot
        self._known: dict[str, str] = {}

    def of(self, used: "Dependencies") -> dict[str, str]:
        """What an answer rests on, each with what it is here. Raises SourceError."""
        named = (
            *used.paths,
            *(_LISTING + beginning for beginning in used.folders),
            *(_RELEASE + version for version in used.releases),
        )
        return {one: self._digest_of(one) for one in sorted(named)}

    def hold(self, premises: Mapping[str, str]) -> bool:
        """Whether all of it is here as it was there. Raises SourceError."""
        return all(self._digest_of(one) == before for one, before in premises.items())

    def _digest_of(self, one: str) -> str:
        if one not in self._known:
            self._known[one] = self._digest(one)
        return self._known[one]

    def _digest(self, one: str) -> str:
        if one.startswith(_RELEASE):
            return "released"
        if one.startswith(_LISTING):
            beginning = one[len(_LISTING) :]
            rest = islice(self._files, bisect_left(self._files, beginning), None)
            listed = [*takewhile(lambda file: file.startswith(beginning), rest)]
            omitted = [f"{one.path}\0{one.reason.en}" for one in self._snapshot.omissions if one.touches(beginning)]
            return hashlib.sha256("\n".join([*listed, *omitted]).encode()).hexdigest()
        digests: Mapping[str, str] | None = getattr(self._snapshot, "digests", None)
        if digests is not None:
            return digests.get(one, "missing")
        try:
            return hashlib.sha256(self._snapshot.read(one)).hexdigest()
        except FileNotFoundError:
            return "missing"
        except UnreadableError as error:
            return f"unreadable: {error}"

    @cached_property
    def _files(self) -> list[str]:
        return sorted(self._snapshot.files())
