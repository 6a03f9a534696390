"""Below the sources: the registry, byte ranges, archives, and how their paths become repository paths."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.cache import Blobs


class FetchError(Exception):
    """Something could not be fetched. The message is the reason alone: only the source knows the project and remedy."""


class UnreachableError(FetchError):
    """The registry gave no answer, after several tries."""


class MissingError(FetchError):
    """The registry has no such thing."""


class RefusedError(FetchError):
    """Something is there and will not be read."""


class RefusedFileError(RefusedError):
    """One file is there and will not be read."""


class NotCachedError(FetchError):
    """Something would have to be fetched, and must not be."""


def damage(blobs: "Blobs", keys: set[str]) -> str:
    """What to add when entries of these keys are not in the cache, because they were damaged."""
    return "" if keys.isdisjoint(blobs.discarded) else ": its entry was damaged"
