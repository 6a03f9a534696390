"""Catalogues of revisions, kept from run to run as long as what they are made from is the same."""

import hashlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from auditor.cache import program
from auditor.catalogues import Catalogue, Metric, Option, Unresolved
from auditor.engine.collector import without_cycles

if TYPE_CHECKING:
    from auditor.cache import Blobs
    from auditor.code.project.codebase import Codebase
    from auditor.model import Snapshot, Target

T = TypeVar("T")
_FRAMES = 12_000  # of Python's own, for code that calls code that calls code


class _Metrics(msgspec.Struct):
    found: tuple[Metric, ...]
    unresolved: tuple[Unresolved, ...]


class _Options(msgspec.Struct):
    found: tuple[Option, ...]
    unresolved: tuple[Unresolved, ...]


def catalogue(
    target: "Target", snapshot: "Snapshot", blobs: "Blobs | None", parts: Sequence[Literal["metrics", "options"]]
) -> Catalogue:
    """What a revision offers, of the parts that are wanted. Raises SourceError."""
    opened: list[Codebase] = []

    def codebase() -> "Codebase":
        """The code, indexed once, and only where something of it is not kept."""
        from auditor.code.project.codebase import Codebase

        if not opened:
            opened.append(Codebase(snapshot, target))
        return opened[0]

    def metrics() -> _Metrics:
        from auditor.catalogue.metrics import metrics

        return _Metrics(*metrics(codebase(), target))

    def options() -> _Options:
        from auditor.catalogue.options import options

        return _Options(*options(codebase(), target))

    found = Catalogue(target.name, snapshot.revision)
    if "metrics" in parts and target.metrics:
        both = _cached(target, snapshot, blobs, _Metrics, metrics)
        found = replace(found, metrics=both.found, unresolved_metrics=both.unresolved)
    if "options" in parts and target.options:
        several = _cached(target, snapshot, blobs, _Options, options)
        found = replace(found, options=several.found, unresolved_options=several.unresolved)
    return found


def _cached(target: "Target", snapshot: "Snapshot", blobs: "Blobs | None", type_: type[T], make: Callable[[], T]) -> T:
    key = f"catalogues/{type_.__name__}/{program()}/{target}/{snapshot.revision}/{_content(snapshot)}"
    data = blobs.get(key) if blobs is not None else None
    if data is not None:
        try:
            return msgspec.json.decode(data, type=type_)
        except msgspec.MsgspecError:
            pass  # what cannot be read back is made anew
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        with without_cycles():
            made = make()
    finally:
        sys.setrecursionlimit(before)
    if blobs is not None:
        try:
            blobs.put(key, msgspec.json.encode(made))
        except (OverflowError, ValueError, TypeError):
            return made  # a huge integer, say, which JSON cannot hold
    return made


def _content(snapshot: "Snapshot") -> str:
    """What tells the bytes of a revision that can change, as a folder does; nothing of one that cannot."""
    if snapshot.is_fixed:
        return ""
    digest = hashlib.sha256()
    for path in sorted(path for path in snapshot.files() if path.endswith(".py")):
        digest.update(path.encode() + b"\0" + hashlib.sha256(snapshot.read(path)).digest())
    return digest.hexdigest()
