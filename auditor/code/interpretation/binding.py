"""What assignments, deletions and joined paths do to names, attributes and items."""

from typing import TYPE_CHECKING

from auditor.code.interpretation.machine import Machine, negated
from auditor.code.interpretation.operators import store
from auditor.code.interpretation.symbolic import reified
from auditor.code.interpretation.values import (
    ClassValue,
    Instance,
    Item,
    Items,
    ModuleValue,
    Table,
    Unknown,
    Value,
    key,
)
from auditor.code.syntax.term import Term

if TYPE_CHECKING:
    from auditor.code.interpretation.values import Frame


def bind(machine: Machine, target: Term, value: Value, frame: "Frame") -> None:
    """Assign a value to a name, an attribute, an item, or parts of it to several."""
    match target.type:
        case "Name":
            _holder(frame, target.text("id"))[target.text("id")] = value
        case "Tuple" | "List":
            _unpack(machine, target, value, frame)
        case "Starred":
            bind(machine, target.term("value"), value, frame)
        case "Attribute":
            for owner in machine.each(machine.evaluate(target.term("value"), frame)):
                _set_attribute(machine, owner, target.text("attr"), value)
        case "Subscript":
            at = machine.evaluate(target.terms("slice")[0], frame) if len(target.terms("slice")) == 1 else None
            for owner in machine.each(machine.evaluate(target.term("value"), frame)):
                if isinstance(owner, Table):
                    store(machine, owner, at, value)
                elif isinstance(owner, Items) and isinstance(at, int) and -len(owner.items) <= at < len(owner.items):
                    owner.items[at] = Item(value, owner.items[at].when)
        case _:
            pass


def _holder(frame: "Frame", local: str) -> dict[str, Value]:
    if local in frame.globals:
        return frame.module.names
    at: Frame | None = frame
    while local in frame.outers and at is not None:
        at = at.outer
        if at is not None and local in at.names:
            return at.names
    return frame.names


def _unpack(machine: Machine, target: Term, value: Value, frame: "Frame") -> None:
    targets = target.terms("elements")
    for one in machine.each(value):
        items, is_open = machine.iterated(one, target)
        values = [item.value for item in items]
        starred = next((at for at, element in enumerate(targets) if element.type == "Starred"), None)
        if is_open or any(item.when for item in items) or (starred is None and len(values) != len(targets)):
            for place, element in enumerate(targets):
                at = Term("Literal", {"value": place})
                bind(
                    machine, element, Unknown(Term("Subscript", {"value": reified(one, target), "slice": (at,)})), frame
                )
        elif starred is None:
            for element, inner in zip(targets, values, strict=True):
                bind(machine, element, inner, frame)
        else:
            after = len(targets) - starred - 1
            end = len(values) - after
            rest = Items.of("list", values[starred:end], len(machine.path))
            for element, inner in zip(targets, [*values[:starred], rest, *values[end:]], strict=False):
                bind(machine, element, inner, frame)


def _set_attribute(machine: Machine, owner: Value, attr: str, value: Value) -> None:
    if isinstance(owner, Instance):
        when = machine.since(owner.depth)
        if when and attr in owner.names:
            value = machine.one_of([Item(owner.names[attr], negated(when)), Item(value, when)])
        owner.names[attr] = value
    elif isinstance(owner, ClassValue | ModuleValue):
        owner.names[attr] = value


def removed(machine: Machine, target: Term, frame: "Frame") -> None:
    """`del`."""
    if target.type == "Name":
        frame.names.pop(target.text("id"), None)
    elif target.type == "Subscript" and len(target.terms("slice")) == 1:
        at = machine.evaluate(target.terms("slice")[0], frame)
        for owner in machine.each(machine.evaluate(target.term("value"), frame)):
            if isinstance(owner, Table) and not machine.since(owner.depth):
                try:
                    owner.entries.pop(key(at), None)
                except ValueError:
                    owner.is_open = True


def merged(
    machine: Machine, first: tuple[Term, dict[str, Value]], second: tuple[Term, dict[str, Value]]
) -> dict[str, Value]:
    """The names after two paths, each under its test."""
    found: dict[str, Value] = {}
    for local in {**first[1], **second[1]}:
        ways = [(test, names[local]) for test, names in (first, second) if local in names]
        if len(ways) == 2 and _is_same(ways[0][1], ways[1][1]):
            found[local] = ways[0][1]
        else:
            found[local] = machine.one_of([Item(value, (test,)) for test, value in ways])
    return found


def _is_same(left: Value, right: Value) -> bool:
    return left is right or (isinstance(left, str | int | float) and type(left) is type(right) and left == right)
