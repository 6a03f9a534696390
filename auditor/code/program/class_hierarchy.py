"""Names and classes across files: what a name stands for, and which classes derive from which."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from auditor.code import Undecidable
from auditor.code.syntax.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

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


def meant(codebase: "Codebase", name: str, path: str) -> frozenset[Thing]:
    """All that a dotted name may stand for in a file, through imports and re-exports. Empty when nothing is known."""
    return codebase.memoized(("meant", name, path), lambda: _all_meant(codebase, name, path))


def _all_meant(codebase: "Codebase", name: str, path: str) -> frozenset[Thing]:
    first, _, rest = name.partition(".")
    found = _meant(codebase, first, path, _DEPTH)
    for part in rest.split(".") if rest else ():
        found = frozenset(inner for thing in found for inner in _inside(codebase, thing, part, _DEPTH))
    return found


def _meant(codebase: "Codebase", name: str, path: str, depth: int) -> frozenset[Thing]:
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
            found |= _meant(codebase, name, source, depth - 1)
    return frozenset(found)


def _imported(codebase: "Codebase", module: str, original: str | None, path: str, depth: int) -> set[Thing]:
    if original is None:
        source = codebase.module(module, path)
        return {Thing("module", source)} if source else {Thing("outside", "", module)}
    inner = codebase.module(f"{module}.{original}" if module.strip(".") else module + original, path)
    source = codebase.module(module, path)
    found = {Thing("module", inner)} if inner else set()
    if source is not None and source != path:
        found |= _meant(codebase, original, source, depth - 1)
    if not found and source is None:
        found = {Thing("outside", "", f"{module}.{original}")}
    return found


def _inside(codebase: "Codebase", thing: Thing, name: str, depth: int) -> Iterator[Thing]:
    """What an attribute of a module, or of a class, stands for."""
    if thing.type == "module":
        found = _meant(codebase, name, thing.path, depth - 1)
        package = thing.path.removesuffix("/__init__.py") if thing.path.endswith("/__init__.py") else None
        for path in (f"{package}/{name}.py", f"{package}/{name}/__init__.py") if package and not found else ():
            if codebase.is_there(path):
                yield Thing("module", path)
        yield from found
    elif thing.type == "class":
        yield from _defined(codebase, f"{thing.name}.{name}", thing.path)
    elif thing.type == "outside":
        yield Thing("outside", "", f"{thing.name}.{name}")


def _defined(codebase: "Codebase", name: str, path: str) -> Iterator[Thing]:
    try:
        definitions = codebase.definitions(path, name)
    except Undecidable:
        return
    for definition in definitions:
        type_ = definition.symbol.type if definition.symbol else "value"
        yield Thing(type_ if type_ in ("class", "function") else "value", path, name)


class Hierarchy:
    """The classes of some files, which is the scope in which subclasses are looked for."""

    def __init__(self, codebase: "Codebase", paths: Iterable[str]) -> None:
        self.code = codebase
        self.paths = sorted(paths)
        self._subclasses: dict[Class, tuple[Class, ...]] = {}
        self._bases: dict[Class, tuple[Class, ...]] = {}

    @cached_property
    def _outlines(self) -> "list[tuple[str, _Outline]]":
        return [(path, self.code.derived(path, _outline)) for path in self.paths]

    @cached_property
    def _deriving(self) -> Mapping[str, list[str]]:
        """Name -> the files that have a class with this name among the words of its bases."""
        return _inverted((word, path) for path, outline in self._outlines for word in outline.bases)

    @cached_property
    def _renamed(self) -> Mapping[str, list[str]]:
        """Name -> the other names that files give it."""
        return _inverted(pair for _, outline in self._outlines for pair in outline.aliases)

    @cached_property
    def _defining(self) -> Mapping[str, list[str]]:
        """Name -> the files that define functions of this name, each as often as it does."""
        return _inverted((name, path) for path, outline in self._outlines for name in outline.functions.elements())

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
                    names |= set(self._renamed.get(name, ()))
                    for candidate in self._naming(name):
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

    def _naming(self, name: str) -> Iterator[Class]:
        """The classes among whose bases a name is written."""
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for path in dict.fromkeys(self._deriving.get(name, ())):
            for cls, bases in self.code.index(path).bases.items():
                if any(map(word.search, bases)):
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
        below = (definition for versions in self.versions(cls, name).values() for definition in versions)
        return tuple(dict.fromkeys((*self.inherited(cls, name), *below)))

    def versions(self, cls: Class, name: str) -> "dict[Class, tuple[Definition, ...]]":
        """The classes that define a name anew for a class: those of the scope below it, and what these mix in."""
        below = self.subclasses(cls)
        above = self.lineage(cls)
        mixed = (base for one in below for base in self.lineage(one) if base not in above)
        found = {one: self.own(one, name) for one in dict.fromkeys((*below, *mixed))}
        return {one: definitions for one, definitions in sorted(found.items()) if definitions}

    def count(self, name: str) -> int:
        """How many functions of a name the text of the scope seems to define."""
        return len(self._defining.get(name, ()))

    def named(self, name: str) -> "tuple[Definition, ...]":
        """All methods of the scope with a name."""
        found = (
            definition
            for path in dict.fromkeys(self._defining.get(name, ()))
            for symbol in self.code.index(path).symbols
            if symbol.type == "function" and symbol.name.endswith(f".{name}")
            for definition in self.code.definitions(path, symbol.name)
            if definition.cls and definition.name == f"{definition.cls}.{name}"
        )
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class _Outline:
    """What a file's text shows without parsing it, which is far faster; it may be more than there is."""

    bases: frozenset[str]
    """The words between the brackets after each `class Name`."""
    aliases: tuple[tuple[str, str], ...]
    """Other names given on import or by an assignment: the first name, and the other."""
    functions: Counter[str]


def _outline(text: str) -> _Outline:
    bases = frozenset(word for header in _headers(text) for word in _WORD.findall(header))
    imported = ((text[_start(text, found.start()) : found.start()], found[1]) for found in _AS.finditer(text))
    assigned = ((found[1], _first_word(text, found.start())) for found in _ASSIGNED.finditer(text))
    return _Outline(bases, (*imported, *assigned), Counter(_DEF.findall(text)))


def _headers(text: str) -> Iterator[str]:
    """What stands between the brackets after each `class Name`."""
    for start in _CLASS.finditer(text):
        depth = 1
        for mark in _MARK.finditer(text, start.end()):
            depth += (mark.group() in "([{") - (mark.group() in ")]}")
            if depth == 0:
                yield text[start.end() : mark.start()]
                break


def _start(text: str, end: int) -> int:
    """Where the word begins that ends at a place."""
    while end and (text[end - 1].isalnum() or text[end - 1] == "_"):
        end -= 1
    return end


def _first_word(text: str, at: int) -> str:
    """The first word of the line."""
    found = _WORD.search(text, text.rfind("\n", 0, at) + 1)
    return found[0] if found else ""


def _inverted(pairs: Iterable[tuple[str, str]]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


_WORD = re.compile(r"\w+")
_DEF = re.compile(r"def[ \t]+(\w+)[ \t]*[(\[]")
_AS = re.compile(r" as ([A-Za-z_]\w*)")
_ASSIGNED = re.compile(r" = (?:\w+\.)*([A-Z]\w*)[ \t]*(?=[#\n])")
_CLASS = re.compile(r"class[ \t]+\w+[ \t\\\n]*[(\[]")
_MARK = re.compile(r"[()\[\]{}]|#[^\n]*|\"[^\"\n]*\"|'[^'\n]*'")
