"""Where an interpreter finds its packages.

This is read off the layout of its files. It is not asked: an interpreter that starts runs the code of its environment
(`sitecustomize`, `.pth` files), and with all of that off it does not know its own environment either.
"""

import re
import shutil
import site
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from auditor.errors import UnreadableError
from auditor.fetch import RefusedError
from auditor.fetch.folder import is_there, read

_VERSION = re.compile(r"3\.\d+")
_LAYOUTS = (
    "lib/python{version}/site-packages",
    "lib64/python{version}/site-packages",
    "local/lib/python{version}/dist-packages",
    "lib/python3/dist-packages",
    "lib/python{version}/dist-packages",
    "Lib/site-packages",
)


@dataclass(frozen=True, slots=True)
class Environment:
    """Folders with packages, in the order of imports. `user` is the one of them that is the user's own."""

    label: str
    folders: tuple[Path, ...]
    user: Path | None = None

    @property
    def search(self) -> list[str]:
        """The folders, and those that path files in them add."""
        added = [Path(folder, line) for folder in self.folders for file in folder.glob("*.pth") for line in lines(file)]
        return list(dict.fromkeys(map(str, [*self.folders, *filter(is_there, added)])))


def here() -> Environment:
    """The environment that this program runs in: what it could import, but for the folder it was started in."""
    folders = (Path(entry) for entry in sys.path if entry and Path(entry).is_dir())
    label = f"this environment (Python {sys.version_info.major}.{sys.version_info.minor})"
    user = Path(site.getusersitepackages()) if site.ENABLE_USER_SITE else None
    return Environment(label, tuple(folder for folder in folders if folder.absolute() != Path.cwd()), user)


def environment(place: str) -> Environment:
    """The environment of an interpreter, or in a folder: a virtual environment, a prefix, or packages themselves.

    Raises RefusedError.
    """
    path = Path(place).expanduser()
    if not path.exists() and path.name == place:
        path = Path(shutil.which(place) or place)
    path = path.absolute()
    if path.is_dir() and any(path.glob("*.dist-info")):
        return Environment(place, (path,))
    if path.is_dir():
        prefix, version = path, ""
    elif path.is_file():
        prefix, version = _prefix(path, place)
    else:
        raise RefusedError("no such interpreter or environment")
    settings = _settings(prefix / "pyvenv.cfg")
    if found := _VERSION.match(settings.get("version", settings.get("version_info", ""))):
        version = found[0]
    folders = list(_folders(prefix, version))
    user = None
    if not settings or settings.get("include-system-site-packages") == "true":
        user = Path(site.getuserbase(), _LAYOUTS[0].format(version=version)) if version else None
        folders = [*([user] if user and user.is_dir() else []), *folders]
        if "home" in settings:
            folders += _folders(Path(settings["home"]).parent, version)
    if not folders:
        raise RefusedError("no packages are where an interpreter or an environment has them")
    return Environment(f"{place} (Python {version or '3'})", tuple(dict.fromkeys(folders)), user)


def lines(file: Path) -> list[str]:
    """The folders that a path file names; what it would run is not."""
    try:
        text = read(file, None).decode("utf-8-sig")
    except (UnreadableError, UnicodeDecodeError):
        return []
    return [
        line
        for line in text.splitlines()
        if line.strip() and "\0" not in line and not line.startswith(("#", "import ", "import\t"))
    ]


def _prefix(python: Path, place: str) -> tuple[Path, str]:
    """The folder that an interpreter belongs to, and its version if its name says it."""
    with python.open("rb") as content:
        if content.read(2) == b"#!":
            raise RefusedError(f"{place} is a script; name the interpreter that it starts, or the environment's folder")
    real = python.resolve()
    version = _VERSION.search(real.name)
    for folder in (python.parent, python.parent.parent):
        if (folder / "pyvenv.cfg").is_file():
            return folder, version[0] if version else ""
    return (real.parent if (real.parent / "Lib").is_dir() else real.parent.parent), version[0] if version else ""


def _settings(file: Path) -> dict[str, str]:
    try:
        text = read(file, None).decode("utf-8", "replace")
    except UnreadableError:
        return {}
    pairs = [line.partition("=") for line in text.splitlines()]
    return {
        key.strip().lower(): value.strip().lower() if key[:4] != "home" else value.strip() for key, _, value in pairs
    }


def _folders(prefix: Path, version: str) -> Iterator[Path]:
    for layout in _LAYOUTS:
        for folder in sorted(prefix.glob(layout.format(version=version or "3*"))):
            if folder.is_dir():
                yield folder
