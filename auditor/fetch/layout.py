"""Where a target's packages lie in a folder or an archive, and what their files are called in the repository."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.model import Target

FILE_LIMIT = 16 * 1024 * 1024
"""Bytes of the largest file that is read; source code is far below."""
_PREFIXES = ("", "src/", "lib/", "python/")
"""Where repositories have their packages, besides where a pack says: one that moved them has had them in another."""


def packages(target: "Target") -> tuple[str, ...]:
    """What a wheel of the target holds at its top: folders (`yaml`, `zope/interface`) and modules (`six.py`)."""
    return target.packages or ((target.project or target.name).replace("-", "_"),)


def package_roots(target: "Target") -> tuple[str, ...]:
    """The repository path of each: of a folder, with a slash at the end."""
    return tuple(target.prefix + one for one in _roots(target))


def repository_paths(target: "Target", names: Iterable[str]) -> dict[str, str]:
    """The packages' files among `names`, which begin at a checkout's or a wheel's top: repository path to name."""
    known, roots = list(names), _roots(target)
    prefix = prefix_of(target, known)
    if prefix is None:
        return {}
    own = tuple(prefix + root for root in roots)
    return {target.prefix + name.removeprefix(prefix): name for name in known if name.startswith(own)}


def prefixes(target: "Target") -> tuple[str, ...]:
    """Where the packages may lie, the target's own prefix first."""
    return tuple(dict.fromkeys((target.prefix, *_PREFIXES)))


def prefix_of(target: "Target", names: Collection[str]) -> str | None:
    """What stands before the packages in these names: the target's own prefix, if any is there; None: they are not."""
    for prefix in prefixes(target):
        own = tuple(prefix + root for root in _roots(target))
        if any(name.startswith(own) for name in names):
            return prefix
    return None


def top_level(names: Iterable[str]) -> tuple[str, ...]:
    """What importable code there is among the names of a wheel, as `packages` has it.

    A folder without `__init__.py` that holds packages is a namespace, so these are named: `zope/interface`.
    """
    python = [
        name for name in names if name.endswith(".py") and not name.split("/")[0].endswith((".dist-info", ".data"))
    ]
    regular = {name.removesuffix("/__init__.py") for name in python if name.endswith("/__init__.py")}
    found: set[str] = set()
    for name in python:
        folders = name.split("/")[:-1]
        above = ("/".join(folders[:depth]) for depth in range(1, len(folders) + 1))
        outermost = next((folder for folder in above if folder in regular), None)
        found.add(outermost or (folders[0] if folders else name))
    namespaces = {one for one in found if any(other.startswith(f"{one}/") for other in found)}
    return tuple(sorted(found - namespaces))


def refusal(size: int, packed: int) -> str | None:
    """Why a file of `size` bytes, `packed` bytes in its archive, is not read; None when it is."""
    if size > FILE_LIMIT:
        return f"{size:,} bytes are more than the {FILE_LIMIT:,} that a source file may have"
    if size > 1024 * 1024 and size > 200 * packed:
        return f"{packed:,} bytes that unpack to {size:,} are no source code"
    return None


def _roots(target: "Target") -> tuple[str, ...]:
    return tuple(one if one.endswith(".py") else f"{one}/" for one in packages(target))
