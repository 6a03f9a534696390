"""Operators and comparisons over abstract values, and the entries of tables."""

import operator
from collections.abc import Callable, Iterable, Mapping

from auditor.code.interpretation.machine import Machine
from auditor.code.interpretation.symbolic import joined, reified
from auditor.code.interpretation.values import (
    ClassValue,
    External,
    FieldName,
    Hint,
    Instance,
    Item,
    Items,
    OneOf,
    Table,
    Unknown,
    Value,
    concrete,
    is_member,
    is_scalar,
    key,
)
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term
from auditor.code.values.bounded_arithmetic import result_size

_LARGEST = 10**6
_BINARY: Mapping[str, Callable[..., object]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "|": operator.or_, "&": operator.and_, "^": operator.xor, "<<": operator.lshift,
    ">>": operator.rshift, "**": operator.pow,
}  # fmt: skip
_WRONG = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)


_COMPARE: Mapping[str, Callable[..., bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
}  # fmt: skip


def spread(machine: Machine, into: Table, value: Value) -> None:
    """Put the entries of a mapping into a table."""
    for one in machine.each(value):
        since = machine.since(into.depth)
        if isinstance(one, Table):
            into.origin = into.origin or one.origin
            into.is_open |= one.is_open
            for entry, item in one.entries.items():
                into.entries[entry] = Item(item.value, (*since, *item.when))
        else:
            into.is_open = True


def store(machine: Machine, into: Table, at: Value, value: Value) -> None:
    """Set an entry of a table, under what of the path condition came after it was made."""
    for one in machine.each(at):
        try:
            entry = key(one)
        except ValueError:
            into.is_open = True
            continue
        when = machine.since(into.depth)
        before = into.entries.get(entry)
        if before is not None and when:
            value = machine.one_of([Item(before.value, _otherwise(when)), Item(value, when)])
            when = before.when
        if isinstance(value, Table) and isinstance(one, FieldName) and value.origin is None:
            value.origin = one
        into.entries[entry] = Item(value, when)


def _otherwise(when: tuple[Term, ...]) -> tuple[Term, ...]:
    return (negation(joined("and", list(when))),)


def binary(machine: Machine, term: Term, symbol: str, left: Value, right: Value) -> Value:
    if symbol == "|" and (is_type(left) or is_type(right)):
        return Hint(External("typing.Union"), (*_members(left), *_members(right)))
    if isinstance(left, Items) and isinstance(right, Items) and symbol in ("+", "|"):
        return Items(left.kind, [*left.items, *right.items], left.is_open or right.is_open, len(machine.path))
    if isinstance(left, Items) and symbol == "+" and isinstance(right, Unknown):
        return Items(left.kind, [*left.items], is_open=True, depth=len(machine.path))
    if isinstance(right, Items) and symbol == "+" and isinstance(left, Unknown):
        return Items(right.kind, [*right.items], is_open=True, depth=len(machine.path))
    if isinstance(left, Table) and symbol == "|":
        made = Table(dict(left.entries), left.is_open, len(machine.path))
        spread(machine, made, right)
        return made
    if symbol == "%" and isinstance(left, str):
        return _percent(term, left, right)
    try:
        both = concrete(left), concrete(right)
        if result_size(symbol, *both) > _LARGEST:
            return Unknown(term)
        return abstract(machine, _BINARY[symbol](*both))
    except (*_WRONG, KeyError):
        return Unknown(Term(term.type, {**term.parts, "left": reified(left, term), "right": reified(right, term)}))


def _percent(term: Term, left: str, right: Value) -> Value:
    try:
        return left % concrete(right) if len(left) < _LARGEST else Unknown(term)
    except (*_WRONG, MemoryError):
        return Unknown(term)


def is_type(value: Value) -> bool:
    return isinstance(value, type | ClassValue | External | Hint)


def _members(value: Value) -> tuple[object, ...]:
    if isinstance(value, Hint) and value.origin == External("typing.Union"):
        return value.args
    return (type(None),) if value is None else (value,)


def abstract(machine: Machine, value: object) -> Value:
    """A Python value as an abstract one."""
    if isinstance(value, list | tuple | set | frozenset):
        kind = "set" if isinstance(value, set | frozenset) else "list" if isinstance(value, list) else "tuple"
        ordered: Iterable[object] = sorted(value, key=repr) if kind == "set" else value
        return Items.of(kind, (abstract(machine, one) for one in ordered), len(machine.path))  # type: ignore[arg-type]
    if isinstance(value, dict):
        return Table({one: Item(abstract(machine, inner)) for one, inner in value.items()}, depth=len(machine.path))
    return value


def compare(machine: Machine, term: Term, symbol: str, left: Value, right: Value) -> Value:
    outcome = _compared(symbol, left, right)
    if outcome is not None:
        return outcome
    shown = Term(
        term.type,
        {
            "left": reified(left, term.term("left")),
            "operators": (symbol,),
            "comparators": (reified(right, term.terms("comparators")[0]),),
        },
    )
    held = machine.holds(shown)
    return Unknown(shown) if held is None else held


def _compared(symbol: str, left: Value, right: Value) -> bool | None:
    if symbol in ("in", "not in"):
        found = _contains(right, left)
        return found if found is None else found is (symbol == "in")
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return None
    if left != right and any(isinstance(side, External) and side.is_attribute for side in (left, right)):
        other = right if isinstance(left, External) and left.is_attribute else left
        if not is_type(other) or (isinstance(other, External) and other.is_attribute):
            return None
    if symbol in ("is", "is not"):
        if is_scalar(left) and is_scalar(right) and (left is None or right is None or isinstance(left, bool)):
            return (left is right) is (symbol == "is")
        is_same = left is right or (isinstance(left, External | Hint) and left == right)
        is_told = is_same or left is None or right is None or is_type(left) or is_type(right) or is_member(left)
        return is_same is (symbol == "is") if is_told else None
    try:
        return _COMPARE[symbol](concrete(left), concrete(right))
    except ValueError:
        pass
    except _WRONG:
        return None
    if symbol in ("==", "!=") and isinstance(left, Instance | ClassValue | External | Hint | type):
        if isinstance(left, Instance) and not is_member(left):
            return None
        return (left is right or left == right) is (symbol == "==")
    if symbol in ("==", "!=") and isinstance(left, Items) and isinstance(right, Items):
        return _same_items(left, right, is_equal=symbol == "==")
    return None


def _same_items(left: Items, right: Items, *, is_equal: bool) -> bool | None:
    try:
        both = [list(map(key, side.values)) for side in (left, right)]
    except ValueError:
        return None
    if left.is_open or right.is_open or any(item.when for item in (*left.items, *right.items)):
        return None
    is_same = set(both[0]) == set(both[1]) if left.kind == "set" else both[0] == both[1]
    return is_same is is_equal


def _contains(container: Value, value: Value) -> bool | None:
    if isinstance(value, Unknown):
        return None
    if isinstance(container, str):
        return value in container if isinstance(value, str) else None
    if isinstance(container, Table):
        held = container.entries.get(key_or_none(value))
        is_there = held is not None and not held.when
        return is_there if is_there or not (container.is_open or held) else None
    if isinstance(container, Items):
        found = [item for item in container.items if _compared("==", item.value, value)]
        if any(not item.when for item in found):
            return True
        is_sure = (
            not container.is_open and not found and not any(isinstance(v, Unknown | OneOf) for v in container.values)
        )
        return False if is_sure else None
    return None


def key_or_none(value: Value) -> object:
    try:
        return key(value)
    except ValueError:
        return object()
