"""Classes: their bodies, their instances, and the fields of records."""

from itertools import pairwise
from typing import TYPE_CHECKING

from auditor.code.interpretation.attributes import FIELDS, hints, resolved
from auditor.code.interpretation.machine import Arguments, Machine
from auditor.code.interpretation.values import (
    MISSING,
    ClassValue,
    External,
    FieldName,
    Frame,
    FunctionValue,
    Instance,
    Items,
    Unknown,
    Value,
    is_enum,
)
from auditor.code.syntax.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterator

_RECORDS = ("BaseModel", "BaseSettings", "Struct", "NamedTuple", "TypedDict", "RootModel")


def defined(machine: Machine, statement: Term, frame: Frame) -> ClassValue:
    """The class that a statement defines: its body, executed."""
    bases = tuple(resolved(machine, machine.evaluate(base, frame)) for base in statement.terms("bases"))
    outer = f"{frame.cls.name}." if frame.cls is not None and frame.is_body else ""
    cls = ClassValue(outer + statement.text("name"), frame.module.path, statement, bases)
    body = Frame(frame.module, outer=frame, cls=cls, is_body=True)
    body.names = cls.names
    cls.frame = body
    cls.decorators = tuple(machine.evaluate(one, frame) for one in statement.terms("decorators"))
    machine.execute(statement.terms("body"), body)
    cls.names = body.names
    cls.docs = dict(_docs(statement.terms("body")))
    if is_enum(cls):
        _members(cls)
    return cls


def _docs(statements: tuple[Term, ...]) -> "Iterator[tuple[str, str]]":
    """The string that stands after a field's statement."""
    for before, after in pairwise(statements):
        value = after.parts.get("value") if after.type == "Expr" else None
        text = value.parts.get("value") if isinstance(value, Term) and value.type == "Literal" else None
        if before.type in ("Assign", "Declare") and isinstance(text, str):
            yield str(before.terms("targets")[0].parts.get("id")), " ".join(text.split())


def _members(cls: ClassValue) -> None:
    """Make what an enumeration's body assigns its members."""
    for place, name in enumerate([one for one in cls.places if not one.startswith("_")], 1):
        value = cls.names.get(name)
        if isinstance(value, FunctionValue):
            continue
        if isinstance(value, External) or (isinstance(value, Unknown) and value.term.type == "Call"):
            value = name.lower() if any(base.last == "StrEnum" for base in cls.outside) else place  # auto()
        cls.names[name] = Instance(cls, {"name": name, "value": value})


def is_record(cls: Value) -> bool:
    """Whether a class's annotations are its fields: a dataclass, or a model of pydantic or msgspec."""
    if not isinstance(cls, ClassValue):
        return False
    return any(base.last in _RECORDS for base in cls.outside) or any(_makes_record(one) for one in cls.lineage)


def _makes_record(cls: ClassValue) -> bool:
    for decorator in cls.term.terms("decorators"):
        called = decorator.term("func") if decorator.type == "Call" else decorator
        if "dataclass" in str(called.parts.get("attr") or called.parts.get("id")):
            return True
    for value in cls.decorators:
        if isinstance(value, FunctionValue) and any(
            "dataclass" in str(one.parts.get("attr") or one.parts.get("id")) for one in value.term.walk()
        ):
            return True
    return False


def fields(machine: Machine, cls: ClassValue) -> list[Instance]:
    """The fields of a record, those of its bases first: each with name, type, default, default_factory and init."""
    found: dict[str, Instance] = {}
    for one in reversed(cls.lineage):
        for name, hint in hints(machine, one).items():
            if name in one.annotations and _is_no_field(one.annotations[name]):
                continue
            default = resolved(machine, one.names.get(name, MISSING))
            factory: Value = MISSING
            is_given = not (
                isinstance(default, Instance) and default.cls in FIELDS and default.names.get("init") is False
            )
            if (isinstance(default, Instance) and default.cls == External("dataclasses.Field")) or (
                isinstance(default, Instance) and default.cls == External("msgspec.Field")
            ):
                default, factory = (default.names.get(part, MISSING) for part in ("default", "default_factory"))
            elif default is MISSING and (inner := _annotated(hint)) is not None:
                default = inner
            label = FieldName(name)
            label.owner = one
            names: dict[str, Value] = {"name": label, "type": hint, "default": default, "default_factory": factory}
            names["init"] = is_given
            found[name] = Instance(External("dataclasses.FieldOf"), names)
    return list(found.values())


def made(name: str, columns: list[Value], names: dict[str, Value], term: Term, frame: Frame) -> ClassValue:
    """A record class as a call makes it, of fields that are each a name, a type and perhaps a default."""
    cls = ClassValue(name, frame.module.path, term, (External("msgspec.Struct"),), dict(names))
    for column in columns:
        parts = column.values if isinstance(column, Items) else []
        if parts and isinstance(parts[0], str):
            cls.hints[str(parts[0])] = parts[1] if len(parts) > 1 else External("typing.Any")
            cls.places[str(parts[0])] = getattr(parts[0], "owner", cls).places.get(str(parts[0]), term)
            if len(parts) > 2:
                cls.names[str(parts[0])] = parts[2]
    return cls


def _annotated(hint: Value) -> Value | None:
    """`Field(default=...)` in the metadata of an `Annotated` type."""
    for one in getattr(hint, "args", ()):
        if isinstance(one, Instance) and one.cls in FIELDS and "default" in one.names:
            return one
    return None


def _is_no_field(annotation: Term) -> bool:
    return any(one.parts.get("id", one.parts.get("attr")) in ("ClassVar", "InitVar") for one in annotation.walk())


def default_of(machine: Machine, field: Instance, term: Term, frame: Frame) -> Value:
    """The value of a field that is not given; MISSING when it has to be."""
    default, factory = field.names["default"], field.names["default_factory"]
    if isinstance(default, Instance) and default.cls in FIELDS:
        default, factory = (default.names.get(part, MISSING) for part in ("default", "default_factory"))
    if factory not in (MISSING, None):
        return machine.call(factory, Arguments(), term, frame)
    return default


def instantiated(machine: Machine, cls: ClassValue, arguments: Arguments, term: Term, frame: Frame) -> Value:
    """A new instance of a class."""
    made = Instance(cls, depth=len(machine.path))
    init = machine.attribute(made, "__init__", term)
    if isinstance(init, FunctionValue):
        machine.call(init, arguments, term, frame)
        return made
    for base in cls.outside:
        if base.name in machine.functions:
            machine.call(base, arguments, term, frame)
            return made
    if is_enum(cls):
        return _member(cls, arguments, term)
    if is_record(cls):
        for place, field in enumerate(fields(machine, cls)):
            name = str(field.names["name"])
            if arguments.has(place, name):
                made.names[name] = arguments.get(place, name)
            elif (value := default_of(machine, field, term, frame)) is not MISSING:
                made.names[name] = value
        after = machine.attribute(made, "__post_init__", term)
        if isinstance(after, FunctionValue):
            machine.call(after, Arguments(), term, frame)
    return made


def _member(cls: ClassValue, arguments: Arguments, term: Term) -> Value:
    value = arguments.get(0, "value")
    for one in members(cls).values:
        if isinstance(one, Instance) and one.names.get("value") == value:
            return one
    return Unknown(term)


def members(cls: ClassValue) -> Items:
    """The members of an enumeration."""
    found = (one for one in cls.names.values() if isinstance(one, Instance) and one.cls is cls)
    return Items.of("list", found)
