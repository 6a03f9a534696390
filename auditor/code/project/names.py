"""Name resolution across files: what a dotted name refers to, through imports and re-exports."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from auditor.code import Undecidable

if TYPE_CHECKING:
    from auditor.code.project.files import SourceFiles

_DEPTH = 12  # re-exports that a name may go through


@dataclass(frozen=True, slots=True)
class Referent:
    """What a name stands for. `name` is None for a module; `path` is `""` for what is outside the code base."""

    type: Literal["class", "function", "value", "module", "outside"]
    path: str
    name: str | None = None


def referents(codebase: "SourceFiles", name: str, path: str) -> frozenset[Referent]:
    """All that a dotted name may stand for in a file, through imports and re-exports. Empty when nothing is known."""
    return codebase.memoized(("meant", name, path), lambda: _chain_referents(codebase, name, path))


def _chain_referents(codebase: "SourceFiles", name: str, path: str) -> frozenset[Referent]:
    first, _, rest = name.partition(".")
    found = _name_referents(codebase, first, path, _DEPTH)
    for part in rest.split(".") if rest else ():
        found = frozenset(inner for target in found for inner in _inside(codebase, target, part, _DEPTH))
    return found


def _name_referents(codebase: "SourceFiles", name: str, path: str, depth: int) -> frozenset[Referent]:
    found = set(_defined(codebase, name, path))
    if depth <= 0:
        return frozenset(found)
    try:
        imports = codebase.index(path).every_import
    except Undecidable:
        return frozenset(found)
    for local, module, original in imports:
        if local == name:
            found |= _imported(codebase, module, original, path, depth)
        elif local == "*" and not found and (source := codebase.module(module, path)):
            found |= _name_referents(codebase, name, source, depth - 1)
    return frozenset(found)


def _imported(codebase: "SourceFiles", module: str, original: str | None, path: str, depth: int) -> set[Referent]:
    if original is None:
        source = codebase.module(module, path)
        return {Referent("module", source)} if source else {Referent("outside", "", module)}
    inner = codebase.module(f"{module}.{original}" if module.strip(".") else module + original, path)
    source = codebase.module(module, path)
    found = {Referent("module", inner)} if inner else set()
    if source is not None and source != path:
        found |= _name_referents(codebase, original, source, depth - 1)
    if not found and source is None:
        found = {Referent("outside", "", f"{module}.{original}")}
    return found


def _inside(codebase: "SourceFiles", target: Referent, name: str, depth: int) -> Iterator[Referent]:
    """What an attribute of a module, or of a class, stands for."""
    if target.type == "module":
        found = _name_referents(codebase, name, target.path, depth - 1)
        package = target.path.removesuffix("/__init__.py") if target.path.endswith("/__init__.py") else None
        for path in (f"{package}/{name}.py", f"{package}/{name}/__init__.py") if package and not found else ():
            if codebase.is_there(path):
                yield Referent("module", path)
        yield from found
    elif target.type == "class":
        yield from _defined(codebase, f"{target.name}.{name}", target.path)
    elif target.type == "outside":
        yield Referent("outside", "", f"{target.name}.{name}")


def _defined(codebase: "SourceFiles", name: str, path: str) -> Iterator[Referent]:
    try:
        symbols = codebase.index(path).find(name)
    except Undecidable:
        return
    for symbol in symbols:
        yield Referent(symbol.type if symbol.type in ("class", "function") else "value", path, name)
