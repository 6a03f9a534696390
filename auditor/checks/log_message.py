"""The check `log-message`."""

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from auditor.checks import Check
from auditor.code.idioms.log_messages import GAP, Message, is_written, messages
from auditor.code.phrases import quoted
from auditor.code.syntax.term import Term
from auditor.model import Anchor, Kind, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, kw_only=True)
class LogMessage(Check):
    """A message is logged.

    *What it checks.* A logging call inside `at` writes `text`, in which `...` stands for the values put in and for
    anything else that is left out. Text put together from several strings, `%` and f-strings, and by conditional
    expressions, is followed. When it is not written, the message says what the nearest text is.

    *Parameters.* `text`; `level` (optional): debug, info, warning, error or critical.

    *Example.*

        check: log-message
        at: vllm/v1/core/block_pool.py::BlockPool.reset_prefix_cache
        text: Successfully reset prefix cache
        level: info
    """

    at: Anchor
    text: str
    level: Literal["debug", "info", "warning", "error", "critical"] | None = None

    def run(self, codebase: "Codebase") -> Outcome:
        definition = codebase.locate(self.at)
        found = list(_messages(definition))
        written = [message for message in found if is_written(self.text, message.text)]
        same = [message for message in written if self.level in (None, message.level)]
        unknown = [message for message in written if not message.level]
        name = quoted(definition.name)
        if not written:
            near = _nearest(self.text, found)
            actual = _readable(near.text) if near else None
            nearest = (definition.location_of(near.call),) if near else (definition.location,)
            message = Text("{} does not log it", "{} 没有记录这条日志").filled(name)
            if near:
                message += Text("; the nearest is {}", "；最接近的是 {}").filled(quoted(repr(actual)))
            return Outcome(Kind.FAIL, message, self.text, actual, nearest, definition.fingerprint)
        shown = (same or unknown or written)[0]
        level = quoted(shown.level) if shown.level else Text("a level it computes", "运行时算出的")
        message = Text("{} logs it as {}", "{} 记录它的级别是 {}").filled(name, level)
        kind = Kind.PASS if same else Kind.OPEN if unknown else Kind.FAIL
        if kind is Kind.OPEN:
            message += Text(f"; whether that is {self.level} cannot be told", f"；无法判断它是否为 `{self.level}`")
        elif kind is Kind.FAIL:
            message += Text(f", not {self.level}", f"，而不是 `{self.level}`")
        if shown.guard:
            message += Text(", if {}", "（当 {} 时）").filled(quoted(shown.guard))
        where = tuple(dict.fromkeys(definition.location_of(logged.call) for logged in same or unknown or written))
        return Outcome(kind, message, self.text, _readable(shown.text), where, definition.fingerprint)


def _messages(definition: "Definition") -> list[Message]:
    whole = [Term("Module", {"body": definition.terms})] if definition.symbol is None else []
    inner = (term for top in definition.terms for term in top.walk() if term.type in ("FunctionDef", "ClassDef"))
    return [message for block in (*whole, *inner) for message in messages(block)]


def _readable(text: str) -> str:
    return text.replace(GAP, "...")


def _nearest(text: str, found: list[Message]) -> Message | None:
    texts = {_readable(message.text): message for message in found}
    near = difflib.get_close_matches(text, texts, n=1, cutoff=0.5)
    return texts[near[0]] if near else None
