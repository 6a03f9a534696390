"""Catalogues, and what an upgrade changes, as a page of one file: the worst first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.catalogues import Catalogue, ChangeKind, Comparison, change_key
from auditor.findings import Finding, FindingLog, urgency
from auditor.formats.pages import template

if TYPE_CHECKING:
    from auditor.model import DiffLine

QUIET = (ChangeKind.HELP, ChangeKind.CONDITION, ChangeKind.ADDED)
"""Changes that break nothing."""


def catalogues(
    runs: Sequence[Catalogue], comparisons: Sequence[Comparison], findings: FindingLog, part: str, version: str
) -> str:
    """The page of `kvaudit metrics` and `kvaudit options`."""
    return _page(f"{part.capitalize()}", runs, comparisons, findings.findings, part, version, (), {})


def upgrade(
    comparisons: Sequence[Comparison],
    findings: FindingLog,
    claims: Sequence[tuple[str, str, str]],
    code: "dict[str, tuple[DiffLine, ...]]",
    version: str,
) -> str:
    """The page of `kvaudit upgrade`; `code` holds the lines that changed, by the place in the older revision."""
    return _page("Upgrade", (), comparisons, findings.findings, "", version, claims, code)


def _page(
    title: str,
    runs: Sequence[Catalogue],
    comparisons: Sequence[Comparison],
    findings: Sequence[Finding],
    part: str,
    version: str,
    claims: Sequence[tuple[str, str, str]],
    code: "dict[str, tuple[DiffLine, ...]]",
) -> str:
    loud = [(one, [change for change in one.changes if change.kind not in QUIET]) for one in comparisons]
    quiet = [(one, [change for change in one.changes if change.kind in QUIET]) for one in comparisons]
    return template("catalogue.html.j2", ("page.css", "catalogue.css")).render(
        title=title,
        runs=runs,
        part=part,
        findings=sorted(findings, key=urgency),
        loud=loud,
        quiet=quiet,
        claims=claims,
        code=code,
        key=change_key,
        version=version,
    )
