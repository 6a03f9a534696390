"""Reads a folder as it is."""

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.errors import SourceError
from auditor.fetch.folder import listed, read
from auditor.fetch.layout import omissions, package_roots, packages, prefix_of, prefixes, repository_paths
from auditor.model import Revision
from auditor.sources import Access, Option, Source

if TYPE_CHECKING:
    from auditor.model import Snapshot, Target


class Directory(Source):
    """A folder: a checkout, or an unpacked wheel or sdist. No git is needed.

    A checkout ships the whole repository, an archive only its package. Links that lead out of the folder are not
    followed, and virtual environments in it are left out: what was searched there is open.
    """

    option = Option(
        name="path",
        metavar="TARGET=DIR",
        help="A checkout, or an unpacked wheel or sdist.",
        prefix="dir",
        example="dir:main",
        words=("DIR", "a folder that exists: a checkout, or an archive unpacked"),
        rank=3,
    )

    @classmethod
    def named(cls, word: str) -> str | None:
        return word if Path(word).is_dir() else None

    def open(self, target: "Target", spec: str, access: Access) -> "Snapshot":  # noqa: ARG002 # nothing to fetch
        return Tree(target, spec)


class Tree:
    """A folder, opened."""

    is_fixed = False

    def __init__(self, target: "Target", spec: str) -> None:
        """Raises SourceError for a folder without the target's package."""
        try:
            self._root = Path(spec).expanduser().resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            raise SourceError(f"{spec}: no such folder; --path expects {_expected(target)}") from error
        if not self._root.is_dir():
            raise SourceError(f"{spec}: not a folder; unpack it, since --path expects {_expected(target)}")
        if not _fits(target, self._root):
            raise SourceError(f"{spec}: --path expects {_expected(target)}{_hint(target, self._root)}")
        self.revision = Revision("directory", self._root.name or "root")
        found = listed(self._root)
        names = found.files
        if prefix_of(target, names) == target.prefix and not _is_archive(self._root):
            self.roots: tuple[str, ...] = ("",)
            self._names = {name: name for name in names}
        else:
            self.roots = package_roots(target)
            self._names = repository_paths(target, names)
        self._files = frozenset(self._names)
        self.omissions = tuple(omissions(target, names, found.omitted))

    def files(self) -> frozenset[str]:
        return self._files

    def read(self, path: str) -> bytes:
        if path not in self._names:
            raise FileNotFoundError(path)
        return read(self._root / self._names[path], self._root)

    def prefetch(self, paths: frozenset[str]) -> None:
        """Nothing is faster than the file itself."""


def _is_archive(root: Path) -> bool:
    """Whether this was a wheel or an sdist, or is where wheels are installed."""
    return (root / "PKG-INFO").exists() or any(root.glob("*.dist-info"))


def _fits(target: "Target", root: Path) -> bool:
    """Whether the packages are there: told from their folders, for a wrong root may hold any number of files."""
    return any((root / prefix / one).exists() for prefix in prefixes(target) for one in packages(target))


def _expected(target: "Target") -> str:
    wheel = tuple(root.removeprefix(target.prefix) for root in package_roots(target))
    places = dict.fromkeys((*package_roots(target), *wheel))
    return f"a checkout or an unpacked archive of {target.name}, with {' or '.join(places)} in it"


def _hint(target: "Target", root: Path) -> str:
    """The one folder that was probably meant."""
    try:
        below = [folder for folder in root.iterdir() if folder.is_dir() and _fits(target, folder)]
    except OSError:
        return ""
    if len(below) == 1:
        return f"; did you mean {below[0]}"
    if root.name in packages(target) and (root / "__init__.py").is_file():
        return f"; did you mean {root.parent}"
    return ""
