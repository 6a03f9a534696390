"""The source `pack`."""

from typing import TYPE_CHECKING

from auditor.model import Revision
from auditor.sources import Access, Source

if TYPE_CHECKING:
    from auditor.model import Omission, Snapshot, Target


class Pack(Source):
    """The pack itself: for claims that are about no code, such as arithmetic."""

    def open(self, target: "Target", spec: str, access: Access) -> "Snapshot":  # noqa: ARG002 # there is nothing to reach
        return Empty(Revision("pack", spec))


class Empty:
    """A snapshot without files."""

    roots = ("",)
    is_fixed = True
    omissions: "tuple[Omission, ...]" = ()

    def __init__(self, revision: Revision) -> None:
        self.revision = revision

    def files(self) -> frozenset[str]:
        return frozenset()

    def read(self, path: str) -> bytes:
        raise FileNotFoundError(path)

    def prefetch(self, paths: frozenset[str]) -> None:
        """There is nothing to fetch."""
