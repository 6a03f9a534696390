"""What a function computes: the values it returns or assigns, with locals inlined, and the guards they stand under.

Straight code, branches and early returns are followed; what a loop, a handler or an unpacking assigns is a new unknown.
A call is taken to leave the attributes alone that were read before it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.expressions import substitute
from auditor.code.show import show
from auditor.code.term import Term, dotted, encode, name, negation
from auditor.code.values import local_names

if TYPE_CHECKING:
    from auditor.code.codebase import Definition

_NOTHING = name("None")


@dataclass(frozen=True, slots=True)
class Computed:
    """One value. `guards` are the conditions on its path, locals inlined; `statement` is where it is computed."""

    value: Term
    guards: tuple[Term, ...]
    statement: Term
    is_repeated: bool = False
    """Whether it stands in a loop."""


def returned(function: Term) -> tuple[Computed, ...]:
    """The values that a function returns, in source order."""
    return tuple(_Walk(None).run_all(function))


def assigned_to(function: Term, place: Term) -> tuple[Computed, ...]:
    """The values that a function assigns to a local, an attribute or an item; `x += e` is read as `x = x + e`."""
    return tuple(_Walk(encode(place)).run_all(function))


def calls(function: Term, wanted: Callable[[Term], bool]) -> tuple[Computed, ...]:
    """The calls that stand as statements and are wanted, with what their arguments are worth there."""
    return tuple(_Walk(None, wanted).run_all(function))


@dataclass
class _State:
    values: dict[str, Term]
    guards: tuple[Term, ...]
    is_repeated: bool = False

    def copy(self, *guards: Term) -> "_State":
        return _State(dict(self.values), (*self.guards, *guards), self.is_repeated)


@dataclass
class _Walk:
    """Follows a body from the top. Keeps what each local is worth in terms of parameters, attributes and calls."""

    place: str | None
    """The encoded place whose values are wanted; None: what is returned, or called."""
    wanted: Callable[[Term], bool] | None = None
    found: list[Computed] = field(default_factory=list)
    unknown: int = 0

    def run_all(self, function: Term) -> list[Computed]:
        state = _State({}, ())
        falls_through = self.run(function.terms("body"), state)
        if self.place is None and self.wanted is None and falls_through and self.found:
            self.found.append(Computed(_NOTHING, state.guards, function))
        return self.found

    def run(self, statements: Sequence[Term], state: _State) -> bool:
        """Follow statements; whether what comes after them is reached."""
        return all(self.step(statement, state) for statement in statements)

    def step(self, statement: Term, state: _State) -> bool:
        match statement.type:
            case "Return":
                if self.place is None and self.wanted is None:
                    worth = statement.parts.get("value")
                    self.record(worth if isinstance(worth, Term) else _NOTHING, statement, state)
                return False
            case "Raise" | "Continue" | "Break":
                return False
            case "Expr":
                value = statement.term("value")
                if self.wanted and value.type == "Call" and self.wanted(value):
                    self.record(value, statement, state)
            case "Assign":
                for target in statement.terms("targets"):
                    self.assign(target, statement.term("value"), statement, state)
            case "AugAssign":
                target = statement.term("target")
                sides = {"left": target, "operator": statement.parts["operator"], "right": statement.term("value")}
                self.assign(target, Term("BinaryOperation", sides), statement, state)
            case "If":
                return self.branch(statement, state)
            case "For" | "While":
                self.loop(statement, state)
            case "With":
                for item in statement.terms("items"):
                    if isinstance(bound := item.parts.get("asname"), Term):
                        self.forget(bound, state)
                return self.run(statement.terms("body"), state)
            case "Try" | "TryStar":
                return self.attempt(statement, state)
            case "Match":
                self.alternatives([case.terms("body") for case in statement.terms("cases")], statement, state)
            case "FunctionDef" | "ClassDef":
                self.forget(name(statement.text("name")), state)
            case _:
                pass
        return True

    def record(self, value: Term, statement: Term, state: _State) -> None:
        self.found.append(Computed(substitute(value, state.values), state.guards, statement, state.is_repeated))

    def assign(self, target: Term, value: Term, statement: Term, state: _State) -> None:
        if self.place is not None and encode(target) == self.place:
            self.record(value, statement, state)
        if target.type == "Name":
            state.values[target.text("id")] = substitute(value, state.values)
        elif target.type in ("Tuple", "List"):
            places = target.terms("elements")
            values = value.terms("elements") if value.type in ("Tuple", "List") else ()
            if len(values) == len(places) and not any(item.type == "StarredElement" for item in (*places, *values)):
                before = state.copy()
                for place, item in zip(places, values, strict=True):
                    self.assign(place, substitute(item, before.values), statement, state)
            else:
                self.forget(target, state)
        else:
            changed = encode(target)
            for local, worth in list(state.values.items()):
                if any(encode(inner) == changed for inner in worth.walk()):
                    self.forget(name(local), state)

    def forget(self, target: Term, state: _State) -> None:
        """What these names are worth from here on cannot be said."""
        for term in target.walk():
            if term.type == "Name":
                self.unknown += 1
                state.values[term.text("id")] = name(f"{term.text('id')}′{self.unknown}")

    def branch(self, statement: Term, state: _State) -> bool:
        test = substitute(statement.term("test"), state.values)
        taken, other = state.copy(test), state.copy(negation(test))
        reached = [self.run(statement.terms("body"), taken), self.run(statement.terms("orelse"), other)]
        if reached == [True, True]:
            for local in sorted({*taken.values, *other.values}):
                one, two = (branch.values.get(local, name(local)) for branch in (taken, other))
                if encode(one) != encode(two):
                    state.values[local] = Term("IfExp", {"test": test, "body": one, "orelse": two})
                else:
                    state.values[local] = one
        elif any(reached):
            rest = taken if reached[0] else other
            state.values, state.guards = rest.values, rest.guards
        return any(reached)

    def loop(self, statement: Term, state: _State) -> None:
        self.forget_assigned(statement, state)
        inside = state.copy(*([substitute(statement.term("test"), state.values)] if statement.type == "While" else []))
        inside.is_repeated = True
        self.run(statement.terms("body"), inside)
        self.run(statement.terms("orelse"), state.copy())

    def attempt(self, statement: Term, state: _State) -> bool:
        before = state.copy()
        reached = self.run((*statement.terms("body"), *statement.terms("orelse")), state)
        handlers = [handler.terms("body") for handler in statement.terms("handlers")]
        self.forget_assigned(statement, before)
        for body in handlers:
            reached |= self.run(body, before.copy(name("an exception is caught")))
        if handlers:
            self.forget_assigned(statement, state)
        return self.run(statement.terms("finalbody"), state) and reached

    def alternatives(self, bodies: list[tuple[Term, ...]], statement: Term, state: _State) -> None:
        for number, body in enumerate(bodies, 1):
            self.run(body, state.copy(name(f"case {number} matches")))
        self.forget_assigned(statement, state)

    def forget_assigned(self, statement: Term, state: _State) -> None:
        for local in sorted(local_names(Term("FunctionDef", {"params": (), "body": (statement,)}))):
            self.forget(name(local), state)


@dataclass(frozen=True, slots=True)
class _Method:
    params: tuple[str, ...]
    value: Term


def inlined(term: Term, around: "Definition", depth: int) -> Term:
    """The expression with the class's own properties and methods in place of `self.x` and `self.f(...)`.

    Only what computes one value whatever happens is put in, `depth` times.
    """
    for _ in range(depth):
        replaced = _inline_once(term, around)
        if replaced is term:
            break
        term = replaced
    return term


def _inline_once(term: Term, around: "Definition") -> Term:
    called = term.term("func") if term.type == "Call" else term
    chain = dotted(called) or ""
    if around.cls and chain.startswith("self.") and chain.count(".") == 1:
        method = _method(chain.removeprefix("self."), around, is_called=called is not term)
        arguments = _arguments(method, term) if method else None
        if method and arguments is not None:
            return substitute(method.value, {param: _inline_once(arg, around) for param, arg in arguments.items()})
    return term.rebuilt(lambda inner: _inline_once(inner, around))


def _method(attribute: str, around: "Definition", *, is_called: bool) -> _Method | None:
    found = around.codebase.definitions(around.path, f"{around.cls}.{attribute}")
    if len(found) != 1 or found[0].symbol is None or found[0].symbol.type != "function":
        return None
    is_property = any(d.rpartition(".")[2] in ("property", "cached_property") for d in found[0].symbol.decorators)
    if is_property == is_called or (found[0].symbol.decorators and not is_property):
        return None
    try:
        values = returned(found[0].term)
    except Undecidable:
        return None
    if len(values) != 1 or values[0].guards or values[0].is_repeated:
        return None
    params = tuple(param.text("name") for param in found[0].term.terms("params"))
    return _Method(params[1:], values[0].value)


def _arguments(method: _Method, call: Term) -> Mapping[str, Term] | None:
    """What each parameter is given; None when that is not plain."""
    if call.type != "Call":
        return {}
    args, keywords = call.terms("args"), call.terms("keywords")
    if any(arg.type == "Starred" for arg in args) or len(args) > len(method.params):
        return None
    given = dict(zip(method.params, args, strict=False))
    given |= {keyword.text("name"): keyword.term("value") for keyword in keywords}
    return given if set(given) == set(method.params) else None


def described(guards: Sequence[Term]) -> str | None:
    """Guards as one condition; None where there are none."""
    return " and ".join(show(guard, 3) for guard in guards) or None
