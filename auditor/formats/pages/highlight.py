"""The colours of syntax: lines of code as markup whose classes are in the style sheet."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from auditor.formats.pages import visible

if TYPE_CHECKING:
    from pygments.lexer import Lexer

LONGEST = 500
"""Characters of a line beyond which it has no colours: nobody wrote it, and a lexer could take long over it."""
MOST = 50_000
"""Characters of an excerpt beyond which it has no colours."""

CLASSES = {
    "Token.Comment": "c",
    "Token.Keyword": "k",
    "Token.Keyword.Constant": "n",
    "Token.Literal.Number": "n",
    "Token.Literal.String": "s",
    "Token.Name.Builtin": "b",
    "Token.Name.Builtin.Pseudo": "",
    "Token.Name.Class": "f",
    "Token.Name.Decorator": "d",
    "Token.Name.Exception": "b",
    "Token.Name.Function": "f",
    "Token.Operator.Word": "k",
}
"""Classes of the style sheet by the lexer's types of token, and of whatever is below one of these."""


@lru_cache(maxsize=4096)
def highlighted(path: str, lines: tuple[str, ...]) -> tuple[Markup, ...]:
    """The lines of an excerpt of `path` as markup: as many, and each complete in itself."""
    shown = [visible(line).replace("\n", r"\n") for line in lines]
    if not shown or not path.endswith((".py", ".pyi")) or sum(map(len, shown)) > MOST:
        return tuple(map(escape, shown))
    known = ["" if len(line) > LONGEST else line for line in shown]
    colored = _colored(known)
    return tuple(escape(line) if len(line) > LONGEST else markup for line, markup in zip(shown, colored, strict=True))


def _colored(lines: Sequence[str]) -> list[Markup]:
    text = "\n".join(lines)
    tokens = list(_tokens(text))
    if text.count('"""') % 2:
        # One end of a docstring is cut off, and it may be the first: then code and prose change places.
        inside = list(_tokens(text, is_inside=True))
        tokens = min(tokens, inside, key=_confusion)
    return [Markup("".join(map(_marked, line))) for line in _split(tokens)]


def _tokens(text: str, *, is_inside: bool = False) -> Iterator[tuple[str, str]]:
    """The classes and texts of tokens, neighbours of one class joined; `is_inside` a docstring at the start."""
    opening = '"""\n' if is_inside else ""
    last, joined = "", ""
    for start, type_, value in _lexer().get_tokens_unprocessed(opening + text + "\n"):
        class_ = _class(str(type_))
        value = value[max(0, len(opening) - start) :]
        if class_ != last and joined:
            yield last, joined
            joined = ""
        last, joined = class_, joined + value
    yield last, joined.removesuffix("\n")


@cache
def _class(type_: str) -> str:
    while type_ and type_ not in CLASSES:
        type_ = type_.rpartition(".")[0]
    return CLASSES.get(type_, "")


@cache
def _lexer() -> "Lexer":
    from pygments.lexers.python import PythonLexer

    return PythonLexer()


def _confusion(tokens: Sequence[tuple[str, str]]) -> tuple[int, int]:
    """How much prose was taken for code, which has names with nothing but a blank between them; how much is string."""
    plain = (value.split(" ") for class_, value in tokens if not class_)
    in_a_row = sum(one.isidentifier() and two.isidentifier() for words in plain for one, two in pairwise(words))
    return in_a_row, sum(len(value) for class_, value in tokens if class_ == "s")


def _split(tokens: Sequence[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """The tokens of each line."""
    line: list[tuple[str, str]] = []
    for class_, value in tokens:
        first, *others = value.split("\n")
        line.append((class_, first))
        for other in others:
            yield line
            line = [(class_, other)]
    yield line


def _marked(token: tuple[str, str]) -> Markup:
    class_, value = token
    # Spelt out, since Markup's own format takes as long as the lexer.
    return Markup(f'<i class="{class_}">{escape(value)}</i>') if class_ and value.strip() else escape(value)
