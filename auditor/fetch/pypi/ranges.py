"""A file behind HTTP that is read like one on disk, in the parts that are wanted."""

import io
from bisect import bisect_right
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed

from auditor.fetch.pypi.client import PARALLEL

TAIL = 64 * 1024
"""Bytes at the end of an archive that are worth one request: they say where its directory is."""
GAP = 32 * 1024
"""Unwanted bytes that are cheaper to read than another request."""
LONGEST = 512 * 1024
"""Bytes after which neighbours are no longer joined, so that several requests share the work."""

Extent = tuple[int, int]
"""Where bytes lie in a file: from, and before."""


def unheard(done: int, total: int) -> None:
    """Progress that nobody watches."""


class RangeFile(io.RawIOBase):
    """The parts of a file of `size` bytes that have been asked for; `fetch` gets one more. For one thread."""

    def __init__(self, size: int, fetch: Callable[[int, int], bytes]) -> None:
        self.size = size
        self._fetch = fetch
        self._at = 0
        self._parts: dict[int, bytes] = {}

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = max(0, offset + (0, self._at, self.size)[whence])
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        end = self.size if size < 0 else min(self.size, self._at + size)
        found = bytearray()
        while self._at < end:
            part = self._part(end)
            found += part
            self._at += len(part)
        return bytes(found)

    def keep(self, start: int, data: bytes) -> None:
        """Take bytes that were read before."""
        self._parts[start] = data

    def load(self, extents: Iterable[Extent], told: Callable[[int, int], None] = unheard) -> None:
        """Fetch these, several at a time, but for those that are here; `told` hears the bytes done and the total."""
        wanted = joined(extent for extent in extents if not self._holds(extent))
        total, done = sum(end - start for start, end in wanted), 0
        with ThreadPoolExecutor(PARALLEL) as pool:
            fetching = {pool.submit(self._fetch, *extent): extent for extent in wanted}
            try:
                for future in as_completed(fetching):
                    self.keep(fetching[future][0], future.result())
                    done += len(future.result())
                    told(done, total)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def _part(self, end: int) -> bytes:
        """Bytes from here on: what is known of them, else what is missing before `end`."""
        starts = sorted(self._parts)
        index = bisect_right(starts, self._at)
        for start in starts[:index]:
            if data := self._parts[start][self._at - start :][: end - self._at]:
                return data
        if index < len(starts):
            end = min(end, starts[index])
        self.keep(self._at, data := self._fetch(self._at, end))
        return data

    def _holds(self, extent: Extent) -> bool:
        return any(start <= extent[0] and extent[1] <= start + len(data) for start, data in self._parts.items())


def joined(extents: Iterable[Extent]) -> list[Extent]:
    """Extents in order, neighbours as one."""
    found: list[Extent] = []
    for start, end in sorted(extents):
        if found and start - found[-1][1] <= GAP and end - found[-1][0] <= LONGEST:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
