"""Compiler-style lines for a terminal."""

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from auditor.findings import Finding, FindingLog
from auditor.formats import Became, FindingFormat, answer, became, counted, values, visible
from auditor.model import AnchorState, BaselineState, FoundCitation, Kind, Log, Result, Revision, Run
from auditor.text import no_commands

WIDTH = 110
"""Columns after which prose goes to the next line."""
MOST_LINES = 6
"""Lines that one sentence may take before it is cut."""
LONGEST = 240
"""Columns after which a line that must stay one line is cut."""

Paint = Callable[[str, str], str]

STYLES = {"strong": "1", "faint": "2", "pass": "32", "fail": "1;31", "review": "33", "open": "35", "notApplicable": "2"}


class Text(FindingFormat):
    """Lines for a terminal: claims that need a person first, then those with something to say, then those that hold."""

    can_color = True
    suffix = "txt"

    def render(self, log: Log, *, color: bool = False) -> str:
        paint = _painted if color else _plain
        lines = [line for run in log.runs for line in (*self._lines(run, paint), "")]
        return no_commands("\n".join([*lines, _verdict(log, paint)])) + "\n"

    def render_findings(self, log: FindingLog, *, color: bool = False) -> str:
        paint = _painted if color else _plain
        lines = [line for finding in log.findings for line in (*_finding(finding, paint), "")]
        lines += [f"note: {_cut(note.message)}" for note in log.notifications]
        lines += [_cut(line) for line in (", ".join(log.revisions), counted(log)) if line]
        is_wrong = any(one.is_failure for one in log.findings) or not log.files
        return no_commands("\n".join([*lines, paint("fail" if is_wrong else "pass", answer(log))])) + "\n"

    def _lines(self, run: Run, paint: Paint) -> Iterator[str]:
        results, since = self.results(run), ""
        if run.baseline:
            since = f", compared with {_revision(run.baseline)}"
        yield paint("strong", _cut(f"{run.target.name} {_revision(run.revision)}{since}"))
        if run.baseline:
            yield from _compared(run, results, paint, is_long=self.is_long)
        else:
            yield from _ranked(results, paint)
        yield from _notifications(run, paint)


_HELPERS = 5  # that are named


def _painted(style: str, text: str) -> str:
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if text else text


def _plain(_: str, text: str) -> str:
    return text


def _finding(finding: Finding, paint: Paint) -> Iterator[str]:
    """A finding, as a compiler says it."""
    where, about = _cut(f"{finding.path}:{finding.span}"), _cut(finding.about)
    verdict = paint(finding.kind, f"{finding.kind}[{visible(finding.rule)}]")
    yield f"{where}: {verdict} {paint('strong', about)} {paint('faint', f'({finding.confidence})')}".replace("  ", " ")
    yield from _prose("", finding.message.en, paint)
    if finding.location:
        yield from _prose("see", f"{finding.location} {finding.location.symbol or ''} of {finding.revision}", paint)
    if finding.replacement is not None:
        yield from _prose("write", finding.replacement, paint)


def _ranked(results: Sequence[Result], paint: Paint) -> Iterator[str]:
    for rank, ranked in groupby(sorted(results, key=_rank), _rank):
        for result in ranked:
            yield from _result(result, paint)
            if rank < 2:
                yield ""
        if rank == 2:
            yield ""


def _compared(run: Run, results: Sequence[Result], paint: Paint, *, is_long: bool) -> Iterator[str]:
    """The claims by what became of them, what broke first; of those that are the same, how many there are."""
    counted = Counter(became(result) for result in run.results)
    for group in Became:
        members = [result for result in results if became(result) is group]
        if not members or (group in (Became.SAME, Became.ADDED) and not is_long):
            continue
        is_wrong = group in (Became.BROKE, Became.WRONG)
        yield ""
        yield paint("fail" if is_wrong else "strong", f"{group}: {_claims(len(members))}")
        for result in members:
            if is_wrong or group in (Became.CHANGED, Became.BETTER):
                yield ""
                is_brief = group is Became.CHANGED
                yield from _result(result, paint, is_brief=is_brief)
                yield from _before(result, paint, is_brief=is_brief)
                yield from _changes(result, paint, is_long=is_long or group is Became.BROKE)
            else:
                yield _brief(result, paint)
                yield from _changes(result, paint, is_long=True) if is_long else ()
            yield from _went(result, paint, is_long=is_long)
    if run.absent:
        yield ""
        yield paint("strong", f"only in the other run: {_claims(len(run.absent))}")
        yield from (f"  {_cut(result.claim.id)}: it was {result.kind}" for result in run.absent)
    told = [f"{counted[group]} {group}" for group in Became if counted[group]]
    yield ""
    yield "; ".join([*told, *([f"{len(run.absent)} only in the other run"] if run.absent else [])])


