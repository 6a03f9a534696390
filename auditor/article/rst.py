"""reStructuredText as passages: paragraphs, literal blocks, grid and list tables as prose; links, roles and literals.

docutils does not tell where a piece of text stands in its file, which a repair must know; so the blocks are found by
their indentation here.
"""

import re

from auditor.article.inline import Inline
from auditor.article.passages import Mapped, Passage, line_starts, verbatim

_CODE = re.compile(
    r"[ \t]*\.\.[ \t]+(?:code-block|code|sourcecode|literalinclude|parsed-literal|highlight)::[ \t]*(\S{0,40})"
)
_DIRECTIVE = re.compile(r"[ \t]*\.\.[ \t]+[\w:-]{1,60}::")
_TARGET = re.compile(r"[ \t]*\.\.[ \t]+_[^:\n]{1,200}:[ \t]*(?=\S)")
_UNDERLINE = re.compile(r"([=\-~^\"'#*+.`:_])\1{2,}[ \t]*$")
_LINK = re.compile(r"`(?P<text>[^`<>]{0,500}?)\s*<(?P<url>[^`<>\s]{1,2000})>`_{0,2}")
_ROLE = re.compile(r":[\w:+.-]{1,60}:(?=`)")
_LITERAL = re.compile(r"(?P<ticks>``|`)(?P<code>[^`\n]{1,500})(?P=ticks)_{0,2}")


def rst(text: str) -> list[Passage]:
    """The passages of reStructuredText."""
    starts = line_starts(text)
    lines = list(zip(starts, [*(one - 1 for one in starts[1:]), len(text)], strict=True))
    passages: list[Passage] = []
    number = 0
    while number < len(lines):
        line = text[slice(*lines[number])]
        if not line.strip() or _UNDERLINE.match(line.strip()):
            number += 1
            continue
        if code := _CODE.match(line):
            number = _block(text, lines, number, code[1], passages)
            continue
        last = number + 1
        while last < len(lines) and _goes_on(text, lines[last]):
            last += 1
        is_heading = last < len(lines) and last == number + 1 and _UNDERLINE.match(text[slice(*lines[last])].strip())
        passages.append(_prose(text, lines[number][0], lines[last - 1][1], is_heading=bool(is_heading)))
        number = last
        if not _DIRECTIVE.match(line) and text[slice(*lines[last - 1])].rstrip().endswith("::"):
            number = _block(text, lines, last - 1, "", passages)
    return passages


def _goes_on(text: str, line: tuple[int, int]) -> bool:
    """Whether a line belongs to the paragraph before it."""
    content = text[slice(*line)]
    return bool(content.strip()) and not (
        _UNDERLINE.match(content.strip()) or _CODE.match(content) or _DIRECTIVE.match(content)
    )


def _block(text: str, lines: list[tuple[int, int]], number: int, language: str, passages: list[Passage]) -> int:
    """Add the lines that are indented below a line; the number of the line behind them."""
    indent = _indent(text[slice(*lines[number])])
    last = number + 1
    while last < len(lines) and (not text[slice(*lines[last])].strip() or _indent(text[slice(*lines[last])]) > indent):
        last += 1
    block = [line for line in lines[number + 1 : last] if not re.match(r"[ \t]*:[\w-]+:", text[slice(*line)])]
    while block and not text[slice(*block[0])].strip():
        block.pop(0)
    if block:
        passages.append(Passage("code", verbatim(text, 0, block), info=language))
    return last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _prose(text: str, at: int, end: int, *, is_heading: bool = False) -> Passage:
    passage = Passage("heading" if is_heading else "prose", Mapped(), level=2 if is_heading else 0)
    inline = Inline(text, passage)
    target = _TARGET.match(text, at, end)
    at = target.end() if target else at
    while at < end:
        tick = text.find("`", at, end)
        tick = end if tick < 0 else tick
        role = next((one for one in _ROLE.finditer(text, max(at, tick - 62), tick) if one.end() == tick), None)
        inline.run(at, role.start() if role else tick)
        if tick == end:
            break
        at = _marked(text, tick, end, inline, passage)
    return passage


def _marked(text: str, at: int, end: int, inline: Inline, passage: Passage) -> int:
    """Read a link or a literal; where the text goes on."""
    if link := _LINK.match(text, at, end):
        begin = len(passage.mapped)
        passage.mapped.add(link["text"], link.start("text"))
        if not link["text"]:
            inline.url(link.start("url"), link["url"])
        else:
            inline.link(begin, link["url"], link.start("url"))
        return link.end()
    if literal := _LITERAL.match(text, at, end):
        begin = len(passage.mapped)
        passage.mapped.add(literal["code"], literal.start("code"))
        passage.marks.append((begin, len(passage.mapped)))
        return literal.end()
    passage.mapped.add("`", at)
    return at + 1
