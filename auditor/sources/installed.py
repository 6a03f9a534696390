"""Reads what is installed."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from auditor.errors import SourceError
from auditor.fetch import RefusedError
from auditor.fetch.environment import environment, here, lines
from auditor.fetch.layout import FILE_LIMIT, package_roots, packages, repository_paths
from auditor.model import Revision
from auditor.sources import Access, NotThereError, Option, Source, sources

if TYPE_CHECKING:
    from importlib.metadata import Distribution

    from auditor.fetch.environment import Environment
    from auditor.model import Snapshot, Target


class Installed(Source):
    """What an environment has: the one kvaudit runs in, or that of an interpreter or a folder.

    Found by its metadata, and read from the files that the metadata lists, as they are now; of an editable
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
        from importlib.metadata import distributions

        if target.project is None:
            raise SourceError(f"{target.name}: its pack names no project, so none can be installed; use another source")
        try:
            place = environment(spec) if spec else here()
        except (RefusedError, OSError) as error:
            raise SourceError(
                f"{spec}: {error}; --installed expects an interpreter or a virtual environment"
            ) from error
        found = next(iter(distributions(name=target.project, path=place.search)), None)
        if found is None:
            remedy = f"install it there, name another one: --installed {target.name}=PYTHON, or use --release"
            raise NotThereError(f"{target.project}: it is not installed in {place.label}; {remedy}")
        version = found.version or ""
        if not version:
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
        self.notes = notes
        base = Path(str(found.locate_file("")))
        if (listed := found.files) is not None:
            names = [str(file) for file in listed if ".." not in file.parts]
        else:  # as where a system's own packages put it
            patterns = [one if one.endswith(".py") else f"{one}/**/*" for one in packages(target)]
            names = [file.relative_to(base).as_posix() for pattern in patterns for file in base.glob(pattern)]
        paths = repository_paths(target, names)
        self._places = {path: base / name for path, name in paths.items() if (base / name).is_file()}
        if not self._places:
            what = f"{target.project} {version}: {self.roots[0]} is not among its installed files"
            raise SourceError(f"{what}; install it again, or check the pack's project and prefix")

    def files(self) -> frozenset[str]:
        return frozenset(self._places)

    def read(self, path: str) -> bytes:
        if path not in self._places:
            raise FileNotFoundError(path)
        file = self._places[path]
        try:
            with file.open("rb") as content:
                data = content.read(FILE_LIMIT + 1)
        except OSError as error:
            raise SourceError(f"{file}: {error.strerror or error}; install it again") from error
        if len(data) > FILE_LIMIT:
            raise SourceError(f"{file}: more than the {FILE_LIMIT:,} bytes that a source file may have")
        return data

    def prefetch(self, paths: frozenset[str]) -> None:
        """Nothing is faster than the file itself."""


class Editable:
    """The source folder of an editable installation, under the name of what is installed."""

    is_fixed = False

    def __init__(self, version: str, tree: "Snapshot", notes: tuple[str, ...]) -> None:
        self.revision = Revision("installed", version)
        self.roots = tree.roots
        self.notes = notes
        self.files = tree.files
        self.read = tree.read
        self.prefetch = tree.prefetch


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
    except (ValueError, KeyError, AttributeError, TypeError):
        pass  # what it says is no use, and what is on disk may be
    for file in found.files or ():
        if len(file.parts) > 1:
            continue
        if file.suffix == ".pth":
            yield from (base / line for line in lines(base / file) if (base / line / packages(target)[0]).exists())
        elif file.name.startswith("__editable__") and file.suffix == ".py":
            name, above = packages(target)[0], packages(target)[0].count("/")
            yield from (
                path.parents[above] for path in _mapped(base / file, name.removesuffix(".py").replace("/", "."))
            )


def _mapped(finder: Path, name: str) -> Iterator[Path]:
    """Where an import hook of setuptools finds a package: read, not run."""
    try:
        tree = ast.parse(finder.read_bytes())
        for node in tree.body:
            names = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            value = getattr(node, "value", None)
            if value is not None and any(isinstance(one, ast.Name) and one.id == "MAPPING" for one in names):
                mapping = ast.literal_eval(value)
                if name in mapping:
                    yield Path(mapping[name])
    except (OSError, SyntaxError, ValueError, TypeError):
        return
