"""Where a target's code can be read from. One module is one source."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from auditor.errors import SourceError
from auditor.registry import Plugin, discover

if TYPE_CHECKING:
    from auditor.model import Snapshot, Target

Progress = Callable[[str, int, int], None]
"""Told what is being read, how many bytes have come, and how many will (0: not known)."""


def silent(what: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Access:
    """How a source may reach the world."""

    cache: Path | None
    """Folder for what was fetched; None keeps nothing."""
    offline: bool = False
    progress: Progress = silent


class NotThereError(SourceError):
    """A place that holds several targets, such as an environment, has not got this one."""


@dataclass(frozen=True, slots=True)
class Option:
    """How the command line names a revision of a source: `--NAME [TARGET=]VALUE`, and `PREFIX:VALUE` as a word."""

    name: str
    metavar: str
    """As `--help` shows it: `[TARGET=]VERSION`, or `TARGET=DIR` where the target must be named."""
    help: str
    prefix: str
    example: str
    """A word with the prefix."""
    alone: str | None = None
    """What the option stands for without a value; None: it has one."""
    words: tuple[str, str] | None = None
    """What means this source without a prefix, and what that is, as `--help` shows it."""
    rank: int = 9
    """Its place among the options, and in the order in which sources are asked for a word without a prefix."""

    @property
    def needs_target(self) -> bool:
        return self.metavar.startswith("TARGET=")


class Source(Plugin, ABC):
    """A place to read targets from. With an `option` a person can name a revision of it."""

    option: ClassVar[Option | None] = None

    @abstractmethod
    def open(self, target: "Target", spec: str, access: Access) -> "Snapshot":
        """The snapshot that `spec` names (a version, a folder, ...). Raises SourceError."""

    @classmethod
    def named(cls, word: str) -> str | None:
        """The `spec` that a word means which is told without a source; None for a word that is not of this source."""
        del word
        return None

    @classmethod
    def resolved_spec(cls, target: "Target", spec: str) -> str:
        """The `spec` itself for one that stands for what the pack says of a target. Raises ConfigError."""
        del target
        return spec


def sources() -> dict[str, type[Source]]:
    """Every source by id."""
    return discover(__name__, Source)


def options() -> dict[str, Option]:
    """The options of the sources that have one, by the source's id, in the order in which people see them."""
    found = [(option.rank, id_, option) for id_, source in sources().items() if (option := source.option)]
    return {id_: option for _, id_, option in sorted(found, key=lambda one: one[:2])}
