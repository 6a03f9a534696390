"""Type inference: the classes that an expression may be an instance of, by constructors, annotations, assignments.

Everything that is not told is left open: `is_known` says whether there can be nothing else.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.project.names import referents
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.targets import SEQUENCES, assigned_pairs, bound_targets, flattened_target
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.unparse import unparse

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition

_DEPTH = 8
_UNIONS = ("Optional", "Union", "Annotated", "ClassVar", "Final", "InitVar", "Required", "NotRequired")
_CONTAINERS = re.compile(
    r"([Ll]ist|[Tt]uple|[Ss]et|[Dd]ict|frozenset|deque|defaultdict|OrderedDict|(Mutable)?(Mapping|Sequence|Set)|Iterable"
    r"|Iterator|Collection|Generator)"
)
_PASSES_ON = ("list", "tuple", "set", "sorted", "reversed", "enumerate", "zip", "iter", "deque", "frozenset")


@dataclass(frozen=True, slots=True)
class Type:
    """The classes of a value, and of what it holds."""

    classes: frozenset[Class] = frozenset()
    held: frozenset[Class] = frozenset()
    is_known: bool = False

    def __or__(self, other: "Type") -> "Type":
        return Type(self.classes | other.classes, self.held | other.held, self.is_known and other.is_known)

    @property
    def item(self) -> "Type":
        """The type of what it holds."""
        return Type(self.held, is_known=self.is_known and bool(self.held))

    @property
    def container(self) -> "Type":
        """The type of what holds such values; nested containers are taken for one."""
        return Type(held=self.classes | self.held, is_known=self.is_known)


UNKNOWN = Type()
NO_CLASS = Type(is_known=True)
"""Of a value that is no instance of a class here: None, a number, what another project made."""


@dataclass(frozen=True)
class Frame:
    """A function, and the class that `self` is an instance of, or of a class below it."""

    function: "Definition"
    cls: Class | None
    values: Mapping[str, tuple[tuple[str, Term], ...]] = field(compare=False, hash=False)
    """Local name -> what it is given: (value | held | annotation | unknown, term)."""

    @property
    def own(self) -> str | None:
        """The name of the first parameter of a method: `self`, `cls`."""
        term = self.function.term
        params = term.terms("params") if term.type == "FunctionDef" else ()
        if not self.cls or not params or any(dotted(one) == "staticmethod" for one in term.terms("decorators")):
            return None
        return params[0].text("name")


def frame_of(function: "Definition", cls: Class | None) -> Frame:
    return Frame(function, cls, function.codebase.memoized(("values", function), lambda: _bindings(function.term)))


def _bindings(function: Term) -> Mapping[str, tuple[tuple[str, Term], ...]]:
    values: dict[str, tuple[tuple[str, Term], ...]] = {}
    for name, how, term in _local_bindings(function):
        values[name] = (*values.get(name, ()), (how, term))
    return values


def _local_bindings(function: Term) -> Iterator[tuple[str, str, Term]]:
    for term in function.walk():
        match term.type:
            case "Param":
                if term.annotation is not None:
                    yield term.text("name"), "annotation", term.annotation
                else:
                    yield term.text("name"), "unknown", term
            case "Assign" | "NamedExpr":
                targets = term.terms("targets") if term.type == "Assign" else (term.term("target"),)
                for target in targets:
                    if target.type == "Name" and term.annotation is not None:
                        yield target.text("id"), "annotation", term.annotation
                    else:
                        yield from _unpacked(target, term.term("value"))
            case "AugAssign" if term.term("target").type == "Name":
                yield term.term("target").text("id"), "value", term.term("value")
            case "Declare" if term.annotation is not None:
                for target in term.terms("targets"):
                    if target.type == "Name":
                        yield target.text("id"), "annotation", term.annotation
            case "For" | "CompFor":
                target, iterable = term.term("target"), term.term("iter")
                if target.type in SEQUENCES and iterable.type in SEQUENCES:
                    for row in iterable.terms("elements"):
                        yield from _unpacked(target, row)
                else:
                    yield from ((local, "held", iterable) for local in _names(target))
            case "WithItem" | "ExceptHandler" | "MatchCase":
                yield from ((place.text("id"), "unknown", term) for place in bound_targets(term) if "id" in place.parts)
            case _:
                pass


def _unpacked(target: Term, value: Term) -> Iterator[tuple[str, str, Term]]:
    """What the names of a target are given: an expression each, or what the value holds."""
    starred = {local for one in target.walk() if one.type == "Starred" for local in _names(one)}
    for place, item in assigned_pairs(target, value):
        if place.type != "Name":
            continue
        local = place.text("id")
        if item is not None:
            yield local, "value", item
        else:
            is_held = value.type not in SEQUENCES and local not in starred
            yield local, "held" if is_held else "unknown", value


def _names(target: Term) -> Iterator[str]:
    yield from (place.text("id") for place in flattened_target(target) if place.type == "Name")


class Inference:
    """Types of expressions, worked out once. `through` tells the class behind a chain such as `self.pool`."""

    def __init__(self, hierarchy: Hierarchy, through: Mapping[str, Class]) -> None:
        self.hierarchy = hierarchy
        self.through = through
        self._attributes: dict[tuple[Class, str], Type] = {}
        self._results: dict[tuple[Definition, Class | None], Type] = {}

    def of(self, term: Term, frame: Frame, depth: int = _DEPTH) -> Type:
        """The type of an expression in a function."""
        if depth <= 0:
            return UNKNOWN
        chain = dotted(term)
        if chain is not None and chain in self.through:
            return Type(frozenset({self.through[chain]}), is_known=True)
        match term.type:
            case "Name":
                return self._name(term.text("id"), frame, depth)
            case "Attribute":
                return self._attribute(term, frame, depth)
            case "Call":
                return self._call(term, frame, depth)
            case "Subscript":
                return self.of(term.term("value"), frame, depth - 1).item
            case "IfExp":
                return self.of(term.term("body"), frame, depth - 1) | self.of(term.term("orelse"), frame, depth - 1)
            case "BooleanOperation":
                return self._all(term.terms("values"), frame, depth)
            case "NamedExpr" | "Await" | "Starred":
                return self.of(term.term("value"), frame, depth - 1)
            case "Tuple" | "List" | "Set":
                return self._all(term.terms("elements"), frame, depth).container
            case "ListComp" | "SetComp" | "GeneratorExp":
                return self.of(term.term("elt"), frame, depth - 1).container
            case "Dict" | "DictComp":
                values = term.terms("elements") if term.type == "Dict" else (term,)
                given = tuple(one.term("value") for one in values)
                return self._all(given, frame, depth).container
            case "Literal" | "FString" | "Comparison":
                return NO_CLASS
            case _:
                return UNKNOWN

    def _all(self, terms: tuple[Term, ...], frame: Frame, depth: int) -> Type:
        found = NO_CLASS
        for term in terms:
            found |= self.of(term, frame, depth - 1)
        return found

    def _name(self, name: str, frame: Frame, depth: int) -> Type:
        if name in ("None", "True", "False"):
            return NO_CLASS
        if name == frame.own and frame.cls:
            return Type(frozenset({frame.cls}), is_known=True)
        if name in frame.values:
            found = NO_CLASS
            for how, term in frame.values[name]:
                if how == "annotation":
                    found |= self.annotated(term, frame.function.path)
                elif how == "value":
                    found |= self.of(term, frame, depth - 1)
                elif how == "held":
                    found |= self.of(term, frame, depth - 1).item
                else:
                    return Type(found.classes, found.held)
            return found
        return self._global(name, frame.function.path, depth)

    def _global(self, name: str, path: str, depth: int) -> Type:
        found = NO_CLASS
        targets = referents(self.hierarchy.codebase, name, path)
        for target in targets:
            if target.type == "value" and target.name:
                for definition in self.hierarchy.codebase.definitions(target.path, target.name):
                    found |= self._assigned(definition, depth)
            elif target.type != "outside":
                found |= UNKNOWN
        return found if targets else UNKNOWN

    def _assigned(self, definition: "Definition", depth: int) -> Type:
        """The type of a constant or field, as it is annotated or assigned."""
        term = definition.term
        if term.annotation is not None:
            return self.annotated(term.annotation, definition.path)
        value = term.parts.get("value")
        return self.of(value, Frame(definition, None, {}), depth - 1) if isinstance(value, Term) else UNKNOWN

    def _attribute(self, term: Term, frame: Frame, depth: int) -> Type:
        name = term.text("attr")
        owner = self.of(term.term("value"), frame, depth - 1)
        if owner.classes:
            found = NO_CLASS if owner.is_known else UNKNOWN
            for cls in sorted(owner.classes):
                found |= self.attribute(cls, name, depth - 1)
            return found
        chain = dotted(term)
        if chain and chain.partition(".")[0] not in frame.values:
            return self._global(chain, frame.function.path, depth)
        return UNKNOWN

    def attribute(self, cls: Class, name: str, depth: int = _DEPTH) -> Type:
        """The type of an attribute of a class's instances, as the class, those above and those below it tell."""
        key = (cls, name)
        if key not in self._attributes:
            self._attributes[key] = UNKNOWN  # for an attribute that is assigned from itself
            found, is_known = NO_CLASS, False
            for one in dict.fromkeys((*self.hierarchy.lineage(cls), *self.hierarchy.subclasses(cls))):
                for type_ in self._declared_types(one, name, depth):
                    found, is_known = found | type_, True
            self._attributes[key] = found if is_known else UNKNOWN
        return self._attributes[key]

    def _declared_types(self, cls: Class, name: str, depth: int) -> Iterator[Type]:
        for definition in self.hierarchy.own(cls, name):
            if definition.symbol and definition.symbol.type == "function":
                yield self._return_type(definition, cls, depth)
            elif definition.symbol and definition.symbol.type != "class":
                yield self._assigned(definition, depth)
        for method, value, annotation in self.assignments(cls, name):
            if annotation is not None:
                yield self.annotated(annotation, method.path)
            elif dotted(value) != "None":
                yield self.of(value, frame_of(method, cls), depth - 1)

    def assignments(self, cls: Class, name: str) -> "tuple[tuple[Definition, Term, Term | None], ...]":
        """What the methods of a class assign to an attribute of `self`: the method, the value, its annotation."""
        codebase = self.hierarchy.codebase
        return codebase.memoized(("assignments", cls, name), lambda: tuple(self._assignments(cls, name)))

    def _assignments(self, cls: Class, name: str) -> "Iterator[tuple[Definition, Term, Term | None]]":
        codebase = self.hierarchy.codebase
        assigning = re.compile(rf"\.{re.escape(name)}(?!\w)[^\n]*[:=]")
        for whole in codebase.definitions(cls.path, cls.name):
            if f".{name}" not in whole.text:
                return
        for symbol in codebase.index(cls.path).symbols:
            if symbol.type != "function" or not symbol.name.startswith(f"{cls.name}."):
                continue
            for method in codebase.definitions(cls.path, symbol.name):
                if not assigning.search(method.text):
                    continue
                found = method.code.by_type  # made once for each method
                for term in (*found.get("Assign", ()), *found.get("Declare", ())):
                    for target in term.terms("targets"):
                        if dotted(target) in (f"self.{name}", f"cls.{name}"):
                            value = term.parts.get("value")
                            yield method, value if isinstance(value, Term) else target, term.annotation
                        elif target.type in SEQUENCES and isinstance(value := term.parts.get("value"), Term):
                            for place, item in assigned_pairs(target, value):
                                if dotted(place) == f"self.{name}":
                                    yield method, item or Term("Unknown", {}), None

    def _call(self, term: Term, frame: Frame, depth: int) -> Type:
        function = term.term("func")
        chain = dotted(function) or ""
        if function.type == "Attribute":
            owner = self.of(function.term("value"), frame, depth - 1)
            if function.text("attr") in ("values", "items", "copy", "get", "pop", "popleft") and owner.held:
                is_one = function.text("attr") in ("get", "pop", "popleft")
                return owner.item if is_one else Type(held=owner.held, is_known=owner.is_known)
            if owner.classes:
                found = NO_CLASS if owner.is_known else UNKNOWN
                for cls in sorted(owner.classes):
                    methods = self.hierarchy.dispatched(cls, function.text("attr"))
                    for method in methods:
                        found |= self._return_type(method, cls, depth)
                    found = found if methods else UNKNOWN
                return found
        if not chain or chain.partition(".")[0] in frame.values:
            return UNKNOWN
        if chain in _PASSES_ON:
            args = self._all(term.terms("args"), frame, depth)
            return Type(held=args.held, is_known=args.is_known)
        if chain == "cast" and len(term.terms("args")) == 2:
            return self.annotated(term.terms("args")[0], frame.function.path)
        targets = referents(self.hierarchy.codebase, chain, frame.function.path)
        found = NO_CLASS if targets else UNKNOWN
        for target in targets:
            if target.type == "class" and target.name:
                found |= Type(frozenset({Class(target.path, target.name)}), is_known=True)
            elif target.type == "function" and target.name:
                for definition in self.hierarchy.codebase.definitions(target.path, target.name):
                    found |= self._return_type(definition, None, depth)
            elif target.type != "outside":
                found |= UNKNOWN
        return found

    def _return_type(self, function: "Definition", cls: Class | None, depth: int) -> Type:
        """What a function returns: as its annotation says, else as it is computed."""
        key = (function, cls)
        if key not in self._results:
            self._results[key] = UNKNOWN
            term = function.term
            if term.type == "FunctionDef" and term.annotation is not None:
                self._results[key] = self.annotated(term.annotation, function.path, cls)
            elif term.type == "FunctionDef":
                frame, found = frame_of(function, cls), NO_CLASS
                for inner in term.walk():
                    if inner.type == "Return" and isinstance(value := inner.parts.get("value"), Term):
                        found |= self.of(value, frame, depth - 1)
                self._results[key] = found
        return self._results[key]

    def annotated(self, term: Term, path: str, cls: Class | None = None) -> Type:
        """The type that an annotation states."""
        match term.type:
            case "Literal" if isinstance(text := term.parts["value"], str):
                try:
                    return self.annotated(lower(ast.parse(text.strip(), mode="eval").body), path, cls)
                except (SyntaxError, ValueError, RecursionError, Undecidable):
                    return UNKNOWN
            case "BinaryOperation":
                return self.annotated(term.term("left"), path, cls) | self.annotated(term.term("right"), path, cls)
            case "Subscript":
                last = (dotted(term.term("value")) or "").rpartition(".")[2]
                if last in _UNIONS or _CONTAINERS.fullmatch(last):
                    found = NO_CLASS
                    for item in term.terms("slice")[: 1 if last == "Annotated" else None]:
                        found |= self.annotated(item, path, cls)
                    return found if last in _UNIONS else found.container
                return self.annotated(term.term("value"), path, cls)
            case "Name" | "Attribute":
                return self._class(unparse(term), path, cls)
            case _:
                return UNKNOWN

    def _class(self, name: str, path: str, cls: Class | None) -> Type:
        if name.rpartition(".")[2] == "Self" and cls:
            return Type(frozenset({cls}), is_known=True)
        targets = referents(self.hierarchy.codebase, name, path)
        found = frozenset(
            Class(target.path, target.name) for target in targets if target.type == "class" and target.name
        )
        is_plain = name in ("None", "int", "float", "str", "bool", "bytes", "complex")
        # What another project defines is no class here; but it may say Any, or that a protocol is all that counts.
        is_foreign = any(target.type == "outside" and not str(target.name).startswith("typing") for target in targets)
        is_known = bool(found) and not any(map(self.hierarchy.is_protocol, found))
        return Type(found, is_known=is_known or is_plain or is_foreign)
