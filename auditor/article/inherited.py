"""Lines of a file that is named before: `(:37)`, `L10-L20`, `第 37 行`, also in the comments of a quoted block."""

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from auditor.article import notation
from auditor.article.hits import Before, Hit, citation, ranges
from auditor.article.lines import Taken
from auditor.article.passages import Passage
from auditor.articles import Form, Lines, Mention
from auditor.model import Region

MOST = 20_000
"""Citations of one file; more are not read."""

_PORTS = frozenset(
    {22, 80, 443, 1234, 3000, 5000, 5432, 6006, 6379, 7860, 8000, 8001, 8080, 8081, 8443, 8888, 9000, 9090}
)
_PORT = re.compile(r"\bports?\b|端口|listen|localhost|监听", re.IGNORECASE)
_JOINED = re.compile(r"[\s、,，和与及/&+`*]{1,6}(?:and\s)?")
_NEW_ITEM = re.compile(r"\n\s*(?:[-*+•]|\d{1,2}[.)])\s")
_OPENING = "(（[【“\"'`"
_LEAST = 100
"""Least number of a bare `L123` that is no cache level, no GPU and no layer."""
_LEAST_IN_WORDS = 10
"""Least number of `第 12 行` that is no row of a table and no line of what is shown."""
_NEAR = 40  # citations before lines that inherit a file
_FARTHEST = 12  # passages back, to the file that is named before
_COMMENT = re.compile(r"(?:^|(?<=\s))(?:#|//|--|/\*|%%)(?P<text>[^\n]{0,300})", re.MULTILINE)

Recent = Sequence[tuple[int, Mention]]
"""The files that were named, with the number of their passages; the nearest last."""


def inherited(number: int, passage: Passage, hits: Sequence[Hit], recent: Recent) -> list[Hit]:
    """The lines in a passage that are of a file that is named before; `hits` are its other citations."""
    text = passage.text
    taken = Taken((one.start, one.end) for one in hits)
    marks = {start for start, _ in passage.marks}
    rest = deque(sorted(hits, key=lambda one: one.start))
    near: deque[Hit] = deque(maxlen=_NEAR)  # the last ones before
    found: list[Hit] = []
    for again in notation.AGAIN.finditer(text):
        group = _group(again)
        at = again.start() if group in ("lines", "lines3", "words") else again.start(group)
        while rest and rest[0].end <= at:
            near.append(rest.popleft())
        if len(found) >= MOST or at in taken or not _is_again(passage, again, group, marks, near):
            continue
        named = _named_before(number, text, near, recent)
        if not named and group not in ("lines", "lines2", "lines3"):
            continue
        one = _hit(number, passage, again, group, named)
        item = max((end.end() for end in _NEW_ITEM.finditer(text, near[0].end if near else at, at)), default=0)
        others = dict.fromkeys(
            before.mention.path
            for before in reversed(near)
            if before.end >= item and before.mention.path not in (one.mention.path, "")
        )
        farther = dict.fromkeys(
            before.path for _, before in reversed(recent) if before.path and before.path not in named
        )
        one = replace(one, mention=replace(one.mention, earlier=tuple(others)[:4], farther=tuple(farther)[:6]))
        found.append(one)
        near.append(one)
    return [one for one in found if one.mention.path or _is_sure(one, text, marks)]


def in_comments(number: int, passage: Passage, path: str, taken: Taken) -> list[Hit]:
    """The lines that the comments of a code block say, of the file that its first line names."""
    found = []
    for comment in _COMMENT.finditer(passage.text):
        for again in notation.AGAIN.finditer(passage.text, *comment.span("text")):
            group = _group(again)
            numbers = _numbers(again, group)
            if again.start(group) not in taken and (len(numbers) > 1 or numbers[0] >= _LEAST_IN_WORDS):
                one = _hit(number, passage, again, group, (path,))
                found.append(replace(one, mention=replace(one.mention, is_sample=True)))
    return found


