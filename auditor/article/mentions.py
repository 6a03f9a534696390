"""The citations in a text, in the order in which they stand."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from auditor.article import notation
from auditor.article.hits import Hit, citation, ranges, short
from auditor.article.inherited import MOST, in_comments, inherited
from auditor.article.lines import Taken, lines_after
from auditor.article.links import linked, local
from auditor.article.passages import Document, Hyperlink, Passage
from auditor.articles import Extent, Form, Lines, Mention
from auditor.text import Text

_LOG = Text("in a line of a log, a compiler or a linter", "日志、编译器或检查工具的输出行")
_TRACEBACK = Text("in a traceback", "回溯（traceback）中")
_SAMPLE = Text("in a block that shows what a machine printed, or data", "展示机器输出或数据的代码块中")

_REST = Text(f"passages after the first {MOST:,} citations", f"前 {MOST:,} 处引用之后的段落")

_LINE_CELL = re.compile(
    r"\s*(?:[Ll]ines?\s|第)?\s?(?P<approx>[~≈])?(?P<lines>[:：]?[L]?\d[\dL,，、\s~–—-]{0,60})行?\s*$"
)
_LINE_HEADER = re.compile(r"\blines?\b|行|\bL\b|位置", re.IGNORECASE)
_ONE_LINE_HEADER = re.compile(r"\bline\b|行号|\bL\b|位置", re.IGNORECASE)


@dataclass(eq=False)
class Mentions:
    """The citations of a text, and what was taken for none."""

    mentions: list[Mention] = field(default_factory=list)
    quotes: dict[int, int] = field(default_factory=dict)
    """By the number of a code block's passage: the citation that says where it is from."""
    left_out: Counter[Text] = field(default_factory=Counter)


def mentions(document: Document) -> Mentions:
    """Every citation of a document."""
    found = Mentions()
    reader = _Reader(document, found)
    for number in range(len(document.passages)):
        reader.read(number)
        if len(found.mentions) > MOST:
            found.left_out[_REST] += len(document.passages) - number - 1
            break
    return found


