"""The snapshots that audits read, opened at a time: most of it is waiting."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.errors import SourceError
from auditor.sources import silent, sources

if TYPE_CHECKING:
    from auditor.model import Snapshot, Target
    from auditor.sources import Access


@dataclass(frozen=True, slots=True)
class Spec:
    """One target to open: the id of a source, and what that source is to open."""

    target: "Target"
    source: str
    spec: str
    repository: str | None = None
    """Where git reads the target from, if not from where its pack says."""
    is_asked_for: bool = True
    """Whether this target was named, and not only every target."""

    @property
    def reached(self) -> "Target":
        """The target as its source shall reach it."""
        return self.target if self.repository is None else replace(self.target, repository=self.repository)

    def open(self, access: "Access") -> "Snapshot":
        """Raises SourceError."""
        return sources()[self.source]().open(self.reached, self.spec, access)


def opened(
    specs: Sequence[Spec], files: Mapping[str, frozenset[str]], access: "Access", jobs: int | None = None
) -> "dict[Spec, Snapshot | SourceError]":
    """The snapshot of each, or why there is none; `files` are those that will most likely be read, by target."""

    def attempt(spec: Spec) -> "Snapshot | SourceError":
        try:
            snapshot = spec.open(access)
            snapshot.prefetch(files[spec.target.name])
        except SourceError as error:
            return error
        return snapshot

    with ThreadPoolExecutor(jobs or max(1, len(specs))) as pool:
        return dict(zip(specs, pool.map(attempt, specs), strict=True))


def releases(target: "Target", access: "Access") -> "Callable[[str], Snapshot]":
    """Opens other releases of a target, for claims about them."""
    return lambda version: sources()["pypi"]().open(target, version, replace(access, progress=silent))
