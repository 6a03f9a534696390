"""HTML as passages. The standard library's parser, since no other tells where each piece of text stands in the file."""

import html
import re
from html.parser import HTMLParser

from auditor.article.passages import CELL, OBJECT, Hyperlink, Mapped, Passage, line_starts

_SKIPPED = frozenset({"script", "style", "template", "noscript", "svg", "head", "button", "select"})
_BLOCKS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "section",
        "summary",
        "table",
        "tbody",
        "thead",
        "tfoot",
        "ul",
    }
)
_MARKS = frozenset({"code", "kbd", "samp", "tt", "var"})
_HEADING = re.compile("h[1-6]")
_LANGUAGE = re.compile(r"(?:lang|language|highlight)-([\w+#-]{1,30})")
_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}，。；：、（）【】《》“”]{1,2000}")
_LONE = re.compile("<(?!!--)(?=[^<>]*+(?:<|$))")
"""What opens no tag, over which the parser would go again and again: shown as another sign."""
_DEEPEST = 10_000
_MOST_CELLS = 500  # of a row


def markup(text: str, start: int = 0, end: int | None = None) -> list[Passage]:
    """The passages of HTML, of a piece of a file."""
    piece = _LONE.sub("\u2039", text[start:end])
    closed = piece.rfind("-->") + 1
    piece = piece[:closed] + piece[closed:].replace("<!--", "\u2039!--")
    reader = _Reader(piece, start)
    reader.feed(piece)
    reader.close()
    reader.finish()
    return reader.passages


class _Reader(HTMLParser):
    def __init__(self, text: str, offset: int) -> None:
        super().__init__(convert_charrefs=False)
        self._starts, self._offset = line_starts(text), offset
        self.passages: list[Passage] = []
        self._passage = Passage("prose", Mapped())
        self._skipped: list[str] = []
        self._code = 0
        self._mark: int | None = None
        self._link: tuple[int, str, int] | None = None
        self._table = self._tables = 0
        self._cell: int | None = None

    def finish(self, type_: str = "prose") -> None:
        """End the passage, and begin another."""
        passage = self._passage
        self._close_mark()
        self._close_link()
        if passage.text.strip():
            self.passages.append(passage)
        self._passage = Passage("prose", Mapped())
        if type_ in ("row", "code", "heading"):
            self._passage.type = type_  # type: ignore[assignment] # one of PassageType, as was just asked

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skipped or tag in _SKIPPED:
            if tag in _SKIPPED and len(self._skipped) < _DEEPEST:
                self._skipped.append(tag)
            return
        named = {name: value or "" for name, value in attrs}
        if tag == "pre":
            self.finish("code")
            self._code += 1
        elif tag == "br":
            self._passage.mapped.add("\n", self._at(), self._at())
        elif tag in _MARKS and self._code == 0:
            self._mark = len(self._passage.mapped) if self._mark is None else self._mark
        elif tag == "a" and "href" in named:
            raw = self.get_starttag_text() or ""
            at = raw.find(named["href"])
            self._link = (len(self._passage.mapped), named["href"], self._at() + max(0, at))
        elif tag == "tr":
            self._table = self._table or self._tables
            self.finish("row")
            self._passage.table = self._table
        elif tag in ("td", "th") and self._passage.type == "row":
            self._close_cell()
            self._cell = len(self._passage.mapped)
        elif self._passage.type != "row" and self._code == 0 and tag in _BLOCKS | {"table"}:
            self.finish()
            if tag == "table":
                self._tables += 1
                self._table = self._tables
        elif _HEADING.fullmatch(tag):
            self.finish("heading")
            self._passage.level = int(tag[1])
        if self._code and not self._passage.info and (found := _LANGUAGE.search(named.get("class", ""))):
            self._passage.info = found[1]

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            if tag == self._skipped[-1]:
                self._skipped.pop()
            return
        if tag == "pre" and self._code:
            self._code -= 1
            self.finish()
        elif tag in _MARKS:
            self._close_mark()
        elif tag == "a":
            self._close_link()
        elif tag in ("td", "th"):
            self._close_cell()
        elif tag in ("tr", "table"):
            self._close_cell()
            self.finish()
        elif (tag in _BLOCKS and self._passage.type == "prose") or _HEADING.fullmatch(tag):
            self.finish()

    def handle_data(self, data: str) -> None:
        if self._skipped:
            return
        at, done = self._at(), 0
        if self._code == 0:
            for found in _URL.finditer(data):
                url = found[0].rstrip(".,;:!?)")
                self._passage.mapped.add(data[done : found.start()], at + done)
                begin = len(self._passage.mapped)
                done = found.start() + len(url)
                self._passage.mapped.add(OBJECT, at + found.start(), at + done)
                if self._link is None:
                    self._passage.anchors.append(Hyperlink(begin, begin + 1, url, at + found.start()))
        self._passage.mapped.add(data[done:], at + done)

    def handle_comment(self, data: str) -> None:
        """A note that only authors see may cite code, too."""
        if self._skipped or self._passage.type == "row" or self._code or not data.strip():
            return
        self.finish()
        self._passage.mapped.add(data, self._at() + len("<!--"))
        self.finish()

    def handle_entityref(self, name: str) -> None:
        self._reference(f"&{name};", f"&{name}")

    def handle_charref(self, name: str) -> None:
        self._reference(f"&#{name};", f"&#{name}")

    def _reference(self, written: str, bare: str) -> None:
        if not self._skipped:
            at = self._at()
            is_closed = self.rawdata.startswith(written, at - self._base())
            self._passage.mapped.add(html.unescape(written), at, at + len(written if is_closed else bare))

    def _base(self) -> int:
        """The offset in the file of what the parser still holds."""
        return self._offset + self._fed - len(self.rawdata)

    def feed(self, data: str) -> None:
        self._fed = len(data)
        super().feed(data)

    def _close_mark(self) -> None:
        if self._mark is not None and self._mark < len(self._passage.mapped):
            self._passage.marks.append((self._mark, len(self._passage.mapped)))
        self._mark = None

    def _close_link(self) -> None:
        if self._link is not None and self._link[0] < len(self._passage.mapped):
            begin, url, at = self._link
            self._passage.anchors.append(Hyperlink(begin, len(self._passage.mapped), html.unescape(url), at))
        self._link = None

    def _close_cell(self) -> None:
        if self._cell is not None and self._passage.type == "row" and len(self._passage.cells) < _MOST_CELLS:
            self._close_mark()
            self._passage.cells.append((self._cell, len(self._passage.mapped)))
            self._passage.mapped.add(CELL, self._at(), self._at())
        self._cell = None

    def _at(self) -> int:
        """The offset in the file of what is being read."""
        line, column = self.getpos()
        return self._offset + self._starts[line - 1] + column
