"""Units of a definition found again in another version of it: by their syntax, then by what is around them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from auditor.anchors.fingerprints import Scope, Unit, information, similarity, unit_features

_TELLING = 12
"""Characters of distinct words from which a statement is known by itself; below it, by what is around it too."""
_LARGEST = 1_500_000  # pairs of units that an alignment may compare
_AROUND = ((-1, 0.2), (1, 0.2), (-2, 0.15), (2, 0.15))
_PARENT = 0.3
_GIVING = ("Assign", "Declare", "AugAssign")
_MARGIN = 0.15
_ALIKE = 0.6  # least similarity of an edited statement


@dataclass(frozen=True, slots=True)
class Guess:
    """A unit that may be meant, how well it fits (0 to 1), and why."""

    unit: Unit
    score: float
    why: str
    is_equal: bool = False
    """Whether it is the same statement."""


@dataclass(frozen=True, slots=True)
class Paired:
    """What a unit has become: None where that is not known; then the guesses, the best first, say what may be."""

    unit: Unit | None
    guesses: tuple[Guess, ...] = ()


class Alignment:
    """The units of a definition in two versions."""

    def __init__(self, before: Scope, after: Scope) -> None:
        self._before, self._after = before, after
        self._old, self._new = before.units, after.units
        self._old_keys, self._new_keys = _keys(before), _keys(after)
        self._is_same = before.fingerprint == after.fingerprint and len(self._old) == len(self._new)

    def of(self, unit: Unit) -> Paired:
        """What a unit of the older version has become."""
        number = next(n for n, one in enumerate(self._old) if one is unit)
        if self._is_same or (number == 0 and self._before.type != "module"):
            return Paired(self._new[number])
        equal = self._equal(number)
        if equal.unit is not None or equal.guesses:
            return equal
        return self._edited(number)

    def _equal(self, number: int) -> Paired:
        """The same syntax, where only one place can be meant."""
        key = self._old_keys[number]
        here, there = self._old_at(key), self._new_at(key)
        if not there:
            return Paired(None)
        ranked = sorted(((self._context(number, other), other) for other in there), reverse=True)
        best, chosen = ranked[0]
        second = ranked[1][0] if len(ranked) > 1 else 0.0
        is_telling = information(unit_features(self._old[number])) >= _TELLING
        is_alone = len(here) == len(there) == 1
        is_mutual = all(self._context(other, chosen) < best for other in here if other != number)
        if (
            (is_alone and (is_telling or best >= 0.3))
            or (is_mutual and best >= 0.5 and best - second >= _MARGIN)
            or (len(here) == len(there) and best >= 0.3 and self._forced.get(number) == chosen)
        ):
            return Paired(self._new[chosen])
        return Paired(None, tuple(Guess(self._new[n], score, "same statement", is_equal=True) for score, n in ranked))

    def _edited(self, number: int) -> Paired:
        """The statement that took its place: it gives the same name a value, or is much like it."""
        unit = self._old[number]
        if (names := unit.names) and unit.type in _GIVING:
            here = [one for one in self._old if one.names == names and one.type in _GIVING]
            there = [n for n, one in enumerate(self._new) if one.names == names and one.type in _GIVING]
            if len(here) == len(there) == 1 and not self._old_at(self._new_keys[there[0]]):
                return Paired(self._new[there[0]])
        first, last = self._gap(number)
        own = unit_features(unit)
        guesses = []
        for n, one in enumerate(self._new):
            if one.type != unit.type or self._old_at(self._new_keys[n]) or (n == 0 and self._after.type != "module"):
                continue
            score = similarity(own, unit_features(one))
            if self._is_rivalled(n, number, score):
                continue
            is_inside = first < n < last
            guesses.append(Guess(one, round(score * (1.0 if is_inside else 0.85), 3), "much like it"))
        guesses.sort(key=lambda guess: -guess.score)
        second = guesses[1].score if len(guesses) > 1 else 0.0
        if guesses and guesses[0].score >= _ALIKE and guesses[0].score - second >= _MARGIN:
            return Paired(guesses[0].unit)
        return Paired(None, tuple(guess for guess in guesses if guess.score >= _ALIKE / 2)[:5])

    def _is_rivalled(self, new: int, number: int, score: float) -> bool:
        """Whether another statement that is gone is as much like a new one."""
        found = unit_features(self._new[new])
        return any(
            n != number
            and one.type == self._new[new].type
            and not self._new_at(self._old_keys[n])
            and similarity(unit_features(one), found) >= score
            for n, one in enumerate(self._old)
        )

    def _gap(self, number: int) -> tuple[int, int]:
        """The places in the newer version between which a unit must be, if its neighbours have kept their order."""
        found = [-1, len(self._new)]
        for side, step in enumerate((-1, 1)):
            n = number + step
            while 0 <= n < len(self._old):
                there = self._new_at(self._old_keys[n])
                if len(there) == 1 and len(self._old_at(self._old_keys[n])) == 1:
                    found[side] = there[0]
                    break
                n += step
        return found[0], found[1]

    def _context(self, number: int, other: int) -> float:
        """How much of what is around two units is the same: from 0 to 1."""
        score = _PARENT if self._old[number].around == self._new[other].around else 0.0
        for step, worth in _AROUND:
            if _at(self._old_keys, number + step) == _at(self._new_keys, other + step):
                score += worth
        return round(score, 3)

    @cached_property
    def _old_places(self) -> dict[str, list[int]]:
        return _places(self._old_keys)

    @cached_property
    def _new_places(self) -> dict[str, list[int]]:
        return _places(self._new_keys)

    def _old_at(self, key: str) -> list[int]:
        return self._old_places.get(key, [])

    def _new_at(self, key: str) -> list[int]:
        return self._new_places.get(key, [])

    @cached_property
    def _forced(self) -> dict[int, int]:
        """The pairs that every longest alignment of the two versions has."""
        if len(self._old) * len(self._new) > _LARGEST:
            return {}
        return forced(self._old_keys, self._new_keys)


def forced(one: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    """The pairs of positions that are in every longest common subsequence of two sequences."""
    ahead = _lengths(one, other)
    behind = _lengths(one[::-1], other[::-1])
    rows, columns = len(one), len(other)
    longest = ahead[0][0]
    found = {}
    for i in range(rows):
        before, after = behind[rows - i], ahead[i + 1]
        if max(before[columns - j] + after[j] for j in range(columns + 1)) == longest:
            continue  # one of the longest leaves it out
        pairs = [j for j in range(columns) if one[i] == other[j] and before[columns - j] + 1 + after[j + 1] == longest]
        if len(pairs) == 1:
            found[i] = pairs[0]
    return found


def _lengths(one: Sequence[str], other: Sequence[str]) -> list[list[int]]:
    """How long a common subsequence of what follows two positions can be."""
    rows = [[0] * (len(other) + 1)]
    for item in reversed(one):
        below, row = rows[-1], [0]
        for j in range(len(other) - 1, -1, -1):
            row.append(below[j + 1] + 1 if item == other[j] else max(below[j], row[-1]))
        rows.append(row[::-1])
    return rows[::-1]


def _keys(scope: Scope) -> list[str]:
    return [unit.key for unit in scope.units]


def _places(keys: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, key in enumerate(keys):
        found.setdefault(key, []).append(number)
    return found


def _at(keys: Sequence[str], number: int) -> str | None:
    return keys[number] if 0 <= number < len(keys) else None
