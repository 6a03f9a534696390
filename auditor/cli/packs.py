"""The packs that travel with kvaudit, and the one that a command means."""

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.config import pack_setting
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Collection

    from auditor.cache import Blobs
    from auditor.claims import Pack


_FIRST = "l1-kv-pool"
"""The pack that is meant where nothing names another."""


def shipped() -> Path:
    """The folder of packs: inside an installed package, beside it in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / "packs"
    return installed if installed.is_dir() else package.parent / "anchors"


def pack_folder(given: str | None) -> Path:
    """The folder of a pack that is named by its path or by its id.

    With none named: this folder, if it is a pack; the one that the settings name; the one that comes with kvaudit.
    """
    if given is not None:
        for folder in (Path(given), shipped() / given):
            if (folder / "pack.yaml").is_file():
                return folder
        raise ConfigError(f"{given} is no pack: neither a folder with a pack.yaml nor one of {', '.join(_ids())}")
    if Path("pack.yaml").is_file():
        return Path()
    if (named := pack_setting(Path.cwd())) is not None:
        if not (named / "pack.yaml").is_file():
            raise ConfigError(f"the settings name the pack {named}, where there is no pack.yaml")
        return named
    if not (shipped() / _FIRST / "pack.yaml").is_file():
        raise ConfigError("name a pack: a folder with a pack.yaml; none is shipped")
    return shipped() / _FIRST


def is_fallback(folder: Path) -> bool:
    """Whether a pack comes with kvaudit, and is no part of the project that a person stands in."""
    return folder.resolve().is_relative_to(shipped().resolve()) and not folder.resolve().is_relative_to(Path.cwd())


def is_text(name: str) -> bool:
    """Whether a name is that of a file, or of a folder that is no pack."""
    path = Path(name)
    return path.is_file() or (path.is_dir() and not (path / "pack.yaml").is_file())


def load(given: str | None, blobs: "Blobs | None" = None) -> "Pack":
    """The pack that is meant; `blobs` keeps what is plain of it. Raises ClaimError, ConfigError, SourceError."""
    from auditor import claims

    return claims.load(pack_folder(given), blobs)


def head(given: str | None) -> "Pack":
    """The pack that is meant without its claims, which need not be right. Raises ClaimError, ConfigError."""
    from auditor.claims.reading import read

    folder = pack_folder(given)
    return read(folder, {folder / "pack.yaml": None})


def _ids() -> list[str]:
    return sorted(path.parent.name for path in shipped().glob("*/pack.yaml"))


def without_claims(pack: "Pack", names: "Collection[str] | None" = None) -> list[tuple[str, str]]:
    """What is to be said of targets (None: of all) of which the pack has no claim, and their names."""
    return [
        (f"{pack.folder / 'pack.yaml'}: {target.name} has no claims: write them in {target.name}.yaml", target.name)
        for target in pack.targets
        if (names is None or target.name in names) and not pack.entries.get(target.name)
    ]
