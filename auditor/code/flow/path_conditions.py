"""The path condition of every program point of a function: what must have come out true for it to be reached.

Symbolic execution through branches, early exits, loops, handlers and conditional expressions. Each condition is there
as it is written and with its locals inlined; an attribute that the function has itself assigned is then what was
assigned. A nested function is entered under the condition that it is called. A call is taken not to raise, except in a
`try`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from auditor.code import Undecidable
from auditor.code.flow.program_points import Condition, Exit, ProgramPoint, Round, either, every
from auditor.code.flow.pure_calls import is_pure
from auditor.code.flow.short_circuit import ALWAYS, case_test, evaluation_conditions
from auditor.code.flow.symbolic_execution import State, SymbolicExecution, rebound_by_closures
from auditor.code.phrases import CALLED, CATCHES, CATCHES_NOTHING, LEFT, MATCHES_OF, NO_ROUND_RETURNS, NOT_LEFT
from auditor.code.syntax.blocks import PARTS, abrupt_completions, walk_scope
from auditor.code.syntax.normal_forms import boolean, name, negation
from auditor.code.syntax.targets import bound_targets, flattened_target, local_names
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.algebra import substitute
from auditor.code.values.logic import are_satisfiable
from auditor.model import Text


@dataclass
class _Path(State):
    conditions: tuple[Condition, ...] = ()
    changed: frozenset[str] = frozenset()
    loops: tuple[Round, ...] = ()

    def under(self, test: Term, *, fails: bool = False) -> "_Path":
        return self.extended(Condition(substitute(test, self.values), test, dict(self.values), self.changed, fails))

    def extended(self, *conditions: Condition) -> "_Path":
        return replace(self, values=dict(self.values), conditions=(*self.conditions, *conditions))

    def since(self, earlier: "_Path") -> tuple[Condition, ...]:
        return self.conditions[len(earlier.conditions) :]


@lru_cache(maxsize=64)
def path_conditions(function: Term, no_return: frozenset[int] = frozenset()) -> "PathConditions":
    """The path conditions of every program point of a function, memoized.

    `no_return` are the identities of the calls after which nothing runs, beside those that end the process.
    """
    return PathConditions(function, no_return)


class PathConditions(SymbolicExecution[_Path]):
    """A function, executed symbolically once."""

    largest = 400  # a condition of more is none that a claim would state

    def __init__(self, function: Term, no_return: frozenset[int] = frozenset()) -> None:
        super().__init__(None, no_return=no_return)
        self.exits: list[Exit] = []
        self._visits: dict[int, tuple[Term, _Path]] = {}
        self._dead: list[Term] = []
        self._nested = 0
        self.is_generator = any(term.type in ("Yield", "YieldFrom") for term in walk_scope(function.terms("body")))
        self.rebound_by_closures = rebound_by_closures(function)
        self._broken: list[list[tuple[Condition, ...]]] = []
        """Of each loop around, the conditions with which its breaks leave it."""
        self._entered: list[tuple[Term, Condition]] = []
        end = _Path({})
        if self.run(function.terms("body"), end):
            self._exit(name("None"), function, end)
        for nested, called in reversed(self._entered):
            self._enter_where_called(nested, called, function)

    def point(self, term: Term) -> ProgramPoint | None:
        """The program point of a statement or expression; None when it is unreachable. Raises Undecidable."""
        if id(term) in self._points:
            statement, path, tests = self._points[id(term)]
            for test in tests:
                path = self._inside(test, path)
            return _point(statement, path)
        if any(term is inner for dead in self._dead for inner in dead.walk()):
            return None
        raise Undecidable(
            Text(
                "where it stands is not followed: a decorator, a default, or what a handler catches",
                "它所在的位置不在分析之内：装饰器、参数默认值，或异常处理器所捕获的类型",
            )
        )

    def points(self, *types: str) -> Iterator[ProgramPoint]:
        """The reachable statements of some types (`Raise`, `Return`, `Assign`, `Expr` ...), in source order.

        Those of nested functions are among them, under the condition that these are called.
        """
        for statement, path in self._visits.values():
            if statement.type in types:
                yield _point(statement, path)

    @cached_property
    def _points(self) -> dict[int, tuple[Term, _Path, tuple[Term | Text, ...]]]:
        found: dict[int, tuple[Term, _Path, tuple[Term | Text, ...]]] = {}
        for statement, path in self._visits.values():
            found[id(statement)] = (statement, path, ())
            for part, inside in statement.parts.items():
                if part not in _NOT_HEADER:
                    for term, tests in evaluation_conditions(inside, ()):
                        found[id(term)] = (statement, path, tests)
        return found

    def _inside(self, test: Term | Text, path: _Path) -> _Path:
        if isinstance(test, Text):
            return path.extended(self.opaque(test, path))
        if test.type not in ("CompFor", "Lambda"):
            return path.under(test)
        inner = path.extended()
        if test.type == "CompFor":
            inner.loops = (*path.loops, _round(test, path))
        names = test.terms("params") if test.type == "Lambda" else flattened_target(test.term("target"))
        for own_name in names:
            local = str(own_name.parts.get("name") or own_name.parts.get("id"))
            inner.values[local] = self.fresh_symbol(local)
        return inner

    def opaque(self, words: Text, path: _Path, *, fails: bool = False) -> Condition:
        """An atomic condition that no code writes, such as that an exception is caught."""
        return Condition(self.fresh_symbol(words.en), name(words.en), {}, path.changed, fails)

    def run(self, statements: Sequence[Term], state: _Path) -> bool:
        for number, statement in enumerate(statements, 1):
            if not self.step(statement, state):
                self._dead += statements[number:]
                return False
        return True

    def step(self, statement: Term, state: _Path) -> bool:
        reached = super().step(statement, state)
        self._call(statement, state)
        match statement.type:
            case "Return":
                value = statement.parts.get("value")
                self._exit(value if isinstance(value, Term) else name("None"), statement, state)
            case "Break" if self._broken:
                self._broken[-1].append(state.conditions)
            case "Assert":
                state.conditions = state.under(statement.term("test"), fails=True).conditions
            case "FunctionDef":
                called = self.opaque(CALLED.filled(statement.text("name")), state)
                self._entered.append((statement, called))
                inside = state.extended(called)
                for local in {*inside.values, *local_names(statement)}:
                    inside.values[local] = self.fresh_symbol(local)
                self._nested += 1
                self.run(statement.terms("body"), inside)
                self._nested -= 1
            case "ClassDef":
                self.run(statement.terms("body"), state.extended())
            case _:
                pass
        return reached

    def _call(self, statement: Term, state: _Path) -> None:
        """Kill the attributes that have been assigned, where a call may assign them too."""
        if statement.type in _SIMPLE and any(map(_is_effective, walk_scope((statement,)))):
            fresh = {dotted(place) for place in bound_targets(statement)}
            for chain in [known for known in state.values if "." in known and known not in fresh]:
                state.values[chain] = self.fresh_symbol(chain)

    def _exit(self, value: Term, statement: Term, path: _Path) -> None:
        if not self._nested:
            point = ProgramPoint(statement, path.conditions, dict(path.values), path.is_repeated, path.loops)
            self.exits.append(Exit(substitute(value, path.values), value, point))

    def bind_named_expressions(self, statement: Term, state: _Path) -> None:
        super().bind_named_expressions(statement, state)
        self._visit(statement, state)

    def _visit(self, statement: Term, state: _Path) -> None:
        self._visits[id(statement)] = (statement, state.extended())

    # Assignments.

    def assign(self, target: Term, value: Term, statement: Term, state: _Path) -> None:
        chain = dotted(target) if target.type == "Attribute" else None
        super().assign(target, value, statement, state)
        if chain is not None:
            self.bind(chain, value, state)
            is_made_of_itself = any(_is_chain(inner, chain) for inner in statement.term("value").walk())
            if statement.type == "AugAssign" or is_made_of_itself:
                state.changed |= {chain}
            else:
                state.changed -= {chain}

    def bind(self, local: str, value: Term, state: _Path) -> None:
        _drop(local, state)
        super().bind(local, value, state)

    def kill(self, place: Term, state: _Path) -> None:
        super().kill(place, state)
        if chain := dotted(place):
            _drop(chain, state, is_own=place.type == "Attribute")

    # Branches and joins.

    def branch(self, statement: Term, state: _Path) -> bool:
        test = statement.term("test")
        taken, other = state.under(test), state.under(negation(test))
        reached = [self.run(statement.terms("body"), taken), self.run(statement.terms("orelse"), other)]
        before = state.extended()
        if all(reached):
            self.join(substitute(test, state.values), taken, other, state)
            state.changed = taken.changed | other.changed
            state.conditions += either([taken.since(before), other.since(before)], least=1)
        elif any(reached):
            rest, left = (taken, "orelse") if reached[0] else (other, "body")
            (conditions, *more), fails = rest.since(before), abrupt_completions(statement.terms(left)) <= {"Raise"}
            state.values, state.changed = rest.values, rest.changed
            state.conditions += (replace(conditions, is_failure=fails), *more)
        return any(reached)

    def within(self, statement: Term, state: _Path) -> bool:
        before = state.extended()
        reached = super().within(statement, state)
        callees = (item.term("item") for item in statement.terms("items"))
        if not any("suppress" in (dotted(c.term("func")) or "") for c in callees if c.type == "Call"):
            return reached
        self.kill_bound(statement, state)
        state.conditions = before.conditions
        return True

    def loop(self, statement: Term, state: _Path) -> bool:
        self.kill_bound(statement, state)
        test = statement.term("test") if statement.type == "While" else None
        if test is not None:
            self._visit(statement, state)  # its test is asked in every round
        inside = state.extended() if test is None else state.under(test)
        inside.is_repeated = True
        if test is None:
            inside.loops = (*state.loops, _round(statement, state))
            self.bind_fresh(statement.term("target"), statement, inside)
        known, before = len(self.exits), state.conditions
        self._broken.append([])
        self.run(statement.terms("body"), inside)
        broken = self._broken.pop()
        leaving = [one.point.conditions[len(state.conditions) :] for one in self.exits[known:]]
        early = abrupt_completions(statement.terms("body"))
        unbroken = [self.opaque(NOT_LEFT, state)] if "Break" in early else []
        after = state.extended(*unbroken)
        if test is not None and _is_lasting(test):
            self._assume([[*state.under(negation(test)).since(state)]], after)
        reached = self.run(statement.terms("orelse"), after)
        if "Break" not in early and (not reached or (test is not None and test.parts.get("id") == "True")):
            return False
        if not reached:
            state.conditions += (self.opaque(LEFT, state),)
        if "Return" in early:
            opaque = self.opaque(NO_ROUND_RETURNS, state)
            tests = [negation(every([one.test for one in way])) for way in leaving if way]
            state.conditions += (replace(opaque, test=every([opaque.test, *tests]), values=dict(inside.values)),)
        self.kill_bound(statement, state)  # what the last round left
        if test is not None and reached and _is_lasting(test):
            ways = [one[len(before) :] for one in broken]
            if test.parts.get("id") != "True":
                ways.append(state.under(negation(test)).since(state))
            self._assume(ways, state)
        return True

    def _assume(self, ways: Sequence[Sequence[Condition]], state: _Path) -> None:
        """A loop has ended in one of some ways; where that contradicts, a call in it has changed what was asked."""
        ended = tuple(replace(one, is_failure=True) for one in either(ways))
        if are_satisfiable([one.test for one in (*state.conditions, *ended)]):
            state.conditions += ended

    def _enter_where_called(self, nested: Term, called: Condition, function: Term) -> None:
        """Put the path conditions of its calls in place of a nested function's being called, where these are all."""
        own = nested.text("name")
        inside = {id(one) for one in nested.walk()}
        calls = [one for one in function.walk() if one.type == "Call" and one.term("func").parts.get("id") == own]
        names = {id(one) for one in function.walk() if one.type == "Name" and one.parts["id"] == own}
        is_plain = names == {id(one.term("func")) for one in calls} and not nested.terms("decorators")
        is_bound_once = sum(local == own for one in function.walk() for local in _bound(one)) == 1
        is_generator = any(one.type in ("Yield", "YieldFrom") for one in walk_scope(nested.terms("body")))
        if not calls or not is_plain or not is_bound_once or is_generator or any(id(one) in inside for one in calls):
            return
        try:
            points = [point for one in calls if (point := self.point(one)) is not None]
        except Undecidable:
            return
        del self.__dict__["_points"]
        if points:
            entered = either([point.conditions for point in points])
            for key, (statement, path) in self._visits.items():
                if called in path.conditions:
                    at = path.conditions.index(called)
                    path = replace(path, conditions=(*path.conditions[:at], *entered, *path.conditions[at + 1 :]))
                    self._visits[key] = (statement, path)

    def attempt(self, statement: Term, state: _Path) -> bool:
        before, known, line = state.extended(), len(self.exits), statement.region.start if statement.region else 0
        reached = self.run((*statement.terms("body"), *statement.terms("orelse")), state)
        aside = before.extended()
        self.kill_bound(statement, aside)
        handlers = statement.terms("handlers")
        caught = self.opaque(CATCHES.filled(line), state)
        ways = [state.since(before)] if reached else []
        for handler in handlers:
            path = aside.extended(caught)
            if self.run(handler.terms("body"), path):
                ways.append(path.since(before))
        if handlers:
            self.kill_bound(statement, state)
            state.conditions = before.conditions + either(ways)
        if reached and len(ways) == 1 and handlers:
            fails = all(abrupt_completions(handler.terms("body")) <= {"Raise"} for handler in handlers)
            state.conditions += (self.opaque(CATCHES_NOTHING.filled(line), state, fails=fails),)
        if statement.terms("finalbody"):
            inner = len(self.exits)
            goes_on = self.run(statement.terms("finalbody"), aside)
            if not goes_on:  # what it returns is returned instead
                del self.exits[known:inner]
            for last in statement.terms("finalbody"):
                self.kill_bound(last, state)
            return bool(ways) and goes_on
        return bool(ways)

    def alternatives(self, statement: Term, state: _Path) -> bool:
        before, rest = state.extended(), state.extended()
        subject, ways = statement.term("subject"), []
        for number, case in enumerate(statement.terms("cases"), 1):
            inside = rest.extended()
            self.kill_bound(case, inside, is_nested=False)
            guard = case.parts["guard"]
            test = case_test(subject, case.text("pattern"))
            if test is None:
                opaque = self.opaque(MATCHES_OF.filled(number, case.text("pattern")), rest)
                inside = inside.extended(opaque)
                rest = rest.extended(replace(opaque, test=negation(opaque.test), source=negation(opaque.source)))
            else:
                whole = boolean("and", [test, guard], None) if isinstance(guard, Term) else test
                inside, rest = inside.under(whole), rest.under(negation(whole))
            if isinstance(guard, Term):
                self._visit(Term("", {"guard": guard}), inside)
                if test is None:
                    inside, rest = inside.under(guard), before.extended()
            if self.run(case.terms("body"), inside):
                ways.append(inside.since(before))
        last = statement.terms("cases")[-1]
        if last.parts["guard"] is not None or case_test(subject, last.text("pattern")) is not ALWAYS:
            ways.append(rest.since(before))
        self.kill_bound(statement, state)
        state.conditions += either(ways)
        return bool(ways)


