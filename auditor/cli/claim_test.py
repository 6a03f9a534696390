"""Say step by step what a claim looks at, and how it does under edits of that."""

from typing import TYPE_CHECKING, Any

import click

from auditor.cli import one_target, packs, revisions, streams
from auditor.cli import options as shared
from auditor.errors import ConfigError
from auditor.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auditor.checks import Check
    from auditor.claims import Entry
    from auditor.code.project.codebase import Codebase
    from auditor.mutation.trial import Trial

_MOST_FILES = 5
_AS_IT_IS = {
    Kind.FAIL: "it can fail: it does so here. Whether it can hold, an edited copy shows: --path {}=COPY",
    Kind.OPEN: "no edit is tried: it must be decided first; `kvaudit explain RULE` says what its check needs",
    Kind.NOT_APPLICABLE: "no edit is tried: the claim does not speak of this revision",
}


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--pack", metavar="PACK", help="The claim's pack.  [default: as for verify]")
@click.option("--most", type=click.IntRange(0), default=2, help="Edits of each kind; 0 for none.  [2]")
@revisions.reading
@shared.reaching
def command(id_: str, **options: Any) -> int:
    """Say step by step what the claim ID looks at, and how it does under edits of that.

    Each check is run alone. Then the code that it looks at is edited, in memory: so that it does something else, which
    the claim should notice, and so that it is only written otherwise, which it should not.

    Exits 0 where the claim notices and keeps quiet as it should, or fails as it is; 1 where it cannot fail, misses an
    edit, is alarmed by one that changes nothing, or cannot be decided; 2 where it could not be tried.
    """
    from auditor.engine.decide import decide
    from auditor.engine.opening import releases
    from auditor.mutation.overlay import Edited

    pack = packs.load(options["pack"])
    target, entry = _entry(pack, id_)
    spec, snapshot = one_target.opened(pack, target, options)
    code = Edited(spec.target, snapshot, releases(spec.target, shared.access(options)))
    streams.tell(entry.claim.statement.en)
    streams.tell(f"{entry.claim.origin}; {target} {snapshot.revision.name}")
    for what, check in _checks(entry):
        _step(what, check, code.before)
    outcome = decide(entry, code.before)
    streams.tell("")
    streams.tell(f"{outcome.kind}: {outcome.message.en}")
    if not options["most"]:
        return 0
    if not outcome.kind.holds:
        streams.tell("")
        streams.tell(_AS_IT_IS[outcome.kind].format(target))
        return 1 if outcome.kind is Kind.OPEN else 0
    return _edits(entry, outcome.kind, code, options["most"])


def _entry(pack: Any, id_: str) -> "tuple[str, Entry]":
    known = {entry.claim.id: (target, entry) for target, entries in pack.entries.items() for entry in entries}
    if id_ not in known:
        import difflib

        near = difflib.get_close_matches(id_, known, n=3, cutoff=0.4)
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        raise ConfigError(f"{pack.id} has no claim {id_}{hint}")
    found: tuple[str, Entry] = known[id_]
    return found


def _checks(entry: "Entry") -> "Iterator[tuple[str, Check]]":
    yield from (("check", check) for check in entry.checks)
    yield from (("caveat", caveat.check) for caveat in entry.caveats)
    yield from (("elsewhere", check) for form in entry.elsewhere for check in form.checks)


def _step(what: str, check: "Check", code: "Codebase") -> None:
    code.begin()
    outcome = check.audit(code)
    streams.tell("")
    streams.tell(f"{what} {check.id}: {outcome.kind}")
    streams.tell(f"  says      {outcome.message.en}")
    for name, value in (("expected", outcome.expected), ("actual", outcome.actual)):
        if value is not None:
            streams.tell(f"  {name:<9} {value}")
    for place in outcome.locations[:_MOST_FILES]:
        streams.tell(f"  shows     {place}{f' ({place.symbol})' if place.symbol else ''}")
    read = sorted(code.dependencies.files)
    searched = len(code.dependencies.paths) - len(read)
    more = f" and {len(read) - _MOST_FILES} more" if len(read) > _MOST_FILES else ""
    streams.tell(f"  read      {', '.join(read[:_MOST_FILES]) or 'nothing'}{more}")
    if searched:
        streams.tell(f"  searched  {searched} files for where a symbol went")


def _edits(entry: "Entry", before: "Kind", code: Any, most: int) -> int:
    from auditor.code import Undecidable
    from auditor.mutation.trial import can_fail, trials

    try:
        found = list(trials(entry, code, most))
    except Undecidable as reason:
        raise ConfigError(f"nothing to edit: {reason}") from None
    breaking = [one for one in found if one.is_breaking]
    neutral = [one for one in found if not one.is_breaking]
    if not breaking:
        streams.tell("")
        streams.tell("no edit is known of what it asks: that something is absent, or there; break it in a copy: --path")
        return 0
    missed = [one for one in breaking if one.kind is before]
    alarms = [one for one in neutral if one.kind is not before]
    streams.tell("")
    streams.tell(f"{len(breaking) - len(missed)} of {len(breaking)} edits that change what the code does are noticed")
    for one in breaking:
        _show(one, "missed  " if one.kind is before else "noticed ")
    streams.tell("")
    streams.tell(f"{len(neutral) - len(alarms)} of {len(neutral)} edits that change nothing leave it {before}")
    for one in alarms:
        _show(one, "alarmed ")
    if not can_fail(found, before):
        streams.tell("")
        streams.tell("no edit makes the claim come out otherwise: it may not be able to fail")
    return 1 if missed or alarms else 0


def _show(one: "Trial", word: str) -> None:
    streams.tell(f"  {word} {one.kind:<13} {one.operator} at {one.place}")
    if one.before != one.after:
        streams.tell(f"           - {one.before}")
        streams.tell(f"           + {one.after}")
