"""Apply edits to what each claim looks at, audit again, and report what was noticed.

python -m benchmarks.mutants --path sglang=DIR --path vllm=DIR [--select PREFIX] [--most N]
"""

import argparse
import gc
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from auditor import claims
from auditor.claims import Entry
from auditor.code.codebase import Codebase
from auditor.engine import audit
from auditor.model import Kind, Region, Result, Revision, Snapshot, Target
from auditor.sources import Access, sources
from benchmarks.mutants import Edit, breaking, neutral

PACK = Path(__file__).parent.parent.parent / "anchors" / "l1-kv-pool"


class Overlay:
    """A snapshot with some files edited."""

    is_fixed = False

    def __init__(self, below: Snapshot, edited: dict[str, bytes]) -> None:
        self.revision: Revision = below.revision
        self.roots = below.roots
        self._below, self._edited = below, edited

    def files(self) -> frozenset[str]:
        return self._below.files()

    def read(self, path: str) -> bytes:
        return self._edited[path] if path in self._edited else self._below.read(path)

    def prefetch(self, paths: frozenset[str]) -> None:
        """All is local."""


def looked_at(result: Result) -> dict[str, list[Region]]:
    """The lines that a claim's checks found, by file."""
    places: dict[str, list[Region]] = {}
    for location in result.outcome.locations:
        if location.region is not None and location.path.endswith(".py"):
            places.setdefault(location.path, []).append(location.region)
    return places


def sampled(edits: Iterator[Edit], most: int, seed: str) -> list[Edit]:
    """At most so many edits, of as many operators as there are."""
    by_operator: dict[str, list[Edit]] = {}
    for edit in edits:
        by_operator.setdefault(edit.operator, []).append(edit)
    chance = random.Random(seed)
    for found in by_operator.values():
        chance.shuffle(found)
    chosen: list[Edit] = []
    while by_operator and len(chosen) < most:
        for operator in list(by_operator):
            chosen.append(by_operator[operator].pop())
            if not by_operator[operator]:
                del by_operator[operator]
    return chosen[:most]


def kind_after(target: Target, entry: Entry, snapshot: Snapshot, path: str, text: str) -> Kind:
    return audit(target, [entry], Overlay(snapshot, {path: text.encode()})).results[0].kind


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--path", action="append", required=True, metavar="TARGET=DIR")
    parser.add_argument("--select", default="")
    parser.add_argument("--most", type=int, default=12, help="edits of each sort for a claim and file")
    options = parser.parse_args()
    gc.disable()
    pack = claims.load(PACK)
    killed, applied, alarms, neutrals = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for spec in options.path:
        name, _, folder = spec.partition("=")
        target = next(target for target in pack.targets if target.name == name)
        snapshot = sources()["directory"]().open(target, folder, Access(None))
        entries = [entry for entry in pack.entries[name] if entry.claim.id.startswith(options.select)]
        for entry, result in zip(
            sorted(entries, key=lambda e: e.claim.id), audit(target, entries, snapshot).results, strict=True
        ):
            for path, regions in looked_at(result).items():
                text = Codebase(snapshot, target).text(path)
                if result.kind in (Kind.PASS, Kind.REVIEW):
                    for edit in sampled(breaking.valid(text, regions), options.most, entry.claim.id):
                        applied[edit.operator] += 1
                        if kind_after(target, entry, snapshot, path, edit.text) is not result.kind:
                            killed[edit.operator] += 1
                        else:
                            print(f"survived  {entry.claim.id}  {edit.operator}  {path}:{edit.line}")
                for edit in sampled(neutral.edits(text, regions), options.most, entry.claim.id):
                    neutrals[edit.operator] += 1
                    kind = kind_after(target, entry, snapshot, path, edit.text)
                    if kind is not result.kind:
                        alarms[edit.operator] += 1
                        print(
                            f"ALARM     {entry.claim.id}  {edit.operator}  {path}:{edit.line}  {result.kind} -> {kind}"
                        )
        print(f"{name}: {len(entries)} claims", file=sys.stderr)
    print_table("killed", killed, applied)
    print_table("false alarms", alarms, neutrals)
    return 1 if alarms.total() else 0


def print_table(what: str, some: "Counter[str]", out_of: "Counter[str]") -> None:
    for operator, count in sorted(out_of.items()):
        print(f"{operator:<22} {some[operator]:5} / {count:5}  {some[operator] / count:6.1%}")
    if out_of.total():
        print(f"{what + ', all':<22} {some.total():5} / {out_of.total():5}  {some.total() / out_of.total():6.1%}")


if __name__ == "__main__":
    sys.exit(main())
