"""A text audited: its citations found, resolved and checked; faults that are one fault said once."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.article.checking import Checker, span
from auditor.article.mentions import Mentions, mentions
from auditor.article.reading import read
from auditor.article.resolving import Resolver
from auditor.article.symbols import UNKNOWN
from auditor.articles import AuditedText, Cited, Form
from auditor.findings import Confidence, Finding
from auditor.model import Kind, Region
from auditor.text import Text

if TYPE_CHECKING:
    from auditor.article.passages import Document
    from auditor.article.trees import Tree

_SAME = 3
"""Citations of a file that are off by the same number of lines and are one fault."""
_ELSEWHERE = Text("path of a file of no target", "不属于任何目标的文件路径")


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with its citations found."""

    document: "Document"
    found: Mentions


def read_text(path: str, data: bytes) -> ReadText:
    """Raises ConfigError for what is no text, or too large."""
    document = read(path, data)
    return ReadText(document, mentions(document))


def audit_text(text: ReadText, trees: "Sequence[Tree]", pins: dict[str, str]) -> AuditedText:
    """What is known of each citation of a text; `pins`: the revisions that it states, by target. Raises SourceError."""
    document, found = text.document, text.found
    resolved = Resolver(document, found, trees, pins).all()
    for tree in trees:
        tree.prefetch({one.path for one in resolved if one.tree is tree and one.path})
    cited = Checker(document, found, resolved).all()
    left_out = dict(found.left_out)
    citations = []
    for one in cited:
        if not one.is_resolved and not is_citation(one):
            reason = UNKNOWN if one.mention.form is Form.SYMBOL and not one.mention.path else _ELSEWHERE
            left_out[reason] = left_out.get(reason, 0) + 1
        else:
            citations.append(one)
    citations = _differing(_merged(citations), document)
    findings = tuple(finding for one in citations for finding in one.findings)
    counts = tuple((reason, count) for reason, count in left_out.items() if count)
    return AuditedText(document.path, document.text, tuple(citations), findings, counts)


def is_citation(cited: Cited) -> bool:
    """Whether what could not be resolved is a citation all the same: it says lines, or it is a link to code."""
    mention = cited.mention
    return bool(mention.lines) and not mention.is_sample


def _merged(citations: list[Cited]) -> list[Cited]:
    """Citations of a file that are all off by the same number of lines: one finding, at the first."""
    groups: dict[tuple[str, str, int], list[int]] = defaultdict(list)
    for number, one in enumerate(citations):
        if one.offset and one.findings and one.target and one.path:
            groups[one.target, one.path, one.offset].append(number)
    merged = list(citations)
    for (_, path, offset), members in groups.items():
        if len(members) < _SAME:
            continue
        first = citations[members[0]]
        others = ", ".join(dict.fromkeys(str(citations[number].line) for number in members[1:]))
        message = _off(len(members), path, offset, others)
        finding = replace(
            first.findings[0], rule="shifted-file", message=message, confidence=_surest(citations, members)
        )
        for number in members:
            merged[number] = replace(citations[number], findings=(finding,) if number == members[0] else ())
    return merged


def _differing(citations: list[Cited], document: "Document") -> list[Cited]:
    """Citations of one file that begin at the same line and end at another: the later one may be meant as the first."""
    first: dict[tuple[str, str, int], tuple[int, Region]] = {}
    kept = []
    for one in citations:
        findings = one.findings
        for region in (lines.region for lines in one.mention.lines):
            if not one.target or not one.path or region.start == region.end:
                continue
            line, before = first.setdefault((one.target, one.path, region.start), (one.line, region))
            if before.end != region.end and not findings:
                place, message = span(document, one.mention.extent), _DIFFERS.filled(line, before)
                findings = (
                    Finding(
                        document.path, place, "range-differs", Kind.REVIEW, message, Confidence.POSSIBLE,
                        one.mention.text, revision=one.revision or "",
                    ),
                )  # fmt: skip
        kept.append(replace(one, findings=findings))
    return kept


_DIFFERS = Text("on line {} of the text the lines are {}", "文中第 {} 行引用的是 {}")


def _off(count: int, path: str, offset: int, others: str) -> Text:
    by = f"{offset:+}"
    return Text(
        "{} citations of {} are off by {} lines; the others are on lines {} of the text",
        "{1} 的 {0} 处引用都偏移了 {2} 行；其余在文本的第 {3} 行",
    ).filled(count, path, by, others)


def _surest(citations: Sequence[Cited], members: Sequence[int]) -> Confidence:
    """Several that are off alike are surer than each is."""
    findings: list[Finding] = [citations[number].findings[0] for number in members]
    return min((one.confidence for one in findings), key=list(Confidence).index)
