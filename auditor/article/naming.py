"""The names that a text has beside a citation, against the cited lines and the definition that holds them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.article.verdict import Verdict
from auditor.articles import Signal
from auditor.code.phrases import quoted as as_code
from auditor.findings import Confidence
from auditor.model import AnchorState, Kind, Location, Region
from auditor.text import Text

if TYPE_CHECKING:
    from auditor.article.beside import Beside
    from auditor.article.trees import CodeFile

_CLOSE = 30  # lines within which a use of a name is meant rather than its definition
_NEXT = 10  # lines around, in the same definition, of which a text may well speak
_LARGE = 400  # lines of a definition that is too large to say anything by what is somewhere in it
_SHARE = 0.6  # of a message's words


def names_verdict(told: "Beside", regions: Sequence[Region], file: "CodeFile") -> Verdict | None:
    """Whether the names beside a citation are in its lines, or where else they are; None where that tells nothing."""
    region = regions[0]
    here = Location(file.path, region)
    direct = [name for name in told.direct if _last(name) in file.where]
    known = [name for name in told.names if _last(name) in file.where]
    for name in (*direct, *known):
        if _is_in(file.where[_last(name)], regions):
            return Verdict(_state(file, name, region), Signal.NAME, here)
    for outer in (part for name in direct for part in name.split(".")[:-1]):  # the class of a method that is named
        if _is_in({_first(file, where) for _, where in file.defined(outer)}, regions):
            return Verdict(AnchorState.INSIDE, Signal.NAME, here)
    holder = file.enclosing(region)
    held = [name for name in (*direct, *known) if holder and _last(name) in holder[0].split(".")]
    if held:
        return Verdict(_state(file, held[0], region), Signal.NAME, here)
    whole = [file.whole(one) for one in regions]
    for name in (*direct, *known):
        if _is_in(file.where[_last(name)], whole):
            return Verdict(AnchorState.INSIDE, Signal.NAME, here)
    if any(_is_message(message, file, whole) for message in told.messages):
        return Verdict(AnchorState.INSIDE, Signal.NAME, here)
    if any(_is_in(file.where.get(value, ()), whole) for value in told.values):
        return None
    is_small = holder is not None and holder[1].end - holder[1].start <= _LARGE
    if holder and is_small and not any(file.defined(name) for name in direct):
        is_held = any(_is_in(file.where[_last(name)], [holder[1]]) for name in (*direct, *known))
        return Verdict(AnchorState.INSIDE, Signal.NAME, here) if is_held else None
    return _elsewhere(direct, region, file)


def _elsewhere(direct: Sequence[str], region: Region, file: "CodeFile") -> Verdict | None:
    """That a name right at the citation is defined in other lines of the file."""
    places = [(name, place) for name in direct for place in file.defined(name)]
    if not places:
        return None
    name, (symbol, where) = min(places, key=lambda one: abs(one[1][1].start - region.start))
    used = min(file.where[_last(name)], key=lambda line: abs(line - region.start))
    holder = file.enclosing(region)
    sure = Confidence.LIKELY
    if abs(used - region.start) < min(_CLOSE, abs(where.start - region.start)):
        enclosing = file.enclosing(Region(used, used))
        symbol, where = (enclosing[0] if enclosing else ""), Region(used, used)
        gap = max(region.start - used, used - region.end)
        if enclosing and holder and enclosing[0] == holder[0] and gap <= _NEXT:
            sure = Confidence.POSSIBLE
    message = Text("{} is at {}, not in these lines", "{} 在 {}，不在这些行中").filled(as_code(name), where)
    message += Text(", which are in {}", "（位于 {}）").filled(as_code(holder[0])) if holder else Text("", "")
    start = _first(file, where)
    is_line = region.start == region.end
    is_same_size = abs((where.end - where.start) - (region.end - region.start)) <= 2
    offset = (start if is_line else where.start) - region.start if is_line or is_same_size else None
    found = Location(file.path, where, symbol or None)
    return Verdict(AnchorState.SHIFTED, Signal.NAME, found, offset, "name-elsewhere", Kind.FAIL, message, sure)


def symbol_verdict(symbol: str, region: Region, file: "CodeFile") -> Verdict | None:
    """Whether lines are in the definition that the citation itself names; None where the file has none of that name."""
    defined = file.defined(symbol)
    if any(where.start <= region.end and region.start <= where.end for _, where in defined):
        return Verdict(_state(file, symbol, region), Signal.SYMBOL, Location(file.path, region, symbol))
    return _elsewhere([symbol], region, file) if defined else None


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _is_in(lines: "Sequence[int] | set[int]", regions: Sequence[Region]) -> bool:
    return any(region.start <= line <= region.end for line in lines for region in regions)


def _is_message(message: Sequence[str], file: "CodeFile", regions: Sequence[Region]) -> bool:
    """Whether most words of a message that the text quotes are on some lines."""
    found = sum(_is_in(file.where.get(word, ()), regions) for word in message)
    return len(message) >= 2 and found >= _SHARE * len(message)


def _state(file: "CodeFile", name: str, region: Region) -> AnchorState:
    """`exact` where the lines are a definition of the name, or its first line; else `inside`."""
    for _, where in file.defined(name):
        if where == region or region.start in (where.start, _first(file, where)):
            return AnchorState.EXACT
    return AnchorState.INSIDE


def _first(file: "CodeFile", where: Region) -> int:
    """The line of a definition's own header, after its decorators."""
    for number in range(where.start, min(where.end, where.start + 30) + 1):
        line = file.lines[number - 1].lstrip() if number <= len(file.lines) else ""
        if line.startswith(("def ", "class ", "async def ")):
            return number
    return where.start
