"""The check `order`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.checks import Check, Wanting, holding
from auditor.code.flow.dead_stores import overwritten, repeated
from auditor.code.flow.step_sites import StepSite, agree, must_precede, step_sites
from auditor.code.matching.equivalent_forms import equivalent_forms
from auditor.code.matching.notation import Pattern
from auditor.code.phrases import quoted, ticked
from auditor.code.program.self_calls import with_called_methods
from auditor.model import Anchor, Kind, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, kw_only=True)
class Order(Check):
    """One step runs before another, on every path.

    *What it checks.* Wherever the function `at` reaches `then`, it has run `first`, whatever the branches, loops,
    handlers and early returns between them. Steps may stand in methods of the class that `at` calls, `depth` calls
    deep. With `always`, every path on which `first` runs goes on to `then`, unless a call raises. An attribute that a
    step assigns and that is always assigned again afterwards is `review`.

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

    def run(self, codebase: "Codebase") -> Outcome:
        definition = codebase.locate(self.at)
        forms = equivalent_forms(definition, [self.first, self.then])
        return holding(replace(self, first=first, then=then).judged(form) for form, (first, then) in forms)

    def judged(self, definition: "Definition") -> Outcome:
        """What one way to write the function says."""
        bodies = with_called_methods(definition, self.depth)
        firsts, thens = (step_sites(pattern, bodies) for pattern in (self.first, self.then))
        reached = [(place, done) for place in thens if (done := self._done(place, firsts, bodies)) is not None]
        early = [place for place, is_done in reached if not is_done]
        evidence = (*early, *(place for place, is_done in reached if is_done), *firsts)
        taken = [match.terms[0] for match, _ in evidence]
        first, then = map(ticked, (self.first, self.then))
        actual: str | None = None
        kind, runs = Kind.FAIL, Text("{} runs before {}", "{} 先于 {} 执行").filled(first, then)
        if not firsts or not reached:
            missing = then if firsts else first
            actual = _NOT_RUN
            message = Text("{} does not run {}", "{} 没有执行 {}").filled(quoted(definition.name), missing)
        elif early:
            message = Text(
                "{1} is reached on a path on which {0} has not run", "存在尚未执行 {0} 就到达 {1} 的路径"
            ).filled(first, then)
        elif self.always and (way := self._skipped(firsts, thens, bodies)):
            message = runs + Text(", but {}", "，但{}").filled(way)
        elif any(repeated(body.term, taken) for body in bodies):
            kind, message = Kind.REVIEW, runs + Text(", but one of them twice in a row", "，但其中之一连续执行了两次")
        elif later := [body.location_of(one) for body in bodies if (one := overwritten(body.term, taken))]:
            again = Text(
                ", but what one of them assigns is assigned again at {}", "，但其中之一所赋的值又在 {} 处被改写"
            )
            kind, message = Kind.REVIEW, runs + again.filled(later[0])
        else:
            kind, message = Kind.PASS, runs
        locations = tuple(dict.fromkeys(body.location_of(*match.terms) for match, body in evidence))
        expected = f"`{self.first}` before `{self.then}`"
        return Outcome(kind, message, expected, actual, locations or (definition.location,), definition.fingerprint)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        return Wanting(self.first.members | self.then.members) if outcome.actual == _NOT_RUN else None

    def _done(self, then: StepSite, firsts: Sequence[StepSite], bodies: "Sequence[Definition]") -> bool | None:
        """Whether the first step has been done there, whatever the path; None where no path leads."""
        analysis = must_precede([one for one in firsts if agree(one[0], then[0])], [then], bodies, self.depth)
        begun = analysis.begun.get(id(then[0].terms[0]))
        return None if begun is None else begun.is_done

    def _skipped(
        self, firsts: Sequence[StepSite], thens: Sequence[StepSite], bodies: "Sequence[Definition]"
    ) -> Text | None:
        for first in firsts:
            analysis = must_precede([first], [one for one in thens if agree(first[0], one[0])], bodies, self.depth)
            if analysis.end and analysis.end.is_owed:
                return Text("the function can end between them", "函数可能在两者之间结束")
            if analysis.failure and analysis.failure.is_owed:
                return Text("the function can raise between them", "函数可能在两者之间抛出异常")
        return None


_NOT_RUN = "not run"
