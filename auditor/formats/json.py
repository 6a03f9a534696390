"""The lossless form of a log, and the way back."""

import math
from itertools import repeat
from typing import Any

import msgspec.json
from msgspec import ValidationError, convert, to_builtins

from auditor.errors import ConfigError
from auditor.formats import Format, json_text
from auditor.formats.runs.entries import (
    SCHEMA,
    CandidateEntry,
    ChangeEntry,
    CitationEntry,
    Cite,
    LogEntry,
    OutcomeEntry,
    Place,
    RelocationEntry,
    ResultEntry,
    RunEntry,
    Tool,
)
from auditor.json_reading import loads
from auditor.model import (
    Candidate,
    Change,
    Citation,
    Claim,
    FoundCitation,
    JsonValue,
    Location,
    Log,
    Outcome,
    Relocation,
    Result,
    Run,
    Text,
)
from auditor.model import Place as CitedPlace


class Json(Format):
    """Everything an audit found, for programs: lossless, versioned (`kvaudit/1`) and reproducible.

    Lines are 1-based and inclusive, and null for a whole file. `kvaudit report` and `--baseline` read it back.
    """

    def render(self, log: "Log", *, color: bool = False) -> str:  # noqa: ARG002
        return json_text(to_builtins(_log_entry(log)))


def read(text: str) -> Log:
    """The log that `text` was rendered from. Raises ConfigError naming the first thing that is wrong."""
    try:
        document = loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(str(error)) from error
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema != SCHEMA:
        raise _unreadable(f"schema is {ascii(schema)[:40]}, not '{SCHEMA}'")
    try:
        return _log(convert(document, LogEntry))
    except (ValidationError, UnicodeError) as error:  # half of a character where a word is due
        raise _unreadable(str(error)) from error


def _unreadable(why: str) -> ConfigError:
    line = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in why)
    return ConfigError(f"not a saved run of kvaudit: {line}; write one with `kvaudit verify --format json`")


def schema() -> dict[str, Any]:
    """The JSON Schema of a saved run. More names may come; those that it has stay."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:{SCHEMA.replace('/', ':')}"}
    return {**dialect, "title": "A saved run of kvaudit", **msgspec.json.schema(LogEntry)}


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
    return LogEntry(SCHEMA, log.pack, Tool("kvaudit", log.version), runs, log.title, list(log.rules))


def _result_entry(result: Result) -> ResultEntry:
    claim, outcome = result.claim, result.outcome
    located = tuple(found.citation for found in result.citations)
    return ResultEntry(
        claim=claim.id,
        rule=claim.rule,
        kind=outcome.kind,
        message=outcome.message.en,
        expected=_sayable(outcome.expected),
        actual=_sayable(outcome.actual),
        citations=[
            CitationEntry(
                *_lines(found.citation),
                found.state,
                found.offset,
                _optional(found.found),
                found.citation.anchor,
                None if went is None else _relocation_entry(went),
            )
            for found, went in zip(result.citations, result.relocations or repeat(None), strict=False)
        ],
        locations=[_place(location) for location in outcome.locations],
        fingerprint=outcome.fingerprint,
        accepted=None if claim.accepted is None else claim.accepted.reason.en,
        baseline=result.baseline,
        statement=claim.statement,
        origin=claim.origin,
        message_zh=outcome.message.zh,
        acceptance=claim.accepted,
        cites=None if located == claim.citations else [Cite(*_lines(cite), cite.anchor) for cite in claim.citations],
        section=claim.section,
        first=claim.first,
        last=claim.last,
        helpers=dict(outcome.helpers),
        excerpts=list(result.excerpts),
        earlier=None if result.earlier is None else _outcome_entry(result.earlier),
        changes=[
            ChangeEntry(_optional(change.before), _optional(change.after), list(change.lines))
            for change in result.changes
        ],
        timeline=list(result.timeline),
    )


def _relocation_entry(went: Relocation) -> RelocationEntry:
    before, found = _place(went.before), _optional(went.found)
    candidates = [CandidateEntry(_place(one.location), one.score, one.why) for one in went.candidates]
    told = (went.is_same, candidates, list(went.searched), went.reason, went.text)
    return RelocationEntry(before, went.place.value, went.state, found, went.offset, *told)


def _outcome_entry(outcome: Outcome) -> OutcomeEntry:
    return OutcomeEntry(
        outcome.kind,
        outcome.message.en,
        _sayable(outcome.expected),
        _sayable(outcome.actual),
        [_place(location) for location in outcome.locations],
        outcome.fingerprint,
        outcome.message.zh,
        dict(outcome.helpers),
    )


def _lines(place: Location | Citation) -> tuple[str, int | None, int | None]:
    return (place.path, *((place.region.start, place.region.end) if place.region else (None, None)))


def _place(location: Location) -> Place:
    note = location.note
    return Place(*_lines(location), location.symbol, note.en if note else None, note.zh if note else None)


def _optional(location: Location | None) -> Place | None:
    return None if location is None else _place(location)


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
    return Log(entry.pack, entry.title, entry.tool.version, runs, tuple(entry.rules))


def _result(entry: ResultEntry) -> Result:
    citations = tuple(
        FoundCitation(
            Citation(cite.path, cite.region, cite.anchor),
            cite.state,
            cite.offset,
            _optional_location(cite.found),
        )
        for cite in entry.citations
    )
    cited = (
        tuple(found.citation for found in citations)
        if entry.cites is None
        else tuple(Citation(cite.path, cite.region, cite.anchor) for cite in entry.cites)
    )
    is_relocated = any(cite.since for cite in entry.citations)
    spoken = entry.section, entry.first, entry.last
    claim = Claim(entry.claim, entry.statement, entry.origin, entry.rule, cited, entry.acceptance, *spoken)
    return Result(
        claim,
        _outcome(entry),
        citations,
        tuple(entry.excerpts),
        entry.baseline,
        None if entry.earlier is None else _outcome(entry.earlier),
        tuple(
            Change(_optional_location(change.before), _optional_location(change.after), tuple(change.lines))
            for change in entry.changes
        ),
        tuple(entry.timeline),
        tuple(_relocation(cite.since) if cite.since else None for cite in entry.citations if is_relocated),
    )


def _relocation(entry: RelocationEntry) -> Relocation:
    before, found = _location(entry.before), _optional_location(entry.found)
    candidates = tuple(Candidate(_location(one.location), one.score, one.why) for one in entry.candidates)
    told = (entry.is_same, candidates, tuple(entry.searched), entry.reason, entry.text)
    return Relocation(before, CitedPlace(entry.place), entry.state, found, entry.offset, *told)


def _outcome(entry: ResultEntry | OutcomeEntry) -> Outcome:
    return Outcome(
        entry.kind,
        _text(entry.message, entry.message_zh),
        entry.expected,
        entry.actual,
        tuple(map(_location, entry.locations)),
        entry.fingerprint,
        tuple(entry.helpers.items()),
    )


def _location(place: Place) -> Location:
    note = None if place.note is None else _text(place.note, place.note_zh)
    return Location(place.path, place.region, place.symbol, note)


def _optional_location(place: Place | None) -> Location | None:
    return None if place is None else _location(place)


def _text(en: str, zh: str | None) -> Text:
    return Text(en, en if zh is None else zh)
