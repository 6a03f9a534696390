"""Where a package lies in a folder or an archive, and what its files are called in the repository."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.model import Target

FILE_LIMIT = 16 * 1024 * 1024
"""Bytes of the largest file that is read; source code is far below."""


def package(target: "Target") -> str:
    """The name of the folder with the target's code."""
    return (target.project or target.name).replace("-", "_")


def package_root(target: "Target") -> str:
    """The repository path of that folder, with a slash at the end."""
    return f"{target.prefix}{package(target)}/"


def repository_paths(target: "Target", names: Iterable[str]) -> dict[str, str]:
    """The package's files among `names`, which begin at a checkout's or a wheel's top: repository path to name."""
    known, root, short = list(names), package_root(target), f"{package(target)}/"
    if found := {name: name for name in known if name.startswith(root)}:
        return found
    return {target.prefix + name: name for name in known if name.startswith(short)}


def refusal(size: int, packed: int) -> str | None:
    """Why a file of `size` bytes, `packed` bytes in its archive, is not read; None when it is."""
    if size > FILE_LIMIT:
        return f"{size:,} bytes are more than the {FILE_LIMIT:,} that a source file may have"
    if size > 1024 * 1024 and size > 200 * packed:
        return f"{packed:,} bytes that unpack to {size:,} are no source code"
    return None
