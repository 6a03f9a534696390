"""A person's files: read up to a limit, written whole or not at all."""

import errno
import os
import secrets
import stat
from pathlib import Path

from auditor.limits import INPUT_BYTES


def read(path: Path, *, is_named: bool = False) -> bytes:
    """The bytes of a file. Raises OSError for one that is too large, or no regular file.

    One that a person has named may be a pipe, which ends when its writer does.
    """
    waiting = 0 if is_named else getattr(os, "O_NONBLOCK", 0)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | waiting)) as file:
        if not is_named and not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        data = file.read(INPUT_BYTES.value + 1)
    if len(data) > INPUT_BYTES.value:
        raise OSError(errno.EFBIG, INPUT_BYTES.exceeded())
    return data


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
