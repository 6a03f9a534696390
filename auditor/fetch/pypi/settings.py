"""pip's own settings: which registry to ask, and which certificates to trust."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from auditor import files
from auditor.fetch import FetchError


@dataclass(frozen=True, slots=True)
class Settings:
    """How pip would reach the registry. `index` is None for the default, and never holds credentials."""

    index: str | None = None
    credentials: tuple[str, str] | None = None
    certificates: str | None = None


def pip_settings(environment: Mapping[str, str] = os.environ, files: Iterable[Path] | None = None) -> Settings:
    """What pip would use, from its environment variables, then its files. Raises FetchError for a file pip cannot read.

    See https://pip.pypa.io/en/stable/topics/configuration/.
    """
    values: dict[str, str] = {}
    for path in pip_files(environment) if files is None else files:
        if path.is_file():
            values |= _read(path)
    for option in ("index-url", "cert"):
        if value := environment.get("PIP_" + option.upper().replace("-", "_")):
            values[option] = value
    index, credentials = _without_credentials(values.get("index-url") or None)
    return Settings(index, credentials, values.get("cert") or None)


def pip_files(environment: Mapping[str, str]) -> Iterator[Path]:
    """Where pip looks for settings; later files win."""
    import platformdirs

    named = environment.get("PIP_CONFIG_FILE")
    if named == os.devnull:
        return
    if named:
        yield Path(named)
    file = "pip.ini" if sys.platform == "win32" else "pip.conf"
    if sys.platform == "darwin":
        shared = platformdirs.site_data_dir("pip", appauthor=False, multipath=True)
        own = Path(platformdirs.user_data_dir("pip", appauthor=False))
        own = own if own.is_dir() else Path.home() / ".config" / "pip"
    else:
        shared = platformdirs.site_config_dir("pip", appauthor=False, multipath=True)
        own = Path(platformdirs.user_config_dir("pip", appauthor=False, roaming=True))
    folders = shared.split(os.pathsep)
    if sys.platform == "linux":
        folders.append("/etc")
    yield from (Path(folder, file) for folder in folders)
    if not (named and Path(named).exists()):
        yield Path.home() / ("pip" if sys.platform == "win32" else ".pip") / file
        yield own / file
    yield Path(sys.prefix, file)


def _read(path: Path) -> dict[str, str]:
    import configparser

    parser = configparser.RawConfigParser()
    try:
        parser.read_string(files.read(path).decode(), source=str(path))
    except (OSError, UnicodeDecodeError, configparser.Error) as error:
        raise FetchError(f"pip's settings in {path} cannot be read ({' '.join(str(error).split())})") from error
    values: dict[str, str] = {}
    for section in ("global", "install"):
        if parser.has_section(section):
            values |= {option.replace("_", "-"): value for option, value in parser.items(section)}
    return values


_SECRET = re.compile(r"//[^/]*@")


def _without_credentials(url: str | None) -> tuple[str | None, tuple[str, str] | None]:
    try:
        parts = urlsplit(url or "")
    except ValueError as error:
        raise FetchError(
            f"pip's settings name {_SECRET.sub('//', url or '')}, which is no address ({error})"
        ) from error
    if parts.username is None:
        return url, None
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    return bare, (unquote(parts.username), unquote(parts.password or ""))
