"""Code that a text quotes, compared with the lines it cites: token by token, `...` for anything, comments left out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"[A-Za-z_]\w*|\d[\w.]*|[rbfuRBFU]{0,2}(?:\"\"\"|'''|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+')|\S"
)
_HOLE = re.compile(r"\.{3,}|…+|\.\.(?!\.)|/\*\s*\.\.\.\s*\*/")
_COMMENT = re.compile(r"(?<![\w'\"])#.*$|\s//\s.*$|^//.*$|/\*.*?\*/|^\s*\*\s.*$|<!--.*?-->")
_HAN = re.compile("[\u3400-\u9fff]")
_SKETCH = re.compile(r"简化|伪代码|示意|大致|概念|改写|pseudo|simplif|sketch|conceptual|roughly", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s{0,6}\d{1,5}\s{0,3}[|:│]\s?")
_DIFF = re.compile(r"^[+-](?![+-])")
_LEAST = 3  # tokens by which a line is known
_MOST = 2_000  # places of a token that are looked at
_NEAR = 250  # tokens around, in which the other runs of a line with holes must be


@dataclass(frozen=True, slots=True)
class Line:
    """A line of quoted code: its number in the block, and the runs of tokens between its holes."""

    number: int
    text: str
    runs: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """How quoted code compares with a file."""

    telling: int
    """Quoted lines that have enough tokens to be known by them."""
    inside: int
    """How many of these are in the cited lines."""
    elsewhere: tuple[tuple[Line, int], ...]
    """Those that are in the file and not in the range, with the line where they are."""
    nowhere: tuple[Line, ...]
    is_begun: bool = False
    """Whether the first of them is in the cited lines."""


class Stream:
    """The tokens of a file, without its comments, and the line of each."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.tokens: list[str] = []
        self.at: list[int] = []
        self.places: dict[str, list[int]] = {}
        for number, line in enumerate(lines, 1):
            for token in tokens(_COMMENT.sub("", line)):
                self.places.setdefault(token, []).append(len(self.tokens))
                self.tokens.append(token)
                self.at.append(number)


def is_sketch(block: str) -> bool:
    """Whether a code block says that it is not the code itself."""
    return _SKETCH.search(block) is not None


def quoted(block: str) -> list[Line]:
    """The lines of a code block as they are compared."""
    lines = []
    is_docstring = False
    for number, line in enumerate(block.split("\n"), 1):
        text = _NUMBERED.sub("", line)
        quotes = text.count('"""') + text.count("'''")
        was, is_docstring = is_docstring, is_docstring ^ (quotes % 2 == 1)
        if was or (quotes and text.strip()[:1] in "\"'") or is_docstring:
            continue
        code = _COMMENT.sub("", text)
        runs = tuple(tuple(tokens(part)) for part in _HOLE.split(code))
        if any(runs):
            lines.append(Line(number, text.strip(), tuple(run for run in runs if run)))
    return lines


def tokens(code: str) -> list[str]:
    """The tokens of code; strings alike whatever their quotes."""
    found = []
    for token in _TOKEN.findall(code):
        if token[-1:] in "\"'" and len(token) > 1:
            token = token.lstrip("rbfuRBFU")
            token = f'"{token[1:-1]}"'
        found.append(token)
    return found


def compare(block: Sequence[Line], stream: Stream, start: int, end: int) -> Compared:
    """Quoted lines against a file's, of which `start` to `end` are cited."""
    inside, elsewhere, nowhere = 0, [], []
    is_begun = False
    telling = [
        one for one in block if sum(map(len, one.runs)) >= _LEAST and not _HAN.search("".join(map("".join, one.runs)))
    ]
    for one in telling:
        found = _first_lines(one, stream)
        if any(start <= number <= end for number in found):
            inside += 1
            is_begun = is_begun or one is telling[0]
        elif found:
            elsewhere.append((one, min(found, key=lambda number: abs(number - start))))
        else:
            nowhere.append(one)
    return Compared(len(telling), inside, tuple(elsewhere), tuple(nowhere), is_begun)


def _first_lines(line: Line, stream: Stream) -> list[int]:
    """The lines of a file at which a quoted line begins."""
    first = max(line.runs, key=len)
    rarest = min(range(len(first)), key=lambda index: len(stream.places.get(first[index], ())))
    found = []
    for index in stream.places.get(first[rarest], ())[:_MOST]:
        begin = index - rarest
        if begin >= 0 and tuple(stream.tokens[begin : begin + len(first)]) == first:
            near = stream.tokens[max(0, begin - _NEAR) : begin + _NEAR]
            if all(_has(near, run) for run in line.runs if run is not first):
                found.append(stream.at[begin])
    return found


def _has(near: Sequence[str], run: tuple[str, ...]) -> bool:
    return any(tuple(near[index : index + len(run)]) == run for index in range(len(near) - len(run) + 1))