def _before(result: Result, paint: Paint, *, is_brief: bool) -> Iterator[str]:
    """What was said before, where it was something else; and what is now, where that has not been said."""
    earlier, now = result.earlier, result.outcome
    if earlier is None:
        if result.baseline is BaselineState.NEW and not result.lost:
            yield from _prose("before", "the other run has nothing of this claim", paint)
        return
    if earlier.kind is not now.kind:
        yield from _prose("before", f"{earlier.kind}: {earlier.message.en}", paint)
    if earlier.values != now.values:
        for label, was, is_now in zip(("expected", "actual"), values(earlier), values(now), strict=True):
            if was != is_now:
                yield from _prose(label, f"{was} before{f', {is_now} now' if is_brief else ''}", paint)


def _went(result: Result, paint: Paint, *, is_long: bool) -> Iterator[str]:
    """Where the code of the citations went since the other run: what is lost, with what it may be, or all of it."""
    for went in result.relocations:
        if went is not None and went.state is AnchorState.LOST:
            yield from _prose("lost", f"{went.before}: {went.reason}", paint)
            for one in went.candidates[:3]:
                yield from _prose("perhaps", f"{one.location} {one.location.symbol or ''} ({one.why})", paint)
        elif went is not None and is_long:
            offset = "" if went.offset is None else f" {went.offset:+}"
            same = "the same syntax" if went.is_same else "changed"
            yield from _prose("went", f"{went.before} to {went.found} ({went.state}{offset}, {same})", paint)


def _changes(result: Result, paint: Paint, *, is_long: bool) -> Iterator[str]:
    """The definitions that differ; with their lines, numbered as in both revisions."""
    for change in result.changes:
        place = change.after or change.before
        gone = "" if change.after else ", which is gone"
        new = "" if change.before else ", which is new"
        yield from _prose("code", f"{place} {place.symbol or '' if place else ''}{gone}{new}", paint)
        for line in change.lines if is_long else ():
            sign = " " if (line.before is None) is (line.after is None) else "+" if line.before is None else "-"
            style = {"+": "pass", "-": "fail"}.get(sign, "faint")
            yield paint(style, _cut(f"    {line.before or '':>5} {line.after or '':>5} {sign}{line.text}".rstrip()))


def _brief(result: Result, paint: Paint) -> str:
    """A claim in a line, with how far its code moved."""
    before = result.earlier.locations[0] if result.earlier and result.earlier.locations else None
    now = result.outcome.locations[0] if result.outcome.locations else None
    moved = ""
    if before and now and before.path != now.path:
        moved = f" from {before}"
    elif before and now and before.region and now.region and before.region.start != now.region.start:
        moved = f" {now.region.start - before.region.start:+}"
    where, claim = _cut(_where(result)), _cut(result.claim.id)
    return f"  {where}{moved}: {paint(result.kind, result.kind)} {claim}"


def _notifications(run: Run, paint: Paint) -> Iterator[str]:
    for notification in run.notifications:
        kind = paint("fail", "bug") if notification.is_bug else "note"
        about = f" {_cut(notification.claim)}" if notification.claim else ""
        yield f"{kind}{about}: {_cut(notification.message)}"
    yield _counts(run)


def _rank(result: Result) -> int:
    """Where a reader looks first; the sort is stable, so claims of one rank stay in order."""
    if not result.is_as_recorded():
        return 0
    return 2 if result.kind is Kind.PASS else 1


