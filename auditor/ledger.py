"""The ledger: what is recorded of audited revisions, a file each. Facts only: no upstream code, clock or machine."""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, ValidationError, convert, to_builtins
from packaging.version import InvalidVersion, Version

from auditor import files
from auditor.errors import ConfigError
from auditor.json_reading import loads
from auditor.model import (
    AnchorState,
    Citation,
    Claim,
    FoundCitation,
    JsonValue,
    Kind,
    Location,
    Outcome,
    Region,
    Result,
    Revision,
    Run,
    Target,
    Text,
    without_lines,
)

SCHEMA: Final = "kvaudit-record/1"
SHORT = 10
"""Digits of a commit in the name of its record."""

_NAME = re.compile(r"[\w][\w.+!-]*")
_DIGEST = re.compile(r"#[0-9a-f]{12}")
_EXACT = 2**53  # whole numbers beyond are not the same in every reader of JSON
_WORD = r"(?:[A-Za-z_][\w.:]*|[-+]?\d[\d.]*(?:e[-+]?\d+)?|'[\w.:/+-]{0,60}')"
_FACT = re.compile(
    rf"(?:(?:metric|counter|gauge|histogram|summary) )?{_WORD}(?:, {_WORD})*"
    r"|occurs once|occurs \d+ times|does not occur|no place|(?:holds|absent) in \w+"
)
_LONGEST = 200  # characters of a fact


