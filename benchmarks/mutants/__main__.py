"""Apply edits to what each claim looks at, audit again, and report what was noticed.

python -m benchmarks.mutants [--path TARGET=DIR ...] [--select PREFIX] [--most N] [--json FILE]

Without --path, the releases near the pin are read from the package registry.
"""

import argparse
import gc
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from multiprocessing import Pool
from pathlib import Path
from typing import Literal

from auditor import claims
from auditor.claims import Entry
from auditor.code import Undecidable
from auditor.model import Outcome
from auditor.mutation import Edit, breaking, neutral
from auditor.mutation.deciding_syntax import Looked, looked_at
from auditor.mutation.overlay import Edited
from auditor.mutation.places import Function, Source, is_other_code
from auditor.sources import Access, sources
from benchmarks.mutants import elsewhere

PACK = Path(__file__).parent.parent.parent / "anchors" / "l1-kv-pool"
Sort = Literal["breaking", "neutral"]


@dataclass(frozen=True, slots=True)
class Tried:
    """One edit, and what a claim came out as before and after it."""

    sort: Sort
    operator: str
    claim: str
    place: str
    before: str
    after: str
    is_updated: bool = False
    """Whether the kind is the same, and what it rests on, or the value found, is not."""

    @property
    def is_noticed(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Task:
    """The edits that one process tries in a row: those that break a claim, or the neutral ones of a file."""

    target: str
    claim: str = ""
    path: str = ""


@cache
def entries(target: str) -> tuple[Entry, ...]:
    return claims.load(PACK).entries[target]


@cache
def edited(target: str, folder: str | None) -> Edited:
    found = next(one for one in claims.load(PACK).targets if one.name == target)
    source = sources()["directory" if folder else "pypi"]()
    return Edited(found, source.open(found, folder or found.near_pin or "latest", Access(None)))


@cache
def outcome_before(code: Edited, name: str) -> Outcome:
    (entry,) = (one for one in entries(code.target.name) if one.claim.id == name)
    return code.outcomes_before([entry], is_whole=True)[0]


def tried_on(sort: Sort, edit: Edit, name: str, before: Outcome, after: Outcome) -> Tried:
    is_updated = before.kind is after.kind and before.identity != after.identity
    return Tried(sort, edit.operator, name, f"{edit.path}:{edit.line}", before.kind, after.kind, is_updated)


@cache
def source_of(code: Edited, path: str) -> Source:
    return Source(code.before.text(path))


def sampled(edits: Iterable[Edit], most: int, seed: str, before: str) -> Iterator[Edit]:
    """At most so many edits of each operator that change the text, not always the same ones."""
    by_operator: dict[str, list[Edit]] = {}
    for edit in edits:
        by_operator.setdefault(edit.operator, []).append(edit)
    chance = random.Random(seed)
    for found in by_operator.values():
        chance.shuffle(found)
        yield from [edit for edit in found[: most * 3] if is_other_code(before, edit.text)][:most]


def broken(code: Edited, entry: Entry, most: int) -> Iterator[Tried]:
    """What becomes of a claim when what it looks at is edited."""
    name, before = entry.claim.id, outcome_before(code, entry.claim.id)
    if not before.kind.holds:
        return
    edits: list[Edit] = []
    for path, looked in sorted(looked_at(entry, code.before).items()):
        source = source_of(code, path)
        nodes = looked.nodes(source)
        own = [*breaking.edits(path, source, nodes), *elsewhere.helpers(entry, path, source, nodes)]
        edits += sampled(own, most, name, source.text)
    with suppress(Undecidable):
        edits += [*islice(elsewhere.overrides(entry, code.before), most), *elsewhere.names(entry, code.before)]
    for edit in edits:
        (after,) = code.outcomes([entry], {edit.path: edit.text}, is_whole=True)
        yield tried_on("breaking", edit, name, before, after)


def rewritten(code: Edited, path: str, looking: dict[str, Looked], most: int) -> Iterator[Tried]:
    """What becomes of the claims about a file when it is written otherwise."""
    source = source_of(code, path)
    nodes = {name: looked.nodes(source) for name, looked in looking.items()}
    functions: dict[Function, set[str]] = {}
    for name, own in nodes.items():
        for node in own:
            if (function := source.function(node)) is not None:
                functions.setdefault(function, set()).add(name)
    in_order = sorted(functions, key=lambda function: function.lineno)
    known = {entry.claim.id: entry for entry in entries(code.target.name)}
    spelt = neutral.words("\n".join(entry.written for entry in known.values()))
    whole = [(edit, sorted(looking)) for edit in neutral.of_file(path, source, in_order, spelt)]
    inside = [
        (edit, sorted(functions[function]))
        for function in in_order
        for edit in sampled(
            neutral.of_function(path, source, function, set().union(*(nodes[name] for name in functions[function]))),
            most,
            f"{path} {function.name}",
            source.text,
        )
    ]
    for edit, names in [*whole, *inside]:
        after = code.outcomes([known[name] for name in names], {path: edit.text}, is_whole=True)
        for name, outcome in zip(names, after, strict=True):
            yield tried_on("neutral", edit, name, outcome_before(code, name), outcome)


def run(job: tuple[Task, str | None, int, str]) -> list[Tried]:
    task, folder, most, select = job
    gc.disable()
    code = edited(task.target, folder)
    if task.claim:
        entry = next(one for one in entries(task.target) if one.claim.id == task.claim)
        return list(broken(code, entry, most))
    looking: dict[str, Looked] = {}
    for entry in entries(task.target):
        if entry.claim.id.startswith(select) and task.path in named(entry):
            try:
                found = looked_at(entry, code.before).get(task.path)
            except Undecidable:
                continue
            if found is not None:
                looking[entry.claim.id] = found
    return list(rewritten(code, task.path, looking, most)) if looking else []


def named(entry: Entry) -> set[str]:
    """The Python files in which a claim's checks look first."""
    return {at.path for check in entry.checks for at in check.subjects() if at.path.endswith(".py")}


def tasks(targets: Iterable[str], select: str) -> Iterator[Task]:
    for target in targets:
        chosen = [entry for entry in entries(target) if entry.claim.id.startswith(select)]
        yield from (Task(target, path=path) for path in sorted(set().union(*map(named, chosen), set())))
        yield from (Task(target, claim=entry.claim.id) for entry in chosen)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--path", action="append", default=[], metavar="TARGET=DIR")
    parser.add_argument("--select", default="", help="claims whose id begins so")
    parser.add_argument("--most", type=int, default=2, help="edits of each operator for a claim and file")
    parser.add_argument("--only", choices=["breaking", "neutral"])
    parser.add_argument("--json", metavar="FILE", help="write every edit and its outcome")
    parser.add_argument("-j", type=int, default=None, metavar="N", help="processes")
    options = parser.parse_args()
    folders = dict(spec.split("=", 1) for spec in options.path)
    targets = list(folders) or [target.name for target in claims.load(PACK).targets if target.near_pin]
    wanted = [
        task
        for task in tasks([name for name in targets if name.startswith(options.select.split("/")[0])], options.select)
        if options.only is None or bool(task.claim) == (options.only == "breaking")
    ]
    jobs = [(task, folders.get(task.target), options.most, options.select) for task in wanted]
    tried: list[Tried] = []
    with Pool(options.j) as pool:
        for number, found in enumerate(pool.imap_unordered(run, jobs), 1):
            tried += found
            for one in found:
                if one.is_noticed is (one.sort == "neutral"):
                    what = "survived" if one.sort == "breaking" else "ALARM   "
                    print(f"{what}  {one.claim}  {one.operator}  {one.place}  {one.before} -> {one.after}", flush=True)
            print(f"{number}/{len(jobs)}", end="\r", file=sys.stderr)
    tried.sort(key=lambda one: (one.sort, one.claim, one.operator, one.place))
    if options.json:
        Path(options.json).write_text(json.dumps([asdict(one) for one in tried], indent=1) + "\n", encoding="utf-8")
    alarms = table("breaking edits", "noticed", tried, "breaking"), table("neutral edits", "alarms", tried, "neutral")
    return 1 if alarms[1] else 0


def table(title: str, what: str, tried: Iterable[Tried], sort: Sort) -> int:
    """Print how many of each operator were noticed; the number noticed."""
    own = [one for one in tried if one.sort == sort]
    noticed, all_ = Counter(one.operator for one in own if one.is_noticed), Counter(one.operator for one in own)
    updated = Counter(one.operator for one in own if one.is_updated)
    if not own:
        return 0
    print(f"\n{title:<24} {what:>7}   out of           or updated")
    for operator, count in [*sorted(all_.items()), ("all", all_.total())]:
        is_sum = operator == "all"
        kinds = noticed.total() if is_sum else noticed[operator]
        either = kinds + (updated.total() if is_sum else updated[operator])
        print(f"{operator:<24} {kinds:7} / {count:6}  {kinds / count:6.1%}  {either:7}  {either / count:6.1%}")
    return noticed.total()


if __name__ == "__main__":
    sys.exit(main())
