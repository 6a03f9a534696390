"""The check `guard`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from auditor.checks import Check, Wanting, holding, possibly
from auditor.code.flow.activations import activations
from auditor.code.flow.dead_stores import overwritten, repeated
from auditor.code.flow.entailment import Entailment, Reading, entailment, qualification, when_reached
from auditor.code.flow.no_return import conditions_in
from auditor.code.flow.refutation import is_refuted
from auditor.code.matching.equivalent_forms import equivalent_forms
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import search, unify
from auditor.code.phrases import quoted, ticked
from auditor.code.program.other_names import use_by_another_name
from auditor.code.program.self_calls import called_method, with_called_methods
from auditor.code.values.logic import Implication, are_satisfiable
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, kw_only=True)
class Guard(Check):
    """Some code runs only under a condition.

    *What it checks.* Wherever `code` occurs in the function `at`, all that `when` says has been asked on the way and
    answered with yes: by `if`, `elif`, `else`, `while`, `case`, `assert`, an early `return`, `continue` or `raise`, a
    conditional expression, `and`, `or`. Conditions are compared as logic, what is in them as algebra, with locals and
    the class's own methods inlined. A narrower condition than the stated one, other conditions under `only`, an
    attribute that the function has changed before it asks, and what the code assigns being assigned again afterwards,
    are `review`. Where `code` does not occur in the function itself, the functions that it calls are followed.

    *Parameters.* `code`; `when`: a condition, which may have metavariables, those of `code` too. `only` (optional):
    whether nothing else is asked; that the function fails otherwise does not count. `where` (optional): names for
    calls and other code (patterns).

    *中文。* 某段代码只在所述条件下运行。

    *Example.*

        check: guard
        at: vllm/v1/core/kv_cache_manager.py::KVCacheManager.allocate_slots
        code: watermark_blocks = self.watermark_blocks
        when: request.status in (RequestStatus.WAITING, RequestStatus.PREEMPTED)
    """

    at: Anchor
    code: Pattern
    when: Pattern
    only: bool = False
    where: Mapping[str, Pattern] = field(default_factory=dict)

    def problems(self) -> Iterator[str]:
        if self.at.symbol is None:
            yield "at needs a symbol: path::function"
        if not self.when.is_expression:
            yield "when is not an expression"
        yield from (f"where.{alias} is not an expression" for alias, p in self.where.items() if not p.is_expression)

    def run(self, codebase: "Codebase") -> Outcome:
        definition = codebase.locate(self.at)
        forms = equivalent_forms(definition, [self.code, self.when])
        outcome = holding(replace(self, code=step, when=when).judged(form) for form, (step, when) in forms)
        place = use_by_another_name(self.code, definition) if outcome.actual is None else None
        return outcome if place is None else possibly(outcome, place)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        return Wanting(self.code.members) if outcome.actual is None else None

    def judged(self, definition: "Definition") -> Outcome:
        """What one way to write the function says."""
        found = list(self._entailments(definition)) or list(self._in_callees(definition))
        what = ticked(self.code)
        if not found:
            message = Text("{} does not occur in {}", "{} 没有出现在 {} 中").filled(what, quoted(definition.name))
            return Outcome(Kind.FAIL, message, str(self.when), None, (definition.location,), definition.fingerprint)
        kind, message, where = max((self._judged(*one) for one in found), key=lambda one: one[0].gravity)
        matched = [match.terms[0] for match in search(self.code, definition.code)]
        if kind is Kind.PASS and (again := repeated(definition.term, matched)):
            kind, message, where = (
                Kind.REVIEW,
                message + Text(", but twice in a row", "，但连续执行了两次"),
                definition.location_of(again),
            )
        if kind is Kind.PASS and (later := overwritten(definition.term, matched, with_locals=True)):
            kind, where = Kind.REVIEW, definition.location_of(later)
            message += Text("; but the same is assigned again at {}", "；但又在 {} 处重新赋值").filled(where)
        if kind is Kind.PASS and (helper := self._unguarded(definition)) is not None:
            kind, where = Kind.REVIEW, helper.location
            message += Text("; but {}, which it calls, has it too", "；但它调用的 {} 中也有").filled(
                quoted(helper.name)
            )
        locations = (where, *(other for _, other in found if other != where))
        actual = " or ".join(dict.fromkeys(entailed.path_condition for entailed, _ in found)) or None
        message = Text("{} {}", "{} {}").filled(what, message)
        return Outcome(kind, message, str(self.when), actual, locations, definition.fingerprint)

    def _in_callees(self, definition: "Definition") -> Iterator[tuple[Entailment, Location]]:
        """The same of the functions that are called, in the expressions of the caller."""
        if not self.code.is_expression:
            return
        wanted, reading = self.code.terms[0].term("value"), Reading(definition, self.where)
        for activation in activations(definition, _DEPTH):
            for term in activation.function.code.by_type.get(wanted.type, ()) if activation.calls else ():
                for bound in unify(wanted, activation.term(term), {}, self.code):
                    if (point := activation.point(term)) is not None:
                        entailed = entailment(self.when, bound, point.conditions, point.values, reading)
                        yield entailed, activation.function.location_of(term)

    def _entailments(self, definition: "Definition") -> Iterator[tuple[Entailment, Location]]:
        flow, reading = conditions_in(definition), Reading(definition, self.where)
        for match in search(self.code, definition.code):
            if (point := flow.point(match.terms[0])) is not None:
                entailed = entailment(self.when, match.bindings, point.conditions, point.values, reading)
                yield entailed, definition.location_of(*match.terms)

    def _unguarded(self, definition: "Definition") -> "Definition | None":
        """A method that is called, with the code in it and not under the condition, there or where it is called."""
        flow, reading = conditions_in(definition), Reading(definition, self.where)
        for call in definition.code.by_type.get("Call", ()):
            called = called_method(call, definition)
            point = flow.point(call) if called is not None else None
            if called is None or point is None or not are_satisfiable([one.test for one in point.conditions]):
                continue
            if entailment(self.when, {}, point.conditions, point.values, reading).answer is not Implication.NO:
                continue
            for body in with_called_methods(called, _DEPTH):
                if body != definition and any(v.answer is Implication.NO for v, _ in self._entailments(body)):
                    return body
        return None

    def _judged(self, entailed: Entailment, where: Location) -> tuple[Kind, Text, Location]:
        runs = Text("runs only if {}", "仅当 {} 时执行").filled(quoted(self.when))
        if entailed.answer is Implication.NO:
            if entailed.wanted and not is_refuted(entailed.wanted, entailed.given):
                message = Text("runs {}; whether that implies {} cannot be told", "{}；无法判断这是否蕴含 {}")
                return Kind.OPEN, message.filled(when_reached(entailed), quoted(self.when)), where
            message = Text("runs {}, not only if {}", "{}，而不是仅当 {} 时执行")
            return Kind.FAIL, message.filled(when_reached(entailed), quoted(self.when)), where
        if (qualified := qualification(entailed, only=self.only)) is not None:
            return Kind.REVIEW, runs + qualified, where
        return Kind.PASS, runs, where


_DEPTH = 2
"""Calls that are followed."""
