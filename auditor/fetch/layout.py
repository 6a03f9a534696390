"""Where a target's packages lie in a folder or an archive, and what their files are called in the repository."""

import posixpath
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from auditor.limits import FILE_BYTES, TREE_FILES
from auditor.model import Omission
from auditor.text import Text

if TYPE_CHECKING:
    from auditor.model import Target

_PREFIXES = ("", "src/", "lib/", "python/")
"""Where repositories have their packages, besides where a pack says: one that moved them has had them in another."""


class Omitted(StrEnum):
    """Why something in a folder or an archive is not read."""

    LINK = "link"
    NAME = "name"
    SUBMODULE = "submodule"
    UNLISTED = "unlisted"
    ENVIRONMENT = "environment"
    MISSING = "missing"
    MANY = "many"

    @property
    def text(self) -> Text:
        return _REASONS[self]


_REASONS = {
    Omitted.LINK: Text("it is a link that is not followed", "它是一个未被跟随的链接"),
    Omitted.NAME: Text("its name is not one that can be read safely", "其名称无法安全读取"),
    Omitted.SUBMODULE: Text("it is a submodule, which is another repository", "它是子模块，属于另一个仓库"),
    Omitted.UNLISTED: Text("it cannot be listed", "无法列出其内容"),
    Omitted.ENVIRONMENT: Text("it is a virtual environment (it has a pyvenv.cfg)", "它是虚拟环境（含有 pyvenv.cfg）"),
    Omitted.MISSING: Text("the metadata lists it and it is not there", "元数据列出了它，但它并不存在"),
    Omitted.MANY: Text(
        f"too much is there ({TREE_FILES.variable} is the limit)", f"其中内容过多（上限由 {TREE_FILES.variable} 设定）"
    ),
}

Omissions = dict[str, Omitted]
"""Of a folder or an archive: what is not read of it, and why. A folder's name ends in a slash."""


def packages(target: "Target") -> tuple[str, ...]:
    """What a wheel of the target holds at its top: folders (`yaml`, `zope/interface`) and modules (`six.py`).

    A target whose packages are not known has one without a name: all that there is.
    """
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


def omissions(target: "Target", names: Collection[str], omitted: Omissions) -> Iterator[Omission]:
    """What is not read and may hold Python, by its repository path; `names` are those of the files beside it."""
    prefix = prefix_of(target, names)
    for name, reason in sorted(omitted.items()):
        last = name.rstrip("/").rpartition("/")[2]
        if name.endswith(("/", ".py")) or "." not in last:
            is_moved = prefix is not None and name.startswith(prefix)
            yield Omission(target.prefix + name.removeprefix(prefix or "") if is_moved else name, reason.text)


def is_plain(name: str) -> bool:
    """Whether the name of a member stays below its root and is text."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return not ("\\" in name or "\0" in name or any(part in ("", ".", "..") for part in name.split("/")))


def plain(name: str) -> str:
    """Where a name that is not plain would most likely lead, as text."""
    slashes = name.replace("\\", "/").replace("\0", "").lstrip("/")
    return posixpath.normpath(slashes).encode("utf-8", "backslashreplace").decode()


def prefix_in(names: Iterable[str], roots: Collection[str]) -> str | None:
    """Where a repository has the packages of a wheel: the shortest that stands before any; None: nowhere."""
    found: set[str] = set()
    for root in roots:
        whole = root if root.endswith(".py") else f"{root}/"
        for name in names:
            if name.endswith(".py") and (at := f"/{name}".find(f"/{whole}")) >= 0:
                found.add(name[:at])
    return min(found, key=lambda prefix: (prefix.count("/"), prefix), default=None)


def refusal(size: int, packed: int) -> str | None:
    """Why a file of `size` bytes, `packed` bytes in its archive, is not read; None when it is."""
    if size > FILE_BYTES.value:
        return f"{size:,} bytes are more than the {FILE_BYTES.value:,} that a source file may have"
    if size > 1024 * 1024 and size > 200 * packed:
        return f"{packed:,} bytes that unpack to {size:,} are no source code"
    return None


def _roots(target: "Target") -> tuple[str, ...]:
    return tuple(one if not one or one.endswith(".py") else f"{one}/" for one in packages(target))
