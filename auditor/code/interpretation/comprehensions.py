"""Comprehensions: loops that make a list, a set, a dict or a generator."""

from collections.abc import Sequence

from auditor.code.interpretation.binding import bind
from auditor.code.interpretation.machine import Machine
from auditor.code.interpretation.operators import store
from auditor.code.interpretation.symbolic import reified
from auditor.code.interpretation.values import Frame, Item, Items, Table, Unknown, Value
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term

_MOST_ROUNDS = 5_000


def comprehended(machine: Machine, term: Term, frame: Frame) -> Value:
    """The list, set or dict that a comprehension makes; a generator is taken for a list."""
    inner = Frame(frame.module, outer=frame, cls=frame.cls, receiver=frame.receiver, depth=frame.depth)
    if frame.is_body and frame.cls is not None:
        inner.names = dict(frame.names)
    if term.type == "DictComp":
        made: Table | Items = Table(depth=len(machine.path))
    else:
        made = Items("set" if term.type == "SetComp" else "list", depth=len(machine.path))
    _loop(machine, term, term.terms("for_in"), made, inner)
    return made


def _loop(machine: Machine, term: Term, loops: Sequence[Term], made: Table | Items, frame: Frame) -> None:
    if not loops:
        if isinstance(made, Table):
            store(machine, made, machine.evaluate(term.term("key"), frame), machine.evaluate(term.term("value"), frame))
        else:
            made.items.append(Item(machine.evaluate(term.term("elt"), frame), machine.since(made.depth)))
        return
    loop, *others = loops
    value = machine.evaluate(loop.term("iter"), frame)
    items, is_open = machine.iterated(value, loop)
    for item in items[:_MOST_ROUNDS]:
        with machine.assuming(item.when) as is_possible:
            if is_possible:
                bind(machine, loop.term("target"), item.value, frame)
                _filtered(machine, term, loop, others, made, frame)
    if is_open:
        made.is_open = True
        with machine.assuming([reified(value, loop.term("iter"))]):
            _bind_symbolic(machine, loop.term("target"), frame)
            # What this round makes stands for any number of items: it is looked at, for what it calls, and left out.
            _filtered(
                machine,
                term,
                loop,
                others,
                Table(depth=made.depth) if isinstance(made, Table) else Items("list", depth=made.depth),
                frame,
            )


def _filtered(
    machine: Machine, term: Term, loop: Term, others: Sequence[Term], made: Table | Items, frame: Frame
) -> None:
    tests: list[Term] = []
    for condition in loop.terms("ifs"):
        outcome = machine.test(condition, frame)
        if outcome is False:
            return
        if isinstance(outcome, Term):
            tests.append(outcome)
    with machine.assuming(tests) as is_possible:
        if is_possible:
            _loop(machine, term, others, made, frame)


def _bind_symbolic(machine: Machine, target: Term, frame: Frame) -> None:
    if target.type in ("Tuple", "List"):
        for element in target.terms("elements"):
            _bind_symbolic(machine, element, frame)
    else:
        bind(machine, target, Unknown(target if target.type == "Name" else name("_")), frame)
