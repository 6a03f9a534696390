"""`kvaudit-article/1`: every citation of every text, and what was found of it."""

from collections.abc import Sequence
from typing import Any

from auditor.articles import AuditedText, Cited
from auditor.findings import Finding
from auditor.formats import json_text
from auditor.model import Location, Region, Relocation

SCHEMA = "kvaudit-article/1"

Object = dict[str, Any]


def render(texts: Sequence[AuditedText], version: str) -> str:
    """The document: lines are 1-based and inclusive, paths relative to the target's repository."""
    return json_text(
        {"schema": SCHEMA, "tool": {"name": "kvaudit", "version": version}, "files": [_file(one) for one in texts]}
    )


def _file(text: AuditedText) -> Object:
    understood = [one for one in text.citations if one.is_resolved]
    own = {id(finding) for one in text.citations for finding in one.findings}
    others = [finding for finding in text.findings if id(finding) not in own]
    return {
        "path": text.path,
        "citations": [_citation(one) for one in understood],
        "notUnderstood": [_not_understood(one) for one in text.citations if not one.is_resolved],
        "findings": [_other(one) for one in others],
        "leftOut": [{"reason": reason.en, "count": count} for reason, count in text.left_out],
    }


def _citation(one: Cited) -> Object:
    mention = one.mention
    return {
        "text": mention.text,
        "line": one.line,
        "column": one.column,
        "form": mention.form,
        "target": one.target,
        "revision": one.revision,
        "path": one.path,
        "start": one.region.start if one.region else None,
        "end": one.region.end if one.region else None,
        "ranges": [_region(lines.region) for lines in mention.lines],
        "symbol": one.symbol,
        "state": one.state,
        "offset": one.offset,
        "found": _location(one.found),
        "signal": one.signal,
        "candidates": list(one.candidates),
        "findings": [
            {"rule": f.rule, "kind": f.kind, "message": f.message.en, "confidence": f.confidence} for f in one.findings
        ],
        **({"carried": _relocation(one.relocation)} if one.relocation else {}),
    }


def _other(one: Finding) -> Object:
    """What is wrong with a name that is no citation."""
    return {
        "about": one.about,
        "line": one.span.line,
        "column": one.span.column,
        "rule": one.rule,
        "kind": one.kind,
        "message": one.message.en,
        "confidence": one.confidence,
    }


def _not_understood(one: Cited) -> Object:
    reason = one.unresolved.en if one.unresolved else ""
    return {
        "text": one.mention.text,
        "line": one.line,
        "column": one.column,
        "reason": reason,
        "candidates": list(one.candidates),
    }


def _region(region: Region) -> Object:
    return {"start": region.start, "end": region.end}


def _location(location: Location | None) -> Object | None:
    if location is None:
        return None
    region = location.region
    return {
        "path": location.path,
        "start": region.start if region else None,
        "end": region.end if region else None,
        "symbol": location.symbol,
    }


def _relocation(relocation: Relocation) -> Object:
    return {
        "state": relocation.state,
        "found": _location(relocation.found),
        "offset": relocation.offset,
        "isSame": relocation.is_same,
        "reason": relocation.reason,
        "candidates": [_location(one.location) for one in relocation.candidates],
    }
