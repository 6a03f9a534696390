"""What is plain of a pack, kept from run to run: valid for the same files, read by the same program.

The files are parsed, and the checks imported, only when it is asked what decides a claim.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from auditor import files
from auditor.cache import program
from auditor.claims import Decided, Entry, Pack
from auditor.model import Claim, Rule, Target, Text

if TYPE_CHECKING:
    from auditor.cache import Blobs


@dataclass(frozen=True, slots=True)
class _Entry:
    claim: Claim
    rules: tuple[str, ...]
    files: tuple[str, ...]
    written: str


@dataclass(frozen=True, slots=True)
class _Pack:
    id: str
    title: Text
    targets: tuple[Target, ...]
    entries: dict[str, tuple[_Entry, ...]]
    rules: tuple[Rule, ...]
    languages: tuple[str, ...]


def cached_pack(folder: Path, paths: Sequence[Path], blobs: "Blobs") -> Pack:
    """The pack in a folder, as it is kept, or read and then kept. Raises ClaimError, ConfigError, SourceError."""
    try:
        contents = {path: files.read(path) for path in paths}
    except OSError:
        return _read(folder, dict.fromkeys(paths))  # which says what is wrong
    key = _key(folder, contents)
    data = blobs.get(key)
    if data is not None:
        try:
            return _opened(msgspec.json.decode(data, type=_Pack), lambda: _read(folder, contents))
        except msgspec.MsgspecError:
            pass  # what cannot be read back is read anew
    pack = _read(folder, contents)
    if (data := _closed(pack)) is not None:
        blobs.put(key, data)
    return pack


def _read(folder: Path, contents: Mapping[Path, bytes | None]) -> Pack:
    from auditor.claims.reading import read

    return read(folder, contents)


def _key(folder: Path, contents: Mapping[Path, bytes]) -> str:
    """The folder, as it was named, is in the key because it is in the origin of each claim."""
    digest = hashlib.sha256(f"{program()}\0{folder}\0".encode())
    for path, data in contents.items():
        digest.update(f"{path.name}\0{hashlib.sha256(data).hexdigest()}\0".encode())
    return f"packs/{digest.hexdigest()}"


def _opened(plain: _Pack, whole: Callable[[], Pack]) -> Pack:
    @cache
    def decided() -> dict[str, Decided]:
        return {entry.claim.id: entry.decided() for several in whole().entries.values() for entry in several}

    def opened(one: _Entry) -> Entry:
        return Entry(one.claim, one.rules, one.files, one.written, lambda: decided()[one.claim.id])

    entries = {name: tuple(map(opened, several)) for name, several in plain.entries.items()}
    return Pack(plain.id, plain.title, plain.targets, entries, plain.rules, plain.languages)


def _closed(pack: Pack) -> bytes | None:
    """What is plain of a pack; None for one that JSON cannot say."""
    entries = {
        name: tuple(_Entry(one.claim, one.rules, one.files, one.written) for one in several)
        for name, several in pack.entries.items()
    }
    plain = _Pack(pack.id, pack.title, pack.targets, entries, pack.rules, pack.languages)
    try:
        data = msgspec.json.encode(plain)
    except ValueError:
        return None
    return data if msgspec.json.decode(data, type=_Pack) == plain else None