def _group(again: "re.Match[str]") -> str:
    return next(name for name in ("lines", "lines2", "lines3", "words", "grouped", "several", "english") if again[name])


def _numbers(again: "re.Match[str]", group: str) -> list[int]:
    return [
        int(one) for one in re.findall(r"\d+", again[group].replace(",", "") if group == "grouped" else again[group])
    ]


def _hit(number: int, passage: Passage, again: "re.Match[str]", group: str, named: tuple[str, ...]) -> Hit:
    is_rough = any(again[name] for name in ("approx", "approx2", "approx4"))
    if group == "grouped":
        number_at = passage.mapped.extent(*again.span(group))
        line = int(again[group].replace(",", ""))
        lines: tuple[Lines, ...] = (Lines(Region(line, line), number_at),)
    else:
        lines = ranges(passage, *again.span(group))
    path = named[0] if named else ""
    return citation(number, passage, again.span(), Form.INHERITED, path, lines, is_rough=is_rough, choices=named)


def _is_again(passage: Passage, again: "re.Match[str]", group: str, marks: set[int], before: Before) -> bool:
    text, at = passage.text, again.start()
    numbers = [
        int(one) for one in re.findall(r"\d+", again[group].replace(",", "") if group == "grouped" else again[group])
    ]
    is_range = len(numbers) > 1
    if group in ("words", "grouped"):
        return numbers[0] >= _LEAST_IN_WORDS or (is_range and numbers[-1] >= _LEAST_IN_WORDS)
    if group in ("several", "english"):
        is_named = any(0 <= at - one.end < 300 and one.mention.path for one in before)
        return is_named and numbers[-1] >= _LEAST_IN_WORDS
    if text[max(0, at - 1) : at] == "[" and (at - 1 in marks or re.match(r"[\w)\]]", text[max(0, at - 2) : at])):
        return False  # the slice of a list
    is_marked = at in marks or (at > 0 and text[at - 1] in _OPENING)
    if group == "lines3":
        is_near = any(0 <= at - one.end < 200 for one in before)
        is_cell = any(
            text[slice(*cell)].strip() == again[0].strip() for cell in passage.cells if cell[0] <= at < cell[1]
        )
        return (
            (is_cell and max(numbers) >= _LEAST_IN_WORDS)
            or (is_range and max(numbers) >= 10)
            or (numbers[0] >= _LEAST and (is_marked or is_near))
            or (is_marked and is_near and numbers[0] >= 10)
        )
    if group == "lines" and not is_range and (numbers[0] in _PORTS or _PORT.search(text, max(0, at - 40), at)):
        return False
    if group == "lines" and not is_marked:
        return any(_JOINED.fullmatch(text[one.end : at]) for one in before if one.end <= at and one.mention.lines) or (
            is_range and any(one.mention.lines and 0 <= at - one.end < 300 for one in before)
        )
    return True


def _named_before(number: int, text: str, before: Before, recent: Recent) -> tuple[str, ...]:
    """The files that lines may be of: the one named last, or all of a list that stands before."""
    paths = [one for one in before if one.mention.path and one.mention.form is not Form.FOLDER]
    if not paths:
        near = [mention for passage, mention in recent if number - passage <= _FARTHEST and mention.path]
        return (near[-1].path,) if near else ()
    last = paths[-1]
    if last.mention.form is Form.INHERITED:
        return last.mention.choices
    several = [last]
    for one in reversed(paths[:-1]):
        is_listed = one.mention.form is Form.FILE and _JOINED.fullmatch(text[one.end : several[0].start])
        if last.mention.form is not Form.FILE or not is_listed:
            break
        several.insert(0, one)
    return tuple(one.mention.path for one in several)


def _is_sure(one: Hit, text: str, marks: set[int]) -> bool:
    """Whether lines without any file before them must be a citation all the same."""
    is_marked = one.start in marks or (one.start > 0 and text[one.start - 1] in _OPENING)
    return is_marked and any(lines.end for lines in one.mention.lines)
