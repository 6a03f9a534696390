"""The check `direction`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import msgspec

from auditor.checks import Check
from auditor.code import Undecidable
from auditor.code.flow.monotonicity import Monotonicity, Sign
from auditor.code.matching.notation import Formula, Place
from auditor.code.phrases import THEN, quoted
from auditor.code.program.decorators import undecorated
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One function on the way: how its result, or `variable`, moves with `of`."""

    at: Place
    of: Formula
    variable: Formula | None = None


@dataclass(frozen=True, kw_only=True)
class Direction(Check):
    """A quantity grows, or shrinks, when another one grows.

    *What it checks.* How the result of the function `at` (what it returns, or assigns to `variable`) moves when the
    place `of` grows: through sums, products, minimum and maximum, loops, locals, the functions it calls. A factor or
    divisor has the sign of its values where these are constants, and is taken for positive otherwise. A place that also
    decides a branch, and anything that moves both ways, leaves the claim `open`.

    *Parameters.* `of`: a parameter, an attribute or a call, as the function writes it. `makes`: grow or shrink.
    `variable` (optional). `then` (optional): further steps `{at, of, variable}`, through which the result goes on.

    *中文。* 一个量随另一个量增大而增大或减小。

    *Example.*

        check: direction
        at: python/sglang/srt/mem_cache/prefill_budget.py::PrefillBudget.remaining_total
        of: self.total_offset
        makes: shrink
    """

    at: Anchor
    of: Formula
    makes: Literal["grow", "shrink"]
    variable: Formula | None = None
    then: tuple[Step, ...] = ()

    def problems(self) -> Iterator[str]:
        for anchor in (self.at, *(step.at.anchor for step in self.then)):
            if anchor.symbol is None:
                yield f"{anchor} needs a function: path::function"

    def run(self, codebase: "Codebase") -> Outcome:
        sign = Sign.GROWS
        said: list[Text] = []
        locations: list[Location] = []
        prints: list[str] = []
        steps = [(self.at, self.of, self.variable), *((step.at.anchor, step.of, step.variable) for step in self.then)]
        for at, of, variable in steps:
            definition = undecorated(codebase.locate(at))
            monotonicity = Monotonicity(definition, of.term)
            own, is_given = monotonicity.assigned(variable.term) if variable else monotonicity.returned()
            what = Text("what {} returns", "{} 的返回值").filled(quoted(definition.name))
            if variable:
                what = Text("{} in {}", "{1} 中的 {0}").filled(quoted(variable), quoted(definition.name))
            if not is_given:
                nothing = Text("is assigned nothing", "没有被赋值") if variable else Text("is nothing", "不存在")
                raise Undecidable(Text("{}: {} {}", "{}：{} {}").filled(definition.location, what, nothing))
            if own is Sign.UNKNOWN:
                untold = Text("{}: how {} moves with {} cannot be told", "{}：无法判断 {} 如何随 {} 变化")
                raise Undecidable(untold.filled(definition.location, what, quoted(of)))
            said.append(_MOVES.get(own, _STILL).filled(what, quoted(of)))
            locations += [definition.location_of(statement) for statement in reversed(monotonicity.evidence)] or [
                definition.location
            ]
            prints.append(definition.fingerprint)
            sign = sign * own
        kind = Kind.PASS if sign.value == self.makes else Kind.FAIL
        message = THEN.join(said)
        if self.then and sign is not Sign.INDEPENDENT:
            together = Text("; together it makes it {}", "；合起来使它{}")
            message += together.filled(_WAYS[sign.value])
        if kind is Kind.FAIL:
            message += Text("; it should {}", "；而它应当{}").filled(_WAYS[self.makes])
        places = tuple(dict.fromkeys(locations))
        return Outcome(kind, message, self.makes, sign.value, places, "".join(one[:8] for one in prints)[:16])


_WAYS = {"grow": Text("grow", "增大"), "shrink": Text("shrink", "减小")}
_MOVES = {
    Sign.GROWS: Text("{} grows with {}", "{} 随 {} 增大而增大"),
    Sign.SHRINKS: Text("{0} shrinks as {1} grows", "{0} 随 {1} 增大而减小"),
}
_STILL = Text("{} does not depend on {}", "{} 不随 {} 变化")
