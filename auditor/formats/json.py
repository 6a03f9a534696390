"""The lossless form of a log, and the way back."""

import json
import math
import re
from typing import Final, Literal

from msgspec import Struct, ValidationError, convert, to_builtins

from auditor.errors import ConfigError
from auditor.formats import Format
from auditor.model import (
    Acceptance,
    Anchor,
    AnchorState,
    BaselineState,
    Change,
    Citation,
    Claim,
    DiffLine,
    Excerpt,
    FoundCitation,
    Interval,
    JsonValue,
    Kind,
    Location,
    Log,
    Notification,
    Outcome,
    Region,
    Result,
    Revision,
    Run,
    Target,
    Text,
)

SCHEMA: Final = "kvaudit/1"


class Json(Format):
    """Everything an audit found, for programs: lossless, versioned (`kvaudit/1`) and reproducible.

    Lines are 1-based and inclusive, and null for a whole file. `kvaudit report` and `--baseline` read it back.
    """

    def render(self, log: "Log", *, color: bool = False) -> str:  # noqa: ARG002
        text = json.dumps(to_builtins(_log_entry(log)), ensure_ascii=False, indent=1, allow_nan=False)
        return _DECEPTIVE.sub(lambda match: json.dumps(match[0])[1:-1], text) + "\n"


def read(text: str) -> Log:
    """The log that `text` was rendered from. Raises ConfigError naming the first thing that is wrong."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(str(error)) from error
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema != SCHEMA:
        raise _unreadable(f"schema is {ascii(schema)[:40]}, not '{SCHEMA}'")
    try:
        return _log(convert(document, LogEntry))
    except ValidationError as error:
        raise _unreadable(str(error)) from error


# What a terminal or an editor would obey or hide, and what UTF-8 cannot say: written as an escape. A fixed set, and not
# whatever this Python's Unicode tables hold, so that every Python writes the same bytes.
_DECEPTIVE = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def _unreadable(why: str) -> ConfigError:
    line = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in why)
    return ConfigError(f"not a saved run of kvaudit: {line}; write one with `kvaudit verify --format json`")


class Lines(Struct):
    """A path and lines of it."""

    path: str
    start: int | None
    end: int | None

    def __post_init__(self) -> None:
        if (self.start is None) is not (self.end is None):
            raise ValueError("start and end must be both a line or both null")

    @property
    def region(self) -> Region | None:
        return None if self.start is None or self.end is None else Region(self.start, self.end)


class Place(Lines):
    symbol: str | None
    note: str | None = None


class Cite(Lines):
    anchor: Anchor | None = None


class CitationEntry(Lines):
    state: AnchorState
    offset: int | None
    found: Place | None
    anchor: Anchor | None = None


class OutcomeEntry(Struct):
    kind: Kind
    message: str
    expected: JsonValue
    actual: JsonValue
    locations: list[Place]
    fingerprint: str


class ChangeEntry(Struct):
    before: Place | None
    after: Place | None
    lines: list[DiffLine]


class ResultEntry(Struct):
    claim: str
    rule: str
    kind: Kind
    message: str
    expected: JsonValue
    actual: JsonValue
    citations: list[CitationEntry]
    locations: list[Place]
    fingerprint: str
    accepted: str | None
    baseline: BaselineState | None
    statement: Text
    origin: str
    acceptance: Acceptance | None = None
    """`accepted` in both languages, and the kind that is accepted."""
    cites: list[Cite] | None = None
    """The claim's citations where they are not the ones in `citations`."""
    excerpts: list[Excerpt] = []
    earlier: OutcomeEntry | None = None
    changes: list[ChangeEntry] = []
    timeline: list[Interval[str]] = []


class RunEntry(Struct):
    target: str
    revision: Revision
    results: list[ResultEntry]
    notifications: list[Notification]
    target_details: Target
    baseline: Revision | None = None
    absent: list[ResultEntry] = []


class Tool(Struct):
    name: str
    version: str


class LogEntry(Struct):
    schema: Literal["kvaudit/1"]
    pack: str
    tool: Tool
    runs: list[RunEntry]
    title: Text


