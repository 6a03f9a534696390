"""Texts as a page: every citation marked by its state, its code one click away, and in the margin what to mend.

The text is shown as it is written, so nothing of its markup or scripts is in the page. Nothing needs JavaScript.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from auditor.articles import AuditedText, Cited
from auditor.findings import Finding
from auditor.formats.pages import template, words
from auditor.formats.pages.highlight import highlighted
from auditor.model import AnchorState, Text

UNKNOWN = "unknown"
UNCHECKED = "unchecked"

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

    @property
    def wrong(self) -> list[tuple[Entry, Finding]]:
        """What is to be mended, in the order of the text."""
        return [(entry, finding) for entry in self.entries for finding in entry.cited.findings]

    @property
    def others(self) -> list[Finding]:
        """What is wrong with names that are no citations."""
        own = {id(finding) for entry in self.entries for finding in entry.cited.findings}
        return [finding for finding in self.text.findings if id(finding) not in own]

    @property
    def unknown(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.mark == UNKNOWN]


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
        words=words,
    )


def _page(text: AuditedText, first: int, claims: Claims) -> Page:
    entries = tuple(_entry(number, one, claims) for number, one in enumerate(text.citations, first))
    return Page(text, tuple(_pieces(text.text, entries)), entries)


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


def _pieces(text: str, entries: Sequence[Entry]) -> Iterator[Piece]:
    done = 0
    for entry in sorted(entries, key=lambda one: one.cited.mention.extent):
        start, end = entry.cited.mention.extent
        if start < done or end <= start:
            continue
        yield Piece(text[done:start])
        yield Piece(text[start:end], entry.number, entry.mark)
        done = end
    yield Piece(text[done:])


def _rows(cited: Cited) -> Iterator[Row]:
    excerpt = cited.excerpt
    if excerpt is None:
        return
    for number, code in enumerate(highlighted(excerpt.path, excerpt.lines), excerpt.start):
        yield Row(number, code, any(one.region.start <= number <= one.region.end for one in cited.mention.lines))
