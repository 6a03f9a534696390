"""The check `order`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import Undecidable, patterns
from auditor.code.branches import own
from auditor.code.methods import method, methods
from auditor.code.notation import Pattern
from auditor.code.patterns import Match
from auditor.code.steps import Steps
from auditor.code.term import Term, encode
from auditor.model import Anchor, Kind, Outcome

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase, Definition

Place = tuple[Match, "Definition"]


@dataclass(frozen=True, kw_only=True)
class Order(Check):
    """One step runs before another, on every path.

    *What it checks.* Wherever the function `at` reaches `then`, it has run `first`, whatever the branches, loops,
    handlers and early returns between them. Steps may stand in methods of the class that `at` calls, `depth` calls
    deep. With `always`, every path on which `first` runs goes on to `then`, unless a call raises.

    *Parameters.* `first` and `then`: code; a metavariable that both have is the same thing. `always` (optional).
    `depth` (optional, 1).

    *Example.*

        check: order
        at: vllm/v1/core/sched/scheduler.py::Scheduler._preempt_request
        first: self._free_request_blocks(request)
        then: self.waiting.prepend_request(request)
    """

    at: Anchor
    first: Pattern
    then: Pattern
    always: bool = False
    depth: int = 1

    def problems(self) -> Iterator[str]:
        if self.at.symbol is None:
            yield "at needs a symbol: path::function"
        if not 0 <= self.depth <= 3:
            yield "depth is 0 to 3"

    def run(self, code: "Codebase") -> Outcome:
        definition = code.locate(self.at)
        if definition.term.type != "FunctionDef":
            raise Undecidable(f"{definition.location}: {definition.name} is no function")
        bodies = methods(definition, self.depth)
        firsts, thens = (_places(pattern, bodies) for pattern in (self.first, self.then))
        reached = [(place, done) for place in thens if (done := self._done(place, firsts, bodies)) is not None]
        early = [place for place, is_done in reached if not is_done]
        places = (*early, *(place for place, is_done in reached if is_done), *firsts)
        kind, message = Kind.FAIL, ""
        if not firsts or not reached:
            missing = self.then if firsts else self.first
            message = f"{definition.name} does not run `{missing}`"
        elif early:
            message = f"`{self.then}` is reached on a path on which `{self.first}` has not run"
        elif self.always and (way := self._skipped(firsts, thens, bodies)):
            message = f"`{self.first}` runs before `{self.then}`, but {way}"
        else:
            kind, message = Kind.PASS, f"`{self.first}` runs before `{self.then}`"
        locations = tuple(dict.fromkeys(body.location_of(*match.terms) for match, body in places))
        expected = f"`{self.first}` before `{self.then}`"
        return Outcome(kind, message, expected, None, locations or (definition.location,), definition.fingerprint)

    def _done(self, then: Place, firsts: Sequence[Place], bodies: "Sequence[Definition]") -> bool | None:
        """Whether the first step has been done there, whatever the path; None where no path leads."""
        steps = _follow([one for one in firsts if _agree(one[0], then[0])], [then], bodies, self.depth)
        begun = steps.begun.get(id(then[0].terms[0]))
        return None if begun is None else begun.is_done

    def _skipped(self, firsts: Sequence[Place], thens: Sequence[Place], bodies: "Sequence[Definition]") -> str | None:
        for first in firsts:
            steps = _follow([first], [one for one in thens if _agree(first[0], one[0])], bodies, self.depth)
            if steps.end and steps.end.is_owed:
                return "the function can end between them"
            if steps.failure and steps.failure.is_owed:
                return "the function can raise between them"
        return None


def _places(pattern: Pattern, bodies: "Sequence[Definition]") -> list[Place]:
    """Where a step stands. Raises Undecidable when that is in a nested function."""
    found: list[Place] = []
    for body in bodies:
        entered = {id(term) for term in own(body.term.terms("body"))}
        for match in patterns.search(pattern, body.code):
            if match.terms[0] is body.term:
                continue
            if id(match.terms[0]) not in entered:
                where = body.location_of(*match.terms)
                raise Undecidable(f"{where}: `{pattern}` stands in a nested function; when that runs is not known")
            found.append((match, body))
    return found


def _agree(one: Match, other: Match) -> bool:
    """Whether two steps are done to the same things."""
    common = one.bindings.keys() & other.bindings.keys()
    return all(encode(one.bindings[variable]) == encode(other.bindings[variable]) for variable in common)


def _follow(firsts: Sequence[Place], thens: Sequence[Place], bodies: "Sequence[Definition]", depth: int) -> Steps:
    firsts_end, thens_begin, thens_end = (
        frozenset(id(match.terms[number]) for match, _ in places)
        for places, number in ((firsts, -1), (thens, 0), (thens, -1))
    )
    common = {v for one, _ in firsts for other, _ in thens for v in one.bindings.keys() & other.bindings.keys()}
    bound = (match.bindings[variable] for match, _ in firsts for variable in common)
    shared = (
        inner.text("id") for part in bound if isinstance(part, Term) for inner in part.walk() if "id" in inner.parts
    )
    called = {
        id(call): inner.term
        for body in bodies
        for call in body.code.by_type.get("Call", ())
        if (inner := method(call, body)) is not None and inner in bodies
    }
    steps = Steps(firsts_end, thens_begin, thens_end, frozenset(shared), lambda call: called.get(id(call)), depth)
    steps.run(bodies[0].term)
    return steps
