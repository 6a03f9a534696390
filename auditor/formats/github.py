"""Annotations of a GitHub workflow."""

from collections import Counter
from collections.abc import Iterator, Sequence

from auditor.findings import Finding, FindingLog
from auditor.findings import urgency as rank
from auditor.formats import FindingFormat, answer, is_crash, origin, reason, revision, urgency, visible
from auditor.model import Kind, Log, Result, Run

MOST = 10
"""Annotations that GitHub shows of one step and level; it drops the others without a word."""
LONGEST = 1_000
"""Characters of one sentence."""

_LEVELS = {Kind.REVIEW: "warning", Kind.OPEN: "notice"}


class Github(FindingFormat):
    """Annotations of a GitHub workflow: the ten worst, then one line that says how many more.

    Each is at its claim, in the pack, since that is what the repository holds and what can be mended; the message names
    the code. What is accepted, holds or does not apply has none.
    """

    def render(self, log: Log, *, color: bool = False) -> str:  # noqa: ARG002
        found = [(run, result) for run in log.runs for result in run.results if urgency(run, result) < 3]
        found.sort(key=lambda one: urgency(*one))
        lines = [_annotation(run, result) for run, result in found[:MOST]]
        return "".join(f"{line}\n" for line in (*lines, *_last(log, found)))

    def render_findings(self, log: FindingLog, *, color: bool = False) -> str:  # noqa: ARG002
        ranked = sorted(log.findings, key=rank)
        lines = [*map(_of_finding, ranked[:MOST]), *_last_of_findings(log, ranked)]
        return "".join(f"{line}\n" for line in lines)


def _of_finding(finding: Finding) -> str:
    span = finding.span
    at = {"file": finding.path, "line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:
        at |= {"col": str(span.column), "endColumn": str(span.end_column)}
    at["title"] = f"{finding.rule}: {finding.about}" if finding.about else finding.rule
    sentences = [finding.message.en]
    if finding.location:
        sentences.append(f"Code: {finding.location} of {finding.revision}")
    if finding.replacement is not None:
        sentences.append(f"Write: {finding.replacement}")
    return _command(_level(finding), at, "\n".join(visible(sentence, LONGEST) for sentence in sentences))


def _level(finding: Finding) -> str:
    if finding.is_failure:
        return "error"
    return "notice" if finding.kind is Kind.OPEN else "warning"


def _last_of_findings(log: FindingLog, ranked: Sequence[Finding]) -> Iterator[str]:
    if not log.files:
        yield _command("error", {"title": "kvaudit"}, "no file was read")
    elif not ranked:
        yield _command("notice", {"title": "kvaudit"}, answer(log))
    elif more := ranked[MOST:]:
        level = "notice" if _level(ranked[MOST - 1]) != "notice" else "warning"
        yield _command(level, {"title": "kvaudit"}, f"{len(more)} more need a look")


def _annotation(run: Run, result: Result) -> str:
    stated = origin(result)
    at = {
        **({"file": stated.path} if stated.path else {}),
        **({"line": str(stated.region.start), "endLine": str(stated.region.end)} if stated.region else {}),
        "title": f"{result.claim.id}: {'bug in kvaudit' if is_crash(run, result) else result.kind}",
    }
    level = "error" if urgency(run, result) == 0 else _LEVELS[result.kind]
    places = result.outcome.locations[:1]
    sentences = (
        reason(result),
        f"Claim: {result.claim.statement.en}",
        *(f"Code: {place} of {revision(run)}" for place in places),
    )
    return _command(level, at, "\n".join(visible(sentence, LONGEST) for sentence in sentences))


def _last(log: Log, found: Sequence[tuple[Run, Result]]) -> Iterator[str]:
    """What the annotations do not say."""
    count = sum(len(run.results) for run in log.runs)
    if not count:
        yield _command("error", {"title": "kvaudit"}, "nothing was audited")
    elif not found:
        yield _command("notice", {"title": "kvaudit"}, f"{count} claims, all as recorded")
    elif more := Counter(result.kind for _, result in found[MOST:]):
        kinds = ", ".join(f"{more[kind]} {kind}" for kind in Kind if more[kind])
        # Of a level that is not used up.
        level = "notice" if urgency(*found[MOST - 1]) < 2 else "warning"
        yield _command(level, {"title": "kvaudit"}, f"{more.total()} more need a look: {kinds}")


def _command(level: str, properties: dict[str, str], message: str) -> str:
    """A workflow command. What it may not hold is escaped as the runner reads it."""
    shown = ",".join(f"{name}={_escaped(visible(text, LONGEST), ':,')}" for name, text in properties.items())
    return f"::{level} {shown}::{_escaped(message)}"


def _escaped(text: str, also: str = "") -> str:
    return "".join(f"%{ord(char):02X}" if char in f"%\r\n{also}" else char for char in text)
