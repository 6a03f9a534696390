"""The check `overrides`."""

import dataclasses
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import Absent, Undecidable
from auditor.code.matching.notation import Place
from auditor.code.phrases import THEN, counted, files, listed, quoted
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, kw_only=True)
class Overrides(Check):
    """Which subclasses have their own version of a method, and what all of these do.

    *What it checks.* All classes of `scope` that derive from the class of `at`, at whatever distance, and define the
    method themselves. With `only`, one that is not among those known fails, or with `review: true` is `review`. With
    `each`, every version must pass a check; the version in `at` itself is none of them.

    *Parameters.* `at`: path::Class.method. `scope` (optional): folders and files, the package otherwise. `only`
    (optional): classes, path::Class. `each` (optional): a check, whose `at` is each version. `review` (optional).
    `may` (optional): whether a class of `only` may be absent, as one is from other releases.

    *中文。* 哪些子类有自己的方法版本，以及这些版本做什么。

    *Example.*

        check: overrides
        at: python/sglang/srt/mem_cache/prefill_budget.py::PrefillBudget._available_and_evictable
        scope: python/sglang/srt
        only: [python/sglang/srt/mem_cache/prefill_budget.py::SWAPrefillBudget]
    """

    at: Anchor
    scope: tuple[str, ...] = ()
    only: tuple[Place, ...] | None = None
    each: Check | None = None
    review: bool = False
    may: bool = False

    def problems(self) -> Iterator[str]:
        if self.at.symbol is None or "." not in self.at.symbol:
            yield "at needs a method: path::Class.method"
        if self.only is None and self.each is None:
            yield "say only, each or both"
        if self.each is not None and "at" not in {field.name for field in dataclasses.fields(self.each)}:
            yield f"each is a check of a place, which {self.each.id} is not"

    def run(self, codebase: "Codebase") -> Outcome:
        definition = codebase.locate(self.at)
        owner, _, method = definition.name.rpartition(".")
        scope = self.scope or (codebase.package_of(definition.path),)
        hierarchy = Hierarchy(codebase, codebase.python_files(scope))
        below = hierarchy.subclasses(Class(definition.path, owner))
        found = hierarchy.versions(Class(definition.path, owner), method)
        names = listed(quoted(cls.name) for cls in found) if found else Text("none", "无")
        message = Text(
            "of the {} of {} in {}, {} is overridden by {}", "在 {2}中，{1} 有 {0}；覆写了 {3} 的有：{4}"
        ).filled(
            Text(counted(len(below), "subclass"), f"{len(below)} 个子类"),
            quoted(owner),
            files(len(hierarchy.paths), scope),
            quoted(method),
            names,
        )
        kinds = {Kind.PASS}
        known = {found.location for place in self.only or () for found in self._defined(place, codebase)}
        unknown = [cls for cls in found if Location(cls.path, None, cls.name) not in _bare(known)]
        if self.only is not None and unknown:
            kinds.add(Kind.REVIEW if self.review else Kind.FAIL)
            message += Text("; not among those known: {}", "；不在已知范围内的有：{}").filled(listed(unknown))
        versions = [version for own in found.values() for version in own]
        if self.each is not None:
            if not versions:
                raise Undecidable(message + Text("; so there is no version to check", "；因此没有可检查的版本"))
            outcomes = {version: self._of(version, codebase) for version in versions}
            kinds |= {outcome.kind for outcome in outcomes.values()}
            said = (
                Text("{}: {}", "{}：{}").filled(quoted(version.name), outcome.message)
                for version, outcome in outcomes.items()
                if outcome.kind is not Kind.PASS
            )
            message = THEN.join([message, *said])
            versions.sort(key=lambda version: -outcomes[version].kind.gravity)
        elif unknown:
            versions.sort(key=lambda version: version.cls not in {cls.name for cls in unknown})
        kind = max(kinds, key=lambda kind: kind.gravity)
        locations = (*(version.location for version in versions), definition.location)
        return Outcome(kind, message, _symbols(self.only), names.en, locations, definition.fingerprint)

    def _defined(self, place: Place, codebase: "Codebase") -> "Iterator[Definition]":
        if not self.may:
            yield codebase.locate(place.anchor)
            return
        with suppress(Absent):  # what may be missing is not worth a search through the package
            yield from codebase.definitions(place.anchor.path, place.anchor.symbol)

    def _of(self, version: "Definition", codebase: "Codebase") -> Outcome:
        assert self.each is not None
        place = Anchor(version.path, version.name)
        return dataclasses.replace(self.each, at=place).audit(codebase)  # type: ignore[call-arg] # problems() saw to it


def _bare(locations: set[Location]) -> set[Location]:
    return {Location(location.path, None, location.symbol) for location in locations}


def _symbols(only: tuple[Place, ...] | None) -> str | None:
    return None if only is None else ", ".join(str(place.anchor.symbol) for place in only) or "none"
