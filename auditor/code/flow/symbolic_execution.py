"""Symbolic execution: the values that a function returns or assigns, in terms of parameters, attributes and calls.

Straight code, branches and early returns are followed; what a loop, a handler or an unpacking assigns is a fresh
symbol. A call is taken to leave the attributes alone that were read before it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import ClassVar, Generic, Self, TypeVar

from auditor.code.flow.pure_calls import is_pure
from auditor.code.flow.symbolic_values import SymbolicValue
from auditor.code.phrases import CAUGHT, MATCHES
from auditor.code.syntax.blocks import abrupt_completions, ends_process, header
from auditor.code.syntax.dynamic_attributes import attribute_access
from auditor.code.syntax.normal_forms import attribute_chain, name, negation
from auditor.code.syntax.targets import bound_targets, flattened_target
from auditor.code.syntax.term import Part, Term, encode
from auditor.code.syntax.unparse import unparse
from auditor.code.values.algebra import substitute

_NONE = name("None")
_SEQUENCES = ("Tuple", "List")
_DISPLAYS = ("List", "Dict", "Set", "ListComp", "DictComp", "SetComp")


def returned(function: Term, opaque: frozenset[str] = frozenset()) -> tuple[SymbolicValue, ...]:
    """The values that a function returns, in source order; the names of `opaque` locals are left in them."""
    return _run(SymbolicExecution(None, kept_names=opaque), function)


def assigned_to(function: Term, place: Term, opaque: frozenset[str] = frozenset()) -> tuple[SymbolicValue, ...]:
    """The values that a function assigns to a local, an attribute or an item; `x += e` is read as `x = x + e`."""
    return _run(SymbolicExecution(encode(place), kept_names=opaque), function)


def calls(function: Term, wanted: Callable[[Term], bool]) -> tuple[SymbolicValue, ...]:
    """The calls that stand as statements and are wanted, with the symbolic values of their arguments."""
    return _run(SymbolicExecution(None, wanted), function)


@dataclass
class State:
    """The symbolic state at one point of a function: the value of each local, and the guards on the path."""

    values: dict[str, Term]
    guards: tuple[Term, ...] = ()
    source: tuple[Term, ...] = ()
    is_repeated: bool = False

    def copy(self, *tests: Term) -> Self:
        """The same state where `tests`, as they are written, hold too."""
        guards = (*self.guards, *(substitute(test, self.values) for test in tests))
        return replace(self, values=dict(self.values), guards=guards, source=(*self.source, *tests))


S = TypeVar("S", bound=State)


@dataclass
class SymbolicExecution(Generic[S]):
    """Executes a body from the top on a symbolic state."""

    largest: ClassVar[int] = 5_000
    """The largest value of a local, in terms; a larger one becomes a fresh symbol."""
    place: str | None
    """The encoded place whose values are recorded; None: what is returned, or called."""
    wanted: Callable[[Term], bool] | None = None
    found: list[SymbolicValue] = field(default_factory=list)
    unknown: int = 0
    rebound_by_closures: frozenset[str] = frozenset()
    """The locals that a nested function rebinds."""
    no_return: frozenset[int] = frozenset()
    """The identities of calls, beside those that end the process, after which nothing runs."""
    kept_names: frozenset[str] = frozenset()
    """The locals whose names stand for their values where a value is recorded."""
    _attribute_names: dict[int, tuple[Term, frozenset[str]]] = field(default_factory=dict)
    """What `hints_of` has found; the expression is kept, so that its identity stays its own."""

    def run(self, statements: Sequence[Term], state: S) -> bool:
        """Follow statements; whether what comes after them is reached."""
        return all(self.step(statement, state) for statement in statements)

    def step(self, statement: Term, state: S) -> bool:
        self.bind_named_expressions(statement, state)
        reached = self.follow(statement, state)
        if statement.type not in ("FunctionDef", "ClassDef", "Return"):
            parts = header(statement).values()
            self.kill_escaped((term for part in parts for term in _walked(part)), state)
        return reached

    def follow(self, statement: Term, state: S) -> bool:
        """What a statement does to the state; whether what comes after it is reached."""
        match statement.type:
            case "Return":
                if self.place is None and self.wanted is None:
                    inlined = statement.parts.get("value")
                    self.record(inlined if isinstance(inlined, Term) else _NONE, statement, state)
                return False
            case "Raise" | "Continue" | "Break":
                return False
            case "Expr":
                value = statement.term("value")
                access = attribute_access(value)
                if access is not None and access.attribute is not None and access.value is not None:
                    self.assign(access.attribute, substitute(access.value, state.values), statement, state)
                    return True
                for place in bound_targets(value) if value.type == "Call" else ():
                    self.bind_fresh(place, statement, state)
                if self.wanted and value.type == "Call" and self.wanted(value):
                    self.record(value, statement, state)
                called = value.term("value") if value.type == "Await" else value
                return not (ends_process(called) or id(called) in self.no_return)
            case "Assign":
                inlined = substitute(statement.term("value"), state.values)
                for target in statement.terms("targets"):
                    self.assign(target, inlined, statement, state)
            case "AugAssign":
                target = statement.term("target")
                sides = {"left": target, "operator": statement.parts["operator"], "right": statement.term("value")}
                self.assign(target, substitute(Term("BinaryOperation", sides), state.values), statement, state)
            case "If":
                return self.branch(statement, state)
            case "For" | "While":
                return self.loop(statement, state)
            case "With":
                return self.within(statement, state)
            case "Try" | "TryStar":
                return self.attempt(statement, state)
            case "Match":
                return self.alternatives(statement, state)
            case "FunctionDef" | "ClassDef" | "Delete" | "Import" | "ImportFrom":
                self.kill_bound(statement, state, is_nested=statement.type.startswith("Import"))
            case _:
                pass
        return True

    def record(self, value: Term, statement: Term, state: S) -> None:
        inlined = substitute(value, state.values)
        self.found.append(SymbolicValue(inlined, state.guards, state.source, statement, state.is_repeated))

    def assign(self, target: Term, inlined: Term, statement: Term, state: S) -> None:
        """Assign an expression, its locals inlined, to a target."""
        targets, values = ((side.terms("elements") if side.type in _SEQUENCES else ()) for side in (target, inlined))
        if target.type in _SEQUENCES and len(values) == len(targets) and not _is_starred(*targets, *values):
            for place, item in zip(targets, values, strict=True):
                self.assign(place, item, statement, state)
            return
        if target.type in _SEQUENCES:
            self.bind_fresh(target, statement, state)
            return
        if self.place is not None and encode(target) == self.place:
            self.found.append(SymbolicValue(inlined, state.guards, state.source, statement, state.is_repeated))
        if target.type == "Name":
            self.bind(target.text("id"), inlined, state)
        else:
            self.kill(target, state)

    def bind(self, local: str, inlined: Term, state: S) -> None:
        if local in self.kept_names:
            self.kill_dependents(local, state)
            return
        is_large = next(islice(inlined.walk(), self.largest, None), None) is not None
        is_known = not is_large and local not in self.rebound_by_closures
        state.values[local] = inlined if is_known else self.fresh_symbol(local)

    def kill_dependents(self, local: str, state: S) -> None:
        """Kill what was made of the earlier value of a local whose name stands for its present one."""
        state.values.pop(local, None)
        for other, inlined in list(state.values.items()):
            if _mentions(inlined, local):
                state.values[other] = self.fresh_symbol(other)
        kept = [pair for pair in zip(state.guards, state.source, strict=True) if not _mentions(pair[0], local)]
        state.guards, state.source = tuple(guard for guard, _ in kept), tuple(source for _, source in kept)

    def kill_escaped(self, terms: Iterable[Term], state: S) -> None:
        """Kill a list, dict or set that escapes to a call, or whose method is called: it may be changed there."""
        displays = {local for local, inlined in state.values.items() if inlined.type in _DISPLAYS}
        for call in terms if displays else ():
            if call.type == "Call" and not is_pure(call):
                given = [*call.terms("args"), *(keyword.term("value") for keyword in call.terms("keywords"))]
                if call.term("func").type == "Attribute":
                    given.append(call.term("func").term("value"))
                for inner in given:
                    local = str((inner.term("value") if inner.type == "Starred" else inner).parts.get("id"))
                    if local in displays:
                        state.values[local] = self.fresh_symbol(local)

    def fresh_symbol(self, what: str) -> Term:
        """A fresh symbol: a value of which nothing is known, and which is equal to no other."""
        self.unknown += 1
        return name(f"{what}′{self.unknown}")

    def bind_fresh(self, target: Term, statement: Term, state: S) -> None:
        """Bind each place of a target to a fresh symbol."""
        for place in flattened_target(target):
            if self.place is not None and encode(place) == self.place:
                self.record(self.fresh_symbol(unparse(place)), statement, state)
            self.kill(place, state)

    def kill(self, place: Term, state: S) -> None:
        """Kill what is known of a name, or of the locals that were made of an attribute or item."""
        if place.type == "Name" and place.parts["id"] in self.kept_names:
            self.kill_dependents(place.text("id"), state)
            return
        if place.type == "Name":
            state.values[place.text("id")] = self.fresh_symbol(place.text("id"))
            return
        holder = place.term("value").parts.get("id") if place.type in ("Attribute", "Subscript") else None
        if holder in state.values and state.values[str(holder)].type in _DISPLAYS:
            state.values[str(holder)] = self.fresh_symbol(str(holder))
        changed, hint = encode(place), str(place.parts.get("attr"))
        for local, inlined in list(state.values.items()):
            if hint not in self.attribute_names(inlined):
                continue
            if any(inner.type == place.type and encode(inner) == changed for inner in inlined.walk()):
                state.values[local] = self.fresh_symbol(local)

    def attribute_names(self, inlined: Term) -> frozenset[str]:
        """The names of the attributes in an expression, worked out once; `None` where it has items."""
        known = self._attribute_names.get(id(inlined))
        if known is None:
            parts = (inner.parts.get("attr") for inner in inlined.walk() if inner.type in ("Attribute", "Subscript"))
            known = self._attribute_names[id(inlined)] = (inlined, frozenset(map(str, parts)))
        return known[1]

    def kill_bound(self, statement: Term, state: S, *, is_nested: bool = True) -> None:
        """Kill what a statement binds, or anything in it."""
        terms = statement.walk() if is_nested else iter((statement,))
        for place in {encode(place): place for term in terms for place in bound_targets(term)}.values():
            self.kill(place, state)
        if is_nested:
            self.kill_escaped(statement.walk(), state)

    def bind_named_expressions(self, statement: Term, state: S) -> None:
        """Follow the assignment expressions in a statement."""
        if statement.type in ("FunctionDef", "ClassDef"):
            return
        parts = Term("", header(statement))
        named = [term for term in parts.walk() if term.type == "NamedExpr"]
        certain = {id(term) for term in _always_evaluated(parts)} if named else set()
        for term in named:
            if id(term) in certain:
                self.assign(term.term("target"), substitute(term.term("value"), state.values), statement, state)
            else:
                self.bind_fresh(term.term("target"), statement, state)

    def branch(self, statement: Term, state: S) -> bool:
        test = statement.term("test")
        taken, other = state.copy(test), state.copy(negation(test))
        reached = [self.run(statement.terms("body"), taken), self.run(statement.terms("orelse"), other)]
        if reached == [True, True]:
            self.join(substitute(test, state.values), taken, other, state)
        elif any(reached):
            rest, left = (taken, "orelse") if reached[0] else (other, "body")
            state.values = rest.values
            if not abrupt_completions(statement.terms(left)) <= {
                "Raise"
            }:  # where the function fails it has no value to qualify
                state.guards, state.source = rest.guards, rest.source
        return any(reached)

    def join(self, test: Term, taken: S, other: S, state: S) -> None:
        """Join two branches: a local that differs becomes a conditional expression on `test`, which is inlined."""
        for local in sorted({*taken.values, *other.values}):
            one, two = (branch.values.get(local) or attribute_chain(local) for branch in (taken, other))
            if one is not two and encode(one) != encode(two):
                self.bind(local, Term("IfExp", {"test": test, "body": one, "orelse": two}), state)
            else:
                state.values[local] = one

    def within(self, statement: Term, state: S) -> bool:
        for item in statement.terms("items"):
            if isinstance(named := item.parts.get("asname"), Term):
                self.bind_fresh(named, statement, state)
        return self.run(statement.terms("body"), state)

    def loop(self, statement: Term, state: S) -> bool:
        self.kill_bound(statement, state)
        inside = state.copy(*([statement.term("test")] if statement.type == "While" else []))
        inside.is_repeated = True
        if statement.type == "For":
            self.bind_fresh(statement.term("target"), statement, inside)
        self.run(statement.terms("body"), inside)
        self.run(statement.terms("orelse"), state.copy())
        return True

    def attempt(self, statement: Term, state: S) -> bool:
        before = state.copy()
        reached = self.run((*statement.terms("body"), *statement.terms("orelse")), state)
        handlers = [handler.terms("body") for handler in statement.terms("handlers")]
        self.kill_bound(statement, before)
        for body in handlers:
            reached |= self.run(body, before.copy(name(CAUGHT.en)))
        if handlers:
            self.kill_bound(statement, state)
        return self.run(statement.terms("finalbody"), state) and reached

    def alternatives(self, statement: Term, state: S) -> bool:
        for number, case in enumerate(statement.terms("cases"), 1):
            self.kill_bound(case, state, is_nested=False)
            self.run(case.terms("body"), state.copy(name(MATCHES.filled(number).en)))
        self.kill_bound(statement, state)
        return True


@lru_cache(maxsize=256)
def rebound_by_closures(function: Term) -> frozenset[str]:
    """The locals of a function that functions in it declare as nonlocal."""
    names = (term.parts["names"] for term in function.walk() if term.type == "Nonlocal")
    return frozenset(str(name) for found in names if isinstance(found, tuple) for name in found)


def _always_evaluated(term: Term) -> Iterator[Term]:
    """The parts of an expression that are worked out whenever it is: of `a or b`, `a` alone."""
    yield term
    match term.type:
        case "BooleanOperation":
            inner = iter(term.terms("values")[:1])
        case "IfExp":
            inner = iter((term.term("test"),))
        case "Lambda" | "CompFor" | "ListComp" | "SetComp" | "DictComp" | "GeneratorExp":
            return
        case _:
            inner = term.children()
    for child in inner:
        yield from _always_evaluated(child)


def _walked(part: Part) -> Iterator[Term]:
    if isinstance(part, Term):
        yield from part.walk()
    for item in part if isinstance(part, tuple) else ():
        yield from _walked(item)


def _run(walk: SymbolicExecution[State], function: Term) -> tuple[SymbolicValue, ...]:
    state = State({})
    walk.rebound_by_closures = rebound_by_closures(function)
    falls_through = walk.run(function.terms("body"), state)
    if walk.place is None and walk.wanted is None and falls_through and walk.found:
        walk.found.append(SymbolicValue(_NONE, state.guards, state.source, function))
    return tuple(walk.found)


def _mentions(term: Term, local: str) -> bool:
    return any(inner.type == "Name" and inner.parts["id"] == local for inner in term.walk())


def _is_starred(*items: Term) -> bool:
    return any(item.type == "Starred" for item in items)
