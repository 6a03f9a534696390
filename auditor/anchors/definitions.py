"""A function or class found again in another snapshot: by its name, else by its syntax and by who calls it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.anchors.fingerprints import Scope, information, similarity

if TYPE_CHECKING:
    from auditor.anchors.versions import Versions

_TELLING, _TELLING_HERE = 32, 12
"""Characters of distinct words from which a definition is known by its syntax; in its own file, if it is the same."""
ACCEPTED = 0.75
"""Least score of a definition that has another name or place."""
_MARGIN = 0.1
_SHOWN = 0.4  # least score of a candidate that a person is shown
_UNLIKE = 0.35  # below, a definition that kept its name may be another one
_SAME_NAME, _SAME_PLACE, _CALLED = 0.15, 0.25, 0.15
_WORDS = 0.6  # least part of a definition's words that another file or definition must have
_MOST = 5


@dataclass(frozen=True, slots=True)
class DefinitionCandidate:
    """A definition that may be meant."""

    path: str
    scope: Scope
    score: float
    why: str
    is_new: bool = True
    """Whether it is not just what it was before."""


@dataclass(frozen=True, slots=True)
class Counterpart:
    """What a definition has become: None where that is not known; then the candidates say what may be."""

    found: DefinitionCandidate | None
    candidates: tuple[DefinitionCandidate, ...] = ()
    searched: tuple[str, ...] = ()


@dataclass(eq=False)
class Definitions:
    """The definitions of one snapshot and what they are in the other."""

    versions: "Versions"
    _known: dict[tuple[str, int], Counterpart] = field(default_factory=dict)

    def of(self, path: str, scope: Scope) -> Counterpart:
        """What a definition of the older snapshot has become."""
        key = (path, id(scope))
        if key not in self._known:
            self._known[key] = self._same_name(path, scope) or self._search(path, scope)
        return self._known[key]

    def _same_name(self, path: str, scope: Scope) -> Counterpart | None:
        """The definition of that name in that file; none when it is not there, or looks like another one."""
        old, new = self.versions.old(path), self.versions.new(path)
        if old is None or new is None:
            return None
        here, there = old.find(scope.name), new.find(scope.name)
        if scope.type == "module":
            return Counterpart(DefinitionCandidate(path, new.module, 1.0, "same file"), searched=(path,))
        chosen = _same_of_several(scope, here, there)
        if chosen is None:
            return None
        if similarity(scope.features, chosen.features) < _UNLIKE and information(scope.features) >= _TELLING:
            others = [one for one in self._ranked(path, scope, [path]) if one.scope.fingerprint == scope.fingerprint]
            if others:
                named = DefinitionCandidate(path, chosen, 0.7, "same name, other code")
                return Counterpart(None, (*others, named), (path,))
        return Counterpart(DefinitionCandidate(path, chosen, 1.0, "same name"), searched=(path,))

    def _search(self, path: str, scope: Scope) -> Counterpart:
        if scope.type == "module":
            return self._file(path, scope)
        searched: list[str] = []
        ranked: list[DefinitionCandidate] = []
        for said, paths in self._stages(path):
            searched.append(said)
            ranked = _best((*ranked, *self._ranked(path, scope, paths)))
            found = _accepted(ranked)
            # In the same file less than the same syntax may be what is left of code that has moved to another.
            if found is not None and (len(searched) > 1 or found.scope.fingerprint == scope.fingerprint):
                return Counterpart(found, tuple(one for one in ranked if one is not found), tuple(searched))
        return Counterpart(None, tuple(ranked), tuple(searched))

    def _stages(self, path: str) -> "Iterable[tuple[str, Sequence[str]]]":
        if self.versions.after.is_there(path):
            yield path, [path]
        changed = self.versions.changed(path)
        yield f"{len(changed)} files that changed", changed
        rest = sorted({*self.versions.every(path)} - {path, *changed})
        yield f"{len(rest)} other files under {self.versions.package(path)}", rest

    def _ranked(self, path: str, scope: Scope, paths: Sequence[str]) -> list[DefinitionCandidate]:
        """The definitions of some files that may be it."""
        found: list[DefinitionCandidate] = []
        for one in paths:
            if one != path and not self._may_hold(one, scope, path):
                continue
            new = self.versions.new(one)
            others = (other for other in (new.scopes[1:] if new else ()) if other.type == scope.type)
            found += filter(None, (self._compared(path, scope, one, other) for other in others))
        return _best(found)

    def _may_hold(self, path: str, scope: Scope, home: str) -> bool:
        """Whether another file has enough of a definition's words to be worth a look."""
        wanted = frozenset(word for word in scope.words if word.isidentifier())
        share = self.versions.share(wanted, path, home)
        return share >= (_WORDS / 2 if scope.own_name in self.versions.words(path) else _WORDS)

    def _compared(self, path: str, scope: Scope, other_path: str, other: Scope) -> DefinitionCandidate | None:
        is_named = other.own_name == scope.own_name
        is_placed = other.name == scope.name
        common = len(scope.words & other.words)
        if not is_named and common < _WORDS * max(len(scope.words), len(other.words)):
            return None
        alike = similarity(scope.features, other.features)
        if alike < _SHOWN and not is_placed:
            return None
        is_same = scope.fingerprint == other.fingerprint
        is_new = self._is_new(other_path, other, is_taken_over=is_same and is_named)
        if not is_new and not is_named and alike < ACCEPTED:
            return None
        is_called = is_new and not is_named and self._is_called(path, scope.own_name, other_path, other.own_name)
        score = alike + _SAME_NAME * is_named + _SAME_PLACE * is_placed + _CALLED * is_called
        telling = _TELLING_HERE if is_same and other_path == path else _TELLING
        if not is_named and not is_called and information(scope.features) < telling:
            score = min(score, ACCEPTED - _MARGIN)  # so little code is alike by chance
        reasons = [
            "same name" if is_placed else "same name in another place" if is_named else "",
            "same syntax" if is_same else f"{alike:.0%} alike",
            "called where it was" if is_called else "",
            "" if is_new else "it was there before",
        ]
        return DefinitionCandidate(other_path, other, round(score, 3), ", ".join(filter(None, reasons)), is_new)

    def _is_new(self, path: str, scope: Scope, *, is_taken_over: bool) -> bool:
        """Whether a definition was not there before, or was another one, as an abstract method is."""
        old = self.versions.old(path)
        twins = old.find(scope.name) if old else ()
        return all(is_taken_over and twin.fingerprint != scope.fingerprint for twin in twins)

    def _is_called(self, path: str, name: str, new_path: str, new_name: str) -> bool:
        """Whether what used the one name in other definitions uses the other there now, and not the first."""
        votes = 0
        for one in dict.fromkeys((path, new_path)):
            old, new = self.versions.old(one), self.versions.new(one)
            if old is None or new is None:
                continue
            for user in old.scopes[1:]:
                uses = user.uses
                now = new.find(user.name)
                if name not in uses or new_name in uses or user.own_name == name or len(now) != 1:
                    continue
                votes += (new_name in now[0].uses) - (name in now[0].uses)
        return votes > 0

    def _file(self, path: str, scope: Scope) -> Counterpart:
        """A file that is elsewhere: a new one that is much like it."""
        before = self.versions.before
        found = []
        changed = self.versions.changed(path)
        wanted = self.versions.words(path, is_new=False)
        for one in changed:
            if before.is_there(one):
                continue
            words = self.versions.words(one)
            if len(words & wanted) < 0.5 * max(len(words), len(wanted), 1) or (new := self.versions.new(one)) is None:
                continue
            alike = similarity(scope.features, new.module.features)
            is_same = scope.fingerprint == new.module.fingerprint
            why = "same syntax" if is_same else f"{alike:.0%} alike"
            found.append(DefinitionCandidate(one, new.module, round(alike, 3), why))
        ranked = _best(found)
        searched = (f"{len(changed)} files that changed",)
        accepted = _accepted(ranked)
        return Counterpart(accepted, tuple(one for one in ranked if one is not accepted), searched)


