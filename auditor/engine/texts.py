"""Texts audited against the revisions that someone names, that they state themselves, or that fit them best."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.article.audit import ReadText, audit_text
from auditor.article.carrying import Carrier, finding
from auditor.article.trees import Tree
from auditor.articles import Signal
from auditor.code.project.codebase import Codebase
from auditor.engine.collector import without_cycles
from auditor.engine.opening import Spec, opened
from auditor.errors import SourceError
from auditor.findings import Confidence, Span
from auditor.model import AnchorState, Kind

if TYPE_CHECKING:
    from auditor.articles import AuditedText, Cited
    from auditor.cache import Blobs
    from auditor.findings import Finding
    from auditor.model import Target
    from auditor.sources import Access
    from auditor.usages import Usage, Used

_COARSE, _NEWEST = 12, 160
"""A dozen of the newest releases are tried, evenly apart; then those between the best and its neighbours."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The trees that citations are resolved in, and why a target has none."""

    trees: tuple[Tree, ...]
    failed: tuple[tuple[Spec, SourceError], ...]


def open_trees(specs: Sequence[Spec], access: "Access", jobs: int | None = None) -> Opened:
    """The revisions to read, opened together."""
    found = opened(specs, {spec.target.name: frozenset() for spec in specs}, access, jobs)
    trees = [
        Tree(spec.target, one, Codebase(one, spec.target))
        for spec, one in found.items()
        if not isinstance(one, SourceError)
    ]
    return Opened(tuple(trees), tuple((spec, one) for spec, one in found.items() if isinstance(one, SourceError)))


def audit_texts(
    texts: Iterable[ReadText], trees: Sequence[Tree], pins: "dict[str, dict[str, str]]"
) -> "list[AuditedText]":
    """What is known of each text; `pins` are those that the texts state, by file and target. Raises SourceError."""
    with without_cycles():
        return [audit_text(text, trees, pins.get(text.document.path, {})) for text in texts]


def with_metrics(
    audited: "Sequence[AuditedText]",
    texts: Sequence[ReadText],
    trees: Sequence[Tree],
    blobs: "Blobs | None",
    version: str,
) -> "list[AuditedText]":
    """The texts with what is wrong with the metrics that they name, as far as the catalogues know. Raises SourceError.

    A catalogue is made only of a target one of whose metrics is named. What stands in a code block may be an example.
    """
    from auditor.engine.catalogues import catalogue
    from auditor.usage import reading, report

    named = [tree for tree in trees if tree.target.metrics and _names_metrics(tree.name, audited)]
    found = [catalogue(tree.target, tree.snapshot, blobs, ["metrics"]) for tree in named]
    if not found:
        return list(audited)
    words = report.vocabulary(found)
    files = [reading.read(text.path, text.text, words) for text in audited]
    log = report.log("article", files, report.judged(files, found, {}), found, version)
    samples = {text.document.path: _code_lines(text) for text in texts}
    wrong = [one for one in log.findings if one.rule == "used-metric" and one.span.line not in samples[one.path]]
    result = []
    for text in audited:
        own = [one for one in wrong if one.path == text.path]
        own += _again(text.text, own, samples[text.path])
        result.append(replace(text, findings=(*text.findings, *own)))
    return result


def _again(text: str, wrong: "Sequence[Finding]", samples: set[int]) -> "list[Finding]":
    """The same names where the text leaves their prefix out."""
    found = []
    for metric in {one.about: one for one in wrong if ":" in one.about}.values():
        bare = metric.about.rpartition(":")[2]
        for name in re.finditer(rf"(?<![\w:./-]){re.escape(bare)}(?![\w/.:-]\w|\w|\s*=)", text):
            line = text.count("\n", 0, name.start()) + 1
            column = name.start() - text.rfind("\n", 0, name.start())
            if line not in samples:
                span = Span(line, column, line, column + len(bare))
                found.append(replace(metric, span=span, about=bare, kind=Kind.REVIEW))  # an attribute may be meant
    return found


def with_defaults(
    audited: "Sequence[AuditedText]", texts: Sequence[ReadText], trees: Sequence[Tree], blobs: "Blobs | None"
) -> "list[AuditedText]":
    """The texts with the defaults of flags that they state and that no target in question has. Raises SourceError.

    In question are the targets that the line names; else those whose code the text cites. A default that the code
    declares as None is set later, so nothing is said of it.
    """
    from auditor.engine.catalogues import catalogue
    from auditor.usage import prose
    from auditor.usage.option_verdicts import Options
    from auditor.usage.report import finding as option_finding
    from auditor.usages import Verdict

    options: dict[str, Options] = {}

    def used(usage: "Usage", tree: Tree) -> "Used | None":
        if tree.name not in options:
            options[tree.name] = Options([catalogue(tree.target, tree.snapshot, blobs, ["options"])], {})
        return options[tree.name].used(usage)

    result = []
    for text, read in zip(audited, texts, strict=True):
        lines, wrong = text.text.split("\n"), []
        samples = _code_lines(read) if "--" in text.text else set()
        cited = {one.target for one in text.citations}
        for usage in prose.usages(text.path, text.text):
            line = lines[usage.span.line - 1].lower()
            own = [one for one in trees if one.target.options and one.name.lower() in line]
            own = own or [one for one in trees if one.target.options and one.name in cited]
            if usage.span.line in samples:
                continue
            found = [one for one in (used(usage, tree) for tree in own) if one is not None]
            known = [one for one in found if one.verdict not in (Verdict.UNKNOWN, Verdict.NOT_EXPORTED, Verdict.GONE)]
            if known and all(one.verdict is Verdict.DEFAULT and one.now != "None" for one in known):
                made = option_finding(known[0])
                wrong += [replace(made, confidence=Confidence.LIKELY)] if made is not None else []
        result.append(replace(text, findings=(*text.findings, *wrong)))
    return result


