"""Wheels and sdists: what they hold and the bytes of it, with nothing of it trusted."""

import csv
import gzip
import hashlib
import io
import lzma
import re
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
from auditor.fetch.layout import Omissions, Omitted, is_plain, plain, refusal
from auditor.fetch.pypi.ranges import TAIL, Extent, RangeFile
from auditor.limits import DIRECTORY_BYTES, HEADER_BYTES, TREE_FILES, UNPACKED_BYTES

Sizes = dict[str, tuple[int, int]]
"""Of each file: its bytes, and its bytes in the archive."""
Digests = dict[str, str]
"""Of each file: what tells its bytes from all others, in whatever archive they are."""

HEADER_LIMIT = 128 * 1024 + 64
"""Bytes that a zip member can need beside its data."""

_RECORD = re.compile(r"[^/]+\.dist-info/RECORD")
"""That of the wheel itself: those of what it vendors are further down, and list other files."""
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
    ArithmeticError,
    LookupError,
    TypeError,
    AttributeError,
    MemoryError,
    csv.Error,
)
"""What zipfile, tarfile and csv raise of data that is not what it should be."""


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
            self._zip = _opened(file)
        self._infos = {info.filename: info for info in self._zip.infolist() if is_plain(info.filename)}
        self.omissions: Omissions = {
            plain(info.filename): Omitted.NAME
            for info in self._zip.infolist()
            if not _is_folder(info) and not is_plain(info.filename)
        }
        self.sizes: Sizes = {name: (info.file_size, info.compress_size) for name, info in self._infos.items()}
        self._offsets = sorted({info.header_offset for info in self._zip.infolist()})
        self._hashes: dict[str, str] = {}

    def digests(self) -> Digests:
        """Of the files that RECORD lists, without reading them. Raises FetchError.

        A RECORD that was not kept up to date must not make another file pass for one that is known, so the directory's
        checksum is part of it.
        """
        if not self._hashes:
            record = next((name for name in self._infos if _RECORD.fullmatch(name)), None)
            if record is None or refusal(*self.sizes[record]) is not None:
                raise FetchError("the wheel has no RECORD to check its files against")
            self._file.load([self._extent(record)])
            with _damage():
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


def unpack(file: IO[bytes], filename: str, keep: Callable[[str, bytes], None]) -> tuple[Sizes, Omissions]:
    """All of a wheel or an sdist, without an sdist's top folder, and what of it is not read. Raises FetchError."""
    members = _unpacked_zip(file) if filename.endswith((".whl", ".zip")) else _unpacked_tar(file)
    sizes: Sizes = {}
    omissions: Omissions = {}
    total = 0
    with _damage():
        for count, (member, size, packed, read) in enumerate(members, 1):
            if count > TREE_FILES.value:
                raise FetchError(f"the archive holds {TREE_FILES.exceeded()}")
            name = member if filename.endswith(".whl") else member.partition("/")[2]
            if not name:
                continue
            if not is_plain(name):
                omissions[plain(name)] = Omitted.NAME
            elif read is None:
                omissions[name] = Omitted.LINK
            else:
                sizes[name] = size, packed
                if refusal(size, packed) is None:
                    total += size
                    if total > UNPACKED_BYTES.value:
                        raise FetchError(f"the archive unpacks to {UNPACKED_BYTES.exceeded()}")
                    keep(name, read())
    return sizes, omissions


Member = tuple[str, int, int, Callable[[], bytes] | None]
"""Name, bytes, bytes in the archive, and how to read it before the next is asked for; None for a link."""


def _unpacked_zip(file: IO[bytes]) -> Iterator[Member]:
    with _opened(file) as archive:
        for info in archive.infolist():
            if not _is_folder(info):
                yield info.filename, info.file_size, info.compress_size, partial(_member, archive, info)


def _unpacked_tar(file: IO[bytes]) -> Iterator[Member]:
    file.seek(0)
    with _Stream(fileobj=file) as plain, tarfile.open(fileobj=plain, mode="r|") as archive:
        for info in archive:
            plain.expect(info.size)
            name = info.name.removeprefix("./")
            if info.isreg() and (content := archive.extractfile(info)) is not None:
                yield name, info.size, info.size, content.read
            elif info.issym() or info.islnk():
                yield name, 0, 0, None


class _Stream(gzip.GzipFile):
    """A stream that does not unpack without end: neither in all, nor between two members, for the headers of one."""

    _expected = 0

    def expect(self, size: int) -> None:
        """The data of a member follows."""
        self._expected = self.tell() + max(0, size)

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() > UNPACKED_BYTES.value:
            raise FetchError(f"the archive unpacks to {UNPACKED_BYTES.exceeded()}")
        if self.tell() > self._expected + HEADER_BYTES.value:
            raise FetchError(f"the archive has {HEADER_BYTES.exceeded()}")
        return super().read(size)


class _Bounded(io.RawIOBase):
    """A file of which no more is read at once than an archive's directory may have, until that has been read."""

    def __init__(self, file: IO[bytes] | RangeFile) -> None:
        self._file = file
        self.is_open = False

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def read(self, size: int = -1, /) -> bytes:
        if self.is_open:
            return self._file.read(size)
        most = DIRECTORY_BYTES.value
        data = b"" if size > most else self._file.read(size if size >= 0 else most + 1)
        if max(size, len(data)) > most:
            raise FetchError(f"the archive's directory has {DIRECTORY_BYTES.exceeded()}")
        return data


def _opened(file: IO[bytes] | RangeFile) -> zipfile.ZipFile:
    bounded = _Bounded(file)
    archive = zipfile.ZipFile(bounded)
    bounded.is_open = True
    return archive


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with _damage(), archive.open(info) as member:
        # A size is given because without one zipfile unpacks as much as the data says, and not as the directory does.
        data = member.read(info.file_size + 1)
        if len(data) != info.file_size:
            raise EOFError(f"{info.filename} ends early")
    return data


def _is_folder(info: zipfile.ZipInfo) -> bool:
    """Whether a member is no file; one without a name is none either."""
    return not info.filename or info.filename.endswith("/")


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
