"""What an upgrade changes, for a terminal and for a review: the worst first."""

from collections.abc import Iterator, Mapping, Sequence

from auditor.catalogues import Change, ChangeKind, Comparison, change_key
from auditor.findings import FindingLog, urgency
from auditor.formats.catalogue.text import cell, changes_table, described
from auditor.model import DiffLine, Kind, Text

QUIET = (ChangeKind.HELP, ChangeKind.CONDITION, ChangeKind.ADDED)
"""Changes that break nothing."""
Worse = Sequence[tuple[str, Kind, Text]]
"""The claims that come out worse: id, kind and why."""

Code = Mapping[str, Sequence[DiffLine]]
"""The lines that changed, by what a change is about."""


def text(comparisons: Sequence[Comparison], findings: FindingLog, worse: Worse, code: Code, *, is_long: bool) -> str:
    """First one's own files, then claims, then everything that was removed, renamed or changed, with its lines."""
    return "\n".join(_text(comparisons, findings, worse, code, is_long=is_long)) + "\n"


def _text(
    comparisons: Sequence[Comparison], findings: FindingLog, worse: Worse, code: Code, *, is_long: bool
) -> Iterator[str]:
    for one in sorted(findings.findings, key=urgency):
        yield f"{one.path}:{one.span.line}: {one.kind} {one.about}"
        yield f"  {one.message.en}"
        if one.replacement:
            yield f"  write {one.replacement}"
    if findings.files:
        failing = sum(one.kind is Kind.FAIL for one in findings.findings)
        yield f"{failing} of what {len(findings.files)} files use breaks"
    for id_, kind, message in worse:
        yield f"claim {id_}: {kind}: {message.en}"
    for comparison in comparisons:
        loud, quiet = split(comparison.changes)
        yield f"{comparison.target} {comparison.old.name} -> {comparison.new.name}: {summary(comparison.changes)}"
        for change in [*loud, *(quiet if is_long else ())]:
            yield from (f"  {line}" for line in described(change))
            for line in code.get(change_key(change), ()):
                yield f"      {'-' if line.after is None else '+'} {line.text.strip()}"
        if quiet and not is_long:
            yield f"  and {len(quiet)} that were added, or whose help or condition changed; --all shows them"


def split(changes: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """Changes that may break something, and those that do not."""
    return [one for one in changes if one.kind not in QUIET], [one for one in changes if one.kind in QUIET]


def summary(changes: Sequence[Change]) -> str:
    """How many changes of each kind."""
    counted = {kind: sum(one.kind is kind for one in changes) for kind in ChangeKind}
    return ", ".join(f"{count} {kind}" for kind, count in counted.items() if count) or "nothing changed"


def markdown(comparisons: Sequence[Comparison], findings: FindingLog, worse: Worse) -> str:
    """The same as Markdown."""
    lines = ["# What the upgrade changes", ""]
    if findings.findings:
        lines += ["## In your files", "", "| where | name | what is wrong | write |", "| --- | --- | --- | --- |"]
        lines += [
            f"| {cell(f'{one.path}:{one.span.line}')} | {cell(one.about)} | {' '.join(one.message.en.split())} "
            f"| {cell(one.replacement or '')} |"
            for one in sorted(findings.findings, key=urgency)
        ]
        lines.append("")
    if worse:
        lines += ["## Claims that come out worse", ""]
        lines += [f"- {cell(id_)} {kind}: {' '.join(message.en.split())}" for id_, kind, message in worse]
        lines.append("")
    for comparison in comparisons:
        lines += [f"## {comparison.target} {comparison.old.name} → {comparison.new.name}", ""]
        loud, quiet = split(comparison.changes)
        lines += [summary(comparison.changes), "", *changes_table([*loud, *quiet])]
    return "\n".join(lines) + "\n"
