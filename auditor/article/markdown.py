"""Markdown: its blocks by markdown-it-py, each with the lines on which it stands; their inline markup by `inline`."""

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from auditor.article.inline import Inline
from auditor.article.markup import markup
from auditor.article.passages import CELL, Mapped, Passage, line_starts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it.token import Token

_FRONT = re.compile(r"---[ \t]*\n")
_KEY = re.compile(r"[ \t]{0,8}([A-Za-z][\w-]{0,60})[ \t]*:[ \t]*(\S[^\n]{0,500})")
_FOREWORD = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])?[ \t]*")
_DEFINED = re.compile(r"\]:\s*<?(?P<url>[^\s<>]{1,2000})")
_MOST_CELLS = 500  # of a row; the rest is one
_MOST_FRONT = 200  # lines


def front_matter(text: str) -> tuple[dict[str, str], int]:
    """What the front matter says, and the offset at which the text proper begins."""
    opened = _FRONT.match(text)
    if opened is None:
        return {}, 0
    found: dict[str, str] = {}
    at = opened.end()
    for _ in range(_MOST_FRONT):
        line_end = text.find("\n", at)
        if line_end < 0:
            break
        line = text[at:line_end]
        if line.rstrip() in ("---", "..."):
            return found, line_end + 1
        if pair := _KEY.match(line):
            found[pair[1].lower()] = pair[2].strip().strip("\"'")
        at = line_end + 1
    return {}, 0


def markdown(text: str, start: int = 0) -> list[Passage]:
    """The passages of Markdown, from an offset on."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 60}).enable("table").disable(["inline"])
    starts = [start + one for one in line_starts(text[start:])]
    known: dict[str, Any] = {}
    blocks = _Blocks(text, starts)
    return blocks.of(parser.parse(text[start:], known), known.get("references", {}).values())


class _Blocks:
    def __init__(self, text: str, starts: list[int]) -> None:
        self._text, self._starts = text, [*starts, len(text)]
        self._passages: list[Passage] = []
        self._table = 0
        self._level = 0

    def of(self, tokens: "list[Token]", definitions: "Iterable[dict[str, Any]]" = ()) -> list[Passage]:
        is_table = False
        for token in tokens:
            is_table = token.type == "table_open" or (is_table and token.type != "table_close")
            match token.type:
                case "heading_open":
                    self._level = int(token.tag[1])
                case "heading_close":
                    self._level = 0
                case "table_open":
                    self._table += 1
                    self._rows(token)
                case "inline" if not is_table:
                    self._inline(token)
                case "fence" | "code_block":
                    self._code(token)
                case "html_block":
                    self._html(token)
                case _:
                    pass  # the blocks inside say it
        for definition in definitions:
            self._definition(*definition["map"])
        if self._table or definitions:
            self._passages.sort(key=lambda one: one.mapped.extent(0, 1)[0] if len(one.mapped) else 0)
        return self._passages

    def _lines(self, token: "Token") -> tuple[int, int] | None:
        """The offsets of a block's first character and of its end."""
        if token.map is None:
            return None
        first, last = token.map
        return self._starts[first], self._starts[min(last, len(self._starts) - 1)]

    def _inline(self, token: "Token") -> None:
        extent = self._lines(token)
        if extent is None:
            return
        passage = Passage("heading" if self._level else "prose", Mapped(), level=self._level)
        inline = Inline(self._text, passage)
        at, end = extent
        while at < end:
            line_end = self._text.find("\n", at, end)
            line_end = end if line_end < 0 else line_end + 1
            foreword = _FOREWORD.match(self._text, at, line_end)
            at = foreword.end() if foreword else at
            following = line_end
            # Marks may go over several lines; a quote's sign at the beginning of the next is no part of them.
            while following < end and not _FOREWORD_SIGN.match(self._text, following):
                more = self._text.find("\n", following, end)
                following = end if more < 0 else more + 1
            inline.run(at, following)
            at = following
        if len(passage.mapped):
            self._passages.append(passage)

    def _definition(self, first: int, last: int) -> None:
        """A link that is defined in a place of its own: `[1]: https://...`."""
        at, end = self._starts[first], self._starts[min(last, len(self._starts) - 1)]
        if found := _DEFINED.search(self._text, at, end):
            passage = Passage("prose", Mapped())
            Inline(self._text, passage).url(found.start("url"), found["url"])
            self._passages.append(passage)

    def _rows(self, token: "Token") -> None:
        extent = self._lines(token)
        at, end = extent or (0, 0)
        number = 0
        while at < end:
            line_end = self._text.find("\n", at, end)
            line_end = end if line_end < 0 else line_end
            if number != 1:  # the second is the rule below the header
                self._row(at, line_end)
            at, number = line_end + 1, number + 1

    def _row(self, at: int, end: int) -> None:
        passage = Passage("row", Mapped(), table=self._table)
        inline = Inline(self._text, passage)
        for cell_start, cell_end in _cells(self._text, at, end):
            begin = len(passage.mapped)
            inline.run(cell_start, cell_end)
            passage.cells.append((begin, len(passage.mapped)))
            passage.mapped.add(CELL, cell_end, cell_end)
        self._passages.append(passage)

    def _code(self, token: "Token") -> None:
        extent = self._lines(token)
        if extent is None:
            return
        at, end = extent
        if token.type == "fence":
            at = self._text.find("\n", at, end) + 1 or end
        content = token.content.rstrip("\n")
        passage = Passage("code", Mapped(), info=token.info.strip())
        for line in content.split("\n") if content else ():
            line_end = self._text.find("\n", at, end)
            line_end = end if line_end < 0 else line_end
            indent = line_end - at - len(line)  # what the block's place in a list or quote puts before
            if indent >= 0 and self._text.startswith(line, at + indent):
                passage.mapped.add(line, at + indent)
            passage.mapped.add("\n", line_end, line_end)
            at = line_end + 1
        self._passages.append(passage)

    def _html(self, token: "Token") -> None:
        extent = self._lines(token)
        if extent is not None:
            self._passages.extend(markup(self._text, *extent))


_FOREWORD_SIGN = re.compile(r"[ \t]*>")


def _cells(text: str, at: int, end: int) -> list[tuple[int, int]]:
    """The cells of a row; a bar in code marks or behind a backslash divides none."""
    bars, is_code, number = [], False, at
    while number < end:
        char = text[number]
        if char == "\\":
            number += 1
        elif char == "`":
            is_code = not is_code
        elif char == "|" and not is_code:
            bars.append(number)
        number += 1
    bars = bars[:_MOST_CELLS]
    edges = [at - 1, *bars, end]
    cells = [(first + 1, last) for first, last in pairwise(edges)]
    cells = cells[1:] if bars and not text[at : bars[0]].strip() else cells
    return cells[:-1] if bars and cells and not text[bars[-1] + 1 : end].strip() else cells
