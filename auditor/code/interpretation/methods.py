"""Methods of strings and containers, and what calling a built-in type gives."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from auditor.code.interpretation.expressions import item
from auditor.code.interpretation.machine import Arguments, Machine
from auditor.code.interpretation.operators import abstract, spread, store
from auditor.code.interpretation.symbolic import reified
from auditor.code.interpretation.values import (
    ClassValue,
    FieldName,
    Hint,
    Instance,
    Item,
    Items,
    Table,
    Unknown,
    Value,
    concrete,
    key,
)
from auditor.code.syntax.term import Term

_WRONG = (TypeError, ValueError, LookupError, AttributeError, OverflowError)
_LARGEST = 10**6


def _of_string(name: str) -> "Callable[[Machine, Any, Arguments, Term], Value]":
    def called(machine: Machine, receiver: Value, arguments: Arguments, term: Term) -> Value:
        if not isinstance(receiver, str):
            return _either(name, receiver, arguments, term)
        try:
            args = [concrete(arg) for arg in arguments.args]
            keywords = {one: concrete(value) for one, value in arguments.keywords.items()}
            if not _is_harmless(name, receiver, args):
                return Unknown(term)
            found = getattr(receiver, name)(*args, **keywords)
            return abstract(machine, found) if not isinstance(found, str) or len(found) < _LARGEST else Unknown(term)
        except _WRONG:
            return Unknown(_with_receiver(term, receiver))

    return called


def _is_harmless(name: str, receiver: str, args: list[object]) -> bool:
    """Whether a method's result is no larger than a person would write."""
    if name == "format":
        return len(receiver) < 10_000 and _PLAIN.fullmatch(receiver) is not None
    return name != "replace" or len(receiver) * max((len(str(arg)) for arg in args), default=0) < _LARGEST


_PLAIN = re.compile(r"(?:[^{}]|\{\{|\}\}|\{\w*\})*")


def _with_receiver(term: Term, receiver: Value) -> Term:
    func = term.parts.get("func")
    if isinstance(func, Term) and func.type == "Attribute":
        func = Term("Attribute", {**func.parts, "value": reified(receiver, func.term("value"))})
        return Term(term.type, {**term.parts, "func": func}, term.region)
    return term


def _either(name: str, receiver: Value, arguments: Arguments, term: Term) -> Value:
    """`count`, `index` and the like of a list."""
    if isinstance(receiver, Items):
        try:
            return getattr(concrete(receiver), name)(*map(concrete, arguments.args))
        except _WRONG:
            pass
    return Unknown(term)


