"""What an earlier report of texts said already, so that only what is new is said of them now."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from auditor import json_reading
from auditor.articles import AuditedText
from auditor.errors import ConfigError
from auditor.findings import Finding

Known = Counter[tuple[str, str, str]]
"""How often a file, a rule and what stands there came together: lines of a text move as it is written."""


def known(text: str, name: str) -> Known:
    """The findings of a report that `kvaudit article -f json` wrote. Raises ConfigError for anything else."""
    try:
        report = json_reading.loads(text)
        if not isinstance(report, dict) or not str(report.get("schema", "")).startswith("kvaudit-article/"):
            raise ValueError("it is no report of kvaudit article")
        return Counter(_findings(report))
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise ConfigError(f"{name}: it cannot be read ({error}); save one with `kvaudit article -f json`") from None


def _findings(report: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for file in report["files"]:
        for citation in file["citations"]:
            yield from ((file["path"], str(one["rule"]), citation["text"]) for one in citation["findings"])
        for one in file.get("findings", ()):
            yield file["path"], str(one["rule"]), str(one["about"])


def only_new(texts: Sequence[AuditedText], before: Known) -> tuple[list[AuditedText], int]:
    """The texts without what was known, and how much that is."""
    left = before.copy()
    dropped = 0

    def is_new(path: str, finding: Finding) -> bool:
        nonlocal dropped
        key = (path, finding.rule, finding.about)
        if left[key] <= 0:
            return True
        left[key] -= 1
        dropped += 1
        return False

    result = []
    for text in texts:
        own = {id(finding) for one in text.citations for finding in one.findings}
        citations = tuple(
            replace(one, findings=tuple(finding for finding in one.findings if is_new(text.path, finding)))
            for one in text.citations
        )
        others = [finding for finding in text.findings if id(finding) not in own and is_new(text.path, finding)]
        findings = (*(finding for one in citations for finding in one.findings), *others)
        result.append(replace(text, citations=citations, findings=findings))
    return result, dropped
