"""The check `direction`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import msgspec

from auditor.checks import Check
from auditor.code import Undecidable
from auditor.code.monotone import Monotone, Sign
from auditor.code.notation import Formula, Place
from auditor.model import Anchor, Kind, Location, Outcome

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One function on the way: how its result, or `variable`, moves with `of`."""

    at: Place
    of: Formula
    variable: Formula | None = None


@dataclass(frozen=True, kw_only=True)
class Direction(Check):
    """A quantity grows, or shrinks, when another one grows.

    *What it checks.* How the result of the function `at` (what it returns, or assigns to `variable`) moves when the
    place `of` grows: through sums, products, minimum and maximum, loops, locals, the functions it calls. What it is
    multiplied with or divided by is taken for positive. A place that also decides a branch, and anything that moves
    both ways, leaves the claim `open`.

    *Parameters.* `of`: a parameter, an attribute or a call, as the function writes it. `makes`: grow or shrink.
    `variable` (optional). `then` (optional): further steps `{at, of, variable}`, through which the result goes on.

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

    def run(self, code: "Codebase") -> Outcome:
        sign, said, locations, prints = Sign.GROWS, [], [], []
        steps = [(self.at, self.of, self.variable), *((step.at.anchor, step.of, step.variable) for step in self.then)]
        for at, of, variable in steps:
            definition = code.locate(at)
            if definition.term.type != "FunctionDef":
                raise Undecidable(f"{definition.location}: {definition.name} is no function")
            monotone = Monotone(definition, of.term)
            own, is_given = monotone.assigned(variable.term) if variable else monotone.returned()
            what = f"{variable} in {definition.name}" if variable else f"what {definition.name} returns"
            if not is_given:
                verb = "is assigned nothing" if variable else "is nothing"
                raise Undecidable(f"{definition.location}: {what} {verb}")
            if own is Sign.UNTOLD:
                raise Undecidable(f"{definition.location}: how {what} moves with {of} cannot be told")
            how = {Sign.GROWS: f"grows with {of}", Sign.SHRINKS: f"shrinks as {of} grows"}
            said.append(f"{what} {how.get(own, f'does not depend on {of}')}")
            locations += [definition.location_of(statement) for statement in reversed(monotone.evidence)] or [
                definition.location
            ]
            prints.append(definition.fingerprint)
            sign = sign * own
        kind = Kind.PASS if sign.value == self.makes else Kind.FAIL
        message = "; ".join(said) + (
            f"; together it makes it {sign.value}" if self.then and sign is not Sign.NOT else ""
        )
        places: tuple[Location, ...] = tuple(dict.fromkeys(locations))
        return Outcome(kind, message, self.makes, sign.value, places, "".join(print_[:8] for print_ in prints)[:16])
