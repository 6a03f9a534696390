"""Bytes kept between runs, under keys that name them for ever: `pypi/content/<digest>`."""

import contextlib
import hashlib
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Protocol

from auditor import files
from auditor.errors import SourceError

CLONE = f"clones/{'[0-9a-f]' * 16}.git*"
"""Where in the cache's folder the clones of repositories are."""


class Blobs(Protocol):
    """A place to keep bytes."""

    discarded: list[str]
    """Keys whose entries were found damaged and have been removed."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, data: bytes) -> None: ...


class Memory:
    """Blobs that live as long as the process, for when nothing is to be kept."""

    def __init__(self) -> None:
        self.discarded: list[str] = []
        self._entries: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self._entries.get(key)

    def put(self, key: str, data: bytes) -> None:
        self._entries[key] = data


class Store:
    """Blobs on disk, one file an entry.

    A file is written beside its place and then moved there, so other processes, and a process that is killed, never
    leave half an entry. Each begins with a SHA-256 of its key and data: one that a disk has damaged is removed and
    counts as missing.
    """

    def __init__(self, folder: Path) -> None:
        self.discarded: list[str] = []
        self._folder = folder

    def get(self, key: str) -> bytes | None:
        """What was put, or None. Raises SourceError when the folder cannot be read."""
        path = self._path(key)
        try:
            entry = path.read_bytes()
            if _seal(key, data := entry[hashlib.sha256().digest_size :]) == entry:
                return data
            self.discarded.append(key)
            path.unlink(missing_ok=True)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as error:
            raise self._unusable(error) from error
        return None

    def put(self, key: str, data: bytes) -> None:
        """Keep `data`. Raises SourceError when the folder cannot be written."""
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            files.replace(path, _seal(key, data))
        except OSError as error:
            raise self._unusable(error) from error

    def size(self) -> int:
        """Bytes on disk."""
        total = 0
        clones = (path for clone in self._folder.glob(CLONE) for path in clone.rglob("*") if path.is_file())
        for path in (*self._files(), *clones):
            with contextlib.suppress(FileNotFoundError):
                total += path.stat().st_size
        return total

    def clear(self) -> None:
        """Remove every entry and clone, and what killed processes left; nothing that is not the store's own."""
        for clone in self._folder.glob(CLONE):
            shutil.rmtree(clone, ignore_errors=True)
        for path in self._files():
            path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # not empty yet
                path.parent.rmdir()

    def _files(self) -> Iterator[Path]:
        yield from self._folder.glob("[0-9a-f][0-9a-f]/*.blob")
        yield from self._folder.glob("[0-9a-f][0-9a-f]/*.tmp")

    def _path(self, key: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()
        return self._folder / name[:2] / f"{name[2:]}.blob"

    def _unusable(self, error: OSError) -> SourceError:
        reason = error.strerror or str(error)
        return SourceError(f"cache folder {self._folder}: {reason}; mend it, name another one or use --no-cache")


def _seal(key: str, data: bytes) -> bytes:
    digest = hashlib.sha256(key.encode() + b"\0")
    digest.update(data)
    return digest.digest() + data


@cache
def program() -> str:
    """The identity of this program: its own source, and the Python that reads other source."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
