"""The citations in a text, in the order in which they stand."""

import re
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from auditor.article import notation
from auditor.article.lines import Taken, lines_after, numbers
from auditor.article.links import linked, local
from auditor.article.passages import Document, Passage
from auditor.articles import Extent, Form, Lines, Mention
from auditor.text import Text

MOST = 20_000
"""Citations of one file; more are not read."""

_LOG = Text("in a line of a log, a compiler or a linter", "日志、编译器或检查工具的输出行")
_TRACEBACK = Text("in a traceback", "回溯（traceback）中")
_SAMPLE = Text("in a block that shows what a machine printed, or data", "展示机器输出或数据的代码块中")

_LINE_CELL = re.compile(
    r"\s*(?:[Ll]ines?\s|第)?\s?(?P<approx>[~≈])?(?P<lines>[:：]?[L]?\d[\dL,，、\s~–—-]{0,60})行?\s*$"
)
_LINE_HEADER = re.compile(r"\blines?\b|行|\bL\b|位置", re.IGNORECASE)
_ONE_LINE_HEADER = re.compile(r"\bline\b|行号|\bL\b|位置", re.IGNORECASE)
_PORTS = frozenset(
    {22, 80, 443, 1234, 3000, 5000, 5432, 6006, 6379, 7860, 8000, 8001, 8080, 8081, 8443, 8888, 9000, 9090}
)
_PORT = re.compile(r"\bports?\b|端口|listen|localhost|监听", re.IGNORECASE)
_JOINED = re.compile(r"[\s、,，和与及/&+`*]{1,6}(?:and\s)?")
_NEW_ITEM = re.compile(r"\n\s*(?:[-*+•]|\d{1,2}[.)])\s")
_OPENING = "(（[【“\"'`"
_LEAST = 100
"""Least number of a bare `L123` that is no cache level, no GPU and no layer."""
_NEAR = 40  # citations before lines that inherit a file
_FARTHEST = 4  # passages back, to the file that is named before


@dataclass(eq=False)
class Mentions:
    """The citations of a text, and what was taken for none."""

    mentions: list[Mention] = field(default_factory=list)
    quotes: dict[int, int] = field(default_factory=dict)
    """By the number of a code block's passage: the citation that says where it is from."""
    left_out: Counter[Text] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Hit:
    """A citation in a passage, by the passage's own offsets."""

    start: int
    end: int
    mention: Mention