def _point(statement: Term, path: _Path) -> ProgramPoint:
    return ProgramPoint(statement, path.conditions, path.values, path.is_repeated, path.loops)


def _round(loop: Term, path: _Path) -> Round:
    names = (str(place.parts.get("id")) for place in flattened_target(loop.term("target")))
    return Round(substitute(loop.term("iter"), path.values), frozenset(names))


def _is_lasting(test: Term) -> bool:
    """Whether a test, asked once more, comes out the same: nothing in it may change anything."""
    terms = tuple(test.walk())
    return all(one.type not in ("NamedExpr", "Await") and not _is_effective(one) for one in terms)


def _bound(term: Term) -> Iterator[str]:
    yield from (str(place.parts.get("id")) for place in bound_targets(term))
    if term.type in ("Global", "Nonlocal") and isinstance(names := term.parts["names"], tuple):
        yield from map(str, names)


_NOT_HEADER = (*PARTS, "decorators", "params")


_SIMPLE = ("Expr", "Assign", "AugAssign")


def _is_effective(term: Term) -> bool:
    return term.type == "Call" and not is_pure(term)


def _is_chain(term: Term, chain: str) -> bool:
    return term.type == "Attribute" and dotted(term) == chain


def _drop(chain: str, state: _Path, *, is_own: bool = False) -> None:
    """Kill the attributes of what is assigned."""
    for known in list(state.values):
        if known.startswith(f"{chain}.") or (is_own and known == chain):
            del state.values[known]
