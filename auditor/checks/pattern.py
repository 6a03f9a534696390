"""The check `pattern`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import patterns
from auditor.code.notation import Pattern as Code
from auditor.code.said import counted, quoted
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase, Definition


@dataclass(frozen=True, kw_only=True)
class Pattern(Check):
    """Some code is written inside a definition.

    *What it checks.* `code` occurs somewhere in the definition `at`, however it is laid out. It is an expression, a
    statement or several neighbouring ones; `...` stands for anything, `$NAME` for the same thing each time. When it
    does not occur there but elsewhere in the file, the message says where.

    *Parameters.* `code`; `count` (optional): exactly so many times, 0 for never.

    *Example.*

        check: pattern
        at: vllm/v1/core/sched/scheduler.py::Scheduler._preempt_request
        code: request.num_computed_tokens = 0
    """

    at: Anchor
    code: Code
    count: int | None = None

    def problems(self) -> Iterator[str]:
        if self.count is not None and self.count < 0:
            yield "count is 0 or more"

    def run(self, code: "Codebase") -> Outcome:
        definition = code.locate(self.at)
        found = _search(self.code, definition)
        holds = bool(found) if self.count is None else len(found) == self.count
        times = {0: "does not occur", 1: "occurs once"}.get(len(found), f"occurs {len(found)} times")
        message = Text("`{0}` {1} in {2}", "`{0}` 在 {2} 中{1}").filled(
            self.code, Text(times, f"出现 {len(found)} 次" if found else "没有出现"), quoted(definition.name)
        )
        if not holds and self.count is not None:
            message += Text(", not {}", "，而不是 {} 次").filled(Text(counted(self.count, "time"), str(self.count)))
        elsewhere: list[Location] = []
        if not found and not holds and definition.symbol is not None:
            elsewhere = _search(self.code, code.whole(definition.path))
            if elsewhere:
                name = elsewhere[0].symbol
                message += Text("; it occurs in {}, at {}", "；它出现在 {} 中，位于 {}").filled(
                    quoted(name) if name else Text("the module", "模块顶层"), elsewhere[0]
                )
        locations = (*found, *elsewhere, definition.location)[: max(1, len(found) + len(elsewhere))]
        kind = Kind.PASS if holds else Kind.FAIL
        return Outcome(kind, message, self.code.text.strip(), times, locations, definition.fingerprint)


def _search(code: Code, definition: "Definition") -> list[Location]:
    if not code.words <= definition.words:
        return []  # nothing to match, and no need to lower it
    return [definition.location_of(*match.terms) for match in patterns.search(code, definition.code)]
