"""Functions of Python and of the libraries that declare records, over abstract values."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING

from auditor.code.interpretation.attributes import FIELDS, hints
from auditor.code.interpretation.calls import Partial
from auditor.code.interpretation.classes import fields, is_record, made
from auditor.code.interpretation.expressions import truth
from auditor.code.interpretation.machine import Arguments, Handler, Machine
from auditor.code.interpretation.methods import copied
from auditor.code.interpretation.operators import abstract, is_type
from auditor.code.interpretation.values import (
    MISSING,
    ClassValue,
    External,
    FunctionValue,
    Hint,
    Instance,
    Item,
    Items,
    Table,
    Unknown,
    Value,
    concrete,
    is_scalar,
)
from auditor.code.syntax.term import Term

if TYPE_CHECKING:
    from auditor.code.interpretation.values import Frame

_WRONG = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)
_MOST_COMBINATIONS = 1_000
_LONGEST_RANGE = 2_000


def _plain(function: Callable[..., object]) -> Handler:
    """A function that is the same over values that are known."""

    def called(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
        def applied(*values: Value) -> Value:
            try:
                return abstract(machine, function(*map(concrete, values)))
            except _WRONG:
                return Unknown(term)

        return Unknown(term) if arguments.keywords else machine.lifted(applied, *arguments.args)

    return called


def _range(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    try:
        found = range(*map(concrete, arguments.args))  # type: ignore[call-overload] # a TypeError is an answer
    except _WRONG:
        return Unknown(term)
    return Items.of("list", found, len(machine.path)) if len(found) <= _LONGEST_RANGE else Unknown(term)


def _len(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    def length(value: Value) -> Value:
        try:
            return len(concrete(value))  # type: ignore[arg-type] # a TypeError is an answer
        except _WRONG:
            pass
        is_sure = isinstance(value, Items) and not value.is_open and not any(one.when for one in value.items)
        return len(value.items) if isinstance(value, Items) and is_sure else Unknown(term)

    return machine.lifted(length, arguments.get(0, "obj"))


def _enumerate(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    items, is_open = machine.iterated(arguments.get(0, "iterable"), term)
    start = arguments.get(1, "start", 0)
    first = start if isinstance(start, int) else 0
    pairs = [Item(Items.of("tuple", (at, one.value)), one.when) for at, one in enumerate(items, first)]
    return Items("list", pairs, is_open, len(machine.path))


def _zip(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    sides = [machine.iterated(value, term) for value in arguments.args]
    rows = zip(*(items for items, _ in sides), strict=False)
    found = [
        Item(Items.of("tuple", [one.value for one in row]), tuple(t for one in row for t in one.when)) for row in rows
    ]
    return Items("list", found, any(is_open for _, is_open in sides), len(machine.path))


def _product(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    sides = [machine.iterated(value, term) for value in arguments.args]
    found: list[Item] = []
    for row in product(*(items for items, _ in sides)):
        if len(found) > _MOST_COMBINATIONS:
            return Unknown(term)
        found.append(Item(Items.of("tuple", [one.value for one in row])))
    return Items("list", found, any(is_open for _, is_open in sides), len(machine.path))


def _chain(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    made = Items("list", depth=len(machine.path))
    for value in arguments.args:
        items, is_open = machine.iterated(value, term)
        made.items += items
        made.is_open |= is_open
    return made


def _sorted(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    items, is_open = machine.iterated(arguments.get(0, "iterable"), term)
    if not arguments.keywords:
        with suppress(*_WRONG):
            items = sorted(items, key=lambda one: concrete(one.value))  # type: ignore[arg-type,return-value]
    return Items("list", list(items), is_open, len(machine.path))


def _reversed(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    items, is_open = machine.iterated(arguments.get(0, "sequence"), term)
    return Items("list", items[::-1], is_open, len(machine.path))


def _next(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    items, is_open = machine.iterated(arguments.get(0, "iterator"), term)
    sure = next((at for at, one in enumerate(items) if not one.when), None)
    possible = items if sure is None else items[: sure + 1]
    if is_open and sure is None:
        return Unknown(term)
    if sure is None and len(arguments.args) > 1:
        possible = [*possible, Item(arguments.args[1])]
    return machine.one_of(possible) if possible else Unknown(term)


def _quantified(machine: Machine, arguments: Arguments, term: Term, is_all: bool) -> Value:
    items, is_open = machine.iterated(arguments.get(0, "iterable"), term)
    outcomes = [truth(machine, one.value, term) if not one.when else term for one in items]
    if any(outcome is (not is_all) for outcome in outcomes):
        return not is_all
    return is_all if not is_open and all(outcome is is_all for outcome in outcomes) else Unknown(term)


def _map(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:
    items, is_open = machine.iterated(arguments.get(1, "iterable"), term)
    found = [Item(machine.call(arguments.args[0], Arguments([one.value]), term, frame), one.when) for one in items]
    return Items("list", found, is_open, len(machine.path))


def _isinstance(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    return machine.lifted(lambda value, cls: _is_of(value, cls, term), *arguments.args[:2])


def _is_of(value: Value, cls: Value, term: Term) -> Value:
    if isinstance(cls, Items | Hint):
        members = cls.values if isinstance(cls, Items) else cls.args
        found = [_is_of(value, one, term) for one in members]
        return True if True in found else False if all(one is False for one in found) else Unknown(term)
    if isinstance(value, Unknown) or isinstance(cls, Unknown):
        return Unknown(term)
    if cls is type:
        return isinstance(value, ClassValue | type) and not isinstance(value, Hint)
    if isinstance(value, Instance):
        return _derives(value.cls, cls, term)
    if isinstance(value, Items | Table):
        own = dict if isinstance(value, Table) else {"list": list, "tuple": tuple, "set": set}[value.kind]
        return own is cls if isinstance(cls, type) else Unknown(term) if isinstance(cls, External) else False
    if is_scalar(value):
        return isinstance(value, cls) if isinstance(cls, type) else False
    return Unknown(term)


def _issubclass(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    return machine.lifted(lambda value, cls: _derives(value, cls, term), *arguments.args[:2])


def _derives(own: Value, cls: Value, term: Term) -> Value:
    if isinstance(cls, Items | tuple):
        found = [_derives(own, one, term) for one in (cls.values if isinstance(cls, Items) else cls)]
        return True if True in found else False if all(one is False for one in found) else Unknown(term)
    if isinstance(own, ClassValue):
        if isinstance(cls, ClassValue):
            return (
                True if cls in own.lineage else Unknown(term) if own.outside and not cls.lineage else cls in own.lineage
            )
        if isinstance(cls, External):
            return True if any(base.last == cls.last for base in own.outside) else _not_for_sure(own, term)
        return isinstance(cls, type) and any(base is cls for one in own.lineage for base in one.bases)
    if isinstance(own, External):
        return own.last == cls.last if isinstance(cls, External) else Unknown(term) if isinstance(cls, type) else False
    if isinstance(own, type) and isinstance(cls, type):
        return issubclass(own, cls)
    return Unknown(term) if isinstance(own, Unknown) or isinstance(cls, Unknown) else False


def _not_for_sure(own: ClassValue, term: Term) -> Value:
    known = ("ABC", "BaseModel", "Struct", "Protocol", "Generic", "Enum", "IntEnum", "StrEnum", "object")
    is_known = all(base.last in known for base in own.outside) and not any(
        isinstance(base, Unknown) for one in own.lineage for base in one.bases
    )
    return False if is_known else Unknown(term)


def _getattr(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    name = arguments.get(1, "name")
    if not isinstance(name, str) or not arguments.args:
        return Unknown(term)
    shown = Term("Attribute", {"value": term.terms("args")[0], "attr": str(name)}) if term.type == "Call" else term
    found = machine.lifted(lambda owner: machine.attribute(owner, str(name), shown), arguments.args[0])
    if isinstance(found, Unknown) and len(arguments.args) > 2 and not isinstance(arguments.args[0], Unknown):
        return arguments.args[2] if isinstance(arguments.args[0], ClassValue | Instance | type | Hint) else found
    return found


def _hasattr(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:
    found = _getattr(machine, arguments, term, frame)
    is_own = bool(arguments.args) and isinstance(arguments.args[0], ClassValue | Instance)
    return Unknown(term) if isinstance(found, Unknown) and not is_own else not isinstance(found, Unknown)


def _setattr(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    owner, name = arguments.get(0, "obj"), arguments.get(1, "name")
    if isinstance(owner, Instance | ClassValue) and isinstance(name, str):
        owner.names[str(name)] = arguments.get(2, "value")
    return None


def _fields(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    def found(cls: Value) -> Value:
        own = cls.cls if isinstance(cls, Instance) else cls
        return (
            Items.of("tuple", fields(machine, own), len(machine.path)) if isinstance(own, ClassValue) else Unknown(term)
        )

    return machine.lifted(found, arguments.get(0, "class_or_instance"))


def _is_dataclass(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    value = arguments.get(0, "obj")
    if isinstance(value, Unknown):
        return Unknown(term)
    own = value.cls if isinstance(value, Instance) else value
    return is_record(own) and not any(base.last in ("Struct", "BaseModel") for base in own.outside)  # type: ignore[attr-defined]


def _field(kind: External) -> Handler:
    def made(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
        names: dict[str, Value] = {"default_factory": MISSING}
        if kind != FIELDS[1] and arguments.args:
            names["default"] = arguments.args[0]
        if kind == FIELDS[0]:
            names["default_factory"] = None
        names |= arguments.keywords
        return Instance(kind, names)

    return made


def _type_hints(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    cls = arguments.get(0, "obj")
    if not isinstance(cls, ClassValue):
        return Unknown(term)
    found: dict[object, Item] = {}
    for one in reversed(cls.lineage):
        found |= {name: Item(hint) for name, hint in hints(machine, one).items()}
    return Table(found, depth=len(machine.path))


def _vars(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    owner = arguments.get(0, "object")
    if not isinstance(owner, ClassValue | Instance):
        return Unknown(term)
    return Table({name: Item(value) for name, value in owner.names.items()}, depth=len(machine.path))


def _defstruct(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    name, columns = arguments.get(0, "name"), arguments.get(1, "fields")
    namespace = arguments.get(-1, "namespace")
    if not isinstance(name, str) or not isinstance(columns, Items) or columns.is_open:
        return Unknown(term)
    names = namespace.entries if isinstance(namespace, Table) else {}
    return made(name, columns.values, {str(one): held.value for one, held in names.items()}, term, frame)


def _origin(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    def found(value: Value) -> Value:
        if isinstance(value, Hint):
            is_optional = value.origin == External("typing.Optional")
            return External("typing.Union") if is_optional else value.origin
        return Unknown(term) if isinstance(value, Unknown) else None

    return machine.lifted(found, arguments.get(0, "tp"))


def _args(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    def found(value: Value) -> Value:
        if isinstance(value, Hint):
            optional = (type(None),) if value.origin == External("typing.Optional") else ()
            is_union = value.origin in (External("typing.Union"), External("typing.Optional"))
            args = [type(None) if one is None and is_union else one for one in value.args]
            return Items.of("tuple", (*_flat(args, value.origin), *optional), len(machine.path))
        return Unknown(term) if isinstance(value, Unknown) else Items("tuple", depth=len(machine.path))

    return machine.lifted(found, arguments.get(0, "tp"))


def _flat(args: Sequence[Value], origin: object) -> list[Value]:
    """Unions in a union, and literals of literals, are one."""
    found: list[Value] = []
    for one in args:
        if isinstance(one, Hint) and one.origin == origin and origin in _FLAT:
            found += _flat(one.args, origin)
        else:
            found.append(one)
    return found


_FLAT = (External("typing.Union"), External("typing.Literal"))


def _first(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    return arguments.args[-1] if arguments.args else Unknown(term)


def _copied(is_deep: bool) -> Handler:
    return lambda machine, arguments, term, _: machine.lifted(
        lambda value: copied(machine, value, is_deep=is_deep), arguments.args[0] if arguments.args else Unknown(term)
    )


def _environment(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    return arguments.get(1, "default") if machine.is_environment_empty else Unknown(term)


def _partial(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    if not arguments.args or not isinstance(arguments.args[0], FunctionValue | ClassValue | External):
        return Unknown(term)
    return Partial(arguments.args[0], Arguments(arguments.args[1:], arguments.keywords, arguments.is_open))


def _nothing(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    return None


def _callable(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG001
    value = arguments.get(0, "obj")
    if isinstance(value, Unknown | External):
        return Unknown(term)
    return isinstance(value, FunctionValue) or is_type(value)


FUNCTIONS: Mapping[str, Handler] = {
    "builtins.len": _len, "builtins.range": _range, "builtins.enumerate": _enumerate, "builtins.zip": _zip,
    "builtins.sorted": _sorted, "builtins.reversed": _reversed, "builtins.next": _next, "builtins.iter": _first,
    "builtins.all": lambda m, a, t, _: _quantified(m, a, t, True),
    "builtins.any": lambda m, a, t, _: _quantified(m, a, t, False),
    "builtins.map": _map, "builtins.min": _plain(min), "builtins.max": _plain(max), "builtins.sum": _plain(sum),
    "builtins.abs": _plain(abs), "builtins.round": _plain(round), "builtins.repr": _plain(repr),
    "builtins.isinstance": _isinstance, "builtins.issubclass": _issubclass, "builtins.callable": _callable,
    "builtins.getattr": _getattr, "builtins.hasattr": _hasattr, "builtins.setattr": _setattr,
    "builtins.print": _nothing,
    "dataclasses.fields": _fields, "msgspec.structs.fields": _fields, "dataclasses.is_dataclass": _is_dataclass,
    "dataclasses.field": _field(FIELDS[1]), "pydantic.Field": _field(FIELDS[0]),
    "pydantic.fields.Field": _field(FIELDS[0]),
    "msgspec.field": _field(FIELDS[2]), "msgspec.defstruct": _defstruct, "dataclasses.make_dataclass": _defstruct,
    "builtins.vars": _vars,
    "typing.get_type_hints": _type_hints, "typing.get_origin": _origin, "typing.get_args": _args, "typing.cast": _first,
    "typing_extensions.get_type_hints": _type_hints, "typing_extensions.get_origin": _origin,
    "typing_extensions.get_args": _args,
    "copy.copy": _copied(False), "copy.deepcopy": _copied(True), "functools.partial": _partial,
    "itertools.product": _product, "itertools.chain": _chain,
    "itertools.chain.from_iterable": lambda m, a, t, f: _chain(
        m, Arguments([one.value for one in m.iterated(a.get(0, "iterable"), t)[0]]), t, f),
    "os.getenv": _environment, "os.environ.get": _environment,
}  # fmt: skip