def _same_of_several(scope: Scope, here: Sequence[Scope], there: Sequence[Scope]) -> Scope | None:
    """Of the definitions of one name, as of a property and its setter, the one that is meant; None: not to be told."""
    if len(here) == len(there) == 1:
        return there[0]
    same = [one for one in there if one.fingerprint == scope.fingerprint]
    if len(same) == 1 and sum(one.fingerprint == scope.fingerprint for one in here) == 1:
        return same[0]
    if len(here) == len(there):
        headers = [[one.units[0].key for one in side] for side in (here, there)]
        own = there[here.index(scope)]
        best = max(similarity(scope.features, one.features) for one in there)
        if headers[0] == headers[1] and similarity(scope.features, own.features) == best:
            return own
    ranked = sorted(((similarity(scope.features, one.features), n) for n, one in enumerate(there)), reverse=True)
    if ranked and ranked[0][0] >= ACCEPTED and (len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= _MARGIN):
        return there[ranked[0][1]]
    return None


def _accepted(ranked: Sequence[DefinitionCandidate]) -> DefinitionCandidate | None:
    """The one that is clearly best, and is not just what it was before."""
    fresh = [one for one in ranked if one.is_new]
    second = fresh[1].score if len(fresh) > 1 else 0.0
    return fresh[0] if fresh and fresh[0].score >= max(ACCEPTED, second + _MARGIN) else None


def _best(found: Iterable[DefinitionCandidate]) -> list[DefinitionCandidate]:
    shown = (one for one in found if one.score >= _SHOWN)
    return sorted(shown, key=lambda one: (-one.score, one.path, one.scope.region.start))[:_MOST]
