"""A forward must-analysis: whether one step of a function has been done wherever another begins, on every path.

Loops are iterated to a fixed point; early exits, handlers and `finally` are followed.

Inside a `try`, any statement may raise; elsewhere, what raises ends the function. Nested functions are not entered.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from auditor.code.syntax.blocks import ends_process
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Part, Term, dotted


@dataclass(frozen=True, slots=True)
class Fact:
    """The dataflow fact at a point: what holds whatever the path to it."""

    is_done: bool = False
    """The first step has been done on every path."""
    is_owed: bool = False
    """On some path the first step has been done, and the other not since."""


Reachable = Fact | None
"""None: no path comes here."""


def meet(*points: Reachable) -> Reachable:
    """The meet of the facts where paths join."""
    reached = [point for point in points if point is not None]
    if not reached:
        return None
    return Fact(all(point.is_done for point in reached), any(point.is_owed for point in reached))


@dataclass
class _AbruptExits:
    """The facts with which control leaves a block other than at its end."""

    breaks: Reachable = None
    rounds: Reachable = None
    """By `continue`."""
    ends: Reachable = None
    """By `return`."""
    raised: Reachable = None
    """By whatever may raise."""
    failures: Reachable = None
    """By `raise`."""


@dataclass
class MustPrecede:
    """Follows a function with two steps in it, given by the terms with which each begins and ends."""

    first_ends: frozenset[int]
    """The identities of the terms with which the first step is done, at each of its places."""
    then_begins: frozenset[int]
    then_ends: frozenset[int]
    shared: frozenset[str] = frozenset()
    """Names that the steps have in common: once one is given another value, the first step has to be done anew."""
    callee: Callable[[Term], Term | None] = lambda _: None
    """The function that a call runs, where it is to be followed."""
    depth: int = 1
    no_return: frozenset[int] = frozenset()
    """The identities of the calls that never return, beside those that end the process."""
    begun: dict[int, Fact] = field(default_factory=dict)
    """What can be said where the other step begins, by the identity of its first term."""
    end: Reachable = None
    """What can be said where the function ends, other than by raising."""
    failure: Reachable = None

    def run(self, function: Term) -> None:
        exits = _AbruptExits()
        out = self._block(function.terms("body"), Fact(), exits)
        self.end, self.failure = meet(out, exits.ends), exits.failures

    def _block(self, statements: Iterable[Term], point: Reachable, exits: _AbruptExits) -> Reachable:
        for statement in statements:
            if point is None:
                break
            point = self._statement(statement, point, exits)
        return point

    def _statement(self, term: Term, point: Fact, exits: _AbruptExits) -> Reachable:
        compound = _COMPOUND.get(term.type)
        if compound is not None:
            self._begin(term, point)
            exits.raised = meet(exits.raised, point)
            out = compound(self, term, point, exits)
            return self._complete(term, out)
        out = self._parts(term, point)
        exits.raised = meet(exits.raised, point, out)
        if out is None:
            return None
        self._begin(term, out)
        out = self._complete(term, self._bind(term, out))
        match term.type:
            case "Return":
                exits.ends = meet(exits.ends, out)
            case "Raise":
                exits.failures = meet(exits.failures, out)
            case "Expr" if self._never_returns(term.term("value")):
                exits.failures = meet(exits.failures, out)
            case "Assert":
                out, _ = self._test(term.term("test"), out)
                return out
            case "Break":
                exits.breaks = meet(exits.breaks, out)
            case "Continue":
                exits.rounds = meet(exits.rounds, out)
            case _:
                exits.raised = meet(exits.raised, out)
                return out
        return None

    def _never_returns(self, expression: Term) -> bool:
        call = expression.term("value") if expression.type == "Await" else expression
        return id(call) in self.no_return or ends_process(call)

    def _begin(self, term: Term, point: Fact) -> None:
        if id(term) in self.then_begins:
            known = meet(self.begun.get(id(term)), point)
            self.begun[id(term)] = known or point

    def _complete(self, term: Term, point: Reachable) -> Reachable:
        if point is not None and id(term) in self.then_ends:
            point = replace(point, is_owed=False)
        if point is not None and id(term) in self.first_ends:
            point = Fact(is_done=True, is_owed=True)
        return point

    def _bind(self, term: Term, point: Reachable) -> Reachable:
        names = (place.text("id") for place in bound_targets(term) if place.type == "Name")
        return replace(point, is_done=False) if point is not None and self.shared.intersection(names) else point

    # Statements with blocks.

    def _if(self, term: Term, point: Fact, exits: _AbruptExits) -> Reachable:
        taken, other = self._test(term.term("test"), point)
        return meet(*(self._block(term.terms(p), at, exits) for p, at in (("body", taken), ("orelse", other))))

    def _loop(self, term: Term, point: Fact, exits: _AbruptExits) -> Reachable:
        start: Reachable = point if term.type == "While" else self._expression(term.term("iter"), point)
        while True:
            inner = replace(exits, breaks=None, rounds=None)
            if term.type == "While":
                taken, other = self._test(term.term("test"), start)
            else:
                taken, other = self._bind(term, start), start
            again = meet(start, self._block(term.terms("body"), taken, inner), inner.rounds)
            if again == start:
                break
            start = again
        for way in ("ends", "raised", "failures"):
            setattr(exits, way, getattr(inner, way))
        return meet(self._block(term.terms("orelse"), other, exits), inner.breaks)

    def _with(self, term: Term, point: Fact, exits: _AbruptExits) -> Reachable:
        entered: Reachable = point
        is_swallowing = False
        for item in term.terms("items"):
            entered = self._bind(item, self._expression(item.term("item"), entered))
            call = item.term("item")
            is_swallowing |= call.type == "Call" and "suppress" in (dotted(call.term("func")) or "")
        inner = replace(exits, raised=entered)
        out = self._block(term.terms("body"), entered, inner)
        swallowed = inner.raised if is_swallowing else None
        inner.raised = meet(exits.raised, inner.raised)
        _adopt(exits, inner)
        return meet(out, swallowed)

    def _try(self, term: Term, point: Fact, exits: _AbruptExits) -> Reachable:
        inner, outer = _AbruptExits(raised=point), _AbruptExits()
        out = self._block(term.terms("body"), point, inner)
        out = self._block(term.terms("orelse"), out, outer)
        handlers = term.terms("handlers")
        caught = [self._block(one.terms("body"), self._bind(one, inner.raised), outer) for one in handlers]
        for way in _WAYS[:3] if _catches_all(term) else _WAYS:
            setattr(outer, way, meet(getattr(outer, way), getattr(inner, way)))
        final = term.terms("finalbody")
        for way in _WAYS:
            passed = self._block(final, getattr(outer, way), exits)
            setattr(exits, way, meet(getattr(exits, way), passed))
        return self._block(final, meet(out, *caught), exits)

    def _match(self, term: Term, point: Fact, exits: _AbruptExits) -> Reachable:
        rest = self._expression(term.term("subject"), point)
        ways: list[Reachable] = []
        for case in term.terms("cases"):
            inside, guard = self._bind(case, rest), case.parts["guard"]
            if isinstance(guard, Term):
                inside, refused = self._test(guard, inside)
                rest = meet(rest, refused)
            ways.append(self._block(case.terms("body"), inside, exits))
            if guard is None and case.text("pattern").isidentifier():
                return meet(*ways)
        return meet(*ways, rest)

    def _nested(self, term: Term, point: Fact, exits: _AbruptExits) -> Reachable:
        out = self._all(term.parts["decorators"], point)
        if term.type == "ClassDef":
            out = self._block(term.terms("body"), out, exits)
        return self._bind(term, out)

    # Expressions.

    def _test(self, term: Term, point: Reachable) -> tuple[Reachable, Reachable]:
        """What can be said where a condition has turned out true, and false."""
        if term.type == "UnaryOperation" and term.parts["operator"] == "not":
            true, false = self._test(term.term("operand"), point)
            return self._reach(term, false), self._reach(term, true)
        if term.type == "BooleanOperation":
            is_and, decided, rest = term.parts["operator"] == "and", [], point
            for value in term.terms("values"):
                true, false = self._test(value, rest)
                rest, left = (true, false) if is_and else (false, true)
                decided.append(left)
            outs = (rest, meet(*decided)) if is_and else (meet(*decided), rest)
            return self._reach(term, outs[0]), self._reach(term, outs[1])
        out = self._expression(term, point)
        constant = term.parts.get("id") if term.type == "Name" else None
        return (None if constant == "False" else out), (None if constant == "True" else out)

    def _expression(self, term: Term, point: Reachable) -> Reachable:
        if point is None:
            return None
        if term.type == "Lambda":
            return point
        out = self._parts(term, point)
        if out is not None and term.type == "Call" and self.depth and (function := self.callee(term)):
            out = self._call(function, out)
        return self._reach(term, self._bind(term, out))

    def _reach(self, term: Term, point: Reachable) -> Reachable:
        if point is not None:
            self._begin(term, point)
        return self._complete(term, point)

    def _call(self, function: Term, point: Fact) -> Reachable:
        exits = _AbruptExits()
        self.depth -= 1
        out = self._block(function.terms("body"), point, exits)
        self.depth += 1
        return meet(out, exits.ends)

    def _parts(self, term: Term, point: Reachable) -> Reachable:
        match term.type:
            case "BooleanOperation":
                return meet(*self._test(term, point))
            case "IfExp":
                true, false = self._test(term.term("test"), point)
                return meet(self._expression(term.term("body"), true), self._expression(term.term("orelse"), false))
            case "ListComp" | "SetComp" | "DictComp" | "GeneratorExp":
                loop, *loops = term.terms("for_in")
                out = self._expression(loop.term("iter"), point)
                own = tuple(value for key, value in term.parts.items() if key != "for_in")
                return meet(out, self._all((loop.parts["ifs"], *loops, own), out))
            case "Assign":
                return self._all((term.parts["value"], term.parts["targets"]), point)
            case "Comparison":  # the terms of `a > b` are those of `b < a`
                return self._unordered((term.term("left"), *term.terms("comparators")), point, 2)
            case "Call":  # keywords are sorted
                keywords = term.terms("keywords")
                return self._unordered(
                    keywords, self._all((term.parts["func"], term.parts["args"]), point), len(keywords)
                )
            case _:
                return self._all(tuple(term.parts.values()), point)

    def _tested(self, term: Term, point: Reachable) -> tuple[Reachable, Reachable]:
        return self._test(term, point)

    def _all(self, part: Part, point: Reachable) -> Reachable:
        if isinstance(part, tuple):
            for item in part:
                point = self._all(item, point)
            return point
        return self._expression(part, point) if isinstance(part, Term) else point

    def _unordered(self, parts: Sequence[Term], point: Reachable, certain: int) -> Reachable:
        """Parts that run in an order that is not known; of those after the first `certain`, it is not known whether."""
        outs = [self._expression(part, point) for part in parts]
        if point is None or not outs:
            return point
        reached = [out for out in outs if out is not None]
        is_done = point.is_done or any(out.is_done for out in outs[:certain] if out is not None)
        return Fact(is_done, any(out.is_owed for out in reached))


_WAYS = ("breaks", "rounds", "ends", "raised", "failures")


def _adopt(exits: _AbruptExits, inner: _AbruptExits) -> None:
    for way in _WAYS:
        setattr(exits, way, getattr(inner, way))


def _catches_all(term: Term) -> bool:
    """Whether no exception passes the handlers."""
    types = [handler.parts["type"] for handler in term.terms("handlers")]
    return any(
        caught is None or (isinstance(caught, Term) and caught.parts.get("id") == "BaseException") for caught in types
    )


_COMPOUND: Mapping[str, Callable[[MustPrecede, Term, Fact, _AbruptExits], Reachable]] = {
    "If": MustPrecede._if, "For": MustPrecede._loop, "While": MustPrecede._loop, "With": MustPrecede._with,
    "Try": MustPrecede._try, "TryStar": MustPrecede._try, "Match": MustPrecede._match,
    "FunctionDef": MustPrecede._nested, "ClassDef": MustPrecede._nested,
}  # fmt: skip
