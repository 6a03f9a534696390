"""The check `order`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import Undecidable
from auditor.code.branches import repeated
from auditor.code.methods import methods
from auditor.code.notation import Pattern
from auditor.code.places import Place, agree, follow, places
from auditor.model import Anchor, Kind, Outcome

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase, Definition


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
        firsts, thens = (places(pattern, bodies) for pattern in (self.first, self.then))
        reached = [(place, done) for place in thens if (done := self._done(place, firsts, bodies)) is not None]
        early = [place for place, is_done in reached if not is_done]
        shown = (*early, *(place for place, is_done in reached if is_done), *firsts)
        kind, message = Kind.FAIL, ""
        if not firsts or not reached:
            missing = self.then if firsts else self.first
            message = f"{definition.name} does not run `{missing}`"
        elif early:
            message = f"`{self.then}` is reached on a path on which `{self.first}` has not run"
        elif self.always and (way := self._skipped(firsts, thens, bodies)):
            message = f"`{self.first}` runs before `{self.then}`, but {way}"
        elif any(repeated(body.term, [match.terms[0] for match, _ in shown]) for body in bodies):
            kind, message = Kind.REVIEW, f"`{self.first}` runs before `{self.then}`, but one of them twice in a row"
        else:
            kind, message = Kind.PASS, f"`{self.first}` runs before `{self.then}`"
        locations = tuple(dict.fromkeys(body.location_of(*match.terms) for match, body in shown))
        expected = f"`{self.first}` before `{self.then}`"
        return Outcome(kind, message, expected, None, locations or (definition.location,), definition.fingerprint)

    def _done(self, then: Place, firsts: Sequence[Place], bodies: "Sequence[Definition]") -> bool | None:
        """Whether the first step has been done there, whatever the path; None where no path leads."""
        steps = follow([one for one in firsts if agree(one[0], then[0])], [then], bodies, self.depth)
        begun = steps.begun.get(id(then[0].terms[0]))
        return None if begun is None else begun.is_done

    def _skipped(self, firsts: Sequence[Place], thens: Sequence[Place], bodies: "Sequence[Definition]") -> str | None:
        for first in firsts:
            steps = follow([first], [one for one in thens if agree(first[0], one[0])], bodies, self.depth)
            if steps.end and steps.end.is_owed:
                return "the function can end between them"
            if steps.failure and steps.failure.is_owed:
                return "the function can raise between them"
        return None
