"""Reads what is installed."""

import ast
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from auditor import files
from auditor.errors import SourceError, UnreadableError
from auditor.fetch import RefusedError
from auditor.fetch.folder import Listing, is_there, listed, read
from auditor.fetch.installed.environment import environment, here, lines
from auditor.fetch.layout import Omitted, is_plain, omissions, package_roots, packages, repository_paths
from auditor.model import Revision
from auditor.sources import Access, NotThereError, Option, Source, sources

if TYPE_CHECKING:
    from importlib.metadata import Distribution

    from auditor.fetch.installed.environment import Environment
    from auditor.model import Snapshot, Target


T = TypeVar("T")


_LONGEST = 200  # characters of a version


class Installed(Source):
    """What an environment has: the one kvaudit runs in, or that of an interpreter or a folder.

    Found by its metadata, and read from its package's folder, as that is now; of an editable
    installation, from the folder it was installed from. No interpreter is started and nothing of it is imported.
    Links are followed, because installers make them: what counts is what an import would read.
    """

    option = Option(
        name="installed",
        metavar="[[TARGET=]PYTHON]",
        help="What is installed here, or in the environment of another interpreter.",
        prefix="installed",
        example="installed:PYTHON",
        alone="",
        words=("installed", "what is installed here"),
        rank=2,
    )

    @classmethod
    def named(cls, word: str) -> str | None:
        return "" if word == "installed" else None

    def open(self, target: "Target", spec: str, access: Access) -> "Snapshot":
        if target.project is None:
            raise SourceError(f"{target.name}: its pack names no project, so none can be installed; use another source")
        try:
            place = environment(spec) if spec else here()
        except (RefusedError, OSError, ValueError, RuntimeError) as error:
            raise SourceError(
                f"{spec}: {error}; --installed expects an interpreter or a virtual environment"
            ) from error
        found = _distribution(target.project, place)
        if found is None:
            remedy = f"install it there, name another one: --installed {target.name}=PYTHON, or use --release"
            raise NotThereError(f"{target.project}: it is not installed in {place.label}; {remedy}")
        version: object = _undamaged(lambda: found.version)
        if not isinstance(version, str) or not 0 < len(version) <= _LONGEST:
            raise SourceError(f"{target.project}: what {place.label} says of it is damaged; install it again")
        notes = tuple(_notes(target, version, found, place))
        if (folder := _source(target, found, place)) is None:
            return Installation(target, version, found, notes)
        try:
            tree = sources()["directory"]().open(target, str(folder), access)
        except SourceError as error:
            roots = " or ".join(package_roots(target))
            what = f"{target.project} {version} is installed from {folder}, which holds no {roots}"
            raise SourceError(f"{what}; install it again") from error
        return Editable(version, tree, (*notes, f"{target.project} {version} is editable: its source folder was read"))


class Installation:
    """An installed package, opened. `notes` are what a reader of the results should know of it."""

    is_fixed = False

    def __init__(self, target: "Target", version: str, found: "Distribution", notes: tuple[str, ...]) -> None:
        """Raises SourceError for an installation without the target's package."""
        self.revision = Revision("installed", version)
        self.roots = package_roots(target)
        base = Path(str(found.locate_file("")))
        there = _listed(base, packages(target))
        recorded = _recorded(found)
        self.notes = notes
        if recorded is None:
            self.notes += (f"the list of files of {target.project} {version} is missing or damaged",)
        own = tuple(one if one.endswith(".py") else f"{one}/" for one in packages(target))
        gone = {name for name in recorded or () if name.startswith(own) and is_plain(name)}.difference(there.files)
        omitted = there.omitted | dict.fromkeys(gone, Omitted.MISSING)
        self.omissions = tuple(omissions(target, there.files, omitted))
        paths = repository_paths(target, there.files)
        self._places = {path: base / name for path, name in paths.items()}
        if not self._places:
            what = f"{target.project} {version}: {self.roots[0]} is not among its installed files"
            raise SourceError(f"{what}; install it again, or check the pack's project and prefix")

    def files(self) -> frozenset[str]:
        return frozenset(self._places)

    def read(self, path: str) -> bytes:
        if path not in self._places:
            raise FileNotFoundError(path)
        return read(self._places[path], None)

    def prefetch(self, paths: frozenset[str]) -> None:
        """Nothing is faster than the file itself."""


