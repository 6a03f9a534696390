"""Changes of files as one patch that `git apply` and `patch -p1` take."""

import difflib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from auditor import files
from auditor.errors import ConfigError

_NO_END = "\\ No newline at end of file\n"


def patch(changes: Mapping[Path, tuple[str, str]]) -> str:
    """The patch from the first text of each file to the second, by paths from the current folder.

    Raises ConfigError for a file that is not below it.
    """
    return "".join(line for path, texts in sorted(changes.items()) for line in _lines(path, *texts))


def _lines(path: Path, before: str, after: str) -> Iterator[str]:
    name = Path(os.path.relpath(path)).as_posix()
    if name.startswith("..") or Path(name).is_absolute():
        raise ConfigError(f"{path} is not below this folder; run --dry-run from one that holds it")
    for line in difflib.unified_diff(_split(before), _split(after), f"a/{name}", f"b/{name}"):
        yield line if line.endswith("\n") else f"{line}\n{_NO_END}"


def _split(text: str) -> list[str]:
    """Lines as `patch` counts them, with their ends."""
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def write(path: Path, text: str) -> None:
    """Put a text in the place of a file's, all of it or nothing. Raises ConfigError."""
    try:
        files.replace(path, text.encode())
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None
