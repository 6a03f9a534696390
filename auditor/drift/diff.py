"""How two pieces of code differ in syntax: layout, comments, annotations, docstrings and quotes are no change.

Statements are compared as terms, the head of a block (`if ...:`, `def ...:`) for itself, so that wrapping a block in a
`with` changes one line. A statement that comes out from under a head which stays is a change, though it reads the same.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from auditor.drift.statements import Piece
from auditor.model import DiffLine, Region

AROUND = 3
"""Lines of context on each side."""
LONGEST = 60
"""Lines shown of one change."""
MARK = "⋮"
"""Begins a line that stands for others and has no number: `⋮` lines that are the same, `⋮ 3-5 → 9-11` a statement
that is elsewhere, `⋮ -12 +30` changes that are left out."""

Row = tuple[DiffLine, bool]
"""A line, and whether it is a change."""
_Code = tuple[str, int, int, int, int]
"""What SequenceMatcher calls an opcode."""


def diff(before: Sequence[Piece], after: Sequence[Piece]) -> tuple[Row, ...]:
    """The lines of both that are not comments; empty where they are the same syntax."""
    rows = tuple(_rows(before, after))
    return rows if any(is_change for _, is_change in rows) else ()


def with_context(
    rows: Sequence[Row], after: Sequence[Region] = (), before: Sequence[Region] = ()
) -> tuple[DiffLine, ...]:
    """The changes with their context.

    Of what is too long to show, changes in the regions `after`, and in `before` of the older code, come first.
    """

    def is_looked_at(stretch: Sequence[Row]) -> bool:
        return any(_is_in(line.after, after) or _is_in(line.before, before) for line, is_change in stretch if is_change)

    stretches = list(_stretches(rows))
    left = LONGEST
    lengths: dict[int, int] = {}
    for number in sorted(range(len(stretches)), key=lambda number: (not is_looked_at(stretches[number]), number)):
        lengths[number] = min(left, len(stretches[number]))
        left -= lengths[number]
    return tuple(_joined((stretch[: lengths[at]], stretch[lengths[at] :]) for at, stretch in enumerate(stretches)))


def _is_in(line: int | None, regions: Sequence[Region]) -> bool:
    return line is not None and any(region.start <= line <= region.end for region in regions)


def _stretches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The changes with their context, in stretches without a gap."""
    changed = [number for number, (_, is_change) in enumerate(rows) if is_change]
    wanted = sorted({near for at in changed for near in range(max(0, at - AROUND), at + AROUND + 1)})
    for _, run in groupby(enumerate(at for at in wanted if at < len(rows)), lambda item: item[1] - item[0]):
        yield [rows[number] for _, number in run]


def _joined(stretches: Iterable[tuple[Sequence[Row], Sequence[Row]]]) -> Iterator[DiffLine]:
    """What is shown of each stretch, and between them a mark for what is not."""
    is_first, hidden = True, list[DiffLine]()
    for kept, rest in stretches:
        if kept:
            if hidden or not is_first:
                yield _omitted(hidden)
            is_first, hidden = False, []
        yield from (line for line, _ in kept)
        hidden += [line for line, is_change in rest if is_change]
    if hidden:
        yield _omitted(hidden)


def _omitted(lines: Sequence[DiffLine]) -> DiffLine:
    gone = sum(line.before is not None for line in lines)
    come = sum(line.after is not None for line in lines)
    return DiffLine(None, None, f"{MARK} -{gone} +{come}" if lines else MARK)


def _rows(before: Sequence[Piece], after: Sequence[Piece]) -> Iterator[Row]:
    codes = list(_codes(before, after))
    same = _under_the_same_heads(codes, before, after)
    gone = [one for tag, start, end, *_ in codes if tag != "equal" for one in range(start, end)]
    come = [one for tag, _, _, start, end in codes if tag != "equal" for one in range(start, end)]
    moved = _moved(before, after, gone, come)
    for tag, start, end, first, last in codes:
        if tag == "equal":
            for old, new in zip(range(start, end), range(first, last), strict=True):
                yield from _same(before[old], after[new]) if old in same else _replaced([before[old]], [after[new]])
        else:
            yield from _differing(before, after, range(start, end), range(first, last), moved)


def _codes(before: Sequence[Piece], after: Sequence[Piece]) -> Iterator[_Code]:
    """How one side becomes the other. What is written the same need not be parsed to be the same."""
    for tag, start, end, first, last in _matched([one.text for one in before], [one.text for one in after]):
        if tag == "replace":
            olds, news = [one.syntax_key for one in before[start:end]], [one.syntax_key for one in after[first:last]]
            yield from ((t, start + i, start + j, first + k, first + n) for t, i, j, k, n in _matched(olds, news))
        else:
            yield tag, start, end, first, last


