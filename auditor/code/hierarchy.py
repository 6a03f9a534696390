"""Names and classes across files: what a name stands for, and which classes derive from which."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from auditor.code import Undecidable
from auditor.code.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase, Definition

_DEPTH = 12  # re-exports that a name may go through


@dataclass(frozen=True, slots=True, order=True)
class Class:
    """A class: the file that defines it, and its qualified name there."""

    path: str
    name: str

    def __str__(self) -> str:
        return f"{self.path}::{self.name}"


@dataclass(frozen=True, slots=True)
class Thing:
    """What a name stands for. `name` is None for a module; `path` is `""` for what is outside the code base."""

    type: Literal["class", "function", "value", "module", "outside"]
    path: str
    name: str | None = None


def meant(code: "Codebase", name: str, path: str, depth: int = _DEPTH) -> frozenset[Thing]:
    """All that a dotted name may stand for in a file, through imports and re-exports. Empty when nothing is known."""
    first, _, rest = name.partition(".")
    found = _meant(code, first, path, depth)
    for part in rest.split(".") if rest else ():
        found = frozenset(inner for thing in found for inner in _inside(code, thing, part, depth))
    return found


def _meant(code: "Codebase", name: str, path: str, depth: int) -> frozenset[Thing]:
    found = set(_defined(code, name, path))
    if depth <= 0:
        return frozenset(found)
    try:
        imports = code.index(path).every_import
    except Undecidable:
        return frozenset(found)
    for local, module, original in imports:
        if local == name:
            found |= _imported(code, module, original, path, depth)
        elif local == "*" and not found and (source := code.module(module, path)):
            found |= _meant(code, name, source, depth - 1)
    return frozenset(found)


def _imported(code: "Codebase", module: str, original: str | None, path: str, depth: int) -> set[Thing]:
    if original is None:
        source = code.module(module, path)
        return {Thing("module", source)} if source else {Thing("outside", "", module)}
    inner = code.module(f"{module}.{original}" if module.strip(".") else module + original, path)
    source = code.module(module, path)
    found = {Thing("module", inner)} if inner else set()
    if source is not None and source != path:
        found |= _meant(code, original, source, depth - 1)
    if not found and source is None:
        found = {Thing("outside", "", f"{module}.{original}")}
    return found


def _inside(code: "Codebase", thing: Thing, name: str, depth: int) -> Iterator[Thing]:
    """What an attribute of a module, or of a class, stands for."""
    if thing.type == "module":
        found = _meant(code, name, thing.path, depth - 1)
        package = thing.path.removesuffix("/__init__.py") if thing.path.endswith("/__init__.py") else None
        for path in (f"{package}/{name}.py", f"{package}/{name}/__init__.py") if package and not found else ():
            if path in code.files:
                yield Thing("module", path)
        yield from found
    elif thing.type == "class":
        yield from _defined(code, f"{thing.name}.{name}", thing.path)
    elif thing.type == "outside":
        yield Thing("outside", "", f"{thing.name}.{name}")


def _defined(code: "Codebase", name: str, path: str) -> Iterator[Thing]:
    try:
        definitions = code.definitions(path, name)
    except Undecidable:
        return
    for definition in definitions:
        type_ = definition.symbol.type if definition.symbol else "value"
        yield Thing(type_ if type_ in ("class", "function") else "value", path, name)


class Hierarchy:
    """The classes of some files, which is the scope in which subclasses are looked for."""

    def __init__(self, code: "Codebase", paths: Iterable[str]) -> None:
        self.code = code
        self.paths = sorted(paths)
        self._subclasses: dict[Class, tuple[Class, ...]] = {}
        self._bases: dict[Class, tuple[Class, ...]] = {}
        self._named: dict[str, tuple[Definition, ...]] = {}

    @cached_property
    def _texts(self) -> list[tuple[str, str]]:
        return [(path, self.code.text(path)) for path in self.paths]

    def containing(self, word: str) -> list[str]:
        """The files of the scope in whose text a word occurs."""
        return [path for path, text in self._texts if word in text]

    def bases(self, cls: Class) -> tuple[Class, ...]:
        """The base classes that the code base defines, in order."""
        if cls not in self._bases:
            self._bases[cls] = ()  # for a class that derives from itself
            things = (thing for base in self._written(cls) for thing in self._classes(base, cls.path))
            self._bases[cls] = tuple(dict.fromkeys(base for base in things if base != cls))
        return self._bases[cls]

    def _written(self, cls: Class) -> list[str]:
        """The base classes as they are written, without their parameters."""
        return [base.partition("[")[0] for base in self.code.index(cls.path).bases.get(cls.name, ())]

    def _classes(self, name: str, path: str, depth: int = _DEPTH) -> Iterator[Class]:
        """The classes that a name stands for, under whatever name they were first defined."""
        for thing in meant(self.code, name, path):
            if thing.type == "class" and thing.name:
                yield Class(thing.path, thing.name)
            elif thing.type == "value" and thing.name and depth:
                for definition in self.code.definitions(thing.path, thing.name):
                    value = definition.term.parts.get("value")
                    if isinstance(value, Term) and (chain := dotted(value)):
                        yield from self._classes(chain, thing.path, depth - 1)

    def lineage(self, cls: Class) -> tuple[Class, ...]:
        """A class and all that it derives from, the nearest first."""
        found = {cls: None}
        pending = [cls]
        while pending:
            fresh = [base for one in pending for base in self.bases(one) if base not in found]
            found |= dict.fromkeys(fresh)
            pending = fresh
        return tuple(found)

    def subclasses(self, cls: Class) -> tuple[Class, ...]:
        """All classes of the scope that derive from a class, at whatever distance."""
        if cls not in self._subclasses:
            found: dict[Class, None] = {}
            names = {cls.name.rpartition(".")[2]}
            seen: set[str] = set()
            while fresh := names - seen:
                seen |= fresh
                for name in sorted(fresh):
                    for path in self.containing(name):
                        names |= self._aliases(path, name)
                        for candidate in self._deriving(path, name):
                            found[candidate] = None
                            names.add(candidate.name.rpartition(".")[2])
            below = (one for one in found if one != cls and (cls in self.lineage(one) or self._may_derive(one, seen)))
            self._subclasses[cls] = tuple(sorted(below))
        return self._subclasses[cls]

    def _may_derive(self, cls: Class, names: set[str]) -> bool:
        """Whether a base, of which only the name is known, is one of these."""
        written = ((base, one.path) for one in self.lineage(cls) for base in self._written(one))
        return any(base.rpartition(".")[2] in names for base, path in written if not meant(self.code, base, path))

    def is_protocol(self, cls: Class) -> bool:
        """Whether anything with such methods counts as one, whatever it derives from."""
        return any(base.rpartition(".")[2] == "Protocol" for base in self._written(cls))

    def _aliases(self, path: str, name: str) -> set[str]:
        """The other names that a file gives a class: on import, or by an assignment."""
        text = self.code.text(path)
        word = re.escape(name)
        imported = re.findall(rf"(?<!\w){word}[ \t]+as[ \t]+(\w+)", text)
        assigned = re.findall(rf"^(\w+)[ \t]*(?::[^=\n]*)?=[ \t]*(?:\w+\.)*{word}[ \t]*$", text, re.MULTILINE)
        return {*imported, *assigned}

    def _deriving(self, path: str, name: str) -> Iterator[Class]:
        """The classes of a file among whose bases a name is written."""
        text = self.code.text(path)
        # Reading the headers alone is far faster than parsing, and most files that name a class derive none from it.
        if not any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", header) for header in _headers(text)):
            return
        for cls, bases in self.code.index(path).bases.items():
            if any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", base) for base in bases):
                yield Class(path, cls)

    def own(self, cls: Class, name: str) -> "tuple[Definition, ...]":
        """What a class itself defines under a name."""
        return self.code.definitions(cls.path, f"{cls.name}.{name}")

    def inherited(self, cls: Class, name: str) -> "tuple[Definition, ...]":
        """The definition of a name that a class has, its own or the nearest above; several where bases differ."""
        if found := self.own(cls, name):
            return found
        for base in self.bases(cls):
            if found := self.inherited(base, name):
                return found
        return ()

    def dispatched(self, cls: Class, name: str) -> "tuple[Definition, ...]":
        """All definitions that `x.name` may mean for an `x` of a class or of any class of the scope below it."""
        own = self.inherited(cls, name)
        below = (definition for one in self.subclasses(cls) for definition in self.own(one, name))
        return tuple(dict.fromkeys((*own, *below)))

    def named(self, name: str) -> "tuple[Definition, ...]":
        """All methods of the scope with a name."""
        if name not in self._named:
            defines = re.compile(rf"\bdef[ \t]+{re.escape(name)}[ \t]*[(\[]")
            paths = [path for path in self.containing(name) if defines.search(self.code.text(path))]
            found = (
                definition
                for path in paths
                for symbol in self.code.index(path).symbols
                if symbol.type == "function" and symbol.name.endswith(f".{name}")
                for definition in self.code.definitions(path, symbol.name)
                if definition.cls and definition.name == f"{definition.cls}.{name}"
            )
            self._named[name] = tuple(dict.fromkeys(found))
        return self._named[name]


def _headers(text: str) -> Iterator[str]:
    """What stands between the brackets after each `class Name`."""
    for start in _CLASS.finditer(text):
        depth = 1
        for mark in _MARK.finditer(text, start.end()):
            depth += (mark.group() in "([{") - (mark.group() in ")]}")
            if depth == 0:
                yield text[start.start() : mark.start()]
                break


_CLASS = re.compile(r"^[ \t]*class[ \t]+\w+[ \t\\\n]*[(\[]", re.MULTILINE)
_MARK = re.compile(r"[()\[\]{}]|#[^\n]*|\"[^\"\n]*\"|'[^'\n]*'")
