"""Apply edits to what each claim looks at, audit again, and report what was noticed.

python -m benchmarks.mutants --path sglang=DIR --path vllm=DIR [--select PREFIX] [--most N]
"""

import argparse
import gc
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from auditor import claims
from auditor.claims import Entry
from auditor.code.codebase import Codebase
from auditor.engine import audit
from auditor.engine.decide import decide
from auditor.model import Kind, Region, Result, Revision, Snapshot, Target
from auditor.sources import Access, sources
from benchmarks.mutants import Edit, breaking, neutral
from benchmarks.mutants.places import is_other_code

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


def sampled(edits: Iterator[Edit], most: int, seed: str, is_wanted: Callable[[str], bool]) -> list[Edit]:
    """At most so many wanted edits, of as many operators as there are."""
    by_operator: dict[str, list[Edit]] = {}
    for edit in edits:
        by_operator.setdefault(edit.operator, []).append(edit)
    chance = random.Random(seed)
    for found in by_operator.values():
        chance.shuffle(found)
    chosen: list[Edit] = []
    while by_operator and len(chosen) < most:
        for operator in list(by_operator):
            edit = by_operator[operator].pop()
            if not by_operator[operator]:
                del by_operator[operator]
            if is_wanted(edit.text):
                chosen.append(edit)
    return chosen[:most]


def kind_after(target: Target, entry: Entry, before: Codebase, snapshot: Snapshot, path: str, text: str) -> Kind:
    """The kind of a claim with one file edited; what is known of the other files is taken over."""
    code = Codebase(Overlay(snapshot, {path: text.encode()}), target)
    code.know(before, but=path)
    return decide(entry, code).kind


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
        entries = sorted(
            (entry for entry in pack.entries[name] if entry.claim.id.startswith(options.select)),
            key=lambda entry: entry.claim.id,
        )
        before = Codebase(snapshot, target)
        for entry, result in zip(entries, audit(target, entries, snapshot).results, strict=True):
            after = partial(kind_after, target, entry, before, snapshot)
            decide(entry, before)  # so that it knows the files that the claim looks at
            for path, regions in looked_at(result).items():
                text = before.text(path)
                is_other = partial(is_other_code, text)
                broken = breaking.edits(text, regions) if result.kind in (Kind.PASS, Kind.REVIEW) else iter(())
                for edit in sampled(broken, options.most, entry.claim.id, is_other):
                    applied[edit.operator] += 1
                    if after(path, edit.text) is not result.kind:
                        killed[edit.operator] += 1
                    else:
                        print(f"survived  {entry.claim.id}  {edit.operator}  {path}:{edit.line}", flush=True)
                for edit in sampled(neutral.edits(text, regions), options.most, entry.claim.id, lambda _: True):
                    neutrals[edit.operator] += 1
                    kind = after(path, edit.text)
                    if kind is not result.kind:
                        alarms[edit.operator] += 1
                        where = f"{edit.operator}  {path}:{edit.line}  {result.kind} -> {kind}"
                        print(f"ALARM     {entry.claim.id}  {where}", flush=True)
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
