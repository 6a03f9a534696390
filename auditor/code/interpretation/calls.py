"""Calls: of functions of the code base, of its classes, and of what is outside."""

from typing import TYPE_CHECKING

from auditor.code.interpretation.classes import instantiated
from auditor.code.interpretation.machine import Arguments, Completion, Machine, negated
from auditor.code.interpretation.methods import METHODS, constructed
from auditor.code.interpretation.symbolic import reified
from auditor.code.interpretation.values import (
    ClassValue,
    External,
    Frame,
    FunctionValue,
    Instance,
    Item,
    Items,
    Method,
    Table,
    Unknown,
    Value,
)
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

_DEEPEST = 30
_MOST_RECURSIVE = 8


def call(machine: Machine, callee: Value, arguments: Arguments, term: Term, frame: Frame) -> Value:
    """What a call gives."""
    if isinstance(callee, FunctionValue):
        return _function(machine, callee, arguments, term)
    if isinstance(callee, ClassValue):
        return instantiated(machine, callee, arguments, term, frame)
    if isinstance(callee, Method):
        return METHODS[callee.name](machine, callee.receiver, arguments, term)
    if isinstance(callee, type):
        return constructed(machine, callee, arguments, term)
    if isinstance(callee, Partial):
        keywords = callee.arguments.keywords | arguments.keywords
        is_open = callee.arguments.is_open or arguments.is_open
        return call(
            machine, callee.callee, Arguments([*callee.arguments.args, *arguments.args], keywords, is_open), term, frame
        )
    if isinstance(callee, External):
        if (handler := machine.functions.get(callee.name)) is not None:
            return handler(machine, arguments, term, frame)
        attr = callee.last
    elif isinstance(callee, Instance):
        method = machine.attribute(callee, "__call__", term)
        return (
            _function(machine, method, arguments, term)
            if isinstance(method, FunctionValue)
            else _symbolic(callee, term)
        )
    else:
        attr = str(callee.term.parts.get("attr", "")) if isinstance(callee, Unknown) else ""
    if attr in machine.methods:
        return machine.methods[attr](machine, arguments, term, frame)
    if isinstance(callee, Unknown) and machine.on_unknown is not None:
        machine.on_unknown(machine, arguments, term, frame)
    if attr in machine.candidates and isinstance(callee, Unknown):
        return _dispatched(machine, callee, attr, arguments, term)
    return _symbolic(callee, term)


class Partial:
    """`functools.partial`."""

    def __init__(self, callee: Value, arguments: Arguments) -> None:
        self.callee = callee
        self.arguments = arguments


def _symbolic(callee: Value, term: Term) -> Unknown:
    if term.type != "Call":
        return Unknown(term)
    return Unknown(Term("Call", {**term.parts, "func": reified(callee, term.term("func"))}, term.region))


def _dispatched(machine: Machine, callee: Unknown, attr: str, arguments: Arguments, term: Term) -> Value:
    """A method of an unknown receiver: that of each class which has one, where the receiver is of it."""
    receiver = callee.term.parts.get("value")
    found: list[Item] = []
    if any(one.name == attr for one in machine.stack):
        return _symbolic(callee, term)  # nothing new: it is being tried already
    for path, owner in machine.candidates[attr]:
        cls = machine.attribute(machine.module(path), owner, name(owner))
        if not isinstance(cls, ClassValue):
            continue
        shown = receiver if isinstance(receiver, Term) else name("self")
        test = Term("Comparison", {"left": shown, "operators": ("is",), "comparators": (name(cls.name),)})
        with machine.assuming([test]) as is_possible:
            if is_possible:
                method = machine.attribute(cls, attr, callee.term)
                if isinstance(method, FunctionValue):
                    if not method.is_bound and _takes_receiver(method):
                        instance = Instance(cls, term=shown, depth=len(machine.path))
                        method = method.bound_to(instance, method.cls)
                    found.append(Item(_function(machine, method, arguments, term), (test,)))
    return machine.one_of(found) if found else _symbolic(callee, term)


def _takes_receiver(method: FunctionValue) -> bool:
    marks = {str(mark.parts.get("attr") or mark.parts.get("id")) for mark in method.term.terms("decorators")}
    return "staticmethod" not in marks


def _function(machine: Machine, callee: FunctionValue, arguments: Arguments, term: Term) -> Value:
    machine.step()
    recursive = sum(1 for one in machine.stack if one.term is callee.term)
    if len(machine.stack) > _DEEPEST or recursive > _MOST_RECURSIVE or not machine.is_followed(callee):
        return _symbolic(callee, term)
    frame = entered(machine, callee, arguments)
    machine.stack.append(callee)
    try:
        if callee.term.type == "Lambda":
            return machine.evaluate(callee.term.term("body"), frame)
        completion = machine.execute(callee.term.terms("body"), frame)
    finally:
        machine.stack.pop()
    if frame.yielded is not None:
        return Items("list", frame.yielded, depth=len(machine.path))
    if not frame.returned:
        return None
    if completion is Completion.NORMAL:
        frame.returned.append(Item(None, negated(frame.returned[-1].when)))
    return machine.one_of(frame.returned)


def entered(machine: Machine, callee: FunctionValue, arguments: Arguments | None) -> Frame:
    """The frame of a call, its parameters bound; with no arguments, they are symbolic, but for the receiver."""
    around = callee.frame.outer if callee.frame.is_body and callee.frame.cls is not None else callee.frame
    frame = Frame(callee.frame.module, outer=around, cls=callee.cls, depth=len(machine.path))
    frame.receiver, frame.function = callee.receiver, callee
    if callee.term.type == "FunctionDef" and _yields(callee.term.terms("body")):
        frame.yielded = []
    args: list[Value] = [*([callee.receiver] if callee.is_bound else []), *(arguments.args if arguments else [])]
    keywords = dict(arguments.keywords) if arguments else {}
    for param in callee.term.terms("params"):
        local, kind = param.text("name"), param.text("kind")
        if kind == "*":
            frame.names[local] = Items.of("tuple", args, len(machine.path))
            args = []
        elif kind == "**":
            rest: dict[object, Item] = {one: Item(value) for one, value in keywords.items()}
            frame.names[local] = Table(rest, arguments is None or arguments.is_open, len(machine.path))
        elif kind == "positional" and args:
            frame.names[local] = args.pop(0)
        elif local in keywords:
            frame.names[local] = keywords.pop(local)
        elif arguments is not None and not arguments.is_open and isinstance(param.parts["default"], Term):
            default = param.term("default")
            is_evaluated = local in callee.defaults
            frame.names[local] = callee.defaults[local] if is_evaluated else machine.evaluate(default, callee.frame)
        else:
            frame.names[local] = Unknown(name(local))
    if frame.receiver is None and callee.cls is not None and callee.term.type == "FunctionDef":
        first = next(iter(callee.term.terms("params")), None)
        frame.receiver = frame.names.get(first.text("name")) if first is not None else None
    return frame


def _yields(statements: "Sequence[Term]") -> bool:
    pending = list(statements)
    while pending:
        one = pending.pop()
        if one.type in ("Yield", "YieldFrom"):
            return True
        if one.type not in ("FunctionDef", "Lambda", "ClassDef"):
            pending.extend(one.children())
    return False
