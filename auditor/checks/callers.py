"""The check `callers`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check, Wanting
from auditor.code import Absent
from auditor.code.matching.notation import Pattern, Place
from auditor.code.phrases import OR, files, listed, quoted, ticked
from auditor.code.program.references import uses
from auditor.model import Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_MOST = 8  # places that a message names
_NOWHERE = "no place"


@dataclass(frozen=True, kw_only=True)
class Callers(Check):
    """Who calls or writes something, everywhere in a scope.

    *What it checks.* Every place in `scope` where `code` is written, also through a local name, another name on import,
    `getattr` or `setattr` with a literal name. For `x += ...` it is `x = x + ...` too, for `x = ...` any write to x. A
    function that is named there but not called (a callback, a partial) makes the claim `review`; an attribute whose
    name is worked out, in a file that names what is meant, `open`.

    *Parameters.* `scope`: folders and files. `code`: a pattern, or several of which any is meant. Either `only`: the
    definitions, path::Symbol, that it must be in, each of them (with `may: true`, some of them); or `never: true`.

    *中文。* 在某个范围内，谁调用或写入了它。

    *Example.*

        check: callers
        scope: python/sglang/srt
        code: $X.total_offset += ...
        only: [python/sglang/srt/mem_cache/prefill_budget.py::PrefillBudget.reserve]
    """

    scope: tuple[str, ...]
    code: tuple[Pattern, ...]
    only: tuple[Place, ...] = ()
    never: bool = False
    may: bool = False

    def problems(self) -> Iterator[str]:
        if bool(self.only) == self.never:
            yield "give one of only and never"
        if not self.scope:
            yield "scope names no place"
        if not self.code:
            yield "code has no pattern"

    def run(self, codebase: "Codebase") -> Outcome:
        paths = codebase.python_files(self.scope)
        allowed = list(self._allowed(codebase))
        found = list(uses(self.code, codebase, paths))
        used = [use.location for use in found if not use.is_handed_on and not use.is_dynamic]
        dynamic = [use.location for use in found if use.is_dynamic and not _is_in(use.location, allowed)]
        handed = [use.location for use in found if use.is_handed_on and not _is_in(use.location, allowed)]
        others = [place for place in used if not _is_in(place, allowed)]
        idle = [one for one in allowed if not any(_is_in(place, [one]) for place in used)]
        what = OR.join(map(ticked, self.code))
        searched = Text("in {}", "在 {}中").filled(files(len(paths), self.scope))
        message = Text("{}, {} is in no place", "{}，没有任何位置出现 {}").filled(searched, what)
        if used:
            message = Text("{}, {} is in {}", "{}，{} 出现在 {}").filled(searched, what, _names(used))
        lacking = idle if not self.may else idle if len(idle) == len(allowed) and allowed else []
        kind = Kind.FAIL if others else Kind.OPEN if dynamic else Kind.FAIL if lacking else Kind.PASS
        kind = Kind.REVIEW if kind is Kind.PASS and handed else kind
        if others and self.only:
            message += Text("; beyond those said in {}", "；超出所述范围的在 {}").filled(_names(others))
        elif others:
            message += Text("; it should be in none", "；而它不应出现在任何位置")
        if lacking:
            message += Text("; not in {}", "；没有出现在 {}").filled(listed(quoted(one.name) for one in lacking))
        if handed:
            unclear = Text("; it is also handed on, uncalled, in {}", "；另外在 {} 中被传递出去而未被调用")
            message += unclear.filled(_names(handed))
        if kind is Kind.OPEN:
            worked_out = Text("; {} may reach it by a name that is worked out", "；{} 可能通过运行时算出的名称访问它")
            message += worked_out.filled(_names(dynamic))
            others = dynamic
        locations = (*others, *handed, *(place for place in used if place not in others))
        named = ", ".join(str(place.anchor.symbol or place.anchor.path) for place in self.only) or "nobody"
        places = locations or tuple(one.location for one in idle)
        return Outcome(kind, message, named, _names(used).en or _NOWHERE, places)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        if outcome.actual != _NOWHERE or self.never:
            return None
        first, *others = (one.members for one in self.code)
        return Wanting(first.intersection(*others))  # any of the patterns would have done

    def _allowed(self, codebase: "Codebase") -> "Iterator[Definition]":
        """The places that may hold it; with `may`, those that are there. Raises Absent otherwise."""
        for place in self.only:
            try:
                yield codebase.locate(place.anchor)
            except Absent:
                if not self.may:
                    raise


def _is_in(location: Location, definitions: "list[Definition]") -> bool:
    return any(
        location.path == one.path
        and (one.symbol is None or (location.region is not None and one.region.contains(location.region)))
        for one in definitions
    )


def _names(locations: list[Location]) -> Text:
    named = dict.fromkeys(_name(place) for place in locations)
    return listed(named, _MOST)


def _name(place: Location) -> Text:
    if place.symbol is None:
        return Text(f"the module ({place})", f"模块顶层（{place}）")
    return Text(f"{place.symbol} ({place})", f"`{place.symbol}`（{place}）")
