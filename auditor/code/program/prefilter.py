"""A text prefilter that hides nothing: which texts can hold some identifiers and literals, before anything is parsed.

Python folds identifiers by NFKC, joins string literals and decodes escapes; a number has many spellings.
A text that passes may not hold them after all; one that does not pass cannot.
"""

import ast
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from auditor.code.matching.notation import Pattern

_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}\n]{1,80}\}|[0-7]{1,3})")
_CONTINUED = re.compile(r"\\\r?\n")
_NEIGHBOURS = re.compile(r"['\"](?:[\s()+]|#[^\n]*\n|\\\n)*[rRbBuUfF]{0,2}['\"]|\{\s*[rRbBuUfF]{0,2}['\"]|['\"]\s*\}")
_ODD_NUMBER = re.compile(r"(?<![\w.])(?:0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)")


@dataclass(frozen=True)
class Needed:
    """What a text must hold for a pattern to match in it."""

    words: frozenset[str]
    """Identifiers, and the words of string literals."""
    numbers: frozenset[float]
    literals: frozenset[str] = frozenset()
    """String literals of plain characters, as they are."""

    def may_be_in(self, text: str) -> bool:
        """Whether a text can hold it all."""
        return (
            may_hold(text, self.words)
            and all(literal in text or literal in _spelt_out(text) for literal in self.literals)
            and all(_may_hold_number(text, value) for value in self.numbers)
        )


@cache
def needed(pattern: Pattern) -> Needed:
    """What code must hold to match a pattern."""
    words, values, literals = set(pattern.words), set[float](), set[str]()
    for node in ast.walk(ast.parse(pattern.python)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            words |= {word for word in re.findall(r"\w+", text) if word.isascii()}
            literals |= {text} if _PLAIN.fullmatch(text) else set()
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float) and node.value not in (0, 1):
            values.add(abs(float(node.value) if isinstance(node.value, float) else int(node.value)))
    return Needed(frozenset(words), frozenset(values), frozenset(literals))


_PLAIN = re.compile(r"[\w ,.:;#/-]+", re.ASCII)


def _spelt_out(text: str) -> str:
    """A text with its escapes decoded, and neighbouring and continued literals joined."""
    return _NEIGHBOURS.sub("", _CONTINUED.sub("", _ESCAPE.sub(_decoded, text)))


def may_hold(text: str, words: Iterable[str]) -> bool:
    """Whether a text can hold some words, as identifiers or in its string literals."""
    missing = [word for word in words if word not in text]
    if missing and not text.isascii() and not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
        missing = [word for word in missing if word not in text]
    if missing and "\\" in text and _ESCAPE.search(text):
        text = _ESCAPE.sub(_decoded, text)
        missing = [word for word in missing if word not in text]
    return not missing or all(word in _joined_words(text) for word in missing)


@lru_cache(maxsize=4096)
def _joined_words(text: str) -> str:
    """The words of a text that stand in parts at the ends of neighbouring literals, or of continued lines."""
    parts = _CONTINUED.sub(_JOINT, _NEIGHBOURS.sub(_JOINT, text)).split(_JOINT)
    return "".join(_INNER.sub(" ", part) for part in parts)


_JOINT = "\0"  # a text of which it is a part is looked at more closely, that is all
_INNER = re.compile(r"\W.*\W", re.DOTALL)


def _decoded(escape: re.Match[str]) -> str:
    try:
        value = ast.literal_eval(f'"{escape.group()}"')
    except (SyntaxError, ValueError):
        return escape.group()
    return value if isinstance(value, str) else escape.group()


def _may_hold_number(text: str, value: float) -> bool:
    """Whether a number can be written in a text: plainly, or with `_`, in another base, with an exponent."""
    plain = repr(value)
    if "." in plain:
        shortest = plain.strip("0")
        if shortest in text and re.search(rf"(?<![\d.]){'0*' * shortest.startswith('.')}{re.escape(shortest)}", text):
            return True
    elif plain in text:
        return True
    if "." not in plain and any(prefix in text for prefix in ("0x", "0X", "0o", "0O", "0b", "0B")):
        return value in _numbers(text)
    is_round = "." in plain or value % 10 == 0
    return (is_round and _EXPONENT.search(text) is not None and value in _numbers(text)) or (
        value >= 1000 and _GROUPED.search(text) is not None and value in _numbers(text)
    )


_EXPONENT = re.compile(r"\d\.?[eE][+-]?\d")
_GROUPED = re.compile(r"\d_\d")


@lru_cache(maxsize=4096)
def _numbers(text: str) -> frozenset[float]:
    """The numbers that are written in a text."""
    found: set[float] = set()
    for token in set(_ODD_NUMBER.findall(text)):
        try:
            plain = token.replace("_", "")
            found.add(int(plain, 0) if plain[:2].lower() in ("0x", "0o", "0b") else float(plain))
        except (ValueError, OverflowError):
            continue
    return frozenset(found)


def names_any(words: Iterable[str]) -> re.Pattern[str]:
    """An expression for texts in which one of some words occurs."""
    return re.compile("|".join(map(re.escape, sorted(words))) or r"(?!)")
