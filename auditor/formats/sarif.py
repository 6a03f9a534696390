"""SARIF 2.1.0, for code scanning and other viewers of results."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar, TypeVar
from urllib.parse import quote, urlsplit

from auditor.findings import Finding, FindingLog
from auditor.findings import urgency as rank
from auditor.formats import FindingFormat, Show, json_text, origin, reason, urgency, values, visible
from auditor.model import (
    BaselineState,
    Excerpt,
    Kind,
    Location,
    Log,
    Notification,
    Region,
    Result,
    Rule,
    Run,
    Target,
)

MOST_RESULTS = 5_000
"""Results of a run that code scanning shows. It refuses a run with 25,000."""
LARGEST = 9_000_000
"""Bytes of all results. Code scanning refuses a file of 10 MB, after compression."""
MOST_PLACES = 100
"""Locations of a result that code scanning shows. It refuses 1,000."""
MOST_NOTES = 1_000
"""Notifications of a run, so that these do not make a file too large either."""
LONGEST = 500
"""Characters of one sentence; code scanning takes 1,024 of a description."""

SOURCE = "SOURCE"
"""What paths of code are relative to: the root of the target's repository."""
PACK = "PACK"
"""What paths of claims are relative to: the folder that kvaudit ran in, or the one that holds the pack."""

Object = dict[str, Any]
T = TypeVar("T")


