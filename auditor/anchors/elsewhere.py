"""Statements that have left their definition, found in another that did not have them before."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.anchors.fingerprints import (
    Layout,
    Scope,
    Unit,
    information,
    names_and_literals,
    relative_keys,
    unit_features,
)

if TYPE_CHECKING:
    from auditor.anchors.versions import Versions

_TELLING = 12
_HELD = 0.6  # least part of some statements that a definition must hold to be shown


@dataclass(frozen=True, slots=True)
class Stretch:
    """Units in a row, in a file."""

    path: str
    layout: Layout
    scope: Scope
    units: tuple[Unit, ...]
    part: float = 1.0
    """How much of what was looked for is there."""


def elsewhere(versions: "Versions", path: str, units: Sequence[Unit], *, is_exact: bool) -> list[Stretch]:
    """Where the same units stand in a row in definitions that did not hold them before.

    Not exactly: the definitions that hold most of what they are made of, the best first.
    """
    made_of: Counter[str] = Counter()
    for unit in units:
        made_of.update(unit_features(unit))
    if information(made_of) < _TELLING:
        return []
    words = frozenset(word for word in names_and_literals(made_of) if word.isidentifier())
    least = 0.999 if is_exact else _HELD
    found: list[Stretch] = []
    for one in (path, *versions.changed(path)):
        if versions.share(words, one, path) < least or (new := versions.new(one)) is None:
            continue
        old = versions.old(one)
        found += _rows(one, new, old, units) if is_exact else _holders(one, new, old, made_of)
    return sorted(found, key=lambda stretch: -stretch.part)


def _rows(path: str, new: Layout, old: Layout | None, units: Sequence[Unit]) -> Iterator[Stretch]:
    before = Counter(scope.name for scope, _ in _runs(old, units)) if old else Counter[str]()
    now = list(_runs(new, units))
    counted = Counter(scope.name for scope, _ in now)
    for scope, run in now:
        if counted[scope.name] > before[scope.name]:
            yield Stretch(path, new, scope, run)


def _runs(layout: Layout, units: Sequence[Unit]) -> Iterator[tuple[Scope, tuple[Unit, ...]]]:
    """Every row of units that says the same, and the definition that it begins in."""
    wanted = relative_keys(units)
    every = layout.module.every
    for number, unit in enumerate(every):
        if unit.key == units[0].key:
            run = every[number : number + len(units)]
            if relative_keys(run) == wanted:
                yield layout.innermost(unit.region.start), run


def _holders(path: str, new: Layout, old: Layout | None, made_of: Counter[str]) -> Iterator[Stretch]:
    """The definitions that hold more of it than before."""
    total = made_of.total()
    for scope in new.scopes[1:]:
        part = (scope.features & made_of).total() / total
        twins = old.find(scope.name) if old else ()
        before = max(((twin.features & made_of).total() / total for twin in twins), default=0.0)
        is_outer = any(unit.definition is not None for unit in scope.units)
        if scope.type == "function" and not is_outer and part >= _HELD and part > before:
            yield Stretch(path, new, scope, tuple(scope.units), part)
