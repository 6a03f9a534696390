"""Words that people read: text files, and the docstrings of code, without their markup."""

import re
import tokenize
from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.model import Region, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase
    from auditor.model import Anchor

Line = tuple[int, str]
"""A line's number, and its text."""

_MARKUP = re.compile(
    r"!?\[([^\]]*)\]\([^)]*\)|<[^<>]*>|(?<![^\W_])_+|_+(?![^\W_])|[*`#>|~\\\"'“”‘’]|^\s*[-+]\s", re.MULTILINE
)
_LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.ENCODING)


def lines_at(codebase: "Codebase", at: "Anchor") -> tuple[str, list[Line]]:
    """Where a text is, and its lines: of a text file, all; of Python, the docstring.

    Raises Absent or Undecidable.
    """
    if not at.path.endswith(".py"):
        return at.path, list(enumerate(codebase.text(at.path).split("\n"), 1))
    definition = codebase.locate(at)
    lines = codebase.text(definition.path).split("\n")
    start, end = definition.region.start, definition.region.end
    if definition.symbol is not None and definition.symbol.type in ("field", "constant"):
        found = _string(lines, end, len(lines), is_header=False)  # it stands below what it describes
    else:
        found = _string(lines, start - 1, end, is_header=definition.symbol is not None)
    if found is None:
        raise Undecidable(
            Text(
                f"{definition.location}: {definition.name} has no docstring",
                f"{definition.location}：`{definition.name}` 没有文档字符串",
            )
        )
    return definition.path, [(number, lines[number - 1]) for number in range(found.start, found.end + 1)]


def find(wanted: str, lines: list[Line]) -> Region | None:
    """The lines that hold the wanted text, in which `...` stands for anything; markup and case do not matter."""
    pieces = [_whole(words) for piece in wanted.split("...") if (words := _words(piece))]
    text, starts = "", []
    for number, line in lines:
        words = _words(line)
        starts.append((len(text), number))
        text += f"{words} " if words else ""
    match = re.search(".*?".join(pieces), text)
    if match is None:
        return None
    first, last = (max(n for start, n in starts if start <= at) for at in (match.start(), max(match.end() - 1, 0)))
    return Region(first, last)


def missing(wanted: str, lines: list[Line]) -> str | None:
    """The first part of the wanted text, between its `...`, that is nowhere."""
    pieces = [piece.strip() for piece in wanted.split("...") if piece.strip()]
    return next((piece for piece in pieces if find(piece, lines) is None), None)


def _words(text: str) -> str:
    """A text without markup, in lower case, one blank between words."""
    return " ".join(_MARKUP.sub(lambda found: f" {found[1] or ''} ", text).casefold().split())


def _whole(words: str) -> str:
    """The expression for words that are not parts of longer ones."""
    before = r"(?<!\w)" if words[0].isalnum() else ""
    after = r"(?!\w)" if words[-1].isalnum() else ""
    return before + re.escape(words) + after


def _string(lines: list[str], first: int, last: int, *, is_header: bool) -> Region | None:
    """The lines of the string that begins a block of lines; after its header, where it has one.

    It is read by tokens, which are the same in newer Python.
    """
    text = "\n".join(lines[first:last]) + "\n"
    try:
        for token in _body(StringIO(text), is_header=is_header):
            if token.type in _LAYOUT:
                continue
            if token.type == tokenize.STRING:
                return Region(first + token.start[0], first + token.end[0])
            return None
    except (tokenize.TokenError, SyntaxError):
        pass  # nothing that a string could begin
    return None


def _body(text: StringIO, *, is_header: bool) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a block, those of the header of its class or function left out."""
    depth, is_named = 0, False
    for token in tokenize.generate_tokens(text.readline):
        if not is_header:
            yield token
        elif token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            is_header = not (is_named and depth == 0 and token.string == ":")
        elif token.type == tokenize.NAME and depth == 0:
            is_named = is_named or token.string in ("def", "class")
