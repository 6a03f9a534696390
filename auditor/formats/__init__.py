"""What a report can be written as. One module is one format."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from auditor.registry import Plugin, discover

if TYPE_CHECKING:
    from auditor.model import Log, Outcome


class Format(Plugin, ABC):
    """A pure function from a log to text."""

    can_color: ClassVar[bool] = False
    """Whether `render` makes use of `color`."""

    @abstractmethod
    def render(self, log: "Log", *, color: bool = False) -> str:
        """The whole report, ending in a newline."""


def formats() -> dict[str, type[Format]]:
    """Every format by id."""
    return discover(__name__, Format)


def values(outcome: "Outcome") -> tuple[str, str]:
    """Expected and actual: as they are where both are text, else as Python, so that '16' is not taken for 16."""
    match outcome.expected, outcome.actual:
        case str(expected), str(actual):
            return expected, actual
        case expected, actual:
            return repr(expected), repr(actual)
