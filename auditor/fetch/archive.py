"""Wheels and sdists: what they hold and the bytes of it, with nothing of it trusted."""

import csv
import gzip
import hashlib
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from base64 import urlsafe_b64encode
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO

from auditor.fetch import FetchError
from auditor.fetch.layout import refusal
from auditor.fetch.ranges import TAIL, Extent, RangeFile

TOTAL_LIMIT = 1024 * 1024 * 1024
"""Bytes that an archive may unpack to."""
COUNT_LIMIT = 200_000
"""Files that an archive may hold."""

Sizes = dict[str, tuple[int, int]]
"""Of each file: its bytes, and its bytes in the archive."""
Digests = dict[str, str]
"""Of each file: what tells its bytes from all others, in whatever archive they are."""

HEADER_LIMIT = 128 * 1024 + 64
"""Bytes that a zip member can need beside its data."""

_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)


class RemoteWheel:
    """A wheel of which only the wanted members are read. `directory` is known from before."""

    def __init__(self, file: RangeFile, directory: bytes = b"") -> None:
        """Raises FetchError."""
        self._file = file
        start = max(0, file.size - TAIL)
        if directory:
            file.keep(file.size - len(directory), directory)
        else:
            file.load([(start, file.size)])
        with _damage():
            self._zip = zipfile.ZipFile(file)
        self._infos = {info.filename: info for info in self._zip.infolist() if _is_plain(info.filename)}
        self.sizes: Sizes = {name: (info.file_size, info.compress_size) for name, info in self._infos.items()}
        self._offsets = sorted({info.header_offset for info in self._zip.infolist()})
        self._hashes: dict[str, str] = {}

    def digests(self) -> Digests:
        """Of the files that RECORD lists, without reading them. Raises FetchError.

        A RECORD that was not kept up to date must not make another file pass for one that is known, so the directory's
        checksum is part of it.
        """
        if not self._hashes:
            record = next((name for name in self._infos if name.endswith(".dist-info/RECORD")), None)
            if record is None or refusal(*self.sizes[record]) is not None:
                raise FetchError("the wheel has no RECORD to check its files against")
            self._file.load([self._extent(record)])
            self._hashes = _hashes(_member(self._zip, self._infos[record]))
        return {
            name: _digest(self._hashes[name], info.CRC) for name, info in self._infos.items() if name in self._hashes
        }

    @property
    def directory(self) -> bytes:
        """The central directory and all behind it: enough to open this wheel again."""
        self._file.seek(self._zip.start_dir)
        return self._file.read()

    def read(self, names: set[str], told: Callable[[int, int], None]) -> Iterator[tuple[str, bytes]]:
        """The members of these names that there are. Raises FetchError."""
        wanted = sorted(name for name in names & self._infos.keys() if refusal(*self.sizes[name]) is None)
        self.digests()
        self._file.load(map(self._extent, wanted), told)
        for name in wanted:
            data = _member(self._zip, self._infos[name])
            if (actual := _hash(data, self._hashes.get(name, ""))) != self._hashes.get(name):
                raise FetchError(f"{name} is not the file that the wheel's RECORD lists: its hash is {actual}")
            yield name, data

    def _extent(self, name: str) -> Extent:
        """Where a member lies with its header. Only the next member tells how long that is without reading it."""
        info = self._infos[name]
        longest = info.header_offset + info.compress_size + HEADER_LIMIT
        index = bisect_right(self._offsets, info.header_offset)
        following = self._offsets[index] if index < len(self._offsets) else self._zip.start_dir
        return info.header_offset, min(following, longest)


def unpack(file: IO[bytes], filename: str, keep: Callable[[str, bytes], None]) -> Sizes:
    """All of a wheel or an sdist, without an sdist's top folder, but for what is not read. Raises FetchError."""
    members = _unpacked_zip(file) if filename.endswith((".whl", ".zip")) else _unpacked_tar(file)
    sizes: Sizes = {}
    total = 0
    with _damage():
        for member, size, packed, read in members:
            name = member if filename.endswith(".whl") else member.partition("/")[2]
            if not name or not _is_plain(name):
                continue
            sizes[name] = size, packed
            if refusal(size, packed) is None:
                total += size
                if total > TOTAL_LIMIT or len(sizes) > COUNT_LIMIT:
                    raise FetchError(f"the archive holds more than {TOTAL_LIMIT:,} bytes or {COUNT_LIMIT:,} files")
                keep(name, read())
    return sizes


Member = tuple[str, int, int, Callable[[], bytes]]
"""Name, bytes, bytes in the archive, and how to read it before the next is asked for."""


def _unpacked_zip(file: IO[bytes]) -> Iterator[Member]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield info.filename, info.file_size, info.compress_size, partial(_member, archive, info)


def _unpacked_tar(file: IO[bytes]) -> Iterator[Member]:
    file.seek(0)
    with _Limited(fileobj=file) as plain, tarfile.open(fileobj=plain, mode="r|") as archive:
        for info in archive:
            if info.isreg() and (content := archive.extractfile(info)) is not None:
                yield info.name.removeprefix("./"), info.size, info.size, content.read


class _Limited(gzip.GzipFile):
    """A stream that does not unpack without end."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() > TOTAL_LIMIT:
            raise FetchError(f"the archive unpacks to more than {TOTAL_LIMIT:,} bytes")
        return super().read(size)


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with _damage(), archive.open(info) as member:
        # A size is given because without one zipfile unpacks as much as the data says, and not as the directory does.
        data = member.read(info.file_size + 1)
        if len(data) != info.file_size:
            raise EOFError(f"{info.filename} ends early")
    return data


def _is_plain(name: str) -> bool:
    """Whether a name stays below its root and can be printed."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return "\\" not in name and not any(part in ("", ".", "..") for part in name.split("/"))


def _hashes(record: bytes) -> dict[str, str]:
    rows = csv.reader(io.StringIO(record.decode("utf-8", "replace"), newline=""))
    return {row[0]: row[1] for row in rows if len(row) >= 2}


def digest(data: bytes) -> str:
    """What `Digests` holds of these bytes, where the archive does not say."""
    return _digest(_hash(data, ""), zlib.crc32(data))


def _digest(recorded: str, checksum: int) -> str:
    return f"{recorded} {checksum:08x}"


def _hash(data: bytes, like: str) -> str:
    """RECORD's notation: `sha256=` and unpadded base64."""
    name = like.partition("=")[0]
    digest = hashlib.new(name if name in ("sha256", "sha384", "sha512") else "sha256", data)
    return f"{digest.name}={urlsafe_b64encode(digest.digest()).decode().rstrip('=')}"


@contextmanager
def _damage() -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise FetchError(f"the archive is damaged or cut short ({reason})") from error
