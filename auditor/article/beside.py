"""What a text says beside a citation: the names that it quotes, and which of them stand right at the citation."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.article import notation
from auditor.article.lines import Taken
from auditor.article.values import stated
from auditor.articles import Form

if TYPE_CHECKING:
    from auditor.article.passages import Document, Passage
    from auditor.articles import Mention

_END = re.compile(r"[。！？；!?;]|\.\s|\n\s*[-*+]\s|\n\s*\n")
_TOKEN = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*(?:\(\))?|--[a-z][\w-]+")
_GLUE = re.compile(
    r"[\s`*_(（\[【:：,，、—–\-→|@'\"“”]*"
    r"(?:(?:in|at|see|from|defined|lives|is|the|of|file|line|lines|via|under)\b\s?|位于|定义于|定义在|实现在|实现于|在|见|参见|来自|于|的|：)*"
    r"[\s`*(（\[【:：,，—–\-→|@'\"“”]*"
)
_GLUE_AFTER = re.compile(
    r"[\s`*)）\]】:：—–\-→|'\"“”]*(?:(?:is|the|defines|has|contains|calls)\b\s?|的|中|里|定义|实现|：)*[\s`*(（:：—–\-→|'\"“”]*"
)
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "self cls none true false int str bool float list dict set tuple type object class def return if else "
        "for while in not and or is import from with as try except raise yield await async lambda print len "
        "range super main init test data config model name value key args kwargs the this that default todo note "
        "file line lines",
    )
)
_VALUE = re.compile(r"None|True|False|\d+(?:\.\d+)?|[a-z][a-z0-9_]{3,40}")
_CODE = re.compile(
    r"\w\(|\s[=<>!+*/|&-]=?\s|->|^\s*(?:def|class|if|elif|for|while|return|import|from|async|await|with|assert|raise|not|del)\b"
    r"|[,=]\s*$|^\W*\w+:\s\w+|^\s*--?\w|[\[{(]\s"
)
"""What is code, though it has blanks."""
_LABEL = re.compile(r"(?:class |def )?(?P<name>(?:[A-Z]\w*\.)?[A-Za-z_]\w*(?:[a-z0-9][A-Z]|_)\w*)(?:\(\))?")
"""The text of a link that is nothing but a name of code."""
_NEAREST = 40  # citations before and after that may bound a clause
_WIDEST = 600  # characters of a clause that are looked at


@dataclass(frozen=True, slots=True)
class Beside:
    """`direct`: the names right at the citation; `names`: all that its clause quotes. Both as they are qualified."""

    direct: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    sentence: str = ""
    values: tuple[str, ...] = ()
    """The literals in code marks: `None`, `0.92`."""
    stated: tuple[tuple[str, str], ...] = ()
    """The names of which the clause states a value right at the citation."""
    messages: tuple[tuple[str, ...], ...] = ()
    """The words of what is quoted in code marks and is no code, as a line of a log."""


def beside(document: "Document", mentions: "Sequence[Mention]", number: int) -> Beside:
    """What the clause around a citation quotes."""
    mention = mentions[number]
    passage = document.passages[mention.passage]
    if passage.type == "code":
        return _in_code(passage, mention)
    start, end = passage.mapped.at(mention.extent[0]), passage.mapped.at(mention.extent[1])
    if mention.link is not None and "\ufffc" not in passage.text[start:end]:
        own = tuple(name for name, _, _ in _names(passage, start, end, document))
        if not own and (whole := _LABEL.fullmatch(passage.text[start:end].strip())):
            own = (whole["name"],)
    else:
        own = ()
    near = mentions[max(0, number - _NEAREST) : number + _NEAREST]
    same = [one for one in near if one.passage == mention.passage and one.extent != mention.extent]
    if passage.type == "row":
        return _row(document, passage, same, own, (start, end))
    left = max(
        [0, start - _WIDEST, *(passage.mapped.at(one.extent[1]) for one in same if one.extent[1] <= mention.extent[0])]
    )
    right = min(
        [
            len(passage.text),
            end + _WIDEST,
            *(passage.mapped.at(one.extent[0]) for one in same if one.extent[0] >= mention.extent[1]),
        ]
    )
    for found in _END.finditer(passage.text, left, start):
        left = found.end()
    closing = _END.search(passage.text, end, right)
    right = closing.start() if closing else right
    before, after = list(_names(passage, left, start, document)), list(_names(passage, end, right, document))
    direct = list(own) or _direct(passage.text, before, after, start, end)
    names = [*own, *(name for name, _, _ in (*before, *after))]
    return Beside(
        tuple(dict.fromkeys(direct)),
        tuple(dict.fromkeys(names)),
        passage.text[left:right],
        _values(passage, left, right),
        stated(passage.text, left, start, end, right),
        _messages(passage, left, right),
    )


def _in_code(passage: "Passage", mention: "Mention") -> Beside:
    """Before a comment, the names of its line of code; elsewhere in code nothing."""
    if mention.form is not Form.INHERITED:
        return Beside()
    at = passage.mapped.at(mention.extent[0])
    line = passage.text[passage.text.rfind("\n", 0, at) + 1 : at]
    code = re.split(r"(?:^|\s)(?:#|//)", line)[0]
    names = [one for one in re.findall(r"[A-Za-z_]\w{2,}", code) if one.lower() not in _COMMON]
    return Beside((), tuple(dict.fromkeys(names)), line)


def _direct(
    text: str, before: "list[tuple[str, int, int]]", after: "list[tuple[str, int, int]]", start: int, end: int
) -> list[str]:
    """The names that nothing but punctuation divides from the citation; those joined by a slash or comma count too."""
    direct: list[str] = []
    at = start
    for name, first, last in reversed(before):
        if not (
            _GLUE.fullmatch(text[last:at])
            if at == start
            else re.fullmatch(r"[\s`/、,，和与]{1,6}|\s?and\s", text[last:at])
        ):
            break
        direct.append(name)
        at = first
    if direct:
        return direct
    if after and _GLUE_AFTER.fullmatch(text[end : after[0][1]]):
        return [after[0][0]]
    return []


def _row(
    document: "Document", passage: "Passage", same: "Sequence[Mention]", own: tuple[str, ...], at: tuple[int, int]
) -> Beside:
    """A row quotes in its cells: in the citation's own first; where that has nothing, in the first of the others."""
    is_alone = not any(one.lines for one in same)
    cell = next(((start, end) for start, end in passage.cells if start <= at[0] < end), (0, len(passage.text)))
    before = list(_names(passage, cell[0], at[0], document))
    after = list(_names(passage, at[1], max(at[1], cell[1]), document))
    here = [name for name, _, _ in (*before, *after)]
    direct = list(own) or _direct(passage.text, before, after, *at)
    others: list[str] = []
    for start, end in passage.cells if is_alone else ():
        if (start, end) != cell:
            names = [name for name, _, _ in _names(passage, start, end, document)]
            if not direct and not here and not others:
                direct = names[:1]
            others += names
    quoted = dict.fromkeys((*own, *here, *others))
    end = len(passage.text)
    values, messages = _values(passage, 0, end), _messages(passage, 0, end)
    return Beside(tuple(dict.fromkeys(direct)), tuple(quoted), passage.text, values, (), messages)


