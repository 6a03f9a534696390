"""The files of one release: from the cache, and what is not there from the registry."""

import hashlib
import tempfile
import threading
from typing import TYPE_CHECKING, TypeVar

import msgspec

from auditor.fetch import FetchError, MissingError, NotCachedError, RefusedFileError, damage
from auditor.fetch.layout import Omissions, Omitted, refusal
from auditor.fetch.pypi.client import Client, RangesRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from auditor.cache import Blobs
    from auditor.fetch.pypi.archive import Digests, RemoteWheel, Sizes
    from auditor.fetch.pypi.index import Release

T = TypeVar("T")


class Distribution:
    """A wheel or an sdist, by the names of its members. May be used by several threads.

    What is kept of a file is kept once, whatever releases hold it, so a release costs what it has changed.

    `client` is None when nothing may be asked; `told` hears the bytes done and how many there will be.
    """

    def __init__(
        self, release: "Release", blobs: "Blobs", client: Client | None, told: "Callable[[int, int], None]"
    ) -> None:
        """Raises FetchError."""
        self._release = release
        self._blobs = blobs
        self._client = client
        self._told = told
        self._fetching = threading.Lock()
        self._wheel: RemoteWheel | None = None
        self._is_whole = not release.is_wheel
        # The address too: what one registry says of its file must not be believed of another's.
        named = f"{release.url} {release.size} {release.digests.get('sha256')}"
        self._key = f"pypi/{hashlib.sha256(named.encode()).hexdigest()}"
        self.sizes: Sizes = self._cached("sizes", dict[str, tuple[int, int]]) or {}
        self.omissions: Omissions = self._cached("omissions", dict[str, Omitted]) or {}
        self._digests: Digests = self._cached("digests", dict[str, str]) or {}
        if not self.sizes:
            self._fetch(set())

    @property
    def digests(self) -> "Digests":
        """Of the files that can be read, as far as the archive lists them. Raises FetchError."""
        if not self._digests:
            self._fetch(set())
        return self._digests

    def read(self, name: str) -> bytes:
        """The bytes of one of `sizes`. Raises FetchError."""
        if reason := refusal(*self.sizes[name]):
            raise RefusedFileError(f"{name}: {reason}")
        if (data := self._member(name)) is None:
            self._fetch({name})
            data = self._member(name)
        if data is None:
            raise FetchError(f"{name} could not be kept in the cache")
        return data

    def prefetch(self, names: set[str]) -> None:
        """Have these in the cache, but for those that `read` will refuse. Raises FetchError."""
        wanted = {name for name in names if refusal(*self.sizes[name]) is None and self._member(name) is None}
        if wanted and self._client:
            self._fetch(wanted)

    def _cached(self, what: str, type_: type[T]) -> T | None:
        data = self._blobs.get(f"{self._key}/{what}")
        try:
            return None if data is None else msgspec.json.decode(data, type=type_)
        except msgspec.DecodeError:  # from another version of kvaudit
            return None

    def _member(self, name: str) -> bytes | None:
        digest = self._digests.get(name)
        return None if digest is None else self._blobs.get(_content(digest))

    def _fetch(self, names: set[str]) -> None:
        """Put these members, and the sizes of all, into the cache."""
        if self._client is None:
            keys = {_content(self._digests[name]) for name in names & self._digests.keys()}
            keys |= {f"{self._key}/sizes", f"{self._key}/digests"}
            what = ", ".join(sorted(names)) or "its list of files"
            raise NotCachedError(f"{what} is not in the cache{damage(self._blobs, keys)}")
        with self._fetching:
            try:
                if not self._is_whole:
                    self._fetch_parts(self._client, names)
            except RangesRefusedError:
                self._is_whole = True
            except MissingError as error:
                raise self._gone() from error
            if self._is_whole:
                self._fetch_whole(self._client)

    def _fetch_parts(self, client: Client, names: set[str]) -> None:
        wheel = self._wheel = self._wheel or self._open(client)
        if not self._digests:
            self._keep_digests(wheel.digests())
        new = {name for name in names if self._member(name) is None}
        for name, data in wheel.read(new, self._told) if new else ():
            self._blobs.put(_content(self._digests[name]), data)

    def _open(self, client: Client) -> "RemoteWheel":
        from auditor.fetch.pypi.archive import RemoteWheel
        from auditor.fetch.pypi.ranges import RangeFile

        url = self._release.url
        size = self._release.size or client.size(url)
        kept = self._blobs.get(f"{self._key}/directory")
        wheel = RemoteWheel(RangeFile(size, lambda start, end: client.part(url, start, end, size)), kept or b"")
        if kept is None:
            self._blobs.put(f"{self._key}/directory", wheel.directory)
        self._keep_sizes(wheel.sizes, wheel.omissions)
        return wheel

    def _fetch_whole(self, client: Client) -> None:
        from auditor.fetch.pypi.archive import digest, unpack

        release = self._release
        digests: Digests = {}

        def keep(name: str, data: bytes) -> None:
            digests[name] = digest(data)
            self._blobs.put(_content(digests[name]), data)

        with tempfile.TemporaryFile() as file:
            try:
                client.download(
                    release.url, file, release.size, release.digests, lambda done: self._told(done, release.size or 0)
                )
            except MissingError as error:
                raise self._gone() from error
            sizes, omissions = unpack(file, release.filename, keep)
        self._keep_sizes(sizes, omissions)
        self._keep_digests(digests)

    def _keep_sizes(self, sizes: "Sizes", omissions: Omissions) -> None:
        self.sizes, self.omissions = sizes, omissions
        self._blobs.put(f"{self._key}/omissions", msgspec.json.encode(omissions))
        self._blobs.put(f"{self._key}/sizes", msgspec.json.encode(sizes))

    def _keep_digests(self, digests: "Digests") -> None:
        self._digests = digests
        self._blobs.put(f"{self._key}/digests", msgspec.json.encode(digests))

    def _gone(self) -> FetchError:
        return FetchError(f"{self._release.filename} is no longer in the registry; clear the cache")


def _content(digest: str) -> str:
    return f"pypi/content/{digest}"
