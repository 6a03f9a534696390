"""Which files of a folder the repository around it tracks."""

from pathlib import Path

from auditor.errors import SourceError
from auditor.fetch import FetchError
from auditor.fetch.git.process import check_version, folders, start


def tracked(folder: Path) -> list[Path] | None:
    """The tracked files below a folder, sorted; None where it lies in no repository, or there is no git."""
    below = folder.resolve()
    top = next((one for one in (below, *below.parents) if (one / ".git").exists()), None)
    if top is None:
        return None
    try:
        check_version()
        inner, common = folders(top)
        listing, _ = start(inner, common=common)("ls-files", "-z")
    except (SourceError, FetchError):
        return None
    files = (top / name for name in listing.decode("utf-8", "surrogateescape").split("\0") if name)
    return sorted(path for path in files if path.is_relative_to(below) and path.is_file() and not path.is_symlink())
