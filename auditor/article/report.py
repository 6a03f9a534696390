"""What was found in texts as a log of findings, with counts of all that was looked at."""

from collections import Counter
from collections.abc import Iterator, Sequence

from auditor.article.rules import rules
from auditor.articles import AuditedText, Cited, Signal
from auditor.findings import Confidence, Finding, FindingLog, Span
from auditor.model import AnchorState, Kind, Notification
from auditor.text import Text

_MOST = 4  # revisions that are named
_TITLE = Text("Citations of source code", "源码引用")
_FOUND = Text("citations found", "处引用")
_RESOLVED = Text("resolved", "处已定位")
_AMBIGUOUS = Text("ambiguous", "处有歧义")
_NOT_UNDERSTOOD = Text("not understood", "处未能理解")
_UNREAD = Text("in what is not read", "处位于未读取的内容中")
_CHECKED = Text("checked by {}", "处依据{}核对")
_SIGNALS = {
    Signal.QUOTE: Text("the quoted code", "所引代码"),
    Signal.NAME: Text("names beside them", "旁边的名称"),
    Signal.SYMBOL: Text("the symbol they name", "所指符号"),
    Signal.LINES: Text("their lines alone", "行号本身"),
    Signal.FILE: Text("their file alone", "文件本身"),
}
_LEFT_OUT = Text("left out ({})", "处略去（{}）")


def log(
    texts: Sequence[AuditedText],
    revisions: Sequence[str],
    remarks: Sequence[str],
    version: str,
    *,
    is_all: bool = False,
) -> FindingLog:
    """The findings of texts; `is_all`: also what is only possible, and what is ambiguous or not understood."""
    findings: list[Finding] = []
    for text in texts:
        findings += [one for one in text.findings if is_all or one.confidence is not Confidence.POSSIBLE]
        findings += [_unresolved(text.path, one) for one in text.citations if is_all and not one.is_resolved]
    order = {text.path: number for number, text in enumerate(texts)}
    findings.sort(key=lambda one: (order[one.path], one.span))
    return FindingLog(
        "article",
        _TITLE,
        version,
        tuple(text.path for text in texts),
        tuple(findings),
        rules({finding.rule for finding in findings}),
        tuple((what, count) for what, count in _counts(texts) if count or what is _FOUND),
        tuple(revisions),
        tuple(Notification(remark) for remark in (*remarks, *_unread(texts))),
    )


def _counts(texts: Sequence[AuditedText]) -> list[tuple[Text, int]]:
    citations = [one for text in texts for one in text.citations]
    resolved = [one for one in citations if one.is_resolved]
    unread = sum(one.state is AnchorState.UNAVAILABLE for one in resolved)
    ambiguous = sum(one.is_ambiguous for one in citations)
    signals = Counter(one.signal for one in resolved if one.signal)
    left_out: Counter[Text] = Counter()
    for text in texts:
        left_out.update(dict(text.left_out))
    return [
        (_FOUND, len(citations)),
        (_RESOLVED, len(resolved)),
        (_AMBIGUOUS, ambiguous),
        (_NOT_UNDERSTOOD, len(citations) - len(resolved) - ambiguous),
        *((_CHECKED.filled(_SIGNALS[signal]), signals[signal]) for signal in Signal),
        (_UNREAD, unread),
        *((_LEFT_OUT.filled(reason), count) for reason, count in left_out.items()),
    ]


def _unread(texts: Sequence[AuditedText]) -> Iterator[str]:
    """What links are pinned at that is not read, for a person to read it too."""
    links = (one.mention.link for text in texts for one in text.citations if one.state is AnchorState.UNAVAILABLE)
    pinned = Counter(f"{link.owner}/{link.repository}@{link.ref[:12]}" for link in links if link is not None)
    if pinned:
        most = ", ".join(f"{name} ({count})" for name, count in pinned.most_common(_MOST))
        more = ", …" if len(pinned) > _MOST else ""
        yield f"links to what is not read: {most}{more}; read it with --commit TARGET=REF"


def _unresolved(path: str, one: Cited) -> Finding:
    width = len(one.mention.text)
    span = Span(one.line, one.column, one.line, one.column + width)
    rule = "ambiguous" if one.is_ambiguous else "not-understood"
    reason = one.unresolved or Text("it is not known which file is meant", "无法确定指的是哪个文件")
    return Finding(path, span, rule, Kind.OPEN, reason, Confidence.CERTAIN, one.mention.text)
