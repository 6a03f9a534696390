"""`kvaudit-metrics/1`, `kvaudit-options/1` and `kvaudit-upgrade/1`: names that do not change."""

from collections.abc import Sequence
from typing import Any

from auditor.catalogues import Catalogue, Change, Comparison, Effective, Metric, Option, Place, Unresolved
from auditor.findings import Finding
from auditor.formats import json_text
from auditor.model import Revision
from auditor.usages import Used

METRICS, OPTIONS, UPGRADE = "kvaudit-metrics/1", "kvaudit-options/1", "kvaudit-upgrade/1"
Object = dict[str, Any]


def metrics(runs: Sequence[Catalogue], comparisons: Sequence[Comparison], used: Sequence[Used], version: str) -> str:
    """The metrics of each revision, what changed since another, and what files use."""
    return json_text(
        {
            **_head(METRICS, version),
            "runs": [
                {
                    **_run(run),
                    "complete": not run.unresolved_metrics,
                    "metrics": [_metric(one) for one in run.metrics],
                    "unresolved": [_unresolved(one) for one in run.unresolved_metrics],
                    "changes": _changes(run, comparisons),
                }
                for run in runs
            ],
            "used": [_used(one) for one in used],
        }
    )


def options(runs: Sequence[Catalogue], comparisons: Sequence[Comparison], used: Sequence[Used], version: str) -> str:
    """The options of each revision, what changed since another, and what files say of them."""
    return json_text(
        {
            **_head(OPTIONS, version),
            "runs": [
                {
                    **_run(run),
                    "complete": not run.unresolved_options,
                    "options": [_option(one) for one in run.options],
                    "unresolved": [_unresolved(one) for one in run.unresolved_options],
                    "changes": _changes(run, comparisons),
                }
                for run in runs
            ],
            "used": [_used(one) for one in used],
        }
    )


def upgrade(comparisons: Sequence[Comparison], findings: Sequence[Finding], claims: Object | None, version: str) -> str:
    """What an upgrade changes: for a person's files first, then everything."""
    return json_text(
        {
            **_head(UPGRADE, version),
            "breaks": [
                {
                    "file": one.path,
                    "line": one.span.line,
                    "kind": one.kind,
                    "confidence": one.confidence,
                    "rule": one.rule,
                    "name": one.about,
                    "now": one.replacement,
                    "message": one.message.en,
                }
                for one in findings
            ],
            "targets": [
                {
                    "target": one.target,
                    "from": _revision(one.old),
                    "to": _revision(one.new),
                    "changes": [_change(change) for change in one.changes],
                }
                for one in comparisons
            ],
            "claims": claims,
        }
    )


def _head(schema: str, version: str) -> Object:
    return {"schema": schema, "tool": {"name": "kvaudit", "version": version}}


def _run(run: Catalogue) -> Object:
    return {"target": run.target, "revision": _revision(run.revision)}


def _revision(revision: Revision) -> Object:
    return {"source": revision.source, "name": revision.name, "commit": revision.commit}


def _metric(one: Metric) -> Object:
    return {
        "name": one.name,
        "family": one.family,
        "samples": list(one.samples),
        "type": one.type,
        "unit": one.unit,
        "labels": list(one.labels),
        "labelsComplete": one.are_labels_known,
        "help": one.help,
        "when": one.when,
        "multiprocessMode": one.mode,
        **_place(one.place),
    }


def _option(one: Option) -> Object:
    return {
        "kind": one.kind,
        "flags": list(one.flags),
        "field": one.field,
        "default": one.default,
        "isStatic": one.is_static,
        "required": one.is_required,
        "type": one.type,
        "choices": None if one.choices is None else list(one.choices),
        "help": one.help,
        "state": "deprecated" if one.is_deprecated else "present",
        "instead": one.instead,
        "when": one.when,
        "effective": [_effective(value) for value in one.effective],
        **_place(one.place),
    }


def _effective(one: Effective) -> Object:
    return {"value": one.value, "when": one.when, **_place(one.place)}


def _unresolved(one: Unresolved) -> Object:
    return {"reason": one.reason.en, **_place(one.place)}


def _place(place: Place) -> Object:
    return {"path": place.path, "line": place.line, "end": place.end}


def _changes(run: Catalogue, comparisons: Sequence[Comparison]) -> list[Object]:
    return [_change(change) for one in comparisons if one.target == run.target for change in one.changes]


def _change(one: Change) -> Object:
    return {
        "kind": one.kind,
        "what": one.what,
        "name": one.name,
        "now": one.now,
        "sureness": one.sureness,
        "before": one.before,
        "after": one.after,
        "old": _place(one.old_place) if one.old_place else None,
        "new": _place(one.new_place) if one.new_place else None,
    }


def _used(one: Used) -> Object:
    return {
        "file": one.usage.path,
        "line": one.usage.span.line,
        "column": one.usage.span.column,
        "name": one.usage.name,
        "verdict": one.verdict,
        "now": one.now,
        "message": one.message.en,
    }
