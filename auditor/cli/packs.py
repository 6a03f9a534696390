"""The packs that travel with kvaudit, and the one that a command means."""

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.cache import Blobs
    from auditor.claims import Pack


def shipped() -> Path:
    """The folder of packs: inside an installed package, beside it in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / "packs"
    return installed if installed.is_dir() else package.parent / "anchors"


def pack_folder(given: str | None) -> Path:
    """The folder of a pack that is named by its path or by its id; with none named, the one that is shipped."""
    if given is not None:
        for folder in (Path(given), shipped() / given):
            if (folder / "pack.yaml").is_file():
                return folder
        raise ConfigError(f"{given} is no pack: neither a folder with a pack.yaml nor one of {', '.join(_ids())}")
    ids = _ids()
    if len(ids) != 1:
        raise ConfigError(f"name a pack: {', '.join(ids) or 'a folder with a pack.yaml; none is shipped'}")
    return shipped() / ids[0]


def load(given: str | None, blobs: "Blobs | None" = None) -> "Pack":
    """The pack that is meant; `blobs` keeps what is plain of it. Raises ClaimError, ConfigError, SourceError."""
    from auditor import claims

    return claims.load(pack_folder(given), blobs)


def _ids() -> list[str]:
    return sorted(path.parent.name for path in shipped().glob("*/pack.yaml"))
