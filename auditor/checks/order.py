"""The check `order`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.checks import Check, Wanting, holding, possibly
from auditor.code.flow.dead_stores import overwritten, repeated
from auditor.code.flow.must_precede import MustPrecede
from auditor.code.flow.path_coverage import Coverage, coverage
from auditor.code.flow.step_sites import StepSite, agree, must_precede, step_sites
from auditor.code.matching.equivalent_forms import equivalent_forms
from auditor.code.matching.notation import Pattern
from auditor.code.phrases import quoted, ticked
from auditor.code.program.other_names import use_by_another_name
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

    *中文。* 在每条路径上，一步都先于另一步。

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
        outcome = holding(replace(self, first=first, then=then).judged(form) for form, (first, then) in forms)
        if outcome.actual != _NOT_RUN:
            return outcome
        bodies = with_called_methods(definition, self.depth)
        uses = (use_by_another_name(step, body) for step in (self.first, self.then) for body in bodies)
        place = next(filter(None, uses), None)
        return outcome if place is None else possibly(outcome, place)

    def judged(self, definition: "Definition") -> Outcome:
        """What one way to write the function says."""
        bodies = with_called_methods(definition, self.depth)
        firsts, thens = (step_sites(pattern, bodies) for pattern in (self.first, self.then))
        reached = [(place, done) for place in thens if (done := self._done(place, firsts, bodies)) is not None]
        early = [place for place, done in reached if done is Coverage.REFUTED]
        unsure = [(place, done) for place, done in reached if done in _UNSURE]
        evidence = (*early, *(place for place, _ in unsure), *(place for place, _ in reached), *firsts)
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
        elif unsure:
            kind, message = Kind.OPEN, _UNSURE[unsure[0][1]].filled(first, then)
        elif self.always and (skipped := self._skipped(firsts, thens, bodies)):
            kind, message = skipped[0], runs + Text(", but {}", "，但{}").filled(skipped[1])
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

    def _done(self, then: StepSite, firsts: Sequence[StepSite], bodies: "Sequence[Definition]") -> Coverage | None:
        """Whether the first step has been done there, whatever the path; None where no path leads."""
        agreeing = [one for one in firsts if agree(one[0], then[0])]
        analysis = must_precede(agreeing, [then], bodies, self.depth)
        begun = analysis.begun.get(id(then[0].terms[0]))
        if begun is None:
            return None
        return Coverage.PROVEN if begun.is_done else _coverage(then, agreeing, analysis)

    def _skipped(
        self, firsts: Sequence[StepSite], thens: Sequence[StepSite], bodies: "Sequence[Definition]"
    ) -> tuple[Kind, Text] | None:
        """How the first step may come to nothing after it."""
        for first in firsts:
            agreeing = [one for one in thens if agree(first[0], one[0])]
            analysis = must_precede([first], agreeing, bodies, self.depth)
            if analysis.failure and analysis.failure.is_owed:
                return Kind.FAIL, Text("the function can raise between them", "函数可能在两者之间抛出异常")
            if analysis.end and analysis.end.is_owed:
                covered = _coverage(first, agreeing, analysis, is_after=True)
                if covered is Coverage.REFUTED:
                    return Kind.FAIL, Text("the function can end between them", "函数可能在两者之间结束")
                if covered is not Coverage.PROVEN:
                    unknown = Text(
                        "whether the function can end between them is not known", "无法得知函数是否可能在两者之间结束"
                    )
                    return Kind.OPEN, unknown
        return None


def _coverage(site: StepSite, others: Sequence[StepSite], analysis: MustPrecede, *, is_after: bool = False) -> Coverage:
    """What path conditions tell of a site where the must-analysis, which joins paths, finds a way around others."""
    (match, body), number = site, 0 if is_after else -1
    if analysis.shared or any(around is not body for _, around in others):
        return Coverage.REFUTED
    return coverage(match.terms[-1 - number], [one.terms[number] for one, _ in others], body, is_after=is_after)


_UNSURE = {
    Coverage.UNSTABLE: Text(
        "{1} runs after {0} if what both are asked to run for is the same, which a call in between may change",
        "若两处所判断的条件结果相同，{1} 就在 {0} 之后执行，但其间的调用可能改变它",
    ),
    Coverage.UNKNOWN: Text(
        "it is not known whether there is a path to {1} on which {0} has not run",
        "无法得知是否存在尚未执行 {0} 就到达 {1} 的路径",
    ),
}

_NOT_RUN = "not run"
