"""Code in pieces that can be compared: each statement, and the head of each block, as what it says."""

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from auditor.code.syntax.from_ast import lower_all
from auditor.code.syntax.term import encode
from auditor.model import Region


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement, or the head of one that has a body; `heads` are the numbers of the pieces that it is under."""

    region: Region
    lines: tuple[str, ...]
    heads: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """As it is written, the indentation of its first line left out."""
        return "\n".join(self.lines).strip()

    @property
    def syntax_key(self) -> str:
        """The same for the same syntax."""
        return _syntax_key(self.text)

    @property
    def opening(self) -> str:
        """What the statement is about: its text up to the first bracket, `=` or `:`."""
        return _OPENING.match(self.lines[0].strip())[0].strip()  # type: ignore[index] # it matches everything

    @property
    def is_bare(self) -> bool:
        """Whether it is a mere keyword, which is nobody's in particular."""
        return self.lines[0].strip().rstrip(":").isalpha()

    def part(self, start: int, end: int) -> "Piece":
        """Some of its lines, counted from 0, the end left out."""
        return Piece(Region(self.region.start + start, self.region.start + end - 1), self.lines[start:end])


_OPENING = re.compile(r"[^(\[{=:]*")


def pieces(lines: Sequence[str], start: int = 1) -> tuple[Piece, ...]:
    """The pieces of some whole lines of a file, docstrings left out; `start` is the number of the first.

    Lines that Python's tokenizer refuses, being of a newer Python, are a piece each.
    """
    try:
        rows = list(_logical(lines))
    except (tokenize.TokenError, SyntaxError):
        rows = [(at, at, len(line) - len(line.lstrip())) for at, line in enumerate(lines) if _is_code(line)]
    found: list[Piece] = []
    under: list[tuple[int, int]] = []
    is_after_head = False
    for first, last, depth in rows:
        own = tuple(lines[first : last + 1])
        piece = Piece(Region(start + first, start + last), own)
        is_docstring = is_after_head and piece.syntax_key.startswith(_STRINGS)
        is_after_head = _DEFINES.match(own[0]) is not None
        if is_docstring:
            continue
        while under and under[-1][0] >= depth:
            under.pop()
        found.append(replace(piece, heads=tuple(at for _, at in under)))
        under.append((depth, len(found) - 1))
    return tuple(found)


_STRINGS = ("[Expr(value=Literal(value='", '[Expr(value=Literal(value="')
_DEFINES = re.compile(r"\s*(?:async\s+)?(?:def|class)\b")


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _logical(lines: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The first and last line of each logical line, counted from 0, and its indentation."""
    start: tuple[int, int] | None = None
    for token in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline):
        if token.type in (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
            continue
        if token.type == tokenize.NEWLINE:
            if start is not None:
                yield start[0] - 1, token.start[0] - 1, start[1]
            start = None
        elif start is None:
            start = token.start


@lru_cache(maxsize=10_000)
def _syntax_key(code: str) -> str:
    """A text that is equal for equal syntax; the text itself, with plain spaces, where it cannot be parsed."""
    for before, after in _AROUND:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # upstream's invalid escapes are not our concern
                body = ast.parse(f"{before}{code}{after}").body
            return f"{before}{encode(lower_all(body))}{after}" if before or after else encode(lower_all(body))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return re.sub(r"\s+", " ", code)


_AROUND = (
    ("", ""),
    ("", "\n  pass"),
    ("if 0: pass\n", "\n  pass"),  # elif, else
    ("try: pass\n", "\n  pass"),  # except, finally
    ("", "\n  pass\nfinally: pass"),  # try
    ("match 0:\n ", "\n  pass"),  # case
    ("", "\ndef f(): pass"),  # a decorator
)
"""What must stand around a piece for it to be a program."""