def _append(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:  # noqa: ARG001 # as all
    if isinstance(receiver, Items):
        receiver.items.append(Item(arguments.get(0, "object"), machine.since(receiver.depth)))
    return None


def _extend(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:
    """`extend` of a list, `update` of a set or a dict."""
    if isinstance(receiver, Table):
        for value in arguments.args:
            spread(machine, receiver, value)
        for name, value in arguments.keywords.items():
            store(machine, receiver, name, value)
    elif isinstance(receiver, Items):
        since = machine.since(receiver.depth)
        for value in arguments.args:
            more, is_open = machine.iterated(value, term)
            receiver.items += [Item(one.value, (*since, *one.when)) for one in more]
            receiver.is_open |= is_open
    return None


def _insert(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:  # noqa: ARG001 # as all
    at = arguments.get(0, "index")
    if isinstance(receiver, Items) and isinstance(at, int):
        receiver.items.insert(at, Item(arguments.get(1, "object"), machine.since(receiver.depth)))
    return None


def _remove(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:  # noqa: ARG001 # as all
    value = arguments.get(0, "value")
    if isinstance(receiver, Items):
        if machine.since(receiver.depth):
            receiver.is_open = True
        else:
            receiver.items = [one for one in receiver.items if one.value != value]
    return None


def _pop(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:
    at = arguments.get(0, "key", -1)
    if isinstance(receiver, Items) and isinstance(at, int) and receiver.items and not machine.since(receiver.depth):
        return receiver.items.pop(at).value if -len(receiver.items) <= at < len(receiver.items) else Unknown(term)
    if isinstance(receiver, Table):
        found = _get(machine, receiver, arguments, term)
        try:
            entry = key(at)
            if machine.since(receiver.depth) and entry in receiver.entries:
                receiver.is_open = True
            else:
                receiver.entries.pop(entry, None)
        except ValueError:
            receiver.is_open = True
        return found
    return Unknown(term)


def _get(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:
    if not isinstance(receiver, Table):
        return Unknown(term)
    default = arguments.get(1, "default")

    def found(at: Value) -> Value:
        try:
            entry = key(at)
        except ValueError:
            return Unknown(term)
        held = receiver.entries.get(entry)
        if held is not None and not held.when:
            return held.value
        if held is not None:
            return machine.one_of([held, Item(default)])
        return Unknown(term) if receiver.is_open else default

    return machine.lifted(found, arguments.get(0, "key"))


def _setdefault(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:
    at = arguments.get(0, "key")
    if isinstance(receiver, Table):
        try:
            held = receiver.entries.get(key(at))
        except ValueError:
            return Unknown(term)
        if held is None:
            store(machine, receiver, at, arguments.get(1, "default"))
        return item(machine, term, receiver, at)
    return Unknown(term)


def _keys(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:  # noqa: ARG001 # as all
    return Items(
        "list",
        [Item(_key(one), held.when) for one, held in receiver.entries.items()],
        receiver.is_open,
        len(machine.path),
    )


def _values(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:  # noqa: ARG001 # as all
    return Items("list", list(receiver.entries.values()), receiver.is_open, len(machine.path))


def _items(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:  # noqa: ARG001 # as all
    pairs = [Item(Items.of("tuple", (_key(one), held.value)), held.when) for one, held in receiver.entries.items()]
    return Items("list", pairs, receiver.is_open, len(machine.path))


def _key(entry: object) -> Value:
    return Items.of("tuple", entry) if isinstance(entry, tuple) else entry


def _copy(machine: Machine, receiver: Any, arguments: Arguments, term: Term) -> Value:  # noqa: ARG001 # as all
    return copied(machine, receiver, is_deep=False)


def copied(machine: Machine, value: Value, *, is_deep: bool) -> Value:
    """A copy of a container or an instance."""
    again = (lambda one: copied(machine, one, is_deep=True)) if is_deep else (lambda one: one)
    depth = len(machine.path)
    if isinstance(value, Items):
        return Items(value.kind, [Item(again(one.value), one.when) for one in value.items], value.is_open, depth)
    if isinstance(value, Table):
        entries = {one: Item(again(held.value), held.when) for one, held in value.entries.items()}
        return Table(entries, value.is_open, depth, value.origin)
    if isinstance(value, Instance) and value.term is None and isinstance(value.cls, ClassValue):
        return Instance(value.cls, {one: again(inner) for one, inner in value.names.items()}, depth=depth)
    return value


def constructed(machine: Machine, cls: type, arguments: Arguments, term: Term) -> Value:
    """What calling a built-in type gives."""
    if cls in (list, tuple, set, frozenset):
        kind = "set" if cls in (set, frozenset) else "list" if cls is list else "tuple"
        if not arguments.args:
            return Items(kind, depth=len(machine.path))  # type: ignore[arg-type] # one of the three

        def gathered(value: Value) -> Value:
            items, is_open = machine.iterated(value, term)
            if kind == "set":
                items = _unique(items)
            if is_open and not items:
                return value if isinstance(value, Unknown) else Items(kind, [], True, len(machine.path))  # type: ignore[arg-type]
            return Items(kind, list(items), is_open, len(machine.path))  # type: ignore[arg-type] # as above

        return machine.lifted(gathered, arguments.args[0])
    if cls is dict:
        return _dict(machine, arguments, term)
    if cls is type and len(arguments.args) == 1:
        return machine.lifted(_class_of, arguments.args[0])
    if not arguments.args and not arguments.is_open:
        return cls() if cls in (str, int, float, bool, bytes) else Unknown(term)

    def converted(*values: Value) -> Value:
        try:
            if cls is str and isinstance(values[0], ClassValue | Hint):
                return Unknown(term)
            return cls(*map(concrete, values))
        except _WRONG:
            return Unknown(term)

    return machine.lifted(converted, *arguments.args)


def _unique(items: list[Item]) -> list[Item]:
    found: dict[object, Item] = {}
    for one in items:
        try:
            found.setdefault(key(one.value), one)
        except ValueError:
            found[id(one)] = one
    return list(found.values())


def _dict(machine: Machine, arguments: Arguments, term: Term) -> Value:
    made = Table(depth=len(machine.path), is_open=arguments.is_open)
    for value in arguments.args[:1]:
        if isinstance(value, Table):
            spread(machine, made, value)
            made.origin = value.origin
            continue
        pairs, is_open = machine.iterated(value, term)
        made.is_open |= is_open
        for pair in pairs:
            if isinstance(pair.value, Items) and len(pair.value.items) == 2:
                store(machine, made, *pair.value.values)
            else:
                made.is_open = True
    for name, inner in arguments.keywords.items():
        made.entries[name] = Item(inner)
    if arguments.origin is not None and isinstance(arguments.owner, ClassValue):
        made.origin = FieldName(arguments.origin)
        made.origin.owner = arguments.owner
    return made


def _class_of(value: Value) -> Value:
    if isinstance(value, Instance):
        return value.cls
    if value is None or isinstance(value, str | int | float | bool | bytes):
        return str if isinstance(value, str) else type(value)
    if isinstance(value, Items):
        return {"list": list, "tuple": tuple, "set": set}[value.kind]
    return dict if isinstance(value, Table) else type if isinstance(value, ClassValue | type) else Unknown(_NO)


_NO = Term("Name", {"id": "type"})

METHODS: Mapping[str, Callable[[Machine, Any, Arguments, Term], Value]] = {
    **{one: _of_string(one) for one in (
        "capitalize", "count", "endswith", "find", "format", "isdigit", "join", "lower", "lstrip", "partition",
        "removeprefix", "removesuffix", "replace", "rpartition", "rsplit", "rstrip", "split", "splitlines",
        "startswith", "strip", "title", "upper", "index", "union", "reverse", "sort",
    )},
    "add": _append, "append": _append, "extend": _extend, "update": _extend, "insert": _insert, "remove": _remove,
    "discard": _remove, "pop": _pop, "get": _get, "setdefault": _setdefault, "keys": _keys, "values": _values,
    "items": _items, "copy": _copy,
}  # fmt: skip
