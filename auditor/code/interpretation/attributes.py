"""Attributes of abstract values, and names that modules import."""

import math
from dataclasses import dataclass

from auditor.code.interpretation.machine import Arguments, Machine
from auditor.code.interpretation.values import (
    MISSING,
    ClassValue,
    External,
    FunctionValue,
    Hint,
    Instance,
    Item,
    Items,
    Method,
    ModuleValue,
    OneOf,
    Super,
    Table,
    Unknown,
    Value,
    is_member,
)
from auditor.code.syntax.term import Term


@dataclass(frozen=True, slots=True)
class Imported:
    """A name that is imported, which is resolved when it is used."""

    module: str
    name: str
    importer: str


_METHODS = {
    str: ("capitalize", "count", "endswith", "find", "format", "isdigit", "join", "lower", "lstrip", "partition",
          "removeprefix", "removesuffix", "replace", "rpartition", "rsplit", "rstrip", "split", "splitlines",
          "startswith", "strip", "title", "upper"),
    Items: ("add", "append", "copy", "count", "discard", "extend", "index", "insert", "pop", "remove", "reverse",
            "sort", "union", "update"),
    Table: ("copy", "get", "items", "keys", "pop", "setdefault", "update", "values"),
}  # fmt: skip


def attribute(machine: Machine, owner: Value, name: str, term: Term) -> Value:
    """`owner.name`; `term` is that expression, for where it is symbolic."""
    if isinstance(owner, ModuleValue):
        return _of_module(machine, owner, name, term)
    if isinstance(owner, External):
        return _of_external(machine, owner, name)
    if isinstance(owner, ClassValue):
        return _of_class(machine, owner, name, term)
    if isinstance(owner, Instance):
        return _of_instance(machine, owner, name, term)
    if isinstance(owner, Super):
        return _of_super(machine, owner, name, term)
    if isinstance(owner, OneOf):
        return machine.lifted(lambda one: attribute(machine, one, name, term), owner)
    if isinstance(owner, FunctionValue) and name in ("__name__", "__qualname__"):
        return owner.name
    if isinstance(owner, type) and name in ("__name__", "__qualname__", "__module__"):
        return str(getattr(owner, name))
    if isinstance(owner, Hint) and name == "__module__":
        return "typing"
    for cls, names in _METHODS.items():
        if isinstance(owner, cls) and name in names:
            return Method(owner, name)
    return Unknown(term)


def _of_module(machine: Machine, owner: ModuleValue, name: str, term: Term) -> Value:
    module = machine.module(owner.path)
    if name in module.names:
        found = resolved(machine, module.names[name])
        module.names[name] = found
        return found
    if owner.path.endswith("__init__.py"):
        submodule = machine.imported(f".{name}", owner.path)
        if isinstance(submodule, ModuleValue):
            return submodule
    if name in BUILTINS:
        return BUILTINS[name]
    lazily = module.names.get("__getattr__")
    if isinstance(lazily, FunctionValue) and module.is_done:
        return machine.call(lazily, Arguments([name]), term, lazily.frame)
    return Unknown(term)


def resolved(machine: Machine, value: Value) -> Value:
    """What an imported name stands for."""
    for _ in range(10):
        if not isinstance(value, Imported):
            break
        module = machine.imported(value.module, value.importer)
        if isinstance(module, External):
            return _of_external(machine, module, value.name)
        names = machine.module(module.path).names
        if value.name not in names:
            submodule = machine.imported(f"{value.module.rstrip('.')}.{value.name}" if value.module.strip(".") else
                                         f"{value.module}{value.name}", value.importer)  # fmt: skip
            if isinstance(submodule, ModuleValue):
                return submodule
            shown = Term("Name", {"id": value.name})
            return _of_module(machine, module, value.name, shown)
        value = names[value.name]
    return value


_NUMBERS = {"ssl.CERT_NONE": 0, "ssl.CERT_OPTIONAL": 1, "ssl.CERT_REQUIRED": 2, "sys.maxsize": 2**63 - 1,
            "math.inf": math.inf, "logging.DEBUG": 10, "logging.INFO": 20, "logging.WARNING": 30, "logging.WARN": 30,
            "logging.ERROR": 40, "logging.CRITICAL": 50, "logging.FATAL": 50}  # fmt: skip
"""Constants of the standard library (on 64 bits), as their documentation gives them."""
_SENTINELS = ("MISSING", "NODEFAULT", "PydanticUndefined")