def _matched(olds: Sequence[str], news: Sequence[str]) -> Sequence[_Code]:
    counted = Counter(olds)
    is_costly = sum(counted[one] for one in news) > _MOST_PAIRS  # then what is everywhere is no place to begin at
    return SequenceMatcher(None, olds, news, autojunk=is_costly).get_opcodes()


_MOST_PAIRS = 500_000  # equal pieces of both sides; two versions of a file of 6,000 lines have 13,000


def _under_the_same_heads(codes: Sequence[_Code], before: Sequence[Piece], after: Sequence[Piece]) -> set[int]:
    """The pieces of the older side that are unchanged: of their heads those that are left are the same."""
    pairs = {
        old: new
        for tag, start, end, first, last in codes
        if tag == "equal"
        for old, new in zip(range(start, end), range(first, last), strict=True)
    }
    kept = set(pairs.values())
    return {
        old
        for old, new in pairs.items()
        if [pairs[head] for head in before[old].heads if head in pairs]
        == [head for head in after[new].heads if head in kept]
    }


def _moved(before: Sequence[Piece], after: Sequence[Piece], gone: list[int], come: list[int]) -> dict[int, int]:
    """Statements that are gone here and have come there, as they were; each is there once."""
    there = Counter(after[new].syntax_key for new in come)
    once = Counter(before[old].syntax_key for old in gone)
    places = {
        after[new].syntax_key: new for new in come if there[after[new].syntax_key] == 1 and not after[new].is_bare
    }
    return {
        old: places[before[old].syntax_key]
        for old in gone
        if once[before[old].syntax_key] == 1 and before[old].syntax_key in places
    }


def _differing(
    before: Sequence[Piece], after: Sequence[Piece], olds: range, news: range, moved: Mapping[int, int]
) -> Iterator[Row]:
    """What lies between two equal stretches: what went elsewhere, what became of the rest, what came from elsewhere."""
    arrived = {new: old for old, new in moved.items()}
    yield from _moves(before, after, [(old, moved[old]) for old in olds if old in moved], is_shown=False)
    stayed = [before[old] for old in olds if old not in moved]
    added = [after[new] for new in news if new not in arrived]
    for tag, start, end, first, last in _matched([one.opening for one in stayed], [one.opening for one in added]):
        if tag == "equal":
            for old, new in zip(stayed[start:end], added[first:last], strict=True):
                yield from _reworded(old, new)
        else:
            yield from _replaced(stayed[start:end], added[first:last])
    yield from _moves(before, after, [(arrived[new], new) for new in news if new in arrived], is_shown=True)


def _moves(
    before: Sequence[Piece], after: Sequence[Piece], pairs: Sequence[tuple[int, int]], *, is_shown: bool
) -> Iterator[Row]:
    """A mark for each run of statements that moved together; with its lines where they are now."""
    for _, run in groupby(enumerate(pairs), lambda item: (item[1][0] - item[0], item[1][1] - item[0])):
        together = [pair for _, pair in run]
        old = Region(before[together[0][0]].region.start, before[together[-1][0]].region.end)
        new = Region(after[together[0][1]].region.start, after[together[-1][1]].region.end)
        yield DiffLine(None, None, f"{MARK} {old} → {new}"), True
        for one, other in together if is_shown else ():
            yield from _same(before[one], after[other])


def _same(old: Piece, new: Piece) -> Iterator[Row]:
    for number, line in enumerate(new.lines):
        yield DiffLine(min(old.region.start + number, old.region.end), new.region.start + number, line), False


def _replaced(olds: Sequence[Piece], news: Sequence[Piece]) -> Iterator[Row]:
    for old in olds:
        for number, line in enumerate(old.lines, old.region.start):
            yield DiffLine(number, None, line), True
    for new in news:
        for number, line in enumerate(new.lines, new.region.start):
            yield DiffLine(None, number, line), True


def _reworded(old: Piece, new: Piece) -> Iterator[Row]:
    """One statement in two wordings: of many lines, those that differ; all of them where no line does."""
    codes = _matched([_plain(line) for line in old.lines], [_plain(line) for line in new.lines])
    if all(tag == "equal" for tag, *_ in codes):
        yield from _replaced([old], [new])
        return
    for tag, start, end, first, last in codes:
        if tag == "equal":
            for one, other in zip(range(start, end), range(first, last), strict=True):
                yield DiffLine(old.region.start + one, new.region.start + other, new.lines[other]), False
        else:
            yield from _replaced([old.part(start, end)], [new.part(first, last)])


def _plain(line: str) -> str:
    return _SPACE.sub(" ", line).strip().removesuffix(",")


_SPACE = re.compile(r"\s+")
