"""Plain text: paragraphs, and blocks of code that have lost their marks but begin with what they cite."""

import re

from auditor.article.inline import Inline
from auditor.article.passages import Mapped, Passage, line_starts, verbatim

_FENCE = re.compile(r"[ \t]*(```|~~~)([\w+#-]{0,30})")
_HEADER = re.compile(r"[ \t]*(?:#|//|--|;|/\*|<!--)[^\n]{0,40}?[\w./-]{1,200}\.\w{1,5}(?:[:：#]|[ \t]{1,3}L)L?\d")
_HAN = re.compile("[\u3400-\u9fff]")
_CODE_LINE = re.compile(
    r"^(?:[ \t]+\S|[@)\]}]|(?:def|class|if|for|while|return|async|with|try|else|elif|except|from|import)\b)|[=(\[{:,)]"
)
_HEADING = re.compile(r"(?:[一二三四五六七八九十]{1,3}、|\d{1,2}(?:\.\d{1,2}){0,3}[.、]?[ \t]|第[^ \n]{1,4}[章节部])")
_LONGEST_HEADING = 60


def plain(text: str, start: int = 0) -> list[Passage]:
    """The passages of plain text, from an offset on."""
    starts = [one for one in line_starts(text) if one >= start]
    ends = [*(one - 1 for one in starts[1:]), len(text)]
    lines = list(zip(starts, ends, strict=True))
    passages: list[Passage] = []
    number = 0
    while number < len(lines):
        at, end = lines[number]
        if not text[at:end].strip():
            number += 1
            continue
        fence = _FENCE.match(text, at, end)
        if fence:
            last = next((n for n in range(number + 1, len(lines)) if _closes(text, lines[n], fence[1])), None)
            if last is not None:
                block = lines[number + 1 : last]
                passages.append(Passage("code", verbatim(text, 0, block), info=fence[2]))
                number = last + 1
                continue
        if _HEADER.match(text, at, end):
            last = _code_end(text, lines, number)
            if last > number + 1:
                passages.append(Passage("code", verbatim(text, 0, lines[number:last])))
                number = last
                continue
        last = number + 1
        while last < len(lines) and text[slice(*lines[last])].strip() and not _HEADER.match(text, *lines[last]):
            last += 1
        passages.append(_paragraph(text, at, lines[last - 1][1], is_single=last == number + 1))
        number = last
    return passages


def _closes(text: str, line: tuple[int, int], sign: str) -> bool:
    return text[slice(*line)].strip() == sign


def _code_end(text: str, lines: list[tuple[int, int]], number: int) -> int:
    """The line after a block of code that begins with what it cites."""
    last = number + 1
    while last < len(lines):
        at, end = lines[last]
        line = text[at:end]
        code = line.partition("#")[0]
        if line.strip() and (_HAN.search(code) or not _CODE_LINE.search(line) or _HEADER.match(line)):
            break
        last += 1
    while last > number + 1 and not text[slice(*lines[last - 1])].strip():
        last -= 1
    return last


def _paragraph(text: str, at: int, end: int, *, is_single: bool) -> Passage:
    line = text[at:end]
    is_heading = is_single and len(line) <= _LONGEST_HEADING and _HEADING.match(line.strip()) is not None
    passage = Passage("heading" if is_heading else "prose", Mapped(), level=2 if is_heading else 0)
    Inline(text, passage).run(at, end)
    return passage
