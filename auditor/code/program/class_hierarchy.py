"""The class hierarchy: bases, subclasses, inherited and overriding definitions, across the files of a scope."""

import builtins
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from auditor.code.project.names import referents
from auditor.code.syntax.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_DEPTH = 12  # names of names that a class may have


@dataclass(frozen=True, slots=True, order=True)
class Class:
    """A class: the file that defines it, and its qualified name there."""

    path: str
    name: str

    def __str__(self) -> str:
        return f"{self.path}::{self.name}"


@dataclass(frozen=True, slots=True)
class Ancestry:
    """What a class derives from, by unqualified names. Not complete: a base is of another project."""

    names: frozenset[str]
    is_complete: bool


class Hierarchy:
    """The classes of some files, which is the scope in which subclasses are looked for."""

    def __init__(self, codebase: "Codebase", paths: Iterable[str]) -> None:
        self.codebase = codebase
        self.paths = sorted(paths)
        self.scope = frozenset(paths)
        self._subclasses: dict[Class, tuple[Class, ...]] = {}
        self._bases: dict[Class, tuple[Class, ...]] = {}
        self._lineages: dict[Class, tuple[Class, ...]] = {}

    @cached_property
    def _outlines(self) -> "list[tuple[str, _Outline]]":
        return [(path, self.codebase.derived(path, _outline)) for path in self.paths]

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
            targets = (target for base in self._base_expressions(cls) for target in self.classes(base, cls.path))
            self._bases[cls] = tuple(dict.fromkeys(base for base in targets if base != cls))
        return self._bases[cls]

    def _base_expressions(self, cls: Class) -> list[str]:
        """The base classes as they are written, without their parameters."""
        return [base.partition("[")[0] for base in self.codebase.index(cls.path).bases.get(cls.name, ())]

    def classes(self, name: str, path: str, depth: int = _DEPTH) -> Iterator[Class]:
        """The classes that a name stands for, under whatever name they were first defined."""
        for target in referents(self.codebase, name, path):
            if target.type == "class" and target.name:
                yield Class(target.path, target.name)
            elif target.type == "value" and target.name and depth:
                for definition in self.codebase.definitions(target.path, target.name):
                    value = definition.term.parts.get("value")
                    if isinstance(value, Term) and (chain := dotted(value)):
                        yield from self.classes(chain, target.path, depth - 1)

    def lineage(self, cls: Class) -> tuple[Class, ...]:
        """A class and all that it derives from, in the order of the C3 linearization: as Python looks names up."""
        if cls not in self._lineages:
            self._lineages[cls] = (cls, *self.bases(cls))  # for a class that derives from itself
            bases = self.bases(cls)
            self._lineages[cls] = (cls, *_merged([*map(self.lineage, bases), bases]))
        return self._lineages[cls]

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
        written = ((base, one.path) for one in self.lineage(cls) for base in self._base_expressions(one))
        return any(
            base.rpartition(".")[2] in names for base, path in written if not referents(self.codebase, base, path)
        )

    def ancestry(self, name: str, path: str) -> "Ancestry":
        """The names of all classes that a class derives from, its own included, and those that are built in.

        `name` is as a file `path` writes it: `ValueError`, `errors.TooMany`.
        """
        known = list(dict.fromkeys(one for cls in self.classes(name, path) for one in self.lineage(cls)))
        written = [(base, cls.path) for cls in known for base in self._base_expressions(cls)]
        foreign = [base for base, at in [*written, (name, path)] if not any(True for _ in self.classes(base, at))]
        names = {cls.name.rpartition(".")[2] for cls in known}
        is_complete = True
        for base in foreign:
            names.add(last := base.rpartition(".")[2])
            found = getattr(builtins, base.removeprefix("builtins."), None)
            names |= {one.__name__ for one in found.__mro__} if isinstance(found, type) else set()
            is_complete &= isinstance(found, type) or last in ("ABC", "Generic", "Protocol", "NamedTuple")
        return Ancestry(frozenset(names), is_complete)

    def is_protocol(self, cls: Class) -> bool:
        """Whether anything with such methods counts as one, whatever it derives from."""
        return any(base.rpartition(".")[2] == "Protocol" for base in self._base_expressions(cls))

    def _naming(self, name: str) -> Iterator[Class]:
        """The classes among whose bases a name is written."""
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for path in dict.fromkeys(self._deriving.get(name, ())):
            for cls, bases in self.codebase.index(path).bases.items():
                if any(map(word.search, bases)):
                    yield Class(path, cls)

    def own(self, cls: Class, name: str) -> "tuple[Definition, ...]":
        """What a class itself defines under a name."""
        return self.codebase.definitions(cls.path, f"{cls.name}.{name}")

    def inherited(self, cls: Class, name: str) -> "tuple[Definition, ...]":
        """The definition of a name that a class has, its own or the nearest above; several where it has branches."""
        return next((found for one in self.lineage(cls) if (found := self.own(one, name))), ())

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
            for symbol in self.codebase.index(path).symbols
            if symbol.type == "function" and symbol.name.endswith(f".{name}")
            for definition in self.codebase.definitions(path, symbol.name)
            if definition.cls and definition.name == f"{definition.cls}.{name}"
        )
        return tuple(dict.fromkeys(found))

    def setters(self, name: str) -> "tuple[Definition, ...]":
        """All setters of the scope of properties with a name."""
        found = (
            definition
            for path in dict.fromkeys(self._defining.get(name, ()))
            for symbol in self.codebase.index(path).symbols
            if symbol.type == "function" and symbol.name.endswith(f".{name}")
            for definition in self.codebase.setters(path, symbol.name)
        )
        return tuple(dict.fromkeys(found))


def _merged(orders: Iterable[Sequence[Class]]) -> Iterator[Class]:
    """C3: the first class that no order has behind another one; where there is none, the first."""
    pending = [list(order) for order in orders if order]
    while pending:
        heads = [order[0] for order in pending]
        chosen = next((head for head in heads if not any(head in order[1:] for order in pending)), heads[0])
        yield chosen
        pending = [rest for order in pending if (rest := [one for one in order if one != chosen])]


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