def _of_external(machine: Machine, owner: External, name: str) -> Value:
    if owner.name == "sys" and name == "argv":
        return Items("list")
    if owner.name == "os" and name == "environ" and machine.is_environment_empty:
        return Table()
    if owner.name == "argparse" and name == "SUPPRESS":
        return "==SUPPRESS=="
    if name in ("__name__", "__qualname__"):
        return owner.last
    if name in _SENTINELS:
        return MISSING
    if f"{owner.name}.{name}" in _NUMBERS:
        return _NUMBERS[f"{owner.name}.{name}"]
    is_class = name[:1].isupper() and not name.isupper()
    return External(f"{owner.name}.{name}", is_attribute=not is_class)


def _of_class(machine: Machine, owner: ClassValue, name: str, term: Term) -> Value:
    if name == "__dict__":
        return Unknown(term)
    if name in ("__name__", "__qualname__"):
        return owner.name
    if name == "__module__":
        return owner.path.removesuffix(".py").replace("/", ".")
    if name == "__mro__":
        return Items.of("tuple", owner.lineage)
    if name == "__annotations__" and name not in owner.names:
        return Table({one: Item(hint) for one, hint in hints(machine, owner).items()}, depth=len(machine.path))
    for cls in owner.lineage:
        if name in cls.names:
            return _bound(machine, cls.names[name], owner, owner, cls, term)
    return Unknown(term)


def hints(machine: Machine, cls: ClassValue) -> dict[str, Value]:
    """The types of a class's own fields."""
    if cls.frame is None:
        return cls.hints
    frame = cls.frame
    return {**cls.hints, **{name: machine.evaluate(one, frame) for name, one in cls.annotations.items()}}


def _of_instance(machine: Machine, owner: Instance, name: str, term: Term) -> Value:
    if name in owner.names:
        return owner.names[name]
    if name == "__class__":
        return owner.cls
    if name == "__dict__":
        return Unknown(term)
    if isinstance(owner.cls, ClassValue):
        for cls in owner.cls.lineage:
            if name in cls.names:
                return _bound(machine, cls.names[name], owner, owner.cls, cls, term)
        if is_member(owner):
            return Unknown(term)
    for base in (owner.cls,) if isinstance(owner.cls, External) else owner.cls.outside:
        if f"{base.name}.{name}" in machine.functions:
            return External(f"{base.name}.{name}")
    return Unknown(term)


def _of_super(machine: Machine, owner: Super, name: str, term: Term) -> Value:
    receiver_class = owner.receiver.cls if isinstance(owner.receiver, Instance) else owner.receiver
    if not isinstance(receiver_class, ClassValue):
        return Unknown(term)
    lineage = receiver_class.lineage
    after = lineage[lineage.index(owner.cls) + 1 :] if owner.cls in lineage else owner.cls.lineage[1:]
    for cls in after:
        if name in cls.names:
            return _bound(machine, cls.names[name], owner.receiver, receiver_class, cls, term)
    for base in receiver_class.outside:
        if name == "__init__" and base.name in machine.functions:
            return base
    return Unknown(term)


def _bound(machine: Machine, found: Value, receiver: Value, own: ClassValue, cls: ClassValue, term: Term) -> Value:
    """A name of a class as its instance, or the class itself, sees it."""
    found = resolved(machine, found)
    if isinstance(found, Instance) and found.cls in FIELDS:
        return found.names.get("default", Unknown(term))
    if not isinstance(found, FunctionValue) or found.term.type != "FunctionDef" or found.is_bound:
        return found
    marks = {str(mark.parts.get("attr") or mark.parts.get("id")) for mark in found.term.terms("decorators")}
    if "staticmethod" in marks:
        return found
    if "classmethod" in marks or found.name in ("__init_subclass__", "__class_getitem__"):
        return found.bound_to(own, cls)
    if isinstance(receiver, ClassValue):
        return found
    method = found.bound_to(receiver, cls)
    if marks & {"property", "cached_property"}:
        return machine.call(method, Arguments(), term, found.frame)
    return method


FIELDS = (External("pydantic.fields.FieldInfo"), External("dataclasses.Field"), External("msgspec.Field"))
"""What stands for a field's value in a class, and is not it."""

BUILTINS: dict[str, Value] = {
    one.__name__: one
    for one in (bool, bytes, complex, dict, float, frozenset, int, list, object, set, str, tuple, type)
} | {
    one: External(f"builtins.{one}")
    for one in (
        "all", "any", "callable", "enumerate", "filter", "getattr", "globals", "hasattr", "isinstance", "issubclass",
        "iter", "len", "map", "max", "min", "next", "print", "range", "repr", "reversed", "round", "setattr", "sorted",
        "sum", "vars", "zip", "abs", "property", "staticmethod", "classmethod",
    )
}  # fmt: skip
