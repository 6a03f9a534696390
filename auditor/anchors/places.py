"""What kind of place some lines are, and the lines of the same place in another version."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass

from auditor.anchors.fingerprints import Layout, Scope, Unit, similarity, unit_features
from auditor.model import Place, Region

_WORD = re.compile(r"[^\W\d]\w*")
UNLIKE = 0.3
"""Least likeness of what lies between two lines that were found."""
_GROWN = 10  # lines by which a comment or docstring may have grown, beside twice its size


@dataclass(frozen=True, slots=True)
class Edge:
    """The first or last code line of a range: in a unit, or at the very edge of a whole definition."""

    line: int
    scope: Scope
    unit: Unit | None
    """None: the definition's own edge."""


def edge_of(old: Layout, region: Region, *, is_end: bool) -> Edge | None:
    """The first or last line of code in some lines; None when there is none."""
    numbers = range(region.start, min(region.end, len(old.lines)) + 1)
    for line in reversed(numbers) if is_end else numbers:
        scope = old.innermost(line)
        units = [unit for unit in scope.units if unit.definition is None and unit.region.start <= line]
        if not units:
            continue
        unit = max(units, key=lambda one: one.region.start)
        if line > old.end(unit):
            continue
        whole = _covered(old, scope, region, line, is_end=is_end)
        return Edge(line, whole, None) if whole else Edge(line, scope, unit)
    return None


def _covered(old: Layout, scope: Scope, region: Region, line: int, *, is_end: bool) -> Scope | None:
    """The outermost definition that begins or ends at a line and is wholly in some lines."""
    found = None
    outer: Scope | None = scope
    while outer is not None and outer.type != "module":
        start = old.definition_line(outer)
        edges = (outer.region.end,) if is_end else (outer.region.start, start)
        if line in edges and region.start <= start and outer.region.end <= region.end:
            found = outer
        outer = outer.parent
    return found


def kind(first: Edge, last: Edge) -> Place:
    """What kind of place is between two edges."""
    if first.scope is not last.scope:
        return Place.STATEMENTS
    if first.unit is None or last.unit is None:
        return Place.DEFINITION if first.unit is last.unit else Place.STATEMENTS
    if first.unit is not last.unit:
        return Place.STATEMENTS
    is_header = first.unit is first.scope.units[0] and first.scope.type != "module"
    is_field = first.scope.type != "function" and first.unit.type in ("Assign", "Declare", "AugAssign")
    return Place.DECLARATION if is_header or is_field else Place.INTERIOR


def line_of(old: Layout, edge: Edge, new: Layout, scope: Scope, unit: Unit, *, is_end: bool) -> int:
    """The line of a unit that an edge is at: its first or last, or the one that reads the same."""
    assert edge.unit is not None
    start, end = edge.unit.region.start, old.end(edge.unit)
    now = Region(unit.region.start, new.end(unit))
    is_header = unit.type in ("FunctionDef", "ClassDef")
    if is_header and edge.line == old.definition_line(edge.scope):
        return new.definition_line(scope)
    if edge.line == (end if is_end else start):
        return now.end if is_end else now.start
    wanted = old.lines[edge.line - 1].strip()
    same = edge.line - start + now.start
    if now.end - now.start == end - start and new.lines[same - 1].strip() == wanted:
        return same
    equal = [n for n in range(now.start, now.end + 1) if new.lines[n - 1].strip() == wanted]
    if len(equal) == 1:
        return equal[0]
    # A line of a signature, or of a call, is known by the parameter that it begins with.
    leading = _WORD.search(wanted)
    if leading is not None:
        holds = re.compile(rf"(?<![\w.]){re.escape(leading[0])}(?!\w)")
        before = [n for n in range(start, end + 1) if holds.search(old.lines[n - 1])]
        after = [n for n in range(now.start, now.end + 1) if holds.search(new.lines[n - 1])]
        if len(before) == len(after) == 1:
            return after[0]
    return now.end if is_end else now.start


def padded(old: Layout, cited: Region, code: Region, new: Layout, now: Region) -> Region:
    """The lines of code with what is cited around them that is no code, from and to lines that read as before."""
    above = [line.strip() for line in old.lines[cited.start - 1 : code.start - 1]]
    below = [line.strip() for line in old.lines[code.end : cited.end]]
    every = new.module.every
    first = bisect_left(every, now.start, key=lambda unit: unit.region.start)
    last = bisect_right(every, now.end, key=lambda unit: unit.region.start)
    top = new.end(every[first - 1]) if first else 0
    bottom = every[last].region.start if last < len(every) else len(new.lines) + 1
    before = [line.strip() for line in new.lines[top : now.start - 1]]
    after = [line.strip() for line in new.lines[now.end : bottom - 1]]
    return Region(now.start - _common_end(above, before), now.end + _common_end(below[::-1], after[::-1]))


def _common_end(cited: list[str], there: list[str]) -> int:
    """How many lines at the end of others begin with the first of the cited that is among them, and unlike the rest."""
    if cited == there[len(there) - len(cited) :]:
        return len(cited)
    near = there[-2 * len(cited) - _GROWN :] if cited else []
    return next((len(near) - near.index(line) for line in cited if line and near.count(line) == 1), 0)


def within(layout: Layout, region: Region) -> list[Unit]:
    """The units that are in some lines, or partly."""
    every = layout.module.every
    first = bisect_left(every, region.start, key=lambda unit: unit.region.start)
    last = bisect_right(every, region.end, key=lambda unit: unit.region.start)
    reaches_in = first > 0 and layout.end(every[first - 1]) >= region.start
    return list(every[first - reaches_in : last])


def likeness(old: Layout, code: Region, new: Layout, now: Region) -> float:
    """How much of the code in some lines is the same: from 0 to 1."""
    sides = [Counter[str](), Counter[str]()]
    for side, layout, region in zip(sides, (old, new), (code, now), strict=True):
        for unit in within(layout, region):
            side.update(unit_features(unit))
    return similarity(*sides)