class Editable:
    """The source folder of an editable installation, under the name of what is installed."""

    is_fixed = False

    def __init__(self, version: str, tree: "Snapshot", notes: tuple[str, ...]) -> None:
        self.revision = Revision("installed", version)
        self.roots = tree.roots
        self.notes = notes
        self.omissions = tree.omissions
        self.files = tree.files
        self.read = tree.read
        self.prefetch = tree.prefetch


def _listed(base: Path, packages: tuple[str, ...]) -> Listing:
    """The files of folders and modules below a folder."""
    found = Listing()
    for one in packages:
        if one.endswith(".py") and is_there(base / one):
            found.files.append(one)
        elif is_there(base / one):
            part = listed(base, one, is_confined=False)
            found.files += part.files
            found.omitted |= part.omitted
    return found


def _undamaged(read: "Callable[[], T]") -> "T | None":
    """What metadata says; None where it is damaged: importlib.metadata raises all sorts of things of it."""
    try:
        return read()
    except Exception:
        return None


def _distribution(project: str, place: "Environment") -> "Distribution | None":
    from importlib.metadata import distributions

    search = place.search
    found = _undamaged(lambda: next(iter(distributions(name=project, path=search)), None))
    if found is not None and isinstance(folder := getattr(found, "_path", None), Path):
        found.read_text = partial(_text, folder)  # type: ignore[method-assign] # what is there may have no end
    return found


def _text(folder: Path, name: str) -> str | None:
    """A file of an installation's metadata, up to a limit; None where it is not there. Raises OSError, ValueError."""
    try:
        return files.read(folder / name).decode()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError):
        return None


def _recorded(found: "Distribution") -> list[str] | None:
    """The files that RECORD lists; None where there is none, or a damaged one."""
    if not _undamaged(lambda: found.read_text("RECORD")):
        return None
    return _undamaged(lambda: [file.as_posix() for file in found.files or ()])


def _notes(target: "Target", version: str, found: "Distribution", place: "Environment") -> Iterator[str]:
    from packaging.version import InvalidVersion, Version

    try:
        is_near = target.near_pin is None or Version(Version(version).public) == Version(target.near_pin)
    except InvalidVersion:
        is_near = False
    if not is_near:
        yield f"{target.project} {version} is installed; the pinned commit is nearest to {target.near_pin}"
    if place.user is not None and Path(str(found.locate_file(""))) == place.user:
        yield f"{target.project} {version} is installed in the user's own site, which other users do not have"


def _source(target: "Target", found: "Distribution", place: "Environment") -> Path | None:
    """The folder that an editable installation is read from; None for an ordinary one."""
    base = Path(str(found.locate_file("")))
    folder = next(_linked(target, found, base), None) or (base if base not in place.folders else None)
    prefix = target.prefix.strip("/")
    if folder is not None and prefix and folder.as_posix().endswith(f"/{prefix}"):
        return folder.parents[prefix.count("/")]
    return folder


def _linked(target: "Target", found: "Distribution", base: Path) -> Iterator[Path]:
    """Where the installer says, or else where the import hooks that it left would look."""
    from urllib.request import url2pathname

    try:
        url = json.loads(found.read_text("direct_url.json") or "{}")
        if url.get("dir_info", {}).get("editable"):
            yield Path(url2pathname(urlsplit(url["url"]).path))
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError, OSError):
        pass  # what it says is no use, and what is on disk may be
    for file in map(Path, _recorded(found) or ()):
        if len(file.parts) > 1:
            continue
        if file.suffix == ".pth":
            yield from (base / line for line in lines(base / file) if is_there(base / line / packages(target)[0]))
        elif file.name.startswith("__editable__") and file.suffix == ".py":
            name, above = packages(target)[0], packages(target)[0].count("/")
            yield from (
                path.parents[above] for path in _mapped(base / file, name.removesuffix(".py").replace("/", "."))
            )


def _mapped(finder: Path, name: str) -> Iterator[Path]:
    """Where an import hook of setuptools finds a package: read, not run."""
    try:
        tree = ast.parse(read(finder, None))
        for node in tree.body:
            names = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            value = getattr(node, "value", None)
            if value is not None and any(isinstance(one, ast.Name) and one.id == "MAPPING" for one in names):
                mapping = ast.literal_eval(value)
                if name in mapping:
                    yield Path(mapping[name])
    except (UnreadableError, SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return
