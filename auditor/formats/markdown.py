"""Markdown, for the summary of a job."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.findings import Finding, FindingLog
from auditor.findings import urgency as rank
from auditor.formats import (
    LEAST_URGENT,
    FindingFormat,
    answer,
    counted,
    is_crash,
    reason,
    revision,
    urgency,
    values,
    visible,
)
from auditor.model import BaselineState, Kind, Log, Result, Run

MOST = 1_000_000
"""Bytes. GitHub refuses a summary of more than 1 MiB."""
LONGEST = 500
"""Characters of one sentence."""


class Markdown(FindingFormat):
    """Markdown for the summary of a job: the answer, what needs a person, the counts, and the rest folded away."""

    suffix = "md"

    def render(self, log: Log, *, color: bool = False) -> str:  # noqa: ARG002
        rows: dict[int, list[Sequence[str]]] = {rank: [] for rank in range(LEAST_URGENT + 1)}
        for run in log.runs:
            for result in self.results(run):
                rows[urgency(run, result)].append(_cells(run, result))
        columns = ("claim", "kind", "why", "code")
        blocks = (
            Block("Needs a person", columns, rows[0]),
            Block("Holds with a qualification", columns, rows[1]),
            Block("Could not be decided", columns, rows[2]),
            Block("By target", ("target", *Kind, "citations in place"), [_counts(run) for run in log.runs]),
            Block("Accepted", columns, rows[3], is_folded=True),
            Block("Holds, or does not apply", columns, rows[4], is_folded=True),
            Block("Notes on the audit", ("claim", "note"), list(_notes(log)), is_folded=True),
        )
        return _fitted(_answer(log), [block for block in blocks if block.rows])

    def render_findings(self, log: FindingLog, *, color: bool = False) -> str:  # noqa: ARG002
        ranked = sorted(log.findings, key=rank)
        columns = ("where", "what", "why", "code")
        blocks = (
            Block("To mend", columns, [_of_finding(one) for one in ranked if one.is_failure]),
            Block("Needs a look", columns, [_of_finding(one) for one in ranked if not one.is_failure]),
            Block("Notes", ("about", "note"), [(_code(n.claim or ""), _text(n.message)) for n in log.notifications]),
        )
        head = f"## {_text(log.title.en)}\n\n**{_text(answer(log))}**\n"
        told = (counted(log), ", ".join(log.revisions))
        head += "".join(f"\n{_text(line)}\n" for line in told if line)
        return _fitted(head, [block for block in blocks if block.rows])


def _of_finding(finding: Finding) -> tuple[str, ...]:
    why = [_text(finding.message.en)]
    if finding.replacement is not None:
        why.append(f"write {_code(finding.replacement)}")
    what = f"{_text(finding.rule)} ({finding.confidence})"
    return (
        _code(f"{finding.path}:{finding.span.line}"),
        f"{_code(finding.about)}<br>{what}" if finding.about else what,
        "<br>".join(why),
        _code(str(finding.location)) if finding.location else "",
    )


@dataclass(frozen=True, slots=True)
class Block:
    """A table under its heading."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    is_folded: bool = False

    def head(self) -> str:
        title = f"{self.title} ({len(self.rows):,})"
        opening = f"<details><summary>{title}</summary>" if self.is_folded else f"### {title}"
        return f"\n{opening}\n\n{_row(self.columns)}{_row(['---'] * len(self.columns))}"

    def foot(self, left_out: int) -> str:
        more = f"\n{left_out:,} more do not fit here; the JSON report has them.\n" if left_out else ""
        return more + ("\n</details>\n" if self.is_folded else "")


def _fitted(answer: str, blocks: Sequence[Block]) -> str:
    """As much as there is room for; what comes first is worth most."""
    room = MOST - _size(answer) - sum(_size(block.head() + block.foot(len(block.rows))) for block in blocks)
    text = [answer]
    for block in blocks:
        rows: list[str] = []
        for row in map(_row, block.rows):
            room -= _size(row)
            if room < 0:
                break
            rows.append(row)
        text += [block.head(), *rows, block.foot(len(block.rows) - len(rows))]
    return "".join(text)


def _answer(log: Log) -> str:
    results = [result for run in log.runs for result in run.results]
    wrong = sum(not result.is_as_recorded() for result in results)
    claims = "1 claim" if len(results) == 1 else f"{len(results):,} claims"
    told = f"{wrong:,} of {claims} not as recorded" if wrong else f"{claims}, all as recorded"
    answer = f"## {_text(log.title.en)}\n\n**{told if results else 'nothing was audited'}**\n"
    return answer + "".join(f"\n{line}\n" for line in _since(log))


def _since(log: Log) -> Iterator[str]:
    """What became of the claims of each target since the run that it is compared with."""
    for run in log.runs:
        if run.baseline:
            states = Counter(result.baseline for result in (*run.results, *run.absent))
            told = ", ".join(f"{states[state]} {state}" for state in BaselineState if states[state])
            yield f"{_text(run.target.name)} since {_text(run.baseline.name)}: {told or 'nothing to compare'}"


def _cells(run: Run, result: Result) -> tuple[str, ...]:
    claim = result.claim
    expected, actual = values(result.outcome)
    why = [_text(reason(result))]
    if expected != actual:
        why.append(f"expected {_code(expected)}" + (f", found {_code(actual)}" if actual else ""))
    if claim.accepted:
        why.append(f"accepted as {claim.accepted.kind}: {_text(claim.accepted.reason.en)}")
    kind = "bug in kvaudit" if is_crash(run, result) else result.kind
    places = [_code(str(place)) for place in result.outcome.locations[:3]]
    return (
        f"{_code(claim.id)}<br>{_text(claim.statement.en)}",
        f"{kind}, {result.baseline}" if result.baseline else kind,
        "<br>".join(why),
        "<br>".join(places or [_code(claim.origin)]),
    )


def _counts(run: Run) -> tuple[str, ...]:
    states = [found.state for result in run.results for found in result.citations]
    in_place = sum(state.is_in_place for state in states)
    counts = run.counts()
    return (_text(revision(run)), *(str(counts[kind]) for kind in Kind), f"{in_place} of {len(states)}")


def _notes(log: Log) -> Iterator[tuple[str, str]]:
    for run in log.runs:
        for note in run.notifications:
            yield (
                _code(note.claim or run.target.name),
                _text(("bug in kvaudit: " if note.is_bug else "") + note.message),
            )


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    """Text that is nothing but text, in a table, in HTML and anywhere else: entities are never markup."""
    return visible(text, LONGEST).translate(_ENTITIES)


_ENTITIES = str.maketrans({mark: f"&#{ord(mark)};" for mark in "!#$&*+:<>?@[\\]^_`{|}~"})


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
