"""The check `returns`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.checks import Check, holding_inlined
from auditor.code import Undecidable
from auditor.code.flow.entailment import Reading, entailment, interpretations
from auditor.code.flow.no_return import conditions_in
from auditor.code.flow.program_points import Exit, either
from auditor.code.flow.return_values import described, is_different, is_instance, is_other, return_values
from auditor.code.matching.notation import Pattern
from auditor.code.phrases import AND, OR, THEN, quoted
from auditor.code.program.decorators import undecorated
from auditor.code.syntax.normal_forms import negation
from auditor.code.values.logic import Implication, are_equivalent, are_satisfiable, atoms, conjuncts
from auditor.model import Anchor, Kind, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition
    from auditor.code.syntax.term import Term


@dataclass(frozen=True, kw_only=True)
class Returns(Check):
    """A function gives a value under a condition.

    *What it checks.* The function `at` returns `value` under `when`, and where `when` holds it returns nothing else.
    What it also asks for is `review`, so is a condition narrower than the stated one; that it raises otherwise does not
    count. Conditions are compared as in `guard`, values as algebra; `return a >= b` gives True if `a >= b`.

    *Parameters.* `value`: an expression, which may have holes. `when` (optional; without it, always). `only`
    (optional): whether `value` is returned only then. `where` (optional): names for calls and other code (patterns).

    *中文。* 在某个条件下，函数返回所述的值。

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

    def run(self, codebase: "Codebase") -> Outcome:
        return holding_inlined(self._in, undecorated(codebase.locate(self.at)))

    def _in(self, definition: "Definition") -> Outcome:
        flow, reading = conditions_in(definition), Reading(definition, self.where)
        if flow.is_generator:
            raise Undecidable(
                Text("{}: {} is a generator", "{}：{} 是生成器").filled(definition.location, quoted(definition.name))
            )
        found = list(return_values(flow, self.value.terms[0].term("value")))
        same = [one for one in found if is_instance(one, self.value, reading)]
        others = [one for one in found if one not in same]
        kind, message = self._judged(same, others, reading)
        locations = tuple(dict.fromkeys(definition.location_of(one.point.statement) for one in (*same, *others)))
        actual = OR.join(dict.fromkeys(map(described, same or others))).en or None
        expected = f"{self.value}" + (f" if {self.when}" if self.when else "")
        message = Text("{} {}", "{} {}").filled(quoted(definition.name), message)
        return Outcome(kind, message, expected, actual, locations, definition.fingerprint)

    def _judged(self, same: Sequence[Exit], others: Sequence[Exit], reading: Reading) -> tuple[Kind, Text]:
        value, when, given = quoted(self.value), Text("", ""), _described(same or others)
        if self.when:
            when = Text(" if {}", "（当 {} 时）").filled(quoted(self.when))
        if not same:
            if unproven := [one for one in others if not is_different(one, self.value, reading)]:
                untold = Text("whether {} is {} cannot be told", "无法判断 {} 是否为 {}")
                raise Undecidable(untold.filled(described(unproven[0]), value))
            return Kind.FAIL, Text("returns {}, not {}", "返回 {}，而不是 {}").filled(given, value)
        conditions = [condition for one in (*same, *others) for condition in one.point.conditions]
        ways = list(interpretations(self.when, conditions, reading)) if self.when else [(0, (), frozenset[str]())]
        if not ways:
            unasked = Text("returns {}, and does not ask for {}", "返回 {}，但没有判断 {}")
            return Kind.REVIEW if not others else Kind.FAIL, unasked.filled(given, quoted(self.when))
        depth, wanted, changed = min(ways, key=lambda way: len(_left(others, way[1], reading, way[0])))
        if not _left(same, wanted, reading, depth):
            then = _left(others, wanted, reading, depth)
            otherwise = Text("returns {} otherwise than{}, where it gives {}", "返回 {} 的条件不是所述的{}；此时{}")
            is_instance = Text("{}", "返回 {}").filled(_described(then)) if then else Text("fails", "它会失败")
            return Kind.FAIL, otherwise.filled(value, when, is_instance)
        rest = _left(others, wanted, reading, depth)
        if any(self._asks_no_more(one, wanted, reading, depth) for one in rest):
            otherwise = Text(
                "returns {} otherwise than{}, where it also gives {}", "返回 {} 的条件不是所述的{}；此时也返回 {}"
            )
            return Kind.FAIL, otherwise.filled(value, when, _described(rest))
        if rest:
            also = Text("returns {}{}, but also {}", "返回 {}{}，但也返回 {}")
            return Kind.REVIEW, also.filled(value, when, _described(rest))
        if self.only:
            if beside := self._beside(same, reading):
                more = Text("returns {} not only{}: {}", "返回 {} 的情形不限于所述的{}：{}")
                return Kind.FAIL, more.filled(value, when, _described(beside))
            wanted_value = self.value.terms[0].term("value")
            if unknown := [one for one in others if not is_other(one.value, wanted_value)]:
                untold = Text("whether {} is {} cannot be told", "无法判断 {} 是否为 {}")
                raise Undecidable(untold.filled(described(unknown[0]), value))
        for number in range(len(wanted)):
            if not _left(others, wanted[:number] + wanted[number + 1 :], reading, depth):
                wider = Text("returns {}{}, and more widely: {}", "返回 {}{}，且范围更宽：{}")
                return Kind.REVIEW, wider.filled(value, when, given)
        asked = [part for one in conditions for part in conjuncts(reading.term(one.test, depth))]
        if not all(_is_among(part, asked) for part in wanted):
            wider = Text("returns {}{}, and more widely: {}", "返回 {}{}，且范围更宽：{}")
            return Kind.REVIEW, wider.filled(value, when, given)
        if changed:
            late = Text("returns {}, asked after {} has been changed", "返回 {}，但判断之前 {} 已被改变")
            return Kind.REVIEW, late.filled(given, AND.join(map(quoted, sorted(changed))))
        return Kind.PASS, Text("returns {}", "返回 {}").filled(given)

    def _asks_no_more(self, one: Exit, wanted: Sequence["Term"], reading: Reading, depth: int) -> bool:
        """Whether a way out asks about the same quantities as what is wanted, and no others."""
        known = frozenset[str]().union(*map(atoms, wanted))
        asked = [atoms(reading.term(condition.test, depth)) for condition in one.point.conditions]
        return bool(asked) and all(questions <= known for questions in asked)

    def _beside(self, same: Sequence[Exit], reading: Reading) -> list[Exit]:
        """Where the value is returned although what is wanted need not hold."""

        def missed(some: Sequence[Exit]) -> bool:
            asked = either([one.point.conditions for one in some])
            return entailment(self.when, {}, asked, some[0].point.values, reading).answer is Implication.NO

        return [one for one in same if missed([one])] if missed(same) else []


def _described(some: Sequence[Exit]) -> Text:
    return THEN.join(map(described, some)) if some else Text("nothing", "空（没有返回值）")


def _is_among(wanted: "Term", asked: Sequence["Term"]) -> bool:
    """Whether a condition, or its opposite, is among those asked."""
    return any(are_equivalent(wanted, one) or are_equivalent(wanted, negation(one)) for one in asked)


def _left(some: Sequence[Exit], wanted: Sequence["Term"], reading: Reading, depth: int) -> list[Exit]:
    """The ways out that are open where what is wanted holds."""
    return [
        one
        for one in some
        if are_satisfiable([*wanted, *(reading.term(condition.test, depth) for condition in one.point.conditions)])
    ]
