"""The value that a text states of a name right at a citation, as a default, against the literals on the cited lines."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from auditor.article.verdict import Verdict
from auditor.articles import Signal
from auditor.code.phrases import quoted as as_code
from auditor.findings import Confidence
from auditor.model import AnchorState, Kind, Location, Region
from auditor.text import Text

if TYPE_CHECKING:
    from auditor.article.trees import CodeFile

_VALUE = r"(?P<value>-?\d+(?:\.\d+)?(?:[eE]-?\d+)?|True|False)(?![\w.%×*^/~-]|\s?(?:[KMGT]i?B|%|[×*^]))"
_STATED = re.compile(
    r"(?P<name>(?:--)?[A-Za-z_]\w*(?:[.-]\w+)*)(?:\(\))?[`\s]{0,3}(?:的)?"
    r"(?:默认(?:值)?(?:是|为|：|:)?[\s`]{0,3}|[\s(（,，]{0,3}(?:defaults?\sto|default\sis|default[:=]?|is|为)\s`?|\s?=\s?)"
    + _VALUE
)
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[eE]-?\d+)?(?![\w.])")
_WORKED_OUT = re.compile(r"\d\s*(?:\*\*?|//?|<<|\+)\s*\d")
_BEFORE, _BEHIND = 14, 60  # characters from the value to the citation before which, or behind which, it stands
_MOST = 6  # literals among which one may be the value


def stated(text: str, left: int, start: int, end: int, right: int) -> tuple[tuple[str, str], ...]:
    """The names and values that a clause states right before a citation (at `start` to `end`), or behind it."""
    before = [one for one in _STATED.finditer(text, left, start) if start - one.end() <= _BEFORE]
    behind = [] if before else [one for one in _STATED.finditer(text, end, right) if one.start() - end <= _BEHIND]
    return tuple((one["name"].lstrip("-").replace("-", "_"), one["value"]) for one in (before[-1:] or behind[:1]))


def value_verdict(values: Sequence[tuple[str, str]], regions: Sequence[Region], file: "CodeFile") -> Verdict | None:
    """Whether the lines give a name another value than the text says; None where that cannot be told."""
    for name, value in values:
        last = name.rpartition(".")[2]
        lines = [line for line in file.where.get(last, ()) if any(one.start <= line <= one.end for one in regions)]
        if not lines:
            continue
        code = [
            file.lines[number - 1].partition("#")[0]
            for line in lines
            for number in _rows(file.whole(Region(line, line)))
        ]
        found = list(dict.fromkeys(_literals(code, is_number=value not in ("True", "False"))))
        if not found or len(found) > _MOST or any(_WORKED_OUT.search(line) for line in code):
            continue
        here = Location(file.path, regions[0])
        if any(_is_same(value, one) for one in found):
            return Verdict(AnchorState.INSIDE, Signal.NAME, here)
        message = Text("of {} these lines have {}, not {}", "这些行中 {} 的值是 {}，而不是 {}").filled(
            as_code(last), as_code(", ".join(found)), as_code(value)
        )
        return Verdict(None, Signal.NAME, here, None, "stated-value", Kind.FAIL, message, Confidence.LIKELY)
    return None


def _rows(region: Region) -> range:
    return range(region.start, min(region.end, region.start + 30) + 1)


def _literals(code: Sequence[str], *, is_number: bool) -> Iterator[str]:
    for line in code:
        bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", line)
        yield from _NUMBER.findall(bare) if is_number else re.findall(r"\b(?:True|False)\b", bare)


def _is_same(value: str, literal: str) -> bool:
    if value in ("True", "False"):
        return value == literal
    return float(value) == float(literal.replace("_", ""))
