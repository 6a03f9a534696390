"""Statements, executed over abstract values: a test that is not known splits the path."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from auditor.code.interpretation.attributes import Imported
from auditor.code.interpretation.binding import bind, merged, removed
from auditor.code.interpretation.classes import defined
from auditor.code.interpretation.machine import Completion, Machine
from auditor.code.interpretation.operators import binary
from auditor.code.interpretation.symbolic import reified
from auditor.code.interpretation.values import FunctionValue, Item, Items, ModuleValue, Unknown, Value
from auditor.code.phrases import CAUGHT
from auditor.code.syntax.normal_forms import name, negation
from auditor.code.syntax.term import Term

if TYPE_CHECKING:
    from auditor.code.interpretation.values import Frame

_MOST_ROUNDS = 5_000


def execute(machine: Machine, statements: Sequence[Term], frame: "Frame") -> Completion:
    """Run statements, and how they end. What stands after `if x: return` runs where `x` does not hold."""
    added: list[list[str]] = []
    try:
        for statement in statements:
            machine.step()
            executor = _EXECUTORS.get(statement.type)
            if executor is None:
                continue
            completion, left = executor(machine, statement, frame)
            if completion is not Completion.NORMAL:
                return completion
            if left is not None:
                added.append(machine.keep_assuming([left]))
    finally:
        for one in reversed(added):
            machine.forget(one)
    return Completion.NORMAL


_Outcome = tuple[Completion, Term | None]
"""How a statement ends, and what holds from then on."""
_NORMAL: _Outcome = (Completion.NORMAL, None)


def _expression(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    value = statement.term("value")
    if value.type in ("Yield", "YieldFrom"):
        _yielded(machine, value, frame)
    else:
        machine.evaluate(value, frame)
    return _NORMAL


def _yielded(machine: Machine, term: Term, frame: "Frame") -> None:
    inner = term.parts.get("value")
    value = machine.evaluate(inner, frame) if isinstance(inner, Term) else None
    if frame.yielded is not None:
        since = machine.since(frame.depth)
        if term.type == "YieldFrom":
            frame.yielded += [Item(one.value, (*since, *one.when)) for one in machine.iterated(value, term)[0]]
        else:
            frame.yielded.append(Item(value, since))


def _assign(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    value = machine.evaluate(statement.term("value"), frame)
    for target in statement.terms("targets"):
        bind(machine, target, value, frame)
        _annotate(statement, target, frame)
    return _NORMAL


def _declare(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:  # noqa: ARG001 # as every executor
    for target in statement.terms("targets"):
        _annotate(statement, target, frame)
    return _NORMAL


def _annotate(statement: Term, target: Term, frame: "Frame") -> None:
    if frame.cls is not None and frame.is_body and target.type == "Name":
        local = target.text("id")
        frame.cls.places[local] = statement
        if statement.annotation is not None:
            frame.cls.annotations[local] = statement.annotation


def _augmented(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    target = statement.term("target")
    before = machine.evaluate(target, frame)
    by = machine.evaluate(statement.term("value"), frame)
    symbol = statement.text("operator")
    if isinstance(before, Items) and before.kind != "tuple" and symbol in ("+", "|"):  # in place
        more, is_open = machine.iterated(by, statement)
        since = machine.since(before.depth)
        before.items += [Item(one.value, (*since, *one.when)) for one in more]
        before.is_open |= is_open
        return _NORMAL
    shown = Term("BinaryOperation", {"left": target, "operator": symbol, "right": statement.term("value")})
    bind(machine, target, machine.lifted(lambda a, b: binary(machine, shown, symbol, a, b), before, by), frame)
    return _NORMAL


def _if(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    outcome = machine.test(statement.term("test"), frame)
    if isinstance(outcome, bool):
        return machine.execute(statement.terms("body" if outcome else "orelse"), frame), None
    opposite = negation(outcome)
    before = dict(frame.names)
    ways: list[tuple[Term, Completion, dict[str, Value]]] = []
    for test, block in ((outcome, "body"), (opposite, "orelse")):
        frame.names = dict(before)
        with machine.assuming([test]) as is_possible:
            completion = machine.execute(statement.terms(block), frame) if is_possible else Completion.RAISE
        ways.append((test, completion, frame.names))
    (_, first, body), (_, second, orelse) = ways
    if first is Completion.NORMAL and second is Completion.NORMAL:
        frame.names = merged(machine, (outcome, body), (opposite, orelse))
        return _NORMAL
    if first is not Completion.NORMAL and second is not Completion.NORMAL:
        return max(first, second, key=lambda one: one is not Completion.RAISE), None
    frame.names = orelse if second is Completion.NORMAL else body
    # A path that ends with an exception is no way for the program to go on: nothing is under its opposite.
    if Completion.RAISE in (first, second):
        return _NORMAL
    return Completion.NORMAL, opposite if second is Completion.NORMAL else outcome


def _for(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    value = machine.evaluate(statement.term("iter"), frame)
    items, is_open = machine.iterated(value, statement)
    for item in items[:_MOST_ROUNDS]:
        with machine.assuming(item.when) as is_possible:
            if not is_possible:
                continue
            bind(machine, statement.term("target"), item.value, frame)
            completion = machine.execute(statement.terms("body"), frame)
        if completion is Completion.BREAK:
            return _NORMAL
        if completion in (Completion.RETURN, Completion.RAISE):
            return (completion, None) if not item.when else _NORMAL
    if is_open:
        _once(machine, statement, reified(value, statement.term("iter")), frame)
    return machine.execute(statement.terms("orelse"), frame), None


def _once(machine: Machine, loop: Term, test: Term, frame: "Frame") -> None:
    """One round of a loop that is not known: what it binds may be, or may not."""
    before = dict(frame.names)
    with machine.assuming([test]) as is_possible:
        if is_possible:
            if loop.type == "For":
                _symbolic(machine, loop.term("target"), frame)
            machine.execute(loop.terms("body"), frame)
    frame.names = merged(machine, (test, frame.names), (negation(test), before))


def _symbolic(machine: Machine, target: Term, frame: "Frame") -> None:
    if target.type in ("Tuple", "List"):
        for element in target.terms("elements"):
            _symbolic(machine, element, frame)
    else:
        bind(machine, target, Unknown(target), frame)


def _while(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    outcome = machine.test(statement.term("test"), frame)
    if outcome is not False:
        _once(machine, statement, name("True") if outcome is True else outcome, frame)
    return _NORMAL


def _try(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    completion = machine.execute(statement.terms("body"), frame)
    if any(one.type not in ("Import", "ImportFrom") for one in statement.terms("body")):
        for handler in statement.terms("handlers"):  # looked at, but what it binds is not what usually is
            before = dict(frame.names)
            with machine.assuming([name(CAUGHT.en)]):
                machine.execute(handler.terms("body"), frame)
            frame.names = before
    if completion is Completion.NORMAL:
        completion = machine.execute(statement.terms("orelse"), frame)
    final = machine.execute(statement.terms("finalbody"), frame)
    return (final if final is not Completion.NORMAL else completion), None


def _with(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    for item in statement.terms("items"):
        value = machine.evaluate(item.term("item"), frame)
        if isinstance(item.parts["asname"], Term):
            bind(machine, item.term("asname"), value, frame)
    return machine.execute(statement.terms("body"), frame), None


def _match(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    subject = reified(machine.evaluate(statement.term("subject"), frame), statement.term("subject"))
    before = dict(frame.names)
    for case in statement.terms("cases"):
        frame.names = dict(before)
        shown = Term(
            "Comparison", {"left": subject, "operators": ("==",), "comparators": (name(case.text("pattern")),)}
        )
        is_last = case.parts["pattern"] == "_"
        with machine.assuming([] if is_last else [shown]) as is_possible:
            if is_possible:
                machine.execute(case.terms("body"), frame)
    frame.names = before
    return _NORMAL


def _return(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    value = machine.evaluate(statement.term("value"), frame) if isinstance(statement.parts["value"], Term) else None
    frame.returned.append(Item(value, machine.since(frame.depth)))
    return Completion.RETURN, None


def _function(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    own_class = frame.cls if frame.is_body else None
    found = FunctionValue(statement, frame, cls=own_class, defaults=machine.defaults(statement, frame))
    if any(_last(decorator) in ("setter", "deleter", "overload") for decorator in statement.terms("decorators")):
        return _NORMAL
    frame.names[statement.text("name")] = found
    return _NORMAL


def _last(decorator: Term) -> str:
    return str(decorator.parts.get("attr") or decorator.parts.get("id"))


def _class(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    frame.names[statement.text("name")] = defined(machine, statement, frame)
    return _NORMAL


def _import(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    for alias in statement.terms("names"):
        module, local = alias.text("name"), alias.parts["asname"]
        if local is None and "." in module:
            frame.names[module.partition(".")[0]] = machine.imported(module.partition(".")[0], frame.module.path)
        else:
            frame.names[str(local or module)] = machine.imported(module, frame.module.path)
    return _NORMAL


def _import_from(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    dotted = "." * int(str(statement.parts["level"])) + str(statement.parts["module"] or "")
    for alias in statement.terms("names"):
        original = alias.text("name")
        if original == "*":
            module = machine.imported(dotted, frame.module.path)
            if isinstance(module, ModuleValue):
                names = machine.module(module.path).names
                frame.names |= {one: found for one, found in names.items() if not one.startswith("_")}
        else:
            frame.names[str(alias.parts["asname"] or original)] = Imported(dotted, original, frame.module.path)
    return _NORMAL


def _delete(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:
    for target in statement.terms("targets"):
        removed(machine, target, frame)
    return _NORMAL


def _global(machine: Machine, statement: Term, frame: "Frame") -> _Outcome:  # noqa: ARG001 # as every executor
    names = {str(one) for one in statement.parts["names"]}  # type: ignore[union-attr] # a tuple of names
    if statement.type == "Global":
        frame.globals |= names
    else:
        frame.outers |= names
    return _NORMAL


_EXECUTORS: Mapping[str, Callable[[Machine, Term, "Frame"], _Outcome]] = {
    "Expr": _expression,
    "Assign": _assign,
    "Declare": _declare,
    "AugAssign": _augmented,
    "If": _if,
    "For": _for,
    "While": _while,
    "Try": _try,
    "TryStar": _try,
    "With": _with,
    "Match": _match,
    "Return": _return,
    "Raise": lambda *_: (Completion.RAISE, None),
    "Continue": lambda *_: (Completion.CONTINUE, None),
    "Break": lambda *_: (Completion.BREAK, None),
    "FunctionDef": _function,
    "ClassDef": _class,
    "Import": _import,
    "ImportFrom": _import_from,
    "Delete": _delete,
    "Global": _global,
    "Nonlocal": _global,
}