def mentions(document: Document) -> Mentions:
    """Every citation of a document."""
    found = Mentions()
    reader = _Reader(document, found)
    for number in range(len(document.passages)):
        reader.read(number)
        if len(found.mentions) > MOST:
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

    def _quoted(self, number: int, passage: Passage, hits: Sequence[_Hit], first: int) -> None:
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

    def _prose(self, number: int, passage: Passage) -> list[_Hit]:
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
        hits += self._again(number, passage, hits)
        hits.sort(key=lambda hit: hit.start)
        return [hit for hit in hits if not self._is_log(text, hit.start)]

    def _is_log(self, text: str, at: int, *, is_code: bool = False) -> bool:
        begin = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        line = text[begin : min(end if end >= 0 else len(text), begin + 600)]
        if notation.TRACEBACK.search(line):
            self._found.left_out[_TRACEBACK] += 1
            return True
        if is_code and notation.LOG.search(line):
            self._found.left_out[_LOG] += 1
            return True
        return False

    def _links(self, number: int, passage: Passage) -> Iterator[_Hit]:
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
                end, own = after[1], self._lines_at(passage, after[0])
                mention = replace(mention, lines=own, form=Form.LINES)
            elif inner and inner[0].mention.lines:
                same = inner[0].mention.lines
                if mention.lines and [one.region for one in same] == [one.region for one in mention.lines]:
                    mention = replace(mention, echoes=same)
                elif not mention.lines:
                    mention = replace(mention, lines=same)
            shown = label if label.strip("\ufffc ") else link.url
            yield _Hit(link.start, end, replace(mention, text=_short(shown), extent=extent, passage=number))

    def _paths(self, number: int, passage: Passage, taken: "Taken", within: Extent | None = None) -> Iterator[_Hit]:
        text = passage.text
        start, end = within or (0, len(text))
        for path in notation.PATH.finditer(text, start, end):
            if path.start() in taken:
                continue
            at, stop = path.span("path")
            lines: tuple[Lines, ...] = ()
            symbol, form, is_rough = None, Form.FILE, False
            if named := notation.SYMBOL_AFTER.match(text, stop, end):
                symbol, stop, form = named["symbol"].replace("::", "."), named.end(), Form.SYMBOL
            if after := lines_after(text, stop, end):
                lines, form, stop = self._lines_at(passage, after[0]), Form.LINES, after[1]
                is_rough = bool(after[0].groupdict().get("approx"))
            elif before := notation.BEFORE.search(text, max(start, at - 60), at):
                lines, form = self._lines_at(passage, before), Form.LINES
                yield self._hit(
                    number, passage, before.start(), stop, form, path["path"], lines, symbol, path.span("path")
                )
                continue
            yield self._hit(
                number, passage, at, stop, form, path["path"], lines, symbol, path.span("path"), is_rough=is_rough
            )

    def _hit(
        self,
        number: int,
        passage: Passage,
        start: int,
        stop: int,
        form: Form,
        path: str,
        lines: tuple[Lines, ...],
        symbol: str | None,
        path_at: tuple[int, int] | None,
        *,
        is_rough: bool = False,
        choices: tuple[str, ...] = (),
    ) -> _Hit:
        extent = passage.mapped.extent(start, stop)
        printed = passage.mapped.extent(*path_at) if path_at else None
        mention = Mention(
            _short(passage.text[start:stop]),
            extent,
            form,
            path,
            lines,
            symbol,
            path_at=printed,
            choices=choices,
            passage=number,
            is_approximate=is_rough,
        )
        return _Hit(start, stop, mention)

    def _lines_at(self, passage: Passage, found: "re.Match[str]", group: str = "lines") -> tuple[Lines, ...]:
        """The ranges of a match."""
        return self._ranges(passage, *found.span(group))

    def _ranges(self, passage: Passage, start: int, end: int) -> tuple[Lines, ...]:
        """The ranges in a piece of a passage, by where their numbers stand in the file."""
        own = passage.mapped.extent
        return tuple(
            Lines(one.region, own(*one.start), own(*one.end) if one.end else None)
            for one in numbers(passage.text, start, end)
        )

    def _folders(self, number: int, passage: Passage, taken: "Taken") -> Iterator[_Hit]:
        for found in notation.FOLDER.finditer(passage.text):
            if found.start() not in taken:
                yield self._hit(
                    number, passage, *found.span("path"), Form.FOLDER, found["path"], (), None, found.span("path")
                )

    def _symbols(self, number: int, passage: Passage, taken: "Taken") -> Iterator[_Hit]:
        for start, end in passage.marks:
            found = notation.SYMBOL.fullmatch(passage.text, start, end)
            if found and start not in taken:
                yield self._hit(number, passage, start, end, Form.SYMBOL, "", (), found["symbol"], None)

    def _cells(self, passage: Passage, hits: list[_Hit]) -> list[_Hit]:
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
                lines = self._ranges(passage, start + found.start("lines"), start + found.end("lines"))
                mention = replace(
                    bare[0].mention,
                    text=f"{bare[0].mention.text}:{found['lines'].strip().lstrip(':')}",
                    form=Form.CELLS,
                    lines=lines,
                    is_approximate=bool(found["approx"]),
                )
                return [_Hit(hit.start, hit.end, mention) if hit is bare[0] else hit for hit in hits]
        return hits

    def _again(self, number: int, passage: Passage, hits: Sequence[_Hit]) -> list[_Hit]:
        """Lines of a file that is named before."""
        text = passage.text
        taken = Taken((hit.start, hit.end) for hit in hits)
        marks = {start for start, _ in passage.marks}
        rest = deque(sorted(hits, key=lambda hit: hit.start))
        near: deque[_Hit] = deque(maxlen=_NEAR)  # the last ones before
        found: list[_Hit] = []
        for again in notation.AGAIN.finditer(text):
            group = next(name for name in ("lines", "lines2", "lines3") if again[name])
            at = again.start() if group != "lines2" else again.start(group)
            while rest and rest[0].end <= at:
                near.append(rest.popleft())
            if len(found) >= MOST or at in taken or not self._is_again(passage, again, group, marks, near):
                continue
            named = self._named_before(number, text, near)
            lines = self._lines_at(passage, again, group)
            rough = bool(again["approx"] or again["approx2"])
            path = named[0] if named else ""
            hit = self._hit(
                number, passage, again.start(), again.end(), Form.INHERITED, path, lines, None, None,
                is_rough=rough, choices=named,
            )  # fmt: skip
            item = max((one.end() for one in _NEW_ITEM.finditer(text, near[0].end if near else at, at)), default=0)
            others = dict.fromkeys(
                one.mention.path for one in reversed(near) if one.end >= item and one.mention.path not in (path, "")
            )
            hit = replace(hit, mention=replace(hit.mention, earlier=tuple(others)[:4]))
            found.append(hit)
            near.append(hit)
        return [hit for hit in found if hit.mention.path or _is_sure(hit, text, marks)]

    def _is_again(
        self, passage: Passage, again: "re.Match[str]", group: str, marks: set[int], before: Collection[_Hit]
    ) -> bool:
        text, at = passage.text, again.start()
        numbers = [int(one) for one in re.findall(r"\d+", again[group])]
        is_range = len(numbers) > 1
        if text[max(0, at - 2) : at].endswith("[") and re.match(r"[\w)\]]", text[max(0, at - 2) : at]):
            return False  # the slice of a list
        is_marked = at in marks or (at > 0 and text[at - 1] in _OPENING)
        if group == "lines3":
            is_near = any(0 <= at - hit.end < 200 for hit in before)
            return (
                (is_range and max(numbers) >= 10)
                or (numbers[0] >= _LEAST and (is_marked or is_near))
                or (is_marked and is_near and numbers[0] >= 10)
            )
        if group == "lines" and not is_range and (numbers[0] in _PORTS or _PORT.search(text, max(0, at - 40), at)):
            return False
        if group == "lines" and not is_marked:
            return any(
                _JOINED.fullmatch(text[hit.end : at]) for hit in before if hit.end <= at and hit.mention.lines
            ) or (is_range and any(hit.mention.lines and 0 <= at - hit.end < 300 for hit in before))
        return True

    def _named_before(self, number: int, text: str, before: Collection[_Hit]) -> tuple[str, ...]:
        """The files that lines may be of: the one named last, or all of a list that stands before."""
        paths = [hit for hit in before if hit.mention.path and hit.mention.form is not Form.FOLDER]
        if not paths:
            recent = [mention for passage, mention in self._recent if number - passage <= _FARTHEST and mention.path]
            return (recent[-1].path,) if recent else ()
        last = paths[-1]
        if last.mention.form is Form.INHERITED:
            return last.mention.choices
        several = [last]
        for hit in reversed(paths[:-1]):
            is_listed = hit.mention.form is Form.FILE and _JOINED.fullmatch(text[hit.end : several[0].start])
            if last.mention.form is not Form.FILE or not is_listed:
                break
            several.insert(0, hit)
        return tuple(hit.mention.path for hit in several)

    def _code(self, number: int, passage: Passage) -> list[_Hit]:
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
        hits = []
        for hit in self._paths(number, passage, Taken()):
            if self._is_log(text, hit.start, is_code=True):
                continue
            is_head = hit.start < first_end and _is_header(text[head:first_end], hit.start - head)
            if not hit.mention.lines and not is_head:
                continue
            mention = replace(hit.mention, form=Form.HEADER if is_head else hit.mention.form, is_sample=not is_head)
            hits.append(_Hit(hit.start, hit.end, mention))
        return hits


