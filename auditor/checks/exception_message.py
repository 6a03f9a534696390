"""The check `exception-message`."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check, Wanting
from auditor.code.flow.activations import activations, roots
from auditor.code.flow.entailment import Reading, entailment, qualification, when_reached
from auditor.code.flow.occurrence import unsure_round
from auditor.code.flow.string_values import GAP, is_match, may_match, readable
from auditor.code.idioms.exceptions import Raised, raised
from auditor.code.matching.notation import Pattern
from auditor.code.phrases import NO_ROUND, quoted
from auditor.code.syntax.unparse import unparse
from auditor.code.values.logic import Implication
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_Found = tuple[Raised, "Definition"]


@dataclass(frozen=True, kw_only=True)
class ExceptionMessage(Check):
    """An exception is raised with a message.

    *What it checks.* A `raise`, or an `assert`, inside `at` or in a function that `at` calls, gives its exception
    `text`, in which `...` stands for the values put in and for anything else that is left out; it may also be as the
    source writes it, with `%s` or `{name}`. `type` is the exception's class or any that it derives from, built-in ones
    included. Where the message or the class cannot be told, it is `open`; one that the function catches itself is
    `review`.

    *Parameters.* `text`; `type` (optional): the name of a class; `when` (optional): the condition under which alone it
    is raised.

    *中文。* 抛出异常时带有所述的消息。

    *Example.*

        check: exception-message
        at: vllm/v1/core/kv_cache_utils.py::check_enough_kv_cache_memory
        text: No available memory for the cache blocks. ...
        type: ValueError
    """

    at: Anchor
    text: str
    type: str | None = None
    when: Pattern | None = None

    def problems(self) -> Iterator[str]:
        if self.when and not self.when.is_expression:
            yield "when is not an expression"
        if self.type is not None and not self.type.isidentifier():
            yield f"type is the name of a class, without its module, not {self.type}"

    def run(self, codebase: "Codebase") -> Outcome:
        definition = codebase.locate(self.at)
        found = list(_raised(definition))
        matching = [one for one in found if is_match(self.text, one[0].text)]
        same = [one for one in matching if self.type is None or self.type in one[0].ancestry.names]
        unknown = [one for one in matching if not one[0].ancestry.is_complete]
        if not matching:
            return self._none(definition, found)
        shown = same or unknown or matching
        first = shown[0][0]
        name = quoted(definition.name)
        message = Text("{} raises it as {}", "{} 以 {} 抛出它").filled(name, quoted(first.type or "..."))
        kind = Kind.PASS if same else Kind.OPEN if unknown else Kind.FAIL
        if kind is Kind.OPEN:
            message += Text("; whether that is a {} cannot be told", "；无法判断它是否为 {}").filled(quoted(self.type))
        elif kind is Kind.FAIL:
            message += Text(", which is no {}", "，而它不是 {}").filled(quoted(self.type))
        else:
            kind, more = min((self._judged(*one) for one in same), key=lambda one: _ORDER.index(one[0]))
            message += more
        where = tuple(dict.fromkeys(one.location_of(found.statement) for found, one in shown))
        return Outcome(kind, message, self.text, readable(first.text), where, definition.fingerprint)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        actual = str(outcome.actual or "").replace("...", GAP)
        return None if is_match(self.text, actual) else Wanting()

    def _judged(self, one: Raised, around: "Definition") -> tuple[Kind, Text]:
        """What is said of one `raise` of the wanted message and class."""
        point, reading = one.point, Reading(around)
        if one.handler is not None:
            caught = Text("; but it is caught at {}", "；但它在 {} 处被捕获")
            return Kind.REVIEW, caught.filled(around.location_of(one.handler))
        entailed = entailment(self.when, {}, point.conditions, point.values, reading)
        if self.when is None:
            return Kind.PASS, Text(", {}", "，{}").filled(when_reached(entailed)) if entailed.others else Text("", "")
        if entailed.answer is Implication.NO:
            runs = Text("; that runs {}, not only if {}", "；这段代码{}，而不是仅当 {} 时执行")
            return Kind.FAIL, runs.filled(when_reached(entailed), quoted(self.when))
        if (more := qualification(entailed, only=True)) is not None:
            return Kind.REVIEW, Text(", if {}", "（当 {} 时）").filled(quoted(self.when)) + more
        if (iterable := unsure_round([point], self.when, reading)) is not None:
            return Kind.REVIEW, Text(", if {}", "（当 {} 时）").filled(quoted(self.when)) + NO_ROUND.filled(
                quoted(unparse(iterable, 3))
            )
        return Kind.PASS, Text(", if {}", "（当 {} 时）").filled(quoted(self.when))

    def _none(self, definition: "Definition", found: list[_Found]) -> Outcome:
        """What is said where no exception says it: a complete search fails, any other is open."""
        name = quoted(definition.name)
        for one, around in found:
            if may_match(self.text, one.text):
                message = Text("{} raises {} with a text that cannot be told", "{} 抛出的 {} 的文本无法判断")
                message = message.filled(name, quoted(one.type or "an exception"))
                place = around.location_of(one.statement)
                return Outcome(Kind.OPEN, message, self.text, readable(one.text), (place,), definition.fingerprint)
        texts = {readable(one.text): around.location_of(one.statement) for one, around in found}
        near = difflib.get_close_matches(self.text, texts, n=1, cutoff=0.5)
        message = Text("{} raises no exception that says it", "{} 没有抛出带有这条消息的异常").filled(name)
        if near:
            message += Text("; the nearest is {}", "；最接近的是 {}").filled(quoted(repr(near[0])))
        where: Location = texts[near[0]] if near else definition.location
        actual = near[0] if near else None
        return Outcome(Kind.FAIL, message, self.text, actual, (where,), definition.fingerprint)


_DEPTH = 2
"""Calls that are followed to where something is raised."""

_ORDER = (Kind.FAIL, Kind.REVIEW, Kind.PASS)


def _raised(definition: "Definition") -> Iterator[_Found]:
    for root in roots(definition):
        for activation in activations(root, _DEPTH):
            for one in raised(activation):
                yield one, activation.function