def _log_entry(log: Log) -> LogEntry:
    runs = [
        RunEntry(
            run.target.name,
            run.revision,
            [_result_entry(result) for result in run.results],
            list(run.notifications),
            run.target,
            run.baseline,
            [_result_entry(result) for result in run.absent],
        )
        for run in log.runs
    ]
    return LogEntry(SCHEMA, log.pack, Tool("kvaudit", log.version), runs, log.title)


def _result_entry(result: Result) -> ResultEntry:
    claim, outcome = result.claim, result.outcome
    located = tuple(found.citation for found in result.citations)
    return ResultEntry(
        claim=claim.id,
        rule=claim.rule,
        kind=outcome.kind,
        message=outcome.message,
        expected=_sayable(outcome.expected),
        actual=_sayable(outcome.actual),
        citations=[
            CitationEntry(
                *_lines(found.citation),
                found.state,
                found.offset,
                None if found.found is None else _place(found.found),
                found.citation.anchor,
            )
            for found in result.citations
        ],
        locations=[_place(location) for location in outcome.locations],
        fingerprint=outcome.fingerprint,
        accepted=None if claim.accepted is None else claim.accepted.reason.en,
        baseline=result.baseline,
        statement=claim.statement,
        origin=claim.origin,
        acceptance=claim.accepted,
        cites=None if located == claim.citations else [Cite(*_lines(cite), cite.anchor) for cite in claim.citations],
        excerpts=list(result.excerpts),
        earlier=None if result.earlier is None else _outcome_entry(result.earlier),
        changes=[
            ChangeEntry(
                None if change.before is None else _place(change.before),
                None if change.after is None else _place(change.after),
                list(change.lines),
            )
            for change in result.changes
        ],
        timeline=list(result.timeline),
    )


def _outcome_entry(outcome: Outcome) -> OutcomeEntry:
    return OutcomeEntry(
        outcome.kind,
        outcome.message,
        _sayable(outcome.expected),
        _sayable(outcome.actual),
        [_place(location) for location in outcome.locations],
        outcome.fingerprint,
    )


def _lines(place: Location | Citation) -> tuple[str, int | None, int | None]:
    return (place.path, *((place.region.start, place.region.end) if place.region else (None, None)))


def _place(location: Location) -> Place:
    return Place(*_lines(location), location.symbol, location.note)


def _sayable(value: JsonValue) -> JsonValue:
    """`value`, or a word for a float that JSON has no number for."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _log(entry: LogEntry) -> Log:
    runs = tuple(
        Run(
            run.target_details,
            run.revision,
            tuple(map(_result, run.results)),
            tuple(run.notifications),
            run.baseline,
            tuple(map(_result, run.absent)),
        )
        for run in entry.runs
    )
    return Log(entry.pack, entry.title, entry.tool.version, runs)


def _result(entry: ResultEntry) -> Result:
    citations = tuple(
        FoundCitation(
            Citation(cite.path, cite.region, cite.anchor),
            cite.state,
            cite.offset,
            None if cite.found is None else _location(cite.found),
        )
        for cite in entry.citations
    )
    cited = (
        tuple(found.citation for found in citations)
        if entry.cites is None
        else tuple(Citation(cite.path, cite.region, cite.anchor) for cite in entry.cites)
    )
    claim = Claim(entry.claim, entry.statement, entry.origin, entry.rule, cited, entry.acceptance)
    return Result(
        claim,
        _outcome(entry),
        citations,
        tuple(entry.excerpts),
        entry.baseline,
        None if entry.earlier is None else _outcome(entry.earlier),
        tuple(
            Change(
                None if change.before is None else _location(change.before),
                None if change.after is None else _location(change.after),
                tuple(change.lines),
            )
            for change in entry.changes
        ),
        tuple(entry.timeline),
    )


def _outcome(entry: ResultEntry | OutcomeEntry) -> Outcome:
    return Outcome(
        entry.kind,
        entry.message,
        entry.expected,
        entry.actual,
        tuple(map(_location, entry.locations)),
        entry.fingerprint,
    )


def _location(place: Place) -> Location:
    return Location(place.path, place.region, place.symbol, place.note)
