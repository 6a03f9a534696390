"""Files as passages, by what kind of file it is."""

import re
from pathlib import PurePosixPath

from auditor.article.markdown import front_matter, markdown
from auditor.article.markup import markup
from auditor.article.passages import Document, Passage, verbatim
from auditor.article.plain import plain
from auditor.article.rst import rst
from auditor.errors import ConfigError

LARGEST = 4_000_000
"""Bytes of a file."""

MARKDOWN = frozenset({".md", ".mdx", ".markdown", ".mkd", ".qmd"})
HTML = frozenset({".html", ".htm", ".xhtml"})
DATA = frozenset({".json", ".jsonl", ".ipynb"})
PLAIN = frozenset({".txt", ".text", ".rst", ".adoc", ".org", ".tex", ".yaml", ".yml", ".toml", ".log", ".csv", ""})
CODE = frozenset(
    {".py", ".pyi", ".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".rs", ".go", ".java", ".js", ".ts", ".sh"}
)


def is_text(path: str) -> bool:
    """Whether a file of a folder is one that may cite code."""
    suffix = PurePosixPath(path).suffix.lower()
    return suffix in MARKDOWN | HTML | DATA | CODE | (PLAIN - {"", ".csv", ".log", ".toml"})


def read(path: str, data: bytes) -> Document:
    """The passages of a file. Raises ConfigError for one that is too large or no text."""
    if len(data) > LARGEST:
        raise ConfigError(f"{path} has more than {LARGEST:,} bytes, the most that is read of a text; divide it")
    try:
        text = data.decode("utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is no UTF-8 text (byte {error.start})") from None
    if "\0" in text:
        raise ConfigError(f"{path} is no text: it holds NUL bytes")
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in MARKDOWN:
        front, start = front_matter(text)
        return Document(path, text, markdown(text, start), front)
    if suffix in HTML or (suffix == "" and re.match(r"\s{0,99}<(?:!doctype|html)\b", text, re.IGNORECASE)):
        return Document(path, text, markup(text))
    if suffix in DATA:
        return Document(path, text, _strings(text))
    if suffix in CODE:
        return Document(path, text, _comments(path, text))
    if suffix == ".rst":
        return Document(path, text, rst(text))
    front, start = front_matter(text)
    return Document(path, text, plain(text, start), front, has_marks=suffix == ".adoc")


_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*+"')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\n", "b": " ", "f": " "}


def _strings(text: str) -> list[Passage]:
    """The strings of JSON, each read as Markdown's inline markup would be: as it is, with its escapes undone."""
    passages = []
    for found in _STRING.finditer(text):
        if found.end() - found.start() < 6:
            continue
        passage = Passage("prose", verbatim("", 0))
        at, end = found.start() + 1, found.end() - 1
        while at < end:
            slash = text.find("\\", at, end)
            slash = end if slash < 0 else slash
            passage.mapped.add(text[at:slash], at)
            at = slash
            if at < end:
                at = _escape(text, at, passage)
        passages.append(passage)
    return passages


def _escape(text: str, at: int, passage: Passage) -> int:
    char = text[at + 1]
    if char == "u" and re.fullmatch("[0-9a-fA-F]{4}", text[at + 2 : at + 6]):
        passage.mapped.add(chr(int(text[at + 2 : at + 6], 16)), at, at + 6)
        return at + 6
    passage.mapped.add(_ESCAPES.get(char, char), at, at + 2)
    return at + 2


def _comments(path: str, text: str) -> list[Passage]:
    """The comments and docstrings of code; those on lines that follow each other are one passage."""
    from pygments.lexers import get_lexer_for_filename

    lexer = get_lexer_for_filename(path, stripnl=False, ensurenl=False)
    pieces: list[list[tuple[int, int]]] = []
    for offset, type_, value in lexer.get_tokens_unprocessed(text):
        kind = str(type_)
        is_comment = kind.startswith("Token.Comment") and not kind.startswith("Token.Comment.Preproc")
        if not (is_comment or kind.startswith("Token.Literal.String.Doc")) or not value.strip():
            continue
        end = offset + len(value.rstrip())
        if pieces and text.count("\n", pieces[-1][-1][1], offset) == 1 and not text[pieces[-1][-1][1] : offset].strip():
            pieces[-1].append((offset, end))
        else:
            pieces.append([(offset, end)])
    return [Passage("prose", verbatim(text, 0, run)) for run in pieces]