def _result(result: Result, paint: Paint, *, is_brief: bool = False) -> Iterator[str]:
    claim, outcome = result.claim, result.outcome
    tags = [result.is_suppressed and "accepted", result.baseline != "unchanged" and result.baseline]
    told = "".join(f" ({visible(tag)})" for tag in tags if tag)
    where, verdict = _cut(_where(result)), f"{outcome.kind}[{visible(claim.rule)}]"
    yield f"{where}: {paint(outcome.kind, verdict)} {paint('strong', _cut(claim.id))}{paint('faint', told)}"
    if is_brief:
        yield from _prose("claim", claim.statement.en, paint)
        return
    if _rank(result) < 2:
        yield from _prose("", outcome.message.en, paint)
        yield from _prose("claim", claim.statement.en, paint)
        expected, actual = values(outcome)
        if expected != actual:
            if expected:
                yield from _prose("expected", expected, paint)
            if actual:
                yield from _prose("actual", actual, paint)
        for location in outcome.locations[1:]:
            said = location.note.en if location.note else location.symbol or ""
            yield from _prose("see", f"{location} {said}".rstrip(), paint)
    for found in result.citations:
        if not found.state.is_in_place:
            yield from _prose("cited", _citation(found), paint)
    if helpers := result.changed_helpers:
        more = f" and {len(helpers) - _HELPERS} more" if len(helpers) > _HELPERS else ""
        yield from _prose("rests on", f"{', '.join(helpers[:_HELPERS])}{more}, which changed", paint)
    if accepted := claim.accepted:
        stale = result.outdated
        amend = f"{stale.en.removeprefix('accepted ')}; see {claim.origin}" if stale else ""
        yield from _prose("accepted", amend or accepted.reason.en, paint)


def _where(result: Result) -> str:
    """The place to open first: the evidence, else the cited code, else the claim itself."""
    found = [found.found for found in result.citations if found.found]
    for location in (*result.outcome.locations, *found):
        return location.path if location.region is None else f"{location.path}:{location.region.start}"
    return result.claim.origin


def _citation(found: FoundCitation) -> str:
    match found.state:
        case AnchorState.LOST:
            now = "its code is nowhere"
        case AnchorState.UNAVAILABLE:
            now = "which this source does not ship"
        case AnchorState.SHIFTED if found.found:
            now = f"now {found.found.region}"
        case _:
            now = f"now {found.found}"
    offset = "" if found.offset is None else f" {found.offset:+}"
    return f"{found.citation}, {now} ({found.state}{offset})"


def _counts(run: Run) -> str:
    accepted = Counter(result.kind for result in run.results if result.is_suppressed)
    kinds = ", ".join(
        f"{count} {kind}" + (f" ({accepted[kind]} accepted)" if accepted[kind] else "")
        for kind, count in run.counts().items()
        if count
    )
    states = Counter(found.state for result in run.results for found in result.citations)
    cited = ", ".join(f"{states[state]} {state}" for state in AnchorState if states[state])
    return f"{_claims(len(run.results))}: {kinds or 'none'}" + (f"; citations: {cited}" if cited else "")


def _verdict(log: Log, paint: Paint) -> str:
    results = [result for run in log.runs for result in run.results]
    since = ""
    if any(run.baseline for run in log.runs):
        compared = (result for run in log.runs if run.baseline for result in run.results)
        worse = sum(result.baseline is BaselineState.NEW for result in compared)
        since = f"{_claims(worse) if worse else 'no claim'} came out worse; "
    wrong = sum(not result.is_as_recorded() for result in results)
    if not results:
        return paint("fail", "nothing was audited")
    if wrong:
        return paint("fail", f"{since}{wrong} of {_claims(len(results))} not as recorded")
    return paint("pass", f"{since}{_claims(len(results))}, all as recorded")


def _claims(count: int) -> str:
    return "1 claim" if count == 1 else f"{count} claims"


def _revision(revision: Revision) -> str:
    at = revision.commit[:10] if revision.commit and not revision.commit.startswith(revision.name) else ""
    return f"{revision.name}{at and ' at '}{at} ({revision.source})"


def _prose(label: str, text: str, paint: Paint) -> Iterator[str]:
    """`text` under a block's first line, wrapped beside its label."""
    indent = f"  {label:<10}" if label else "  "
    lines = textwrap.wrap(
        visible(text[: WIDTH * MOST_LINES]),
        WIDTH,
        initial_indent=" " * len(indent),
        subsequent_indent=" " * len(indent),
        max_lines=MOST_LINES,
        placeholder=" …",
    )
    for number, line in enumerate(lines):
        head = indent if number == 0 else " " * len(indent)
        yield paint("faint", head) + line[len(indent) :] if head.strip() else line


def _cut(text: str) -> str:
    """`text` on one line of bounded width."""
    return visible(text, LONGEST)