class _Reader:
    def __init__(self, document: Document, found: Mentions) -> None:
        self._document, self._found = document, found
        self._recent: list[tuple[int, Mention]] = []
        """The files that were named, with the number of their passages."""
        self._header: Passage | None = None

    def read(self, number: int) -> None:
        passage = self._document.passages[number]
        if passage.type == "heading" and passage.level <= 2:
            self._recent = []
        if passage.type == "code":
            hits = self._code(number, passage)
        else:
            hits = self._prose(number, passage)
            if passage.type == "row" and (self._header is None or self._header.table != passage.table):
                self._header = passage
        first = len(self._found.mentions)
        self._found.mentions += [hit.mention for hit in hits]
        self._recent += [(number, hit.mention) for hit in hits if hit.mention.form not in (Form.FOLDER, Form.SYMBOL)]
        self._recent = self._recent[-40:]
        self._quoted(number, passage, hits, first)

    def _quoted(self, number: int, passage: Passage, hits: Sequence[Hit], first: int) -> None:
        """Which code block shows the code that a citation is of."""
        if passage.type == "code":
            for index, hit in enumerate(hits):
                if hit.mention.form is Form.HEADER and hit.mention.lines:
                    self._found.quotes[number] = first + index
                    return
        following = self._document.passages[number + 1 : number + 2]
        if passage.type not in ("prose", "heading") or not (following and following[0].type == "code"):
            return
        lines = [
            (index, hit) for index, hit in enumerate(hits) if hit.mention.lines and hit.mention.form is not Form.CELLS
        ]
        if lines and (len(lines) == 1 or _is_last(passage.text[lines[-1][1].end :])):
            rest = passage.text[lines[-1][1].end :]
            if _is_last(rest) or _is_label(passage.text, lines[-1][1]):
                self._found.quotes[number + 1] = first + lines[-1][0]

    def _prose(self, number: int, passage: Passage) -> list[Hit]:
        text = passage.text
        hits = list(self._links(number, passage))
        taken = Taken((hit.start, hit.end) for hit in hits)
        hits += self._paths(number, passage, taken)
        taken = Taken((hit.start, hit.end) for hit in hits)
        hits += self._folders(number, passage, taken)
        hits += self._symbols(number, passage, taken)
        hits.sort(key=lambda hit: hit.start)
        if passage.type == "row":
            hits = self._cells(passage, hits)
        hits += inherited(number, passage, hits, self._recent)
        hits.sort(key=lambda hit: hit.start)
        return [hit for hit in hits if not self._is_log(text, hit)]

    def _is_log(self, text: str, hit: Hit, *, is_code: bool = False) -> bool:
        begin = text.rfind("\n", 0, hit.start) + 1
        end = text.find("\n", hit.start)
        line = text[begin : min(end if end >= 0 else len(text), begin + 600)]
        for kind, pattern in ((_TRACEBACK, notation.TRACEBACK), *(((_LOG, notation.LOG),) if is_code else ())):
            if pattern.search(line):
                self._found.left_out[kind] += hit.mention.form is not Form.INHERITED
                return True
        return False

    def _links(self, number: int, passage: Passage) -> Iterator[Hit]:
        done = 0
        for link in sorted(passage.anchors, key=lambda one: (one.start, -one.end)):
            if link.start < done:
                continue
            mention = linked(link) or local(link)
            if mention is None:
                if (
                    link.url.startswith("http")
                    and link.end > link.start + 1
                    and notation.PATH.search(passage.text, link.start, link.end)
                ):
                    done = link.start  # the text may be a path though the link is to something else
                continue
            done = link.end
            label = passage.text[link.start : link.end]
            extent = passage.mapped.extent(link.start, link.end)
            inner = list(self._paths(number, passage, Taken(), (link.start, link.end)))
            end = link.end
            if not mention.lines and (after := lines_after(passage.text, link.end)):
                end, own = after[1], ranges(passage, *after[0].span("lines"))
                mention = replace(mention, lines=own, form=Form.LINES)
            elif inner and inner[0].mention.lines:
                same = inner[0].mention.lines
                if mention.lines and [one.region for one in same] == [one.region for one in mention.lines]:
                    mention = replace(mention, echoes=same)
                elif not mention.lines:
                    mention = replace(mention, lines=same)
            shown = label if label.strip("\ufffc ") else link.url
            yield Hit(link.start, end, replace(mention, text=short(shown), extent=extent, passage=number))

    def _paths(self, number: int, passage: Passage, taken: "Taken", within: Extent | None = None) -> Iterator[Hit]:
        text = passage.text
        start, end = within or (0, len(text))
        marks = {last: first for first, last in passage.marks}
        for path in notation.PATH.finditer(text, start, end):
            if path.start() in taken:
                continue
            at, stop = path.span("path")
            lines: tuple[Lines, ...] = ()
            symbol, form, is_rough = None, Form.FILE, False
            if named := notation.SYMBOL_AFTER.match(text, stop, end):
                symbol, stop, form = named["symbol"].replace("::", "."), named.end(), Form.SYMBOL
            elif (named := notation.SYMBOL_AFTER_COLON.match(text, stop, end)) and named.end() in marks:
                symbol, stop, form = named["symbol"], named.end(), Form.SYMBOL
            if after := lines_after(text, stop, end):
                lines, form, stop = ranges(passage, *after[0].span("lines")), Form.LINES, after[1]
                is_rough = bool(after[0].groupdict().get("approx"))
            elif before := notation.BEFORE.search(text, max(start, at - 60), at):
                lines, form, at = ranges(passage, *before.span("lines")), Form.LINES, before.start()
            yield citation(
                number, passage, (at, stop), form, path["path"], lines, symbol, path.span("path"), is_rough=is_rough
            )

    def _folders(self, number: int, passage: Passage, taken: "Taken") -> Iterator[Hit]:
        for found in notation.FOLDER.finditer(passage.text):
            if found.start() not in taken:
                at = found.span("path")
                yield citation(number, passage, at, Form.FOLDER, found["path"], (), path_at=at)

    def _symbols(self, number: int, passage: Passage, taken: "Taken") -> Iterator[Hit]:
        for start, end in passage.marks:
            found = notation.SYMBOL.fullmatch(passage.text, start, end)
            if found and start not in taken:
                yield citation(number, passage, (start, end), Form.SYMBOL, "", (), found["symbol"])
        if not self._document.has_marks:
            for found in notation.BARE_SYMBOL.finditer(passage.text):
                if found.start() not in taken:
                    yield citation(number, passage, found.span(), Form.SYMBOL, "", (), found["symbol"])

    def _cells(self, passage: Passage, hits: list[Hit]) -> list[Hit]:
        """The row's citations, with the lines that stand in a cell of their own."""
        bare = [hit for hit in hits if hit.mention.form is Form.FILE]
        if len(bare) != 1 or any(hit.mention.lines for hit in hits) or self._header is None:
            return hits
        heads = [self._header.text[slice(*cell)] for cell in self._header.cells]
        for index, (start, end) in enumerate(passage.cells):
            is_lines = index < len(heads) and _LINE_HEADER.search(heads[index])
            found = _LINE_CELL.match(passage.text[start:end])
            # A bare number below `Lines` is how many there are.
            is_count = found and found["lines"].strip().isdigit() and not _ONE_LINE_HEADER.search(heads[index])
            if is_lines and found and not is_count and not start <= bare[0].start < end:
                lines = ranges(passage, start + found.start("lines"), start + found.end("lines"))
                mention = replace(
                    bare[0].mention,
                    text=f"{bare[0].mention.text}:{found['lines'].strip().lstrip(':')}",
                    form=Form.CELLS,
                    lines=lines,
                    is_approximate=bool(found["approx"]),
                )
                return [Hit(hit.start, hit.end, mention) if hit is bare[0] else hit for hit in hits]
        return hits

    def _code(self, number: int, passage: Passage) -> list[Hit]:
        """The citations in a code block: its first lines may say where it is from; others are samples."""
        text = passage.text
        if passage.info.split(" ")[0].lower() in notation.EXAMPLES:
            self._found.left_out[_SAMPLE] += sum(
                1 for hit in self._paths(number, passage, Taken()) if hit.mention.lines
            )
            return []
        head = len(text) - len(text.lstrip())
        first_end = text.find("\n", head)
        first_end = len(text) if first_end < 0 else first_end
        is_diagram = passage.info.startswith("mermaid")
        hits = []
        for hit in self._paths(number, passage, Taken()):
            if self._is_log(text, hit, is_code=not is_diagram):
                continue
            is_head = hit.start < first_end and _is_header(text[head:first_end], hit.start - head)
            if not hit.mention.lines and not is_head:
                continue
            mention = replace(hit.mention, form=Form.HEADER if is_head else hit.mention.form, is_sample=not is_head)
            hits.append(Hit(hit.start, hit.end, mention))
        hits = sorted([*hits, *self._urls(number, passage, first_end)], key=lambda hit: hit.start)
        source = self._source(number, hits)
        if source:
            taken = Taken((hit.start, hit.end) for hit in hits)
            hits = sorted([*hits, *in_comments(number, passage, source, taken)], key=lambda hit: hit.start)
        return hits

    def _urls(self, number: int, passage: Passage, first_end: int) -> Iterator[Hit]:
        """The links to code in a block: in its first line to where it is from, and in its comments."""
        for found in notation.URL_PATH.finditer(passage.text):
            url = found[0].rstrip(".,;:!?)\"'")
            extent = passage.mapped.extent(found.start(), found.start() + len(url))
            mention = linked(Hyperlink(found.start(), found.start() + len(url), url, extent[0]))
            if mention is not None and mention.lines:
                is_head = found.start() < first_end
                form = Form.HEADER if is_head else mention.form
                mention = replace(
                    mention, text=short(url), extent=extent, passage=number, form=form, is_sample=not is_head
                )
                yield Hit(found.start(), found.start() + len(url), mention)

    def _source(self, number: int, hits: Sequence[Hit]) -> str:
        """The file that a code block is from: as its first line says, or the citation above it; else empty."""
        heads = [hit.mention.path for hit in hits if hit.mention.form is Form.HEADER]
        if heads:
            return heads[0]
        above = self._found.quotes.get(number)
        return self._found.mentions[above].path if above is not None else ""


def _is_header(line: str, at: int) -> bool:
    """Whether a line says where a block of code is from: a comment with a path, or the path alone."""
    before = line[:at].strip()
    return before.startswith(("#", "//", "--", ";", "/*", "<!--", "%", "'''", '"""', ">>>")) or (not before and at < 8)


def _is_last(rest: str) -> bool:
    """Whether nothing but punctuation comes after the last citation of a paragraph above a code block."""
    return re.fullmatch(r"[\s)）\]】:：。.`*,，;；]*(?:[^\s]{0,12}[:：])?\s*", rest) is not None


def _is_label(text: str, hit: Hit) -> bool:
    """Whether a paragraph does little more than say where the code below it is from."""
    before = text[: hit.start].strip(" \t\n*_`>（(")
    is_word = re.search(
        r"(?:来源|源码|源文件|代码位置|位置|文件|出处|见|source|file|from|location|path|code)\W{0,4}$",
        before,
        re.IGNORECASE,
    )
    return "\n" not in text.strip() and len(text) - (hit.end - hit.start) < 80 and (not before or is_word is not None)
