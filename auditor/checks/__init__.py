"""What can be decided about code. One module is one check, and its name is the rule."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.matching.notation import Place
from auditor.model import Anchor, Kind, Outcome, Rule
from auditor.registry import Plugin, discover

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase


@dataclass(frozen=True, kw_only=True)
class Check(Plugin, ABC):
    """One question to the code. Its fields are the keys that a claim gives it; those without a default are required."""

    def problems(self) -> Iterator[str]:
        """What is wrong with the fields taken together."""
        yield from ()

    def anchors(self) -> Iterator[Anchor]:
        """Every place in code that its fields name, in their order: `at`, `only`, steps, a nested check's own."""
        for one in fields(self):
            yield from _named(getattr(self, one.name))

    def subjects(self) -> Iterator[Anchor]:
        """Those of the anchors without which it has nothing to look at: `at`, of it and of what is nested in it."""
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, Check):
                yield from value.subjects()
            elif not isinstance(value, Mapping) and not _are_places(value):
                yield from _named(value)

    @abstractmethod
    def run(self, codebase: "Codebase") -> Outcome:
        """What the code answers. Raises Undecidable."""

    def audit(self, codebase: "Codebase") -> Outcome:
        """What the code answers; `open`, with the reason, where no static reading tells."""
        try:
            return self.run(codebase)
        except Undecidable as reason:
            return Outcome(Kind.OPEN, reason.reason)


def _named(value: object) -> Iterator[Anchor]:
    """The places that a field's value names."""
    match value:
        case Anchor():
            yield value
        case Place(anchor=anchor):
            yield anchor
        case Check():
            yield from value.anchors()
        case tuple():
            for item in value:
                yield from _named(item)
        case Mapping():
            for item in value.values():
                yield from _named(item)
        case _ if hasattr(value, "at"):  # a step
            yield from _named(value.at)


def _are_places(value: object) -> bool:
    return isinstance(value, tuple) and any(isinstance(item, Place) for item in value)


def checks() -> dict[str, type[Check]]:
    """Every check by rule."""
    return discover(__name__, Check)


_ALL = Rule(
    "all", "Several checks decide together, and each of them must hold.", "Its checks are under `all` in the claim."
)


def rules(ids: Iterable[str]) -> tuple[Rule, ...]:
    """What reports say of these rules, sorted by id; a claim with several checks has the rule `all`."""
    known = checks()
    return tuple(
        Rule(rule, known[rule].summary(), known[rule].help()) if rule in known else _ALL for rule in sorted(set(ids))
    )


def holding(outcomes: Iterable[Outcome]) -> Outcome:
    """The first of some outcomes by which a claim holds, of readings of the same code; else the first of all."""
    first: Outcome | None = None
    for outcome in outcomes:
        if outcome.kind is not Kind.FAIL:
            return outcome
        first = first or outcome
    assert first is not None
    return first
