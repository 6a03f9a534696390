"""What can be decided about code. One module is one check, and its name is the rule."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.model import Kind, Outcome, Rule
from auditor.registry import Plugin, discover

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase


@dataclass(frozen=True, kw_only=True)
class Check(Plugin, ABC):
    """One question to the code. Its fields are the keys that a claim gives it; those without a default are required."""

    def problems(self) -> Iterator[str]:
        """What is wrong with the fields taken together."""
        yield from ()

    @abstractmethod
    def run(self, codebase: "Codebase") -> Outcome:
        """What the code answers. Raises Undecidable."""

    def audit(self, codebase: "Codebase") -> Outcome:
        """What the code answers; `open`, with the reason, where no static reading tells."""
        try:
            return self.run(codebase)
        except Undecidable as reason:
            return Outcome(Kind.OPEN, reason.reason)


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
