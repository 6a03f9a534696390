"""Every citation of a pack between every two of some revisions, judged by the truth that plain `ast` tells."""

import gc
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from auditor import claims
from auditor.anchors import Relocations, follow
from auditor.code.project.codebase import Codebase
from auditor.engine.decide import decide
from auditor.model import AnchorState, Region, Relocation, Target
from auditor.sources import Access, sources
from benchmarks.relocation.truth import Truth, truth

Places = set[tuple[str, Region]]


@dataclass(frozen=True, slots=True)
class Judged:
    """One citation between two revisions."""

    pair: tuple[str, str]
    relocation: Relocation
    truth: Truth
    verdict: str
    """right, wrong (silently), lost (and nothing to be found is proven), missed (proven to be there), unsure."""


def opened(target: Target, folder: Path) -> Codebase:
    return Codebase(sources()["directory"]().open(target, str(folder), Access(None)), target)


def places(pack: claims.Pack, target: Target, codebase: Codebase) -> Places:
    """The lines that a target's citations mean in a revision: as cited where they hold their code, else its own."""
    found: Places = set()
    for entry in pack.entries[target.name]:
        outcome = decide(entry, codebase)
        for citation in entry.claim.citations:
            state = follow(citation, outcome, codebase)
            if state.state.is_in_place and citation.region is not None:
                found.add((citation.path, citation.region))
            elif state.found is not None and state.found.region is not None:
                found.add((state.found.path, state.found.region))
    return found


def judged(pack: claims.Pack, target: Target, folders: Sequence[Path]) -> Iterator[Judged]:
    """Every ordered pair."""
    codes = {folder.name: opened(target, folder) for folder in folders}
    cited = {name: sorted(places(pack, target, code)) for name, code in codes.items()}
    for old, new in permutations(codes, 2):
        relocations = Relocations(codes[old], codes[new])
        for path, region in cited[old]:
            yield judge((old, new), relocations.of(path, region), codes[old], codes[new])
        gc.collect()  # what a pair leaves refers to itself


def judge(pair: tuple[str, str], found: Relocation, old: Codebase, new: Codebase) -> Judged:
    path, region = found.before.path, found.before.region
    assert region is not None
    if not new.is_there(path):
        known = Truth("unknown", f"{path} is gone")
    else:
        known = truth(old.text(path), new.text(path), region.start, region.end)
    return Judged(pair, found, known, verdict(found, known))


def verdict(relocation: Relocation, known: Truth) -> str:
    """How a relocation compares with the truth."""
    cited, found = relocation.before.region, relocation.found
    if found is None or found.region is None or cited is None:
        return "lost" if known.how == "unknown" else "missed"
    if known.how == "unknown" or known.first is None or known.last is None:
        return "unsure"
    if found.path != relocation.before.path:
        return "wrong"
    # Lines around the first and last node, such as a comment, come along as far as they are the same.
    above, below = known.first[0] - cited.start, cited.end - known.last[0]
    is_start = known.first[1] - above <= found.region.start <= known.first[1]
    is_end = known.last[1] <= found.region.end <= known.last[1] + below
    return "right" if is_start and is_end else "wrong"


def report(target: Target, folders: Sequence[Path], pack: claims.Pack, *, is_long: bool) -> None:
    results = list(judged(pack, target, folders))
    print(f"{target.name}: {len(results)} relocations of citations between {len(folders)} revisions")
    for how in ("same", "named", "aligned", "unknown"):
        counted = Counter(one.verdict for one in results if one.truth.how == how)
        states = Counter(_state(one.relocation) for one in results if one.truth.how == how)
        print(f"  {how:<8} {_shown(counted)}   {_shown(states)}")
    for one in results if is_long else ():
        if one.verdict != "right":
            print(
                one.pair,
                one.verdict,
                one.truth,
                one.relocation.before,
                "->",
                one.relocation.found,
                one.relocation.is_same,
            )
            print("   ", one.relocation.place, one.relocation.state, one.relocation.reason, one.relocation.candidates)
    first, second = (opened(target, folder) for folder in folders[:2])
    lines = places(pack, target, first)
    first, second = (opened(target, folder) for folder in folders[:2])
    began, worked = time.perf_counter(), time.process_time()
    relocations = Relocations(first, second)
    for path, region in lines:
        relocations.of(path, region)
    took = f"{time.perf_counter() - began:.2f} s, {time.process_time() - worked:.2f} s of it at work"
    print(f"  {len(lines)} citations of one pair, cold: {took}")


def _state(relocation: Relocation) -> str:
    if relocation.state is AnchorState.LOST:
        return "ambiguous" if relocation.is_ambiguous else "lost"
    return relocation.state.value


def _shown(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counted.items())) or "none"
