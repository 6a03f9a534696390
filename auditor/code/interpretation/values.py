"""The abstract values that interpreted code computes with.

A Python scalar stands for itself, and a built-in type for itself; what else there is has a class here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from auditor.code.syntax.term import Term

Value: TypeAlias = object
Path: TypeAlias = tuple[Term, ...]
"""A path condition: tests all of which hold."""

SCALARS = (str, int, float, bool, bytes, type(None), type(...))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unknown:
    """A value that only a run has; `term` is the expression it comes from."""

    term: Term


@dataclass(slots=True, eq=False, repr=False)
class Item:
    """A value in a container, and the path condition under which it is there."""

    value: Value
    when: Path = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OneOf:
    """Alternatives, each with the path condition under which it is the value."""

    options: tuple[Item, ...]


@dataclass(slots=True, eq=False, repr=False)
class Items:
    """A list, tuple or set."""

    kind: Literal["list", "tuple", "set"]
    items: list[Item] = field(default_factory=list)
    is_open: bool = False
    """Whether there may be more items than are known."""
    depth: int = 0
    """The length of the path condition where it was made: what is added below is there under the rest of it."""

    @classmethod
    def of(cls, kind: Literal["list", "tuple", "set"], values: Iterable[Value], depth: int = 0) -> "Items":
        return cls(kind, [Item(value) for value in values], depth=depth)

    @property
    def values(self) -> list[Value]:
        return [item.value for item in self.items]


@dataclass(slots=True, eq=False, repr=False)
class Table:
    """A dict."""

    entries: dict[object, Item] = field(default_factory=dict)
    is_open: bool = False
    depth: int = 0
    origin: "FieldName | None" = None
    """The field that it was made from, as the arguments of an option are."""


class FieldName(str):
    """The name of a field of a class: a str that remembers whose it is."""

    __slots__ = ("owner",)
    owner: "ClassValue"


@dataclass(frozen=True, slots=True)
class External:
    """Something of a module that the code base does not hold, by its dotted name."""

    name: str
    is_attribute: bool = field(default=False, compare=False)
    """Whether it may be any value: an attribute of a module that is named as no class is."""

    @property
    def last(self) -> str:
        return self.name.rpartition(".")[2]


MISSING = External("dataclasses.MISSING")
"""That a field has no default: one object, which nothing else is."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A subscripted type: `origin` is `typing.Union`, `typing.Literal`, `list`, ..."""

    origin: object
    args: tuple[object, ...]


@dataclass(slots=True, eq=False, repr=False)
class ModuleValue:
    """A module of the code base."""

    path: str
    names: dict[str, Value] = field(default_factory=dict)
    is_done: bool = False


@dataclass(slots=True, eq=False, repr=False)
class ClassValue:
    """A class of the code base."""

    name: str
    path: str
    term: Term
    bases: tuple[Value, ...] = ()
    names: dict[str, Value] = field(default_factory=dict)
    annotations: dict[str, Term] = field(default_factory=dict)
    hints: dict[str, Value] = field(default_factory=dict)
    """The types of fields that are not annotated, but made by a call."""
    places: dict[str, Term] = field(default_factory=dict)
    """The statement that gives each name its value, or its annotation."""
    docs: dict[str, str] = field(default_factory=dict)
    """The string after each field's statement."""
    decorators: tuple[Value, ...] = ()
    frame: "Frame | None" = None

    @property
    def lineage(self) -> "tuple[ClassValue, ...]":
        """The class and those of the code base that it derives from, in the order in which names are looked up."""
        found: dict[int, ClassValue] = {id(self): self}
        for base in self.bases:
            if isinstance(base, ClassValue):
                for one in base.lineage:
                    found.pop(id(one), None)
                    found[id(one)] = one
        return tuple(found.values())

    @property
    def outside(self) -> tuple[External, ...]:
        """What it derives from that the code base does not hold."""
        return tuple(base for cls in self.lineage for base in cls.bases if isinstance(base, External))


@dataclass(slots=True, eq=False, repr=False)
class FunctionValue:
    """A function, a method bound to its receiver, or a lambda."""

    term: Term
    frame: "Frame"
    """Where it is defined."""
    receiver: Value = None
    is_bound: bool = False
    cls: ClassValue | None = None
    """The class that defines it."""
    defaults: Mapping[str, Value] = field(default_factory=dict)
    """The defaults of parameters that are no literals, evaluated where it is defined."""

    def bound_to(self, receiver: Value, cls: ClassValue | None) -> "FunctionValue":
        """The method of a receiver."""
        return replace(self, receiver=receiver, is_bound=True, cls=cls)

    @property
    def name(self) -> str:
        return self.term.text("name") if self.term.type == "FunctionDef" else "<lambda>"


@dataclass(slots=True, eq=False, repr=False)
class Frame:
    """Where names are looked up: those of one function call, class body or module."""

    module: ModuleValue
    names: dict[str, Value] = field(default_factory=dict)
    outer: "Frame | None" = None
    """The frame of the function around; a class body is not seen from its methods."""
    cls: ClassValue | None = None
    """The class whose body this is, or whose method."""
    receiver: Value = None
    function: FunctionValue | None = None
    globals: set[str] = field(default_factory=set)
    outers: set[str] = field(default_factory=set)
    """The names declared `nonlocal`."""
    is_body: bool = False
    """Whether it is the body of a class or a module, and not a call."""
    depth: int = 0
    """The length of the path condition where it began."""
    returned: list[Item] = field(default_factory=list)
    yielded: list[Item] | None = None
    """What a generator yields; None for another function."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Method:
    """A method of a built-in value or of a container."""

    receiver: Value
    name: str


@dataclass(slots=True, eq=False, repr=False)
class Instance:
    """An object. With `term`, one that was not made here: what it does not have is symbolic."""

    cls: ClassValue | External
    names: dict[str, Value] = field(default_factory=dict)
    term: Term | None = None
    depth: int = 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Super:
    """`super()` in a method."""

    cls: ClassValue
    receiver: Value


def alternatives(value: Value) -> Iterator[Item]:
    """Each value that it can be, with the path condition of that."""
    if isinstance(value, OneOf):
        yield from value.options
    else:
        yield Item(value)


def is_scalar(value: Value) -> bool:
    return value is None or isinstance(value, SCALARS)


def concrete(value: Value) -> object:
    """The Python value it stands for. Raises ValueError when some of it is not known."""
    if is_scalar(value):
        return str(value) if isinstance(value, FieldName) else value
    if isinstance(value, Items) and not value.is_open and not any(item.when for item in value.items):
        found = [concrete(one) for one in value.values]
        if value.kind == "set":
            return set(map(key, value.values))
        return tuple(found) if value.kind == "tuple" else found
    if isinstance(value, Table) and not value.is_open and not any(item.when for item in value.entries.values()):
        return {concrete(name): concrete(item.value) for name, item in value.entries.items()}
    if isinstance(value, tuple):
        return value
    if isinstance(value, Instance) and "value" in value.names and is_member(value):
        return concrete(value.names["value"])
    raise ValueError("not known")


def key(value: Value) -> object:
    """The value as a key of a Table. Raises ValueError for one that cannot be, or is not known."""
    if isinstance(value, Items):
        return tuple(key(one) for one in value.values)
    if isinstance(value, Unknown | OneOf | Table):
        raise ValueError("not known")
    return value


ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")


def is_enum(cls: Value) -> bool:
    return isinstance(cls, ClassValue) and any(base.last in ENUMS for base in cls.outside)


def is_member(value: Value) -> bool:
    """Whether it is a member of an enumeration."""
    return isinstance(value, Instance) and is_enum(value.cls)