def _is_header(line: str, at: int) -> bool:
    """Whether a line says where a block of code is from: a comment with a path, or the path alone."""
    before = line[:at].strip()
    return before.startswith(("#", "//", "--", ";", "/*", "<!--", "%", "'''", '"""', ">>>")) or (not before and at < 8)


def _is_last(rest: str) -> bool:
    """Whether nothing but punctuation comes after the last citation of a paragraph above a code block."""
    return re.fullmatch(r"[\s)）\]】:：。.`*,，;；]*(?:[^\s]{0,12}[:：])?\s*", rest) is not None


def _is_label(text: str, hit: _Hit) -> bool:
    """Whether a paragraph does little more than say where the code below it is from."""
    before = text[: hit.start].strip(" \t\n*_`>（(")
    is_word = re.search(
        r"(?:来源|源码|源文件|代码位置|位置|文件|出处|见|source|file|from|location|path|code)\W{0,4}$",
        before,
        re.IGNORECASE,
    )
    return "\n" not in text.strip() and len(text) - (hit.end - hit.start) < 80 and (not before or is_word is not None)


def _is_sure(hit: _Hit, text: str, marks: set[int]) -> bool:
    """Whether lines without any file before them must be a citation all the same."""
    is_marked = hit.start in marks or (hit.start > 0 and text[hit.start - 1] in _OPENING)
    return is_marked and any(one.end for one in hit.mention.lines)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 200 else text[:199] + "…"
