"""A target, a revision of it, and that revision opened. `auditor.model` exports them all."""

from dataclasses import dataclass
from typing import Protocol

from auditor.text import Text


@dataclass(frozen=True, slots=True)
class Target:
    """One code base that a pack makes claims about."""

    name: str
    repository: str | None = None
    """URL of the git repository, which is also where a reader can look at a line."""
    commit: str | None = None
    date: str | None = None
    project: str | None = None
    """Name in the package registry."""
    packages: tuple[str, ...] = ()
    """What its wheel holds: folders (`yaml`, `zope/interface`) and modules (`six.py`). Empty: the project's name."""
    prefix: str = ""
    """What a wheel's paths lack in front to be repository paths, such as `python/`."""
    near_pin: str | None = None
    """The release nearest the pinned commit."""
    tag: str = "v{version}"
    """How the repository names a release; empty: not known."""
    metrics: tuple[str, ...] = ()
    """Folders and files whose code constructs its Prometheus metrics; after `!`, those that are left out."""
    options: tuple[str, ...] = ()
    """Where its options begin: `path::function` that fills a parser, `path::Class` or `path::table` of environment
    variables, or a folder or file of configuration classes. One that a revision does not have is left out."""
    resolved: tuple[str, ...] = ()
    """Folders and files whose code gives options other values later."""

    @property
    def is_whole(self) -> bool:
        """Whether its files are all that a source has: its `packages` are one without a name."""
        return self.packages == ("",)

    def tag_of(self, version: str) -> str | None:
        """The tag of a release; None where it is not known."""
        # NOTE: not str.format, which would let a pack reach into objects.
        return self.tag.replace("{version}", version) or None


@dataclass(frozen=True, slots=True)
class Revision:
    """What was read: `source` is a source's id, `name` what a person calls it, `commit` its full sha if known."""

    source: str
    name: str
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Omission:
    """A file, or with a slash at the end a folder, that a source did not read, and why. What is in it is unknown."""

    path: str
    reason: Text

    def touches(self, start: str) -> bool:
        """Whether it may hold this file, or something in this folder; of nothing, whether it may hold anything."""
        own, folder = self.path.rstrip("/"), start.rstrip("/") + "/"
        return not start or own == start or self.path.startswith(folder) or start.startswith(own + "/")


class Snapshot(Protocol):
    """One opened revision of a target.

    A path is a repository path whatever the source's own layout is.
    """

    @property
    def revision(self) -> Revision: ...

    @property
    def roots(self) -> tuple[str, ...]:
        """Path prefixes that this source ships; a path under none of them is unavailable, not missing."""
        ...

    @property
    def is_fixed(self) -> bool:
        """Whether the revision names these very bytes for ever, as a commit does and a folder does not."""
        ...

    @property
    def omissions(self) -> tuple[Omission, ...]:
        """What there is beside `files()` and was not read, so that nobody knows what it holds."""
        ...

    def files(self) -> frozenset[str]: ...

    def read(self, path: str) -> bytes:
        """The bytes of a file.

        Raises FileNotFoundError for one that is not in `files()`, UnreadableError for one that is, and SourceError
        where nothing can be read.
        """
        ...

    def prefetch(self, paths: frozenset[str]) -> None:
        """A hint that these will be read; paths that do not exist are ignored."""
        ...