class _Lines(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    path: str
    start: int | None = None
    end: int | None = None
    symbol: str | None = None

    def __post_init__(self) -> None:
        if self.path.startswith("/") or ".." in self.path.split("/"):
            raise ValueError(f"{self.path!r} is no path of a repository")
        start, end = self.start, self.end
        if (start is None) is not (end is None) or (start is not None and end is not None and not 1 <= start <= end):
            raise ValueError("start and end are no lines of a file")


class _Cite(_Lines, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    state: AnchorState
    found: _Lines | None = None


class Entry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """What is recorded of a claim. `written` is a digest of the claim's own text, by which a change of it is known."""

    claim: str
    rule: str
    written: str
    kind: Kind
    fingerprint: str = ""
    expected: JsonValue = None
    actual: JsonValue = None
    citations: tuple[_Cite, ...] = ()
    locations: tuple[_Lines, ...] = ()


class Audited(Struct, frozen=True, forbid_unknown_fields=True):
    """The revision. `date` is when a commit was made, in UTC; None for a release."""

    source: str
    name: str
    commit: str | None
    date: str | None


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """One audited revision; `claims` are sorted by their ids."""

    schema: Literal["kvaudit-record/1"]
    pack: str
    target: str
    revision: Audited
    claims: tuple[Entry, ...]

    def __post_init__(self) -> None:
        ids = [entry.claim for entry in self.claims]
        if ids != sorted(set(ids)):
            wrong = next((one for one, after in pairwise(ids) if one >= after), "")
            raise ValueError(f"the claims are not each there once, sorted by their ids: see {wrong}")
        for name in (self.pack, self.target, self.revision.name):
            if not _NAME.fullmatch(name):
                raise ValueError(f"{name!r} cannot be the name of a file")
        if self.revision.commit is not None and not self.revision.commit.startswith(self.revision.name):
            raise ValueError(f"{self.revision.name} is not the beginning of its commit")


def recorded(pack: str, run: Run, written: Mapping[str, str], date: str | None = None) -> Record:
    """The record of a run; `written` are the texts of its claims. Raises ConfigError."""
    revision = run.revision
    name = revision.commit[:SHORT] if revision.commit else revision.name
    entries = (_entry(result, written[result.claim.id]) for result in run.results)
    try:
        return Record(
            SCHEMA,
            pack,
            run.target.name,
            Audited(revision.source, name, revision.commit, date),
            tuple(sorted(entries, key=lambda entry: entry.claim)),
        )
    except ValueError as error:
        raise ConfigError(f"{run.target.name} {revision.name} cannot be recorded: {error}") from error


def digest(written: str) -> str:
    """What a record holds of a claim's text."""
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def run_of(record: Record, target: Target, claims: Mapping[str, Claim]) -> Run:
    """The run that was recorded, without what is not recorded: messages and code. It has no claims but these."""
    revision = Revision(record.revision.source, record.revision.name, record.revision.commit)
    results = (_result(entry, _recorded(claims[entry.claim])) for entry in record.claims if entry.claim in claims)
    return Run(target, revision, tuple(results))


def _recorded(claim: Claim) -> Claim:
    """The claim with what was accepted as it is recorded of a value."""
    accepted = claim.accepted
    if accepted is None or accepted.found is None:
        return claim
    return replace(claim, accepted=replace(accepted, found=str(fact(accepted.found))))


def facts(run: Run) -> Run:
    """The run with values as they are recorded, to be compared with a record."""
    return replace(run, results=tuple(replace(one, outcome=_without_lines(one.outcome)) for one in run.results))


def _without_lines(outcome: Outcome) -> Outcome:
    """Lines are no part of what is recorded of a value."""
    expected, actual = (fact(without_lines(value)) for value in (outcome.expected, outcome.actual))
    return replace(outcome, expected=expected, actual=actual)


def outdated(record: Record, written: Mapping[str, str]) -> list[str]:
    """The claims that are new since a record was written, or whose text was another."""
    known = {entry.claim: entry.written for entry in record.claims}
    return [claim for claim in sorted(written) if known.get(claim) != digest(written[claim])]


def text(record: Record) -> str:
    """A record as it is written: keys sorted, a line for each claim."""
    document = to_builtins(record)
    lines = [_json(entry) for entry in document.pop("claims")]
    body = ",\n".join(lines)
    head = ",\n".join(f"{_json(key)}: {_json(document[key])}" for key in sorted(document))
    return f'{{"claims": [\n{body}\n],\n{head}}}\n'


def place(folder: Path, record: Record) -> Path:
    """Where a record is in a ledger."""
    return folder / record.pack / record.target / f"{record.revision.name}.json"


def write(folder: Path, record: Record) -> Path:
    """Put a record into a ledger. Raises ConfigError."""
    path = place(folder, record)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.replace(path, text(record).encode())
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from error
    return path


def read(path: Path) -> Record:
    """Raises ConfigError naming the file and the first thing that is wrong."""
    try:
        found = convert(loads(files.read(path).decode()), Record)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (ValidationError, ValueError, RecursionError) as error:
        why = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in str(error))
        what = f"{path} is no record of the form {SCHEMA}: {why}"
        raise ConfigError(f"{what}; write it anew with `kvaudit record`") from error
    if path.parts[-3:] != place(Path(), found).parts:
        is_of = f"{found.pack}/{found.target}/{found.revision.name}"
        raise ConfigError(f"{path} is the record of {is_of}; a record lies where it says")
    return found


def packs(folder: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The packs of a ledger, and the targets of each."""
    found: dict[str, set[str]] = {}
    for path in folder.glob("*/*/*.json"):
        found.setdefault(path.parts[-3], set()).add(path.parts[-2])
    yield from ((pack, tuple(sorted(found[pack]))) for pack in sorted(found))


def records(folder: Path, pack: str, target: str) -> tuple[Record, ...]:
    """What a ledger holds of a target: releases, oldest first, then commits, oldest first. Raises ConfigError."""
    found = (read(path) for path in sorted((folder / pack / target).glob("*.json")))
    return tuple(sorted(found, key=_age))


def _age(record: Record) -> tuple[bool, Version, str, str]:
    revision = record.revision
    try:
        version = Version("0" if revision.commit else revision.name)
    except InvalidVersion:
        raise ConfigError(f"the record {record.target}/{revision.name} is of no version and of no commit") from None
    return revision.commit is not None, version, revision.date or "", revision.name


def fact(value: JsonValue) -> JsonValue:
    """A value where it is a number, a name or the like; of what may be code or prose of others, a digest."""
    if isinstance(value, str):
        is_fact = len(value) <= _LONGEST and _FACT.fullmatch(value)
        return value if is_fact or _DIGEST.fullmatch(value) else f"#{digest(value)}"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and abs(value) > _EXACT:
        return f"#{digest(hex(value))}"
    return value


def _entry(result: Result, written: str) -> Entry:
    outcome = _without_lines(result.outcome)
    return Entry(
        claim=result.claim.id,
        rule=result.claim.rule,
        written=digest(written),
        kind=outcome.kind,
        fingerprint=outcome.fingerprint,
        expected=outcome.expected,
        actual=outcome.actual,
        citations=tuple(_cite(found) for found in result.citations),
        locations=tuple(_lines(location) for location in outcome.locations),
    )


def _cite(found: FoundCitation) -> _Cite:
    region = found.citation.region
    return _Cite(
        path=found.citation.path,
        start=region.start if region else None,
        end=region.end if region else None,
        state=found.state,
        found=None if found.found is None else _lines(found.found),
    )


def _lines(location: Location) -> _Lines:
    region = location.region
    return _Lines(location.path, region.start if region else None, region.end if region else None, location.symbol)


def _result(entry: Entry, claim: Claim) -> Result:
    locations = tuple(_location(lines) for lines in entry.locations)
    outcome = Outcome(entry.kind, Text("", ""), entry.expected, entry.actual, locations, entry.fingerprint)
    return Result(claim, outcome, tuple(_found_citation(cite) for cite in entry.citations))


def _found_citation(cite: _Cite) -> FoundCitation:
    region = _region(cite)
    found = None if cite.found is None else _location(cite.found)
    is_shifted = cite.state is AnchorState.SHIFTED and region and found and found.region
    offset = found.region.start - region.start if is_shifted and region and found and found.region else None
    return FoundCitation(Citation(cite.path, region), cite.state, offset, found)


def _location(lines: _Lines) -> Location:
    return Location(lines.path, _region(lines), lines.symbol)


def _region(lines: _Lines) -> Region | None:
    return None if lines.start is None or lines.end is None else Region(lines.start, lines.end)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, allow_nan=False)