class Sarif(FindingFormat):
    """SARIF 2.1.0, within what GitHub's code scanning takes. Claims that hold are left out, unless `--show all`.

    The primary location is the code that decides the claim, by its path in the target's repository; the claim in its
    pack is a related location, and the primary one where there is no code. A result has the kind of its claim, but
    `fail` whenever it makes the audit fail; a `level` is for `fail` only, so that code scanning takes the others for
    warnings, as their rules say. What is accepted is suppressed. The fingerprint is the claim's identity: no edit,
    machine or re-run changes it. It is not named like the one that code scanning makes of lines, which it would refuse.
    """

    default_show: ClassVar[Show] = Show.FAILED

    def render(self, log: Log, *, color: bool = False) -> str:  # noqa: ARG002
        room = LARGEST // max(1, len(log.runs))
        return _document([self._run(log, run, room) for run in log.runs])

    def render_findings(self, log: FindingLog, *, color: bool = False) -> str:  # noqa: ARG002
        """One run; each result is at its line of the person's file, the code beside it, and what to write as a fix."""
        rules = sorted({finding.rule for finding in log.findings})
        ranked = sorted(log.findings, key=rank)
        identities = _identities(log)
        entries = ((one, _of_finding(one, rules, identities[id(one)])) for one in ranked[:MOST_RESULTS])
        results = _fitting(entries, LARGEST)
        notes = list(log.notifications[:MOST_NOTES])
        if left_out := len(ranked) - len(results):
            notes.append(Notification(f"{left_out:,} of {len(ranked):,} results are left out, the least urgent"))
        order = {id(finding): number for number, finding in enumerate(log.findings)}
        run = {
            "tool": {"driver": _driver(log.version, log.rules, rules)},
            "automationDetails": {"id": f"kvaudit/{_cut(log.command)}/"},
            "invocations": [_invocation(notes)],
            "columnKind": "unicodeCodePoints",
            "results": [entry for finding, entry in sorted(results, key=lambda pair: order[id(pair[0])])],
            "properties": {"revisions": [_cut(revision) for revision in log.revisions]},
        }
        return _document([run])

    def _run(self, log: Log, run: Run, room: int) -> Object:
        shown = [*self.results(run), *(run.absent if self.show is Show.ALL else ())]
        rules = sorted({result.claim.rule for result in shown})
        results = _results(log, run, shown, rules, room)
        notes = sorted(run.notifications, key=lambda note: not note.is_bug)[:MOST_NOTES]
        if left_out := len(shown) - len(results):
            notes.append(Notification(f"{left_out:,} of {len(shown):,} results are left out, the least urgent"))
        return {
            "tool": {"driver": _driver(log.version, log.rules, rules)},
            "automationDetails": {"id": f"kvaudit/{_cut(log.pack)}/{_cut(run.target.name)}/"},
            "invocations": [_invocation(notes)],
            "versionControlProvenance": list(_provenance(run)),
            "originalUriBaseIds": {
                SOURCE: {"description": _message(f"the root of {run.target.name} at {run.revision.name}")},
                PACK: {"description": _message(f"what holds the pack {log.pack}")},
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {
                "pack": log.pack,
                "target": run.target.name,
                "source": run.revision.source,
                "revision": run.revision.name,
                **({"baseline": run.baseline.name} if run.baseline else {}),
            },
        }


def _results(log: Log, run: Run, shown: Sequence[Result], rules: Sequence[str], room: int) -> list[Object]:
    """The most urgent results that there is room for, in the order of their claims."""
    is_compared = run.baseline is not None or any(result.baseline for result in shown)

    def entry(result: Result) -> Object:
        return {
            "ruleId": result.claim.rule,
            "ruleIndex": rules.index(result.claim.rule),
            **_result(run, result),
            "partialFingerprints": {"kvaudit/v1": _identity(log.pack, run.target.name, result.claim.id)},
            **({"baselineState": _state(result)} if is_compared else {}),
        }

    urgent = sorted(range(len(shown)), key=lambda index: urgency(run, shown[index]))
    fitting = _fitting(((index, entry(shown[index])) for index in urgent[:MOST_RESULTS]), room)
    return [entry for _, entry in sorted(fitting, key=lambda pair: pair[0])]


def _fitting(entries: "Iterable[tuple[T, Object]]", room: int) -> "list[tuple[T, Object]]":
    """The first entries, as many as fit into so many bytes."""
    kept = []
    for key, entry in entries:
        text = json_text(entry)
        room -= len(text.encode("utf-8", "replace")) + 5 * text.count("\n")  # it is indented further
        if room < 0:
            break
        kept.append((key, entry))
    return kept


def _document(runs: Sequence[Object]) -> str:
    return json_text(
        {
            "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            "version": "2.1.0",
            "runs": runs,
        }
    )


def _driver(version: str, known: Sequence[Rule], used: Sequence[str]) -> Object:
    rules = {rule.id: rule for rule in known}
    described = [_descriptor(rules.get(rule) or Rule(rule, rule, rule)) for rule in used]
    return {"name": "kvaudit", "version": version, "rules": described}


def _invocation(notes: Sequence[Notification]) -> Object:
    return {
        "executionSuccessful": not any(note.is_bug for note in notes),
        "toolExecutionNotifications": [_notification(note) for note in notes],
    }


def _identities(log: FindingLog) -> dict[int, str]:
    """A fingerprint of each finding, by its `id()`: no line, so that an edit above does not change it."""
    seen: Counter[tuple[str, ...]] = Counter()
    found = {}
    for finding in log.findings:
        parts = (log.command, finding.path, finding.rule, finding.about)
        found[id(finding)] = _identity(*parts, str(seen[parts]))
        seen[parts] += 1
    return found


def _of_finding(finding: Finding, rules: Sequence[str], identity: str) -> Object:
    span = finding.span
    artifact = {"uri": _uri(finding.path)}
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    code = [{"id": 1, **_place(SOURCE, finding.location)}] if finding.location else []
    fix = {
        "artifactChanges": [
            {
                "artifactLocation": artifact,
                "replacements": [{"deletedRegion": region, "insertedContent": {"text": finding.replacement}}],
            }
        ]
    }
    return {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "kind": finding.kind if finding.is_failure or finding.kind is not Kind.FAIL else Kind.REVIEW,
        **({"level": "error"} if finding.is_failure else {}),
        "message": _message(finding.message.en),
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "relatedLocations": code,
        **({"fixes": [fix]} if finding.replacement is not None else {}),
        "partialFingerprints": {"kvaudit/v1": identity},
        "properties": {
            "confidence": finding.confidence,
            **({"about": _cut(finding.about)} if finding.about else {}),
            **({"revision": _cut(finding.revision)} if finding.revision else {}),
        },
    }


def _result(run: Run, result: Result) -> Object:
    claim, outcome = result.claim, result.outcome
    kind = outcome.kind if result.is_as_recorded() else Kind.FAIL
    found = (found.found for found in result.citations if found.found)
    places = islice(dict.fromkeys((*outcome.locations, *found)), MOST_PLACES - 1)
    code = [_place(SOURCE, place, result.excerpts, _module(run.target, place.path)) for place in places]
    stated = _place(PACK, origin(result))
    related = [*code[1:], {**stated, "message": _message("the claim")}] if code else []
    suppression = {"kind": "external", "status": "accepted"}
    if claim.accepted:
        suppression["justification"] = _cut(claim.accepted.reason.en)
    expected, actual = (_cut(value) for value in values(outcome))
    both = {"expected": expected, "actual": actual} if expected != actual else {}
    differing = {name: value for name, value in both.items() if value}
    return {
        "kind": kind,
        **({"level": "error"} if kind is Kind.FAIL else {}),
        "message": _message(reason(result), f"Claim: {claim.statement.en}"),
        "locations": code[:1] or [stated],
        "relatedLocations": [{"id": number, **place} for number, place in enumerate(related, 1)],
        "suppressions": [suppression] if result.is_suppressed else [],
        "properties": {"claim": _cut(claim.id), "claimKind": outcome.kind, **differing},
    }


def _place(base: str, location: Location, excerpts: Sequence[Excerpt] = (), module: str = "") -> Object:
    """A location in the code of a target, or in the pack; `module` is what Python puts before a name there."""
    physical: Object = {"artifactLocation": {"uri": _uri(location.path), "uriBaseId": base}}
    if location.region:
        region = location.region
        snippet = _snippet(location.path, region, excerpts)
        physical["region"] = {"startLine": region.start, "endLine": region.end, **snippet}
    place: Object = {"physicalLocation": physical}
    if base == SOURCE and location.symbol:
        name = _cut(location.symbol)
        place["logicalLocations"] = [{"name": name.rpartition(".")[2] or name, "fullyQualifiedName": f"{module}{name}"}]
    if location.note:
        place["message"] = _message(location.note.en)
    return place


def _snippet(path: str, region: Region, excerpts: Sequence[Excerpt]) -> Object:
    """The code of these lines, where it was read and is short."""
    for excerpt in excerpts:
        if excerpt.path == path and excerpt.start <= region.start <= region.end < excerpt.start + len(excerpt.lines):
            code = "\n".join(excerpt.lines[region.start - excerpt.start : region.end - excerpt.start + 1])
            return {"snippet": {"text": code}} if len(code) <= LONGEST else {}
    return {}


def _uri(path: str) -> str:
    return quote(path.lstrip("/"), safe="/", errors="replace")


def _module(target: Target, path: str) -> str:
    """What Python puts before a name in this file; nothing for a file of another language."""
    module = path.removeprefix(target.prefix)
    if not module.endswith(".py"):
        return ""
    return _cut(module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")) + "."


def _descriptor(rule: Rule) -> Object:
    return {
        "id": rule.id,
        "shortDescription": _message(rule.summary or rule.id),
        "fullDescription": _message(rule.summary or rule.id),
        "help": {"text": rule.help, "markdown": rule.help},
        "defaultConfiguration": {"level": "warning"},
    }


def _notification(note: Notification) -> Object:
    about = f"{_cut(note.claim)}: " if note.claim else ""
    return {"level": "error" if note.is_bug else "note", "message": _message(about + note.message)}


def _provenance(run: Run) -> Iterator[Object]:
    """Where the revision can be had, if that is known: of a release nobody has said which commit it is."""
    repository = run.target.repository or ""
    try:
        url = urlsplit(repository)
    except ValueError:
        return
    if run.revision.commit and url.scheme in ("http", "https") and url.hostname:
        yield {
            "repositoryUri": quote(repository, safe="/:?=&@~%+", errors="replace"),
            "revisionId": _cut(run.revision.commit),
            "mappedTo": {"uriBaseId": SOURCE},
        }


def _state(result: Result) -> str:
    """SARIF's word. A claim that is resolved is still there, and one that the other run lacks is new to it."""
    state = result.baseline or BaselineState.NEW
    return "updated" if state is BaselineState.RESOLVED else state


def _identity(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def _message(*sentences: str) -> Object:
    """Plain text, in which what looks like SARIF's `[text](target)` is no link."""
    return {"text": "\n".join(re.sub(r"\[(?=[^\]]*\]\()", r"\\[", _cut(sentence)) for sentence in sentences)}


def _cut(text: str) -> str:
    return visible(text, LONGEST)