def _values(passage: "Passage", start: int, end: int) -> tuple[str, ...]:
    """The literals that alone are in code marks, in a piece of a passage."""
    marks = (passage.text[first:last].strip("\"' ") for first, last in passage.marks if start <= first and last <= end)
    return tuple(dict.fromkeys(one for one in marks if _VALUE.fullmatch(one)))


def _messages(passage: "Passage", start: int, end: int) -> tuple[tuple[str, ...], ...]:
    """The words of each message that is quoted in code marks, in a piece of a passage."""
    return tuple(
        tuple(dict.fromkeys(re.findall(r"[A-Za-z_]\w{2,}", passage.text[first:last])))
        for first, last in passage.marks
        if start <= first and last <= end and _is_message(passage.text[first:last])
    )


def _is_message(mark: str) -> bool:
    """Whether what is in code marks is words rather than code."""
    return " " in mark.strip() and _CODE.search(mark) is None


def _names(passage: "Passage", start: int, end: int, document: "Document") -> Iterator[tuple[str, int, int]]:
    """The names that are quoted in a piece of a passage, with where they stand in it."""
    near = [(first, last) for first, last in passage.marks if first < end and last > start]
    marks = [(max(first, start), min(last, end)) for first, last in near]
    messages = Taken(one for one in near if _is_message(passage.text[slice(*one)]))
    paths = [found.span() for found in notation.PATH.finditer(passage.text, start, end)]
    for found in _TOKEN.finditer(passage.text, start, end):
        if found.start() in messages or any(first <= found.start() < last for first, last in paths):
            continue
        name = found[0]
        bare = name.removesuffix("()").replace("::", ".").replace("->", ".").lstrip("-").replace("-", "_")
        bare = re.sub(r"^(?:self|cls|this)\.", "", bare)
        last = bare.rpartition(".")[2]
        is_marked = any(first <= found.start() < stop for first, stop in marks)
        is_call = name.endswith("()") or passage.text.startswith("(", found.end())
        is_code = (
            is_marked
            or ("_" in last.strip("_"))
            or (is_call and re.search(r"[a-z]", last) is not None and not document.has_marks)
        )
        is_pattern = passage.text.startswith("*", found.end()) or passage.text[found.start() - 1 : found.start()] == "*"
        if not is_code or is_pattern or last.lower() in _COMMON or len(last) < 3 or name.startswith("__"):
            continue
        yield bare, found.start(), found.end()
