"""All Python of a snapshot as one text, in which a word is found at once; kept where the snapshot does not change."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from auditor.cache import Blobs
    from auditor.model import Snapshot


@dataclass(frozen=True, slots=True)
class Corpus:
    """Files one after the other, a line break after each: `starts` has where each begins, and the end of all."""

    paths: tuple[str, ...]
    starts: tuple[int, ...]
    data: bytes

    def read(self, path: str) -> bytes:
        number = self.paths.index(path)
        return self.data[self.starts[number] : self.starts[number + 1] - 1]

    def holding(self, words: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
        """The files that have all of some words in them, in the order of their paths, with their bytes."""
        rarest, *others = (_whole(word) for word in sorted(words, key=len, reverse=True))
        at = 0
        while (match := rarest.search(self.data, at)) is not None:
            number = bisect_right(self.starts, match.start()) - 1
            start, at = self.starts[number : number + 2]
            if all(other.search(self.data, start, at) for other in others):
                yield self.paths[number], self.data[start : at - 1]


def _whole(word: bytes) -> re.Pattern[bytes]:
    """The word alone: not as a part of another, which may have letters that are no ASCII."""
    return re.compile(rb"(?<![\w\x80-\xff])" + re.escape(word) + rb"(?![\w\x80-\xff])")


def corpus(snapshot: "Snapshot", key: str, blobs: "Blobs | None") -> Corpus:
    """The corpus of a snapshot, as it is kept under a key of it, or made. Raises SourceError."""
    name = f"corpus/{key}"
    kept = blobs.get(name) if blobs is not None and snapshot.is_fixed else None
    if kept is not None:
        head, _, data = kept.partition(b"\n")
        try:
            paths, starts = msgspec.json.decode(head, type=tuple[tuple[str, ...], tuple[int, ...]])
        except msgspec.DecodeError:
            kept = None
        else:
            return Corpus(paths, starts, data)
    paths = tuple(sorted(path for path in snapshot.files() if path.endswith(".py")))
    snapshot.prefetch(frozenset(paths))
    texts = [snapshot.read(path) for path in paths]
    made = Corpus(paths, (0, *accumulate(len(text) + 1 for text in texts)), b"".join(text + b"\n" for text in texts))
    if blobs is not None and snapshot.is_fixed:
        blobs.put(name, msgspec.json.encode((made.paths, made.starts)) + b"\n" + made.data)
    return made
