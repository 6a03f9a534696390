"""Texts as a page: every citation marked by its state, its code one click away, and in the margin what to mend.

The text is shown as it is written, so nothing of its markup or scripts is in the page. Nothing needs JavaScript.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from markupsafe import Markup

from auditor.articles import AuditedText, Cited
from auditor.findings import Confidence, Finding
from auditor.formats.pages import template, words
from auditor.formats.pages.highlight import highlighted
from auditor.model import AnchorState, Text

UNKNOWN = "unknown"
UNCHECKED = "unchecked"

_UNCLEAR = Text("it is not known which file is meant", "无法确定指的是哪个文件")
_SURE = {
    Confidence.CERTAIN: Text("certain", "确定"),
    Confidence.LIKELY: Text("likely", "很可能"),
    Confidence.POSSIBLE: Text("possible", "可能"),
}
_MEANINGS = {
    "wrong": Text("something is wrong", "有误"),
    "look": Text("needs a look", "需要查看"),
    "right": Text("what the text says is there", "与文中所述一致"),
    UNCHECKED: Text("there is such a place; nothing beside it to check", "有此位置，旁边没有可核对的内容"),
    "unread": Text("in what was not read", "位于未读取的内容中"),
    UNKNOWN: Text("not understood", "未能理解"),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, with the citation that it is."""

    text: str
    number: int | None = None
    mark: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of code."""

    number: int
    code: Markup
    is_cited: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A citation with its number on the page, and the claims that a pack makes of the same lines."""

    number: int
    cited: Cited
    mark: str
    rows: tuple[Row, ...]
    claims: tuple[tuple[str, Text], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """One text."""

    text: AuditedText
    pieces: tuple[Piece, ...]
    entries: tuple[Entry, ...]

    to_mend: tuple["Item", ...]
    """In the order of the text."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to be mended: where it stands in the text, and the number of the citation that it is, if it is one."""

    line: int
    column: int
    about: str
    message: Text
    finding: Finding | None = None
    number: int | None = None
    anchor: str = ""


Claims = Mapping[str, Sequence[tuple[str, Text]]]
"""By target and `path:lines`, the ids and statements of a pack's claims that cite it."""


def render(texts: Sequence[AuditedText], revisions: Sequence[str], version: str, claims: Claims | None = None) -> str:
    """The page of all texts."""
    pages, first = [], 1
    for text in texts:
        page = _page(text, first, claims or {})
        pages.append(page)
        first += len(page.entries)
    counted = Counter(entry.mark for page in pages for entry in page.entries)
    return template("article.html.j2", ("page.css", "article.css")).render(
        pages=pages,
        revisions=revisions,
        version=version,
        counts=[(mark, meaning, counted[mark]) for mark, meaning in _MEANINGS.items() if counted[mark]],
        meanings=_MEANINGS,
        sure=_SURE,
        words=words,
    )


def _page(text: AuditedText, first: int, claims: Claims) -> Page:
    entries = tuple(_entry(number, one, claims) for number, one in enumerate(text.citations, first))
    own = {id(finding) for one in text.citations for finding in one.findings}
    others = [finding for finding in text.findings if id(finding) not in own]
    items = [
        Item(entry.cited.line, entry.cited.column, entry.cited.mention.text, finding.message, finding, entry.number)
        for entry in entries
        for finding in entry.cited.findings
    ]
    items += [
        Item(one.span.line, one.span.column, one.about, one.message, one, anchor=f"f{first}-{number}")
        for number, one in enumerate(others)
    ]
    items += [
        Item(
            one.cited.line, one.cited.column, one.cited.mention.text, one.cited.unresolved or _UNCLEAR, None, one.number
        )
        for one in entries
        if one.mark == UNKNOWN
    ]
    items.sort(key=lambda one: (one.line, one.column))
    return Page(text, tuple(_pieces(text.text, entries, items)), entries, tuple(items))


def _entry(number: int, cited: Cited, claims: Claims) -> Entry:
    key = f"{cited.target}/{cited.path}:{cited.region}"
    return Entry(number, cited, _mark(cited), tuple(_rows(cited)), tuple(claims.get(key, ())))


def _mark(cited: Cited) -> str:
    if not cited.is_resolved:
        return UNKNOWN
    if cited.findings:
        return "wrong" if any(one.is_failure for one in cited.findings) else "look"
    if cited.state is AnchorState.UNAVAILABLE:
        return "unread"
    if cited.state is not None and cited.state.is_in_place:
        return "right"
    return "wrong" if cited.state is AnchorState.SHIFTED else UNCHECKED


def _pieces(text: str, entries: Sequence[Entry], items: Sequence[Item]) -> Iterator[Piece]:
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    marks: list[tuple[int, int, int | None, str, str]]
    marks = [(*entry.cited.mention.extent, entry.number, entry.mark, "") for entry in entries]
    for item in items:
        if item.finding is not None and item.anchor:
            span = item.finding.span
            start, end = starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1
            marks.append((start, end, None, "wrong" if item.finding.is_failure else "look", item.anchor))
    done = 0
    for start, end, number, mark, anchor in sorted(marks, key=lambda one: one[:2]):
        if start < done or end <= start:
            continue
        yield Piece(text[done:start])
        yield Piece(text[start:end], number, mark, anchor)
        done = end
    yield Piece(text[done:])


def _rows(cited: Cited) -> Iterator[Row]:
    excerpt = cited.excerpt
    if excerpt is None:
        return
    for number, code in enumerate(highlighted(excerpt.path, excerpt.lines), excerpt.start):
        yield Row(number, code, any(one.region.start <= number <= one.region.end for one in cited.mention.lines))
