"""Catalogues, and what an upgrade changes, as a page of one file: the worst first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.catalogues import Catalogue, ChangeKind, Comparison, Sureness, change_key
from auditor.findings import Finding, FindingLog, urgency
from auditor.formats.catalogue.upgrade import Worse
from auditor.formats.pages import template, words
from auditor.text import Text

if TYPE_CHECKING:
    from auditor.model import DiffLine

_UPGRADE = Text("What the upgrade changes", "升级带来的变化")
_TITLES = {"metrics": Text("Metrics", "指标"), "options": Text("Options", "选项")}
_THINGS = {"metric": Text("metric", "指标"), "option": Text("option", "选项")}
_KINDS = {
    ChangeKind.REMOVED: Text("removed", "已移除："),
    ChangeKind.RENAMED: Text("renamed", "已改名："),
    ChangeKind.TYPE: Text("another type of", "类型有变："),
    ChangeKind.UNIT: Text("another unit of", "单位有变："),
    ChangeKind.LABELS: Text("other labels of", "标签有变："),
    ChangeKind.DEFAULT: Text("another default of", "默认值有变："),
    ChangeKind.CHOICES: Text("other choices of", "可选值有变："),
    ChangeKind.CONDITION: Text("another condition of", "条件有变："),
    ChangeKind.DEPRECATED: Text("deprecated", "已弃用："),
    ChangeKind.HELP: Text("another help of", "帮助文字有变："),
    ChangeKind.ADDED: Text("added", "新增："),
}
_SURE = {
    Sureness.PROVEN: Text("proven", "已证明"),
    Sureness.LIKELY: Text("likely", "很可能"),
    Sureness.POSSIBLE: Text("possible", "可能"),
}
QUIET = (ChangeKind.HELP, ChangeKind.CONDITION, ChangeKind.ADDED)
"""Changes that break nothing."""


def catalogues(
    runs: Sequence[Catalogue], comparisons: Sequence[Comparison], findings: FindingLog, part: str, version: str
) -> str:
    """The page of `kvaudit metrics` and `kvaudit options`."""
    return _page(_TITLES[part], runs, comparisons, findings.findings, part, version, (), {})


def upgrade(
    comparisons: Sequence[Comparison],
    findings: FindingLog,
    claims: Worse,
    code: "dict[str, tuple[DiffLine, ...]]",
    version: str,
) -> str:
    """The page of `kvaudit upgrade`; `code` holds the lines that changed, by the place in the older revision."""
    return _page(_UPGRADE, (), comparisons, findings.findings, "", version, claims, code)


def _page(
    title: Text,
    runs: Sequence[Catalogue],
    comparisons: Sequence[Comparison],
    findings: Sequence[Finding],
    part: str,
    version: str,
    claims: Worse,
    code: "dict[str, tuple[DiffLine, ...]]",
) -> str:
    loud = [(one, [change for change in one.changes if change.kind not in QUIET]) for one in comparisons]
    quiet = [(one, [change for change in one.changes if change.kind in QUIET]) for one in comparisons]
    return template("catalogue.html.j2", ("page.css", "catalogue.css")).render(
        title=title,
        about="".join(
            [
                *(f" {one.target} {one.old.name} → {one.new.name}" for one in comparisons),
                *(f" {run.label}" for run in runs),
            ]
        ),
        words=words,
        kinds=_KINDS,
        things=_THINGS,
        sure=_SURE,
        runs=runs,
        part=part,
        findings=sorted(findings, key=urgency),
        loud=loud,
        quiet=quiet,
        claims=sorted(claims, key=lambda claim: claim[1].gravity, reverse=True),
        code=code,
        key=change_key,
        version=version,
    )
