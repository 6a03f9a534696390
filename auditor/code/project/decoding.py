"""The text of a file, before anything is parsed."""

import codecs
import io
import re
import tokenize

from auditor.code import Undecidable
from auditor.code.phrases import quoted
from auditor.model import Text


def decode(data: bytes, path: str) -> str:
    """The characters of a file, lines ended by a newline. Raises Undecidable."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if codecs.lookup(encoding).name in _ODD:
            raise LookupError(f"no source code is written in {encoding}")
        text = data.decode(encoding)
    except (SyntaxError, UnicodeError, LookupError, ValueError) as error:
        raise Undecidable(
            Text("{} is not text in its stated encoding: {}", "{} 不是其所声明编码的文本：{}").filled(
                path, quoted(error)
            )
        ) from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


_ODD = ("undefined", "punycode", "idna", "unicode-escape", "raw-unicode-escape")
"""Codecs, by their own names, of which Python makes no source code, or which take the square of a text's length."""


def may_define(text: str, symbol: str) -> bool:
    """Whether a file has what a definition of a symbol looks like."""
    # Looking for letters is ten times as fast as for words, and most files do not even have these.
    if not all(word in text for word in symbol.split(".")):
        return False
    last, first = re.escape(symbol.rpartition(".")[2]), re.escape(symbol.partition(".")[0])
    # A `\b` of ASCII is none beside the ü of a name; the others are slow.
    mentions = rf"(?<!\w){last}(?!\w)"
    assigns = rf"(?m:^)[^\n=(]{{0,200}}(?<![\w.]){first}(?!\w)\s*(?:,[^\n=]{{0,200}})?[:=]"
    defines = rf"(?<!\w)(?:class|def)\s+{first}(?!\w)|{assigns}"
    return bool(re.search(mentions, text, re.ASCII) and re.search(defines, text, re.ASCII))
