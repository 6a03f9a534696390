"""Definitions that no claim cites, between two commits of a real history: kvaudit, git and hashes of lines compared."""

import random
import subprocess
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from auditor import claims
from auditor.anchors import Relocations
from auditor.code.project.codebase import Codebase
from auditor.model import Region, Target
from benchmarks.relocation.pairs import opened
from benchmarks.relocation.trackers import by_blame, by_hash
from benchmarks.relocation.truth import Definition, definitions, end, parsed, start, written

COUNT = 200
SEED = 20261129
Place = tuple[str, int]
"""A path, and the line of `def` or `class`."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """A definition, and where it is proven to be: None where it is gone, or where that is not known."""

    path: str
    name: str
    region: Region
    line: int
    known: Place | None
    how: str


def report(target: Target, repository: Path, old: str, new: str, pack: claims.Pack, *, is_long: bool) -> None:
    old, new = (_git(repository, "rev-parse", f"{commit}^{{commit}}").strip() for commit in (old, new))
    with tempfile.TemporaryDirectory() as place:
        folders = [
            _unpacked(repository, commit, target, Path(place) / name) for commit, name in ((old, "a"), (new, "b"))
        ]
        before, after = (opened(target, folder) for folder in folders)
        sample = list(_sample(pack, target, before, after))
        found: dict[str, dict[Sampled, Place | None]] = {"kvaudit": {}, "git blame": {}, "line hash": {}}
        relocations = Relocations(before, after)
        blamed = {path: by_blame(repository, old, new, path) for path in {one.path for one in sample}}
        for one in sample:
            went = relocations.of(one.path, one.region).found
            found["kvaudit"][one] = _line(after, went.path, went.region) if went and went.region else None
            found["git blame"][one] = blamed[one.path].get(one.line)
            text = after.text(one.path) if after.is_there(one.path) else None
            line = by_hash(before.text(one.path), text).get(one.line)
            found["line hash"][one] = (one.path, line) if line else None
    hows = Counter(one.how for one in sample)
    print(f"{target.name}: {len(sample)} definitions between {old[:10]} and {new[:10]}; {dict(sorted(hows.items()))}")
    for name, places in found.items():
        known = [one for one in sample if one.known]
        right = sum(places[one] == one.known for one in known)
        wrong = [one for one in known if places[one] not in (None, one.known)]
        answered = right + len(wrong)
        unproven = sum(places[one] is not None for one in sample if one.known is None)
        print(
            f"  {name:<10} precision {right / max(1, answered):.3f} ({right}/{answered})"
            f"  recall {right / max(1, len(known)):.3f} ({right}/{len(known)})"
            f"  answers where nothing is proven: {unproven}/{len(sample) - len(known)}"
        )
        for one in sample if is_long else ():
            if places[one] != one.known:
                print("     ", one, places[one])


def _sample(pack: claims.Pack, target: Target, before: Codebase, after: Codebase) -> Iterator[Sampled]:
    """Functions and classes of the files that are cited, with their truth."""
    paths = {citation.path for entry in pack.entries[target.name] for citation in entry.claim.citations}
    every = [
        (path, name, node)
        for path in sorted(paths)
        if path.endswith(".py") and before.is_there(path)
        for name, node in definitions(parsed(before.text(path)))
    ]
    chosen = random.Random(SEED).sample(every, min(COUNT, len(every)))
    changed = [path for path in sorted(after.files) if path.endswith(".py") and _differs(path, before, after)]
    for path, name, node in chosen:
        known, how = _truth(path, name, node, before, after, changed)
        yield Sampled(path, name, Region(start(node), end(node)), node.lineno, known, how)


def _truth(
    path: str, name: str, node: Definition, before: Codebase, after: Codebase, changed: list[str]
) -> tuple[Place | None, str]:
    if after.is_there(path):
        here = [other for known, other in definitions(parsed(before.text(path))) if known == name]
        there = [other for known, other in definitions(parsed(after.text(path))) if known == name]
        if len(here) == len(there):  # of several, such as a property and its setter, the one in the same place
            other = there[[one.lineno for one in here].index(node.lineno)]
            return (path, other.lineno), "same syntax" if written(node) == written(other) else "same name"
    moved = [place for one in changed for place in _same(one, node, before, after)]
    if len(moved) == 1:
        return moved[0], "moved"
    return None, "gone or unknown"


def _differs(path: str, before: Codebase, after: Codebase) -> bool:
    return not before.is_there(path) or before.text(path) != after.text(path)


def _same(path: str, wanted: Definition, before: Codebase, after: Codebase) -> Iterator[Place]:
    """The definitions of a file that have a name and the same syntax, and were not there before."""
    text = after.text(path)
    if not any(f"{word} {wanted.name}" in text for word in ("def", "class")):
        return
    old = {name for name, _ in definitions(parsed(before.text(path)))} if before.is_there(path) else set()
    for name, node in definitions(parsed(text)):
        if name not in old and written(node) == written(wanted):
            yield path, node.lineno


def _line(codebase: Codebase, path: str, region: Region) -> Place:
    """The line of `def` or `class` in a definition that begins with decorators."""
    starts = {start(node): node.lineno for _, node in definitions(parsed(codebase.text(path)))}
    return path, starts.get(region.start, region.start)


def _unpacked(repository: Path, commit: str, target: Target, folder: Path) -> Path:
    """The target's package at a commit."""
    folder.mkdir()
    archive = folder.with_suffix(".tar")
    _git(repository, "archive", f"--output={archive}", commit, f"{target.prefix}{target.name}")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder


def _git(repository: Path, *args: str) -> str:
    return subprocess.run(["git", "-C", str(repository), *args], check=True, capture_output=True, text=True).stdout
