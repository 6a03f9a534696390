"""The links in a commit, followed within it as a checkout would have them."""

import os
import posixpath
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from auditor.fetch.git.repository import LINK, REGULAR, SUBMODULE
from auditor.fetch.layout import Omissions, Omitted
from auditor.limits import TREE_FILES

_HOPS = 40  # links on the way to one file, as Linux has it
_LINKS = 1_000  # folders that are entered through links


def followed(
    entries: Mapping[str, tuple[str, str]], contents: Mapping[str, bytes | int]
) -> tuple[dict[str, str], Omissions]:
    """Path to object id of all files, those behind links too, and what cannot be read. `contents` has the links'."""
    files = {path: oid for path, (mode, oid) in entries.items() if mode in REGULAR}
    links = {path: _leads(contents[oid]) for path, (mode, oid) in entries.items() if mode == LINK}
    modules = [path for path, (mode, _) in entries.items() if mode == SUBMODULE]
    omitted: Omissions = {f"{path}/": Omitted.SUBMODULE for path in modules}
    omitted |= {path: Omitted.NAME for path, (mode, _) in entries.items() if mode not in (*REGULAR, LINK, SUBMODULE)}
    if not links:
        return files, omitted
    paths = sorted(entries)
    waiting: list[tuple[str, str, tuple[str, ...]]] = [(link, link, ()) for link in links]
    entered = 0
    while waiting:
        name, link, inside = waiting.pop()
        target = _resolved(link, links)
        if target is None:
            omitted[name] = Omitted.LINK
        elif target in entries and entries[target][0] in REGULAR:
            files[name] = entries[target][1]
        elif any(target == module or target.startswith(f"{module}/") for module in modules):
            omitted[name] = Omitted.SUBMODULE
        elif target not in inside:
            below = list(_below(target, paths))
            entered += bool(below)
            if entered > _LINKS or len(files) + len(below) > TREE_FILES.value:
                omitted[name] = Omitted.MANY
                continue
            for path in below:
                own = name + path[len(target) :] if target else f"{name}/{path}"
                mode, oid = entries[path]
                if mode in REGULAR:
                    files[own] = oid
                elif mode == LINK:
                    waiting.append((own, path, (*inside, target)))
                else:
                    omitted[own] = Omitted.SUBMODULE if mode == SUBMODULE else Omitted.NAME
    return files, omitted


def _leads(content: bytes | int) -> str:
    return os.fsdecode(content) if isinstance(content, bytes) else "/"


def _resolved(path: str, links: Mapping[str, str]) -> str | None:
    """Where a path leads, all links on the way followed; None for out of the repository, or nowhere."""
    at: list[str] = []
    left = path.split("/")[::-1]
    hops = 0
    while left:
        part = left.pop()
        if part == "..":
            if not at:
                return None
            at.pop()
        elif part not in ("", "."):
            at.append(part)
            if (here := "/".join(at)) in links:
                hops += 1
                if hops > _HOPS or posixpath.isabs(links[here]):
                    return None
                at.pop()
                left += links[here].split("/")[::-1]
    return "/".join(at)


def _below(folder: str, paths: list[str]) -> Iterator[str]:
    start = f"{folder}/" if folder else ""
    for index in range(bisect_left(paths, start), len(paths)):
        if not paths[index].startswith(start):
            return
        yield paths[index]