def _code_lines(text: ReadText) -> set[int]:
    """The lines of a text's code blocks."""
    document = text.document
    lines: set[int] = set()
    for mapped in (one.mapped for one in document.passages if one.type == "code" and len(one.mapped)):
        start, end = mapped.extent(0, len(mapped))
        lines.update(range(document.place(start)[0], document.place(end)[0] + 1))
    return lines


def _names_metrics(target: str, audited: "Sequence[AuditedText]") -> bool:
    name = re.compile(rf"(?<![\w/.-]){re.escape(target)}:[a-z]\w{{2}}")
    return any(name.search(text.text) for text in audited)


def carried(audited: "Sequence[AuditedText]", before: Sequence[Tree], after: Sequence[Tree]) -> "list[AuditedText]":
    """The texts with where the code of each citation is at another revision, and what is to be mended for that."""
    newer = {tree.name: tree for tree in after}
    with without_cycles():
        carriers = {tree.name: Carrier(tree, newer[tree.name]) for tree in before if tree.name in newer}
        return [_carried(text, carriers) for text in audited]


def _carried(text: "AuditedText", carriers: "dict[str, Carrier]") -> "AuditedText":
    citations = []
    for one in text.citations:
        carrier = carriers.get(one.target or "")
        if carrier is None or one.findings:
            citations.append(one)
            continue
        moved = carrier.carry(one)
        found = finding(moved, text.path, span(text.text, one), carrier.after)
        citations.append(replace(moved.cited, findings=(found,) if found else ()))
    own = {id(found) for one in text.citations for found in one.findings}
    others = [found for found in text.findings if id(found) not in own]
    findings = (*(found for one in citations for found in one.findings), *others)
    return replace(text, citations=tuple(citations), findings=findings)


def span(text: str, one: "Cited") -> Span:
    """Where a citation stands in its text."""
    start, end = one.mention.extent
    last = max(start, end - 1)
    end_line = one.line + text.count("\n", start, last)
    return Span(one.line, one.column, end_line, last - text.rfind("\n", 0, last + 1) + 1)


def estimated(
    target: "Target", texts: Sequence[ReadText], pins: "dict[str, dict[str, str]]", access: "Access"
) -> Spec | None:
    """The release of a target that the citations fit best; None where none fits. Raises SourceError.

    It is the one at which most of the quoted code and the names beside citations are where the texts say.
    """
    from auditor.sources.pypi import Pypi

    versions = Pypi().versions(target, "", "", access)[-_NEWEST:]
    scores: dict[int, float] = {}

    def score(number: int) -> None:
        if number in scores or not 0 <= number < len(versions):
            return
        spec = Spec(target, "pypi", versions[number])
        found = open_trees([spec], access)
        scores[number] = _fit(audit_texts(texts, found.trees, pins)) if found.trees else 0.0

    step = max(1, len(versions) // _COARSE)
    for number in range(len(versions) - 1, -1, -step):
        score(number)
    if not scores:
        return None
    best = len(versions) - 1
    while True:
        best = max(scores, key=lambda number: (scores[number], number))
        if step == 1:
            break
        step //= 2
        score(best - step)
        score(best + step)
    for number in (best - 1, best + 1):
        score(number)
    best = max(scores, key=lambda number: (scores[number], number))
    if scores[best] <= 0:
        return None
    return Spec(target, "pypi", versions[best])


def _fit(audited: "Iterable[AuditedText]") -> float:
    """How well citations fit: those that name or quote what is there, less those that do not."""
    good = {Signal.QUOTE: 3.0, Signal.NAME: 1.0, Signal.SYMBOL: 0.5, Signal.LINES: 0.05}
    total = 0.0
    for text in audited:
        total -= 0.3 * sum(count for _, count in text.left_out)
        for one in text.citations:
            weight = good.get(one.signal, 0.0) if one.signal else 0.0
            total += weight if one.state is not None and one.state.is_in_place else 0.0
            total -= 0.3 if one.findings or not one.is_resolved or one.state is AnchorState.LOST else 0.0
    return total


def as_estimate(tree: Tree) -> Tree:
    """A tree of which no one said that it is meant."""
    return replace(tree, is_estimated=True)
