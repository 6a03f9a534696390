"""Files written whole or not at all."""

import secrets
import stat
from pathlib import Path


def replace(path: Path, data: bytes) -> None:
    """Put `data` in the place of a file: beside it first, then moved there. Raises OSError, and the file is as it was.

    What is no regular file, such as a pipe, is written to. A link is followed, and stays a link.
    """
    path = path.resolve() if path.is_symlink() else path
    mode = _mode(path)
    if mode is not None and not stat.S_ISREG(mode):
        path.write_bytes(data)
        return
    beside = path.with_name(f".kvaudit-{secrets.token_hex(8)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(data)
        if mode is not None:
            beside.chmod(stat.S_IMODE(mode))
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
