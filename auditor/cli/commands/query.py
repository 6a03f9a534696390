"""Try a pattern on the whole of a target."""

import itertools
import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from auditor.cli import options as shared
from auditor.cli import packs, progress_bars, revisions, streams
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auditor.engine.opening import Spec
    from auditor.engine.query import PatternMatch, Unread
    from auditor.model import Target

_LINES = 6  # of a match that are shown


@click.command()
@click.argument("pattern")
@click.option("--in", "within", multiple=True, metavar="PATH", help="Only this file or folder; repeatable.")
@click.option("--pack", metavar="PACK", help="The pack whose targets are read.  [default: as for verify]")
@click.option("--target", multiple=True, metavar="NAME", help="Only these targets.")
@click.option("--most", type=click.IntRange(0), default=100, help="Matches shown; 0 for all.  [100]")
@click.option("-f", "--format", type=click.Choice(["text", "json"]), default="text", help="How they are shown.  [text]")
@revisions.reading
@shared.reaching
def command(pattern: str, within: tuple[str, ...], **options: Any) -> int:
    """Try a pattern on the whole of a target.

    PATTERN is Python with holes, as in claims: `...` is anything, `$NAME` the same thing each time. Every match is
    shown with the definition that it is in, its lines, and what the names stand for.

    `--release NAME=VERSION` may also name any Python project of the package registry, that no pack is about.

    Exits 0 where there is a match, 1 where there is none, 2 where it could not be searched.
    """
    from auditor.code.matching.notation import Pattern

    try:
        wanted = Pattern(pattern)
    except ValueError as error:
        raise ConfigError(f"{error}; see `kvaudit explain pattern`") from None
    loaded = packs.head(options["pack"])
    targets = [one for one in loaded.targets if not options["target"] or one.name in options["target"]]
    targets += _unknown(options, {one.name for one in loaded.targets})
    if not targets:
        raise ConfigError(f"there is no target {options['target'][0]}")
    specs = list(revisions.specs(loaded.id, targets, revisions.specs_by_source(options), options["repo"]))
    count = unread = 0
    for spec in specs:
        if spec.source == "pack":
            continue
        found = _matches(wanted, spec, within, options)
        for one in itertools.islice(found, options["most"] - count if options["most"] else None):
            is_match = _show(one, spec, options["format"])
            count, unread = count + is_match, unread + (not is_match)
        if options["most"] and count >= options["most"] and next(found, None) is not None:
            streams.say(f"kvaudit: there are more than {count}; --most 0 shows all")
            break
    if not count and not options["quiet"]:
        streams.say(f"kvaudit: no match in {', '.join(_named(spec) for spec in specs)}")
    return 2 if unread and not count else 0 if count else 1


def _unknown(options: dict[str, Any], known: set[str]) -> "list[Target]":
    """The projects of the registry that `--release NAME=VERSION` names, and the pack does not: as `init` finds them."""
    from auditor.engine.projects import find

    pairs = [value.partition("=") for value in options["release"]]
    wanted = {name: version for name, equals, version in pairs if equals and name not in known}
    found = {name: find(name, shared.access(options), release=version) for name, version in wanted.items()}
    return [replace(one.target, name=name) for name, one in found.items()]


def _named(spec: "Spec") -> str:
    return f"{spec.target.name} {spec.spec}".strip()


def _matches(
    wanted: Any, spec: "Spec", within: tuple[str, ...], options: dict[str, Any]
) -> "Iterator[PatternMatch | Unread]":
    from auditor.engine.collector import without_cycles
    from auditor.engine.query import query

    with progress_bars.watched(quiet=options["quiet"], is_bytes=True) as progress:
        snapshot = spec.open(replace(shared.access(options), progress=progress))
        found = query(wanted, spec.target, snapshot, within, shared.store(options))
    with without_cycles():
        yield from found


def _show(one: "PatternMatch | Unread", spec: "Spec", format_: str) -> bool:
    """Write a match; whether it is one, and not a file that could not be read."""
    from auditor.engine.query import Unread

    if isinstance(one, Unread):
        streams.say(f"kvaudit: {one.path} may hold a match: {one.reason.en}")
        return False
    place = one.location
    if format_ == "json":
        lines = (place.region.start, place.region.end) if place.region else (None, None)
        where = {"target": spec.target.name, "path": place.path, "start": lines[0], "end": lines[1]}
        streams.put(json.dumps({**where, "symbol": place.symbol, "bound": one.bound, "lines": one.lines}) + "\n")
        return True
    bound = "".join(f"  ${name} = {value}" for name, value in sorted(one.bound.items()))
    streams.tell(f"{place}: {place.symbol or '(module)'}{bound}")
    for line in one.lines[:_LINES]:
        streams.tell(f"    {line}")
    if len(one.lines) > _LINES:
        streams.tell(f"    ... {len(one.lines) - _LINES} more lines")
    if sys.stdout.isatty():
        sys.stdout.flush()
    return True
