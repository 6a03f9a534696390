"""The check `returns`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import Undecidable
from auditor.code.conditions import Answer, possible
from auditor.code.exits import described, exits, gives, is_constant
from auditor.code.flow import Exit, either, followed
from auditor.code.notation import Pattern
from auditor.code.requirements import Reading, required, understood
from auditor.model import Anchor, Kind, Outcome

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase
    from auditor.code.term import Term


@dataclass(frozen=True, kw_only=True)
class Returns(Check):
    """A function gives a value under a condition.

    *What it checks.* The function `at` returns `value` under `when`, and where `when` holds it returns nothing else.
    What it also asks for is `review`, so is a condition narrower than the stated one; that it raises otherwise does not
    count. Conditions are compared as in `guard`, values as algebra; `return a >= b` gives True if `a >= b`.

    *Parameters.* `value`: an expression, which may have holes. `when` (optional; without it, always). `only`
    (optional): whether `value` is returned only then. `where` (optional): names for calls and other code (patterns).

    *Example.*

        check: returns
        at: python/sglang/srt/managers/schedule_policy.py::PrefillAdder.budget_state
        value: AddReqResult.NO_TOKEN
        when: not self.memory_budget.has_capacity()
    """

    at: Anchor
    value: Pattern
    when: Pattern | None = None
    only: bool = False
    where: Mapping[str, Pattern] = field(default_factory=dict)

    def problems(self) -> Iterator[str]:
        if self.at.symbol is None:
            yield "at needs a symbol: path::function"
        for key, pattern in {"value": self.value, "when": self.when, **self.where}.items():
            if pattern is not None and not pattern.is_expression:
                yield f"{key} is not an expression"

    def run(self, code: "Codebase") -> Outcome:
        definition = code.locate(self.at)
        if definition.term.type != "FunctionDef":
            raise Undecidable(f"{definition.location}: {definition.name} is no function")
        flow, reading = followed(definition.term), Reading(definition, self.where)
        if flow.is_generator:
            raise Undecidable(f"{definition.location}: {definition.name} is a generator")
        found = list(exits(flow, self.value.terms[0].term("value")))
        same = [one for one in found if gives(one, self.value, reading)]
        others = [one for one in found if one not in same]
        kind, message = self._judged(same, others, reading)
        locations = tuple(dict.fromkeys(definition.location_of(one.site.statement) for one in (*same, *others)))
        actual = " or ".join(dict.fromkeys(map(described, same or others))) or None
        expected = f"{self.value}" + (f" if {self.when}" if self.when else "")
        return Outcome(kind, f"{definition.name} {message}", expected, actual, locations, definition.fingerprint)

    def _judged(self, same: Sequence[Exit], others: Sequence[Exit], reading: Reading) -> tuple[Kind, str]:
        when = f" if {self.when}" if self.when else ""
        given = "; ".join(map(described, same or others)) or "nothing"
        if not same:
            return Kind.FAIL, f"returns {given}, not {self.value}"
        conditions = [condition for one in (*same, *others) for condition in one.site.conditions]
        ways = list(understood(self.when, conditions, reading)) if self.when else [(0, (), frozenset[str]())]
        if not ways:
            return Kind.REVIEW if not others else Kind.FAIL, f"returns {given}, and does not ask for {self.when}"
        depth, wanted, changed = min(ways, key=lambda way: len(_left(others, way[1], reading, way[0])))
        if not _left(same, wanted, reading, depth):
            then = "; ".join(map(described, _left(others, wanted, reading, depth))) or "fails"
            return Kind.FAIL, f"returns {self.value} otherwise than{when}, where it gives {then}"
        if rest := _left(others, wanted, reading, depth):
            return Kind.REVIEW, f"returns {self.value}{when}, but also {'; '.join(map(described, rest))}"
        if self.only:
            if beside := self._beside(same, reading):
                return Kind.FAIL, f"returns {self.value} not only{when}: {'; '.join(map(described, beside))}"
            if unknown := [one for one in others if not is_constant(one.value)]:
                raise Undecidable(f"whether {described(unknown[0])} is {self.value} cannot be told")
        for number in range(len(wanted)):
            if not _left(others, wanted[:number] + wanted[number + 1 :], reading, depth):
                return Kind.REVIEW, f"returns {self.value}{when}, and more widely: {given}"
        if changed:
            return Kind.REVIEW, f"returns {given}, asked after {' and '.join(sorted(changed))} has been changed"
        return Kind.PASS, f"returns {given}"

    def _beside(self, same: Sequence[Exit], reading: Reading) -> list[Exit]:
        """Where the value is returned although what is wanted need not hold."""

        def missed(some: Sequence[Exit]) -> bool:
            asked = either([one.site.conditions for one in some])
            return required(self.when, {}, asked, some[0].site.values, reading).answer is Answer.NO

        return [one for one in same if missed([one])] if missed(same) else []


def _left(some: Sequence[Exit], wanted: Sequence["Term"], reading: Reading, depth: int) -> list[Exit]:
    """The ways out that are open where what is wanted holds."""
    return [
        one
        for one in some
        if possible([*wanted, *(reading.term(condition.test, depth) for condition in one.site.conditions)])
    ]
