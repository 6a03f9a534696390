"""What can be decided about code. One module is one check, and its name is the rule."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.model import Kind, Outcome
from auditor.registry import Plugin, discover

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase


@dataclass(frozen=True, kw_only=True)
class Check(Plugin, ABC):
    """One question to the code. Its fields are the keys that a claim gives it; those without a default are required."""

    def problems(self) -> Iterator[str]:
        """What is wrong with the fields taken together."""
        yield from ()

    @abstractmethod
    def run(self, code: "Codebase") -> Outcome:
        """What the code answers. Raises Undecidable."""

    def audit(self, code: "Codebase") -> Outcome:
        """What the code answers; `open`, with the reason, where no static reading tells."""
        try:
            return self.run(code)
        except Undecidable as reason:
            return Outcome(Kind.OPEN, str(reason))


def checks() -> dict[str, type[Check]]:
    """Every check by rule."""
    return discover(__name__, Check)
