"""Catalogues for a terminal and, as Markdown, for a review."""

from collections.abc import Iterator, Sequence

from auditor.catalogues import Catalogue, Change, Comparison, Metric, Option

_LONGEST = 100


def metrics(runs: Sequence[Catalogue], comparisons: Sequence[Comparison]) -> str:
    """The metrics of each revision, and what changed since another."""
    lines: list[str] = []
    for run in runs:
        count = len(run.metrics)
        lines.append(f"{run.label}: {count} metric{'' if count == 1 else 's'}{_open(len(run.unresolved_metrics))}")
        for one in run.metrics:
            lines += _metric(one)
        lines += [f"  ? {one.place}: {one.reason.en}" for one in run.unresolved_metrics]
    return "\n".join([*lines, *_compared(comparisons)]) + "\n"


def options(runs: Sequence[Catalogue], comparisons: Sequence[Comparison]) -> str:
    """The options of each revision, and what changed since another."""
    lines: list[str] = []
    for run in runs:
        count = len(run.options)
        lines.append(f"{run.label}: {count} option{'' if count == 1 else 's'}{_open(len(run.unresolved_options))}")
        for one in run.options:
            lines += _option(one)
        lines += [f"  ? {one.place}: {one.reason.en}" for one in run.unresolved_options]
    return "\n".join([*lines, *_compared(comparisons)]) + "\n"


def _open(unresolved: int) -> str:
    return f"; {unresolved} could not be resolved, so there may be more" if unresolved else "; the list is complete"


def _metric(one: Metric) -> Iterator[str]:
    labels = ", ".join([*one.labels, *([] if one.are_labels_known else ["..."])])
    yield f"  {one.name}  {one.type}  {{{labels}}}  {one.place}"
    if tuple(one.samples) != (one.name,):
        yield f"      scraped as {', '.join(one.samples)}"
    if one.when:
        yield f"      only if {_short(one.when)}"


def _option(one: Option) -> Iterator[str]:
    default = repr(one.default) if one.is_static else f"decided at run time: {one.default}"
    state = "  (deprecated)" if one.is_deprecated else ""
    value = "required" if one.is_required else f"= {_short(default)}"
    yield f"  {' '.join(one.flags) or one.field}  {value}  {one.type or ''}{state}  {one.place}".rstrip()
    for later in one.effective:
        yield f"      later {_short(later.value)}{f' if {_short(later.when)}' if later.when else ''}  {later.place}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _compared(comparisons: Sequence[Comparison]) -> Iterator[str]:
    for one in comparisons:
        yield f"{one.target} {one.old.name} -> {one.new.name}: {len(one.changes)} changes"
        yield from (f"  {line}" for change in one.changes for line in described(change))


def described(one: Change) -> Iterator[str]:
    """A change in words."""
    place = f"  {one.new_place or one.old_place}" if one.new_place or one.old_place else ""
    now = f" -> {one.now} ({one.sureness})" if one.now else ""
    yield f"{one.kind} {one.what} {one.name}{now}{place}"
    if one.before or one.after:
        yield f"    {_short(one.before) or '(nothing)'} -> {_short(one.after) or '(nothing)'}"


def markdown(title: str, runs: Sequence[Catalogue], comparisons: Sequence[Comparison], what: str) -> str:
    """Tables for a review."""
    lines = [f"# {title}", ""]
    for run in runs:
        lines += [f"## {run.label}", ""]
        if what == "metrics":
            lines += ["| metric | type | labels | only if | place |", "| --- | --- | --- | --- | --- |"]
            lines += [
                f"| {cell(m.name)} | {m.type} | {cell(', '.join(m.labels))} | {cell(m.when or '')} "
                f"| {cell(str(m.place))} |"
                for m in run.metrics
            ]
        else:
            lines += ["| option | default | type | place |", "| --- | --- | --- | --- |"]
            lines += [
                f"| {cell(' '.join(o.flags) or o.field)} | {cell(str(o.default))} | {cell(o.type or '')} "
                f"| {cell(str(o.place))} |"
                for o in run.options
            ]
        lines.append("")
    for one in comparisons:
        lines += [f"## {one.target} {one.old.name} → {one.new.name}", ""]
        lines += changes_table(one.changes)
    return "\n".join(lines) + "\n"


def changes_table(changes: Sequence[Change]) -> list[str]:
    """Changes as a Markdown table."""
    rows = ["| change | what | name | now | before | after |", "| --- | --- | --- | --- | --- | --- |"]
    for one in changes:
        now = f"{one.now} ({one.sureness})" if one.now else ""
        rows.append(
            f"| {one.kind} | {one.what} | {cell(one.name)} | {cell(now)} | {cell(one.before)} | {cell(one.after)} |"
        )
    return [*rows, ""]


def cell(text: str) -> str:
    """Text that stays in one cell, as code."""
    plain = " ".join(_short(text).split()).replace("|", "\\|").replace("`", "'")
    return f"`{plain}`" if plain else ""
