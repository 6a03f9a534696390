"""Show in which releases each claim holds, and what changed in between."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.cli import audits, commit_history, ledger_runs, packs, report_output, revisions, series
from auditor.cli import options as shared
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.claims import Pack
    from auditor.cli.audits import Chosen
    from auditor.formats.pages.timeline import Course, Row
    from auditor.model import Log, Run, Target

_FORMATS = ("text", "json", "html")


@click.command()
@series.options
@click.option("--releases", multiple=True, metavar="[TARGET=]RELEASES", help="A.. or A..B, or a list such as 1.0,1.1.")
@click.option("--commits", multiple=True, metavar="[TARGET=]REFS", help="Commits or tags, with commas between.")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the newest N of each target.")
@shared.narrowing
@click.option("-o", "--output", default=report_output.STDOUT, metavar="FILE", help="Where it goes; - is stdout.")
@click.option("-f", "--format", type=click.Choice(_FORMATS), help="[default: as -o ends, else text]")
def command(pack: str | None, **options: Any) -> int:
    """Show in which releases each claim holds, and what changed in between: a matrix of claims and revisions.

    Without --releases and --commits it is that of the ledger, and no network is asked. With them revisions are audited,
    and what is the same in several is fetched, read and parsed once.

    The exit status is 0 whatever the answer is, and 2 when there is none.
    """
    loaded = packs.load(pack, shared.store(options))
    chosen = {name: entries for name, entries in audits.chosen(loaded, options).items() if entries}
    targets = [target for target in series.targets(loaded, ()) if target.name in chosen]
    if not targets:
        raise ConfigError("nothing to show: no claim about a code base is selected; see `kvaudit claim list`")
    is_audited = bool(options["releases"] or options["commits"])
    find = _audited if is_audited else ledger_runs.runs
    log = series.log(loaded, ledger_runs.in_order(find(loaded, targets, chosen, options), options["last"]))
    if is_audited and audits.is_bug(log.runs):
        return 3
    if is_audited:
        audits.refuse_unchecked(log.runs)
    report_output.put([(options["output"], _rendered(log, options))])
    return 0


def _audited(pack: "Pack", targets: "Sequence[Target]", chosen: "Chosen", options: dict[str, Any]) -> "list[Run]":  # noqa: ARG001 # as ledger_runs.runs
    revisions.places(options["repo"], [target.name for target in targets])
    releases = revisions.by_target(options["releases"], series.released(targets), "--releases")
    commits = revisions.by_target(options["commits"], series.committed(targets), "--commits")
    access = shared.access(options)
    runs: list[Run] = []
    for target in targets:
        given = [
            version
            for words in releases.get(target.name, ())
            for version in series.versions(target, words, access, "--releases")
        ]
        refs = [ref.strip() for words in commits.get(target.name, ()) for ref in words.split(",")]
        newest = slice(-options["last"], None) if options["last"] else slice(None)
        if given or refs:
            found = series.audited(target, chosen[target.name], given[newest], refs[newest], options)
            runs += [one.run for one in found]
    return runs


def _rendered(log: "Log", options: dict[str, Any]) -> str:
    from auditor.formats import json_text
    from auditor.formats.pages import timeline

    suffix = Path(options["output"]).suffix[1:]
    kind = options["format"] or (suffix if suffix in _FORMATS else "text")
    if kind == "html":
        return timeline.render(log)
    courses = list(timeline.courses(log))
    if kind == "json":
        return json_text(
            {**commit_history.head(), "pack": log.pack, "targets": [_document(course) for course in courses]}
        )
    return "\n".join(line for course in courses for line in _lines(course)) + "\n"


def _document(course: "Course") -> dict[str, Any]:
    revisions = (run.revision for run in course.runs)
    return {
        "target": course.target.name,
        "revisions": [{"source": one.source, "name": one.name, "commit": one.commit} for one in revisions],
        "claims": [
            {
                "claim": row.claim.id,
                "intervals": [
                    {"kind": kind, "first": first, "last": last} for kind, first, last in _intervals(course, row)
                ],
                "cells": [
                    None
                    if cell is None
                    else {
                        "kind": cell.kind,
                        "baseline": cell.baseline,
                        "expected": cell.outcome.expected,
                        "actual": cell.outcome.actual,
                        "location": str(cell.outcome.locations[0]) if cell.outcome.locations else None,
                    }
                    for cell in row.cells
                ],
            }
            for row in course.rows
        ],
    }


def _intervals(course: "Course", row: "Row") -> Iterator[tuple[str, str, str]]:
    from auditor.drift.states import intervals
    from auditor.formats.pages.timeline import names

    points = zip(names(course.runs), row.cells, strict=True)
    for one in intervals((name, cell.kind) for name, cell in points if cell):
        yield one.kind, one.first, one.last


def _lines(course: "Course") -> Iterator[str]:
    """The matrix of the claims that differ, the revisions over it from top to bottom, and the intervals of each."""
    from auditor.formats.pages.timeline import names
    from auditor.formats.pages.words import SYMBOLS

    called = names(course.runs)
    yield (
        f"{course.target.name}: {len(called)} {course.what}, {called[0]} to {called[-1]}; "
        f"{len(course.differing)} of {len(course.rows)} claims differ{'s' if len(course.differing) == 1 else ''} "
        "between them"
    )
    yield ""
    if course.differing:
        height = max(map(len, called))
        for at in range(height):
            yield f"  {' '.join(commit_history.visible(name).ljust(height)[at] for name in called)}".rstrip()
    for row in course.differing:
        signs = " ".join(SYMBOLS[cell.kind] if cell else "·" for cell in row.cells)
        yield f"  {signs}  {row.claim.id}"
        found = list(_intervals(course, row))
        told = (f"{kind} {first}" if first == last else f"{kind} {first} to {last}" for kind, first, last in found)
        yield f"  {' ' * len(signs)}    {', '.join(told)}"
    if course.steady:
        counts = ", ".join(f"{count} {kind}" for kind, count in course.steady_counts())
        are = "claim is" if len(course.steady) == 1 else "claims are"
        yield f"  {len(course.steady)} {are} the same throughout: {counts}"
    yield ""
