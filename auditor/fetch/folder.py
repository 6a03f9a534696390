"""The files in a folder as an import would find them, and what there is beside them that is not read."""

import errno
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from auditor.errors import UnreadableError
from auditor.fetch.layout import Omissions, Omitted, plain
from auditor.limits import FILE_BYTES, TREE_FILES

_LINKS = 1_000  # folders that are entered through links
_GONE = (errno.ENOENT, errno.ELOOP, errno.ENOTDIR)


@dataclass
class Listing:
    """Names below a folder, with forward slashes."""

    files: list[str] = field(default_factory=list)
    omitted: Omissions = field(default_factory=dict)


def listed(root: Path, below: str = "", *, is_confined: bool = True) -> Listing:
    """The files below a resolved folder, or in one folder of it. Links are followed, out of `root` unless confined.

    A link to a folder that it is in itself is followed once: what is behind it a second time is listed already.
    """
    found = Listing()
    links = 0
    start = root / below if below else root
    waiting: list[tuple[Path, str, tuple[tuple[int, int], ...]]] = [(start, below, (_identity(start),))]
    while waiting:
        folder, name, inside = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                here = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            found.omitted[plain(name) + "/"] = Omitted.UNLISTED
            continue
        if name and any(entry.name == "pyvenv.cfg" for entry in here):
            found.omitted[plain(name) + "/"] = Omitted.ENVIRONMENT
            continue
        for entry in here:
            own = f"{name}/{entry.name}" if name else entry.name
            if entry.name == ".git" or (entry.name.endswith(".pyc") and name.endswith("__pycache__")):
                continue
            try:
                kind, identity = _kind(entry, root, is_confined=is_confined)
            except OSError as error:
                if error.errno not in _GONE:  # what has gone, or leads nowhere, is not there for an import either
                    found.omitted[plain(own)] = Omitted.UNLISTED
                continue
            is_link = entry.is_symlink()
            if kind is None:
                found.omitted[plain(own)] = Omitted.LINK
            elif kind not in (stat.S_IFDIR, stat.S_IFREG):
                continue
            elif not _is_text(own):
                found.omitted[plain(own) + ("/" if kind == stat.S_IFDIR else "")] = Omitted.NAME
            elif len(found.files) >= TREE_FILES.value or (is_link and kind == stat.S_IFDIR and links >= _LINKS):
                found.omitted[plain(own) + ("/" if kind == stat.S_IFDIR else "")] = Omitted.MANY
            elif kind == stat.S_IFREG:
                found.files.append(own)
            elif not is_link or inside.count(identity) < 2:
                links += is_link
                waiting.append((Path(entry.path), own, (*inside, identity)))
    return found


def read(file: Path, root: Path | None) -> bytes:
    """The bytes of a file, of one below `root` if there is one. Raises UnreadableError."""
    try:
        if root is not None and not file.resolve(strict=True).is_relative_to(root):
            raise UnreadableError(f"{file}: a link out of {root}; it is not followed")
        with file.open("rb") as content:
            data = content.read(FILE_BYTES.value + 1)
    except (OSError, RuntimeError, ValueError) as error:
        raise UnreadableError(
            f"{file}: {getattr(error, 'strerror', None) or error}; mend it or leave it out"
        ) from error
    if len(data) > FILE_BYTES.value:
        raise UnreadableError(f"{file}: more than the {FILE_BYTES.value:,} bytes that a source file may have")
    return data


def is_there(path: Path) -> bool:
    """Whether there is such a file or folder; a path that no system takes is none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _kind(entry: "os.DirEntry[str]", root: Path, *, is_confined: bool) -> tuple[int | None, tuple[int, int]]:
    """What an entry is, or leads to, and its identity; None for what lies outside. Raises OSError."""
    if is_confined and entry.is_symlink():
        try:
            if not Path(entry.path).resolve(strict=True).is_relative_to(root):
                return None, (0, 0)
        except RuntimeError as error:  # a loop of links
            raise OSError(errno.ELOOP, str(error)) from error
    status = entry.stat()
    return stat.S_IFMT(status.st_mode), (status.st_dev, status.st_ino)


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
