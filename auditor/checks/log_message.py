"""The check `log-message`."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from auditor.checks import Check, Wanting, holding_inlined
from auditor.code.flow.activations import activations, roots
from auditor.code.flow.entailment import Reading
from auditor.code.flow.occurrence import restriction, unsure_round
from auditor.code.flow.string_values import GAP, is_match, may_match, readable
from auditor.code.idioms.log_messages import Message, mentions, messages
from auditor.code.matching.notation import Pattern
from auditor.code.phrases import NO_ROUND, quoted
from auditor.code.syntax.unparse import unparse
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_Logged = tuple[Message, Location]


@dataclass(frozen=True, kw_only=True)
class LogMessage(Check):
    """A message is logged.

    *What it checks.* A logging call inside `at`, or in a function that `at` calls, writes `text`, in which `...` stands
    for the values put in and for anything else that is left out; it may also be as the source writes it, with `%s` or
    `{name}`. Text put together from several strings, `%` and f-strings, and by conditional expressions, is followed. A
    condition on the way that `when` does not state is `review`. When it is not written, the message says what the
    nearest text is; where some text that is logged cannot be told, it is `open`.

    *Parameters.* `text`; `level` (optional): debug, info, warning, error or critical; `when` (optional): the condition
    under which it is logged.

    *中文。* 日志中记录了所述的消息。

    *Example.*

        check: log-message
        at: vllm/v1/core/block_pool.py::BlockPool.reset_prefix_cache
        text: Successfully reset prefix cache
        level: info
    """

    at: Anchor
    text: str
    level: Literal["debug", "info", "warning", "error", "critical"] | None = None
    when: Pattern | None = None

    def problems(self) -> Iterator[str]:
        if self.when and not self.when.is_expression:
            yield "when is not an expression"

    def run(self, codebase: "Codebase") -> Outcome:
        return holding_inlined(self._in, codebase.locate(self.at))

    def _in(self, definition: "Definition") -> Outcome:
        found = list(_messages(definition))
        matching = [one for one in found if is_match(self.text, one[0].text)]
        same = [one for one in matching if self.level in (None, one[0].level)]
        unknown = [one for one in matching if not one[0].level]
        name = quoted(definition.name)
        if not matching:
            return self._none(definition, found)
        shown = same or unknown or matching
        first = shown[0][0]
        level = quoted(first.level) if first.level else Text("a level it computes", "运行时算出的")
        message = Text("{} logs it as {}", "{} 记录它的级别是 {}").filled(name, level)
        kind = Kind.PASS if same else Kind.OPEN if unknown else Kind.FAIL
        if kind is Kind.OPEN:
            message += Text(f"; whether that is {self.level} cannot be told", f"；无法判断它是否为 `{self.level}`")
        elif kind is Kind.FAIL:
            message += Text(f", not {self.level}", f"，而不是 `{self.level}`")
        points = [one.point for one, _ in shown]
        if kind is Kind.PASS and (only := restriction(points, self.when, Reading(definition))):
            kind = Kind.REVIEW
            message += Text("; it runs {}", "；它{}").filled(only)
        elif kind is Kind.PASS and (iterable := unsure_round(points, self.when, Reading(definition))) is not None:
            kind = Kind.REVIEW
            message += NO_ROUND.filled(quoted(unparse(iterable, 3)))
        where = tuple(dict.fromkeys(location for _, location in shown))
        return Outcome(kind, message, self.text, readable(first.text), where, definition.fingerprint)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        actual = str(outcome.actual or "").replace("...", GAP)
        return None if is_match(self.text, actual) else Wanting()

    def _none(self, definition: "Definition", found: list[_Logged]) -> Outcome:
        """What is said where no message is the wanted one: a complete search fails, any other is open."""
        name = quoted(definition.name)
        for one, location in found:
            if may_match(self.text, one.text):
                message = Text("{} logs a text that cannot be told", "{} 记录的文本无法判断").filled(name)
                return Outcome(Kind.OPEN, message, self.text, readable(one.text), (location,), definition.fingerprint)
        if (call := mentions(definition, self.text)) is not None:
            message = Text("{} hands it to {}, which may log it", "{} 将它交给 {}，后者可能记录它")
            message = message.filled(name, quoted(call[0]))
            return Outcome(Kind.OPEN, message, self.text, None, (call[1],), definition.fingerprint)
        near = _nearest(self.text, found)
        actual = readable(near[0].text) if near else None
        message = Text("{} does not log it", "{} 没有记录这条日志").filled(name)
        if near:
            message += Text("; the nearest is {}", "；最接近的是 {}").filled(quoted(repr(actual)))
        where = near[1] if near else definition.location
        return Outcome(Kind.FAIL, message, self.text, actual, (where,), definition.fingerprint)


_DEPTH = 2
"""Calls that are followed to where something is logged."""


def _messages(definition: "Definition") -> Iterator[_Logged]:
    for root in roots(definition):
        for activation in activations(root, _DEPTH):
            for message in messages(activation):
                yield message, activation.function.location_of(message.call)


def _nearest(text: str, found: list[_Logged]) -> _Logged | None:
    texts = {readable(one[0].text): one for one in found}
    near = difflib.get_close_matches(text, texts, n=1, cutoff=0.5)
    return texts[near[0]] if near else None
