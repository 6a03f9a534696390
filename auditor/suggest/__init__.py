"""Checks that some lines of code suggest, for a person who writes a claim about them. One module is one suggester."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from auditor.checks import checks
from auditor.code import Undecidable
from auditor.model import Anchor, Kind, Outcome, Region, Text
from auditor.registry import Plugin, discover
from auditor.suggest.lines import Lines

if TYPE_CHECKING:
    from auditor.checks import Check
    from auditor.code.project.codebase import Codebase


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A check, and a sentence that it decides, to be put into the writer's own words."""

    check: "Check"
    statement: Text


@dataclass(frozen=True, slots=True)
class Tried:
    """A suggestion, and what its check says of the code that it was made from."""

    suggestion: Suggestion
    outcome: Outcome


class Suggester(Plugin, ABC):
    """Proposes checks of one rule, or of several, for some lines."""

    rank: ClassVar[int]
    """The more a check says of what the lines do, the lower: a value before code that is written so, and that last."""

    @abstractmethod
    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        """Checks that probably hold there; each will be run. Raises Undecidable."""


def suggestions(
    codebase: "Codebase", path: str, region: Region | None = None, most: int | None = None
) -> tuple[Tried, ...]:
    """The checks that lines of a file suggest and that hold there, or with a qualification; the telling ones first.

    With `most`, no more are tried once so many hold. Raises Absent for a file that is not there, Undecidable for one
    that cannot be parsed.
    """
    checks()  # names them
    lines = Lines(codebase, path, region or Region(1, codebase.text(path).count("\n") + 1))
    found: dict[str, Tried] = {}
    for suggester in sorted(discover(__name__, Suggester).values(), key=lambda one: (one.rank, one.id)):
        for suggestion in _proposed(suggester(), lines):
            outcome = suggestion.check.audit(codebase)
            if outcome.kind in (Kind.PASS, Kind.REVIEW):
                found.setdefault(repr(suggestion.check), Tried(suggestion, outcome))
            if most is not None and sum(one.outcome.kind is Kind.PASS for one in found.values()) >= most:
                return tuple(sorted(found.values(), key=lambda tried: tried.outcome.kind is not Kind.PASS))
    return tuple(sorted(found.values(), key=lambda tried: tried.outcome.kind is not Kind.PASS))


def _proposed(suggester: Suggester, lines: Lines) -> Iterator[Suggestion]:
    """What is proposed until something cannot be told, or is no check that a claim may have."""
    try:
        for suggestion in suggester.propose(lines):
            if not any(suggestion.check.problems()):
                yield suggestion
    except (Undecidable, ValueError):
        return


__all__ = ["Anchor", "Lines", "Suggester", "Suggestion", "Tried", "suggestions"]
