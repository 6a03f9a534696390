"""Where a target's code can be read from. One module is one source."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

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


class Source(Plugin, ABC):
    """A place to read targets from."""

    @abstractmethod
    def open(self, target: "Target", spec: str, access: Access) -> "Snapshot":
        """The snapshot that `spec` names (a version, a folder, ...). Raises SourceError."""


def sources() -> dict[str, type[Source]]:
    """Every source by id."""
    return discover(__name__, Source)
