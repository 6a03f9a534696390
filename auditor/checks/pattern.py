"""The check `pattern`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.checks import Check, Wanting, holding, possibly
from auditor.code.flow.dead_stores import overwritten, repeated
from auditor.code.matching.equivalent_forms import equivalent_forms
from auditor.code.matching.notation import Pattern as Code
from auditor.code.matching.search import Match, search
from auditor.code.phrases import counted, quoted, ticked
from auditor.code.program.other_names import use_by_another_name
from auditor.code.syntax.term import Term
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, kw_only=True)
class Pattern(Check):
    """Some code is written inside a definition.

    *What it checks.* `code` occurs somewhere in the definition `at`, however it is laid out. It is an expression, a
    statement or several neighbouring ones; `...` stands for anything, `$NAME` for the same thing each time. A local may
    have another name in the code, an expression may stand in a local of its own just before, branches may be exchanged
    with their condition turned around, `x += 1` may be spelt out, an attribute may be set by its name, a constant may
    stand for its value. What is written twice in a row is `review`, `+=` even `fail`. An attribute that it assigns and
    that is always assigned again afterwards is `review`, too. When it does not occur there but elsewhere in the file,
    the message says where.

    *Parameters.* `code`; `count` (optional): exactly so many times, 0 for never.

    *中文。* 某个定义里写有所述的代码。

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

    def run(self, codebase: "Codebase") -> Outcome:
        definition = codebase.locate(self.at)
        if self.count == 0:
            outcome = self._in(definition, self.code)
            is_absent = outcome.kind is Kind.PASS
        else:
            forms = equivalent_forms(definition, [self.code])
            outcome = holding(self._in(form, pattern) for form, (pattern,) in forms)
            is_absent = outcome.kind is Kind.FAIL and self.count is None
        place = use_by_another_name(self.code, definition) if is_absent else None
        if is_absent and place is None and (hint := _as_argument(self.code, definition)) is not None:
            return replace(outcome, message=outcome.message + hint)
        return outcome if place is None else possibly(outcome, place)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        return Wanting(self.code.members) if outcome.actual == _NEVER and self.count != 0 else None

    def _in(self, definition: "Definition", pattern: Code) -> Outcome:
        matches = list(_search(pattern, definition))
        found = [definition.location_of(*match.terms) for match in matches]
        holds = bool(found) if self.count is None else len(found) == self.count
        times = {0: _NEVER, 1: "occurs once"}.get(len(found), f"occurs {len(found)} times")
        message = Text("{0} {1} in {2}", "{0}在 {2} 中{1}").filled(
            _named(self.code), Text(times, f"出现 {len(found)} 次" if found else "没有出现"), quoted(definition.name)
        )
        if not holds and self.count is not None:
            message += Text(", not {}", "，而不是 {} 次").filled(Text(counted(self.count, "time"), str(self.count)))
        elsewhere: list[Location] = []
        if not found and not holds and definition.symbol is not None:
            whole = definition.codebase.whole(definition.path)
            elsewhere = [whole.location_of(*match.terms) for match in _search(self.code, whole)]
            if elsewhere:
                name = elsewhere[0].symbol
                message += Text("; it occurs in {}, at {}", "；它出现在 {} 中，位于 {}").filled(
                    quoted(name) if name else Text("the module", "模块顶层"), elsewhere[0]
                )
        locations = (*found, *elsewhere, definition.location)[: max(1, len(found) + len(elsewhere))]
        kind = Kind.PASS if holds else Kind.FAIL
        if found and holds and (again := _again(definition, matches)) is not None:
            kind = Kind.FAIL if again.type == "AugAssign" else Kind.REVIEW
            message += Text(", but twice in a row", "，但连续执行了两次")
        if kind is Kind.PASS and (later := _later(definition, matches)) is not None:
            kind, where = Kind.REVIEW, definition.location_of(later)
            message += Text("; but the same is assigned again at {}", "；但又在 {} 处重新赋值").filled(where)
            locations = (*locations, where)
        return Outcome(kind, message, self.code.text.strip(), times, locations, definition.fingerprint)


def _as_argument(code: Code, definition: "Definition") -> Text | None:
    """Where what is stated as an assignment is an argument of a call, and how to state that."""
    given = re.match(r"\s*(\w+)\s*=(?!=)\s*(.*\S)\s*$", code.text, re.DOTALL)
    try:
        call = Code(f"$CALLED(..., {given[1]}={given[2]}, ...)") if given else None
    except ValueError:
        return None
    for match in _search(call, definition) if call is not None else ():
        says = Text("; a call is given it by name at {}: write {}", "；{} 处的调用以关键字参数给出了它：请写成 {}")
        return says.filled(definition.location_of(*match.terms), ticked(call))
    return None


def _search(code: Code, definition: "Definition") -> Iterator[Match]:
    if code.words <= definition.words:  # else there is nothing to match, and no need to lower it
        yield from search(code, definition.code)


def _again(definition: "Definition", matches: Sequence[Match]) -> Term | None:
    """A statement of a match that is written twice in a row, where that makes a difference."""
    if definition.term.type != "FunctionDef":
        return None
    inside = [term for match in matches for one in match.terms for term in one.walk() if term.type in _STATEMENTS]
    return repeated(definition.term, inside)


def _later(definition: "Definition", matches: Sequence[Match]) -> Term | None:
    """What gives another value to an attribute or item that every match assigns to."""
    if definition.term.type != "FunctionDef":
        return None
    stated = ([term for one in match.terms for term in one.walk()] for match in matches)
    found = [overwritten(definition.term, terms) for terms in stated]
    return found[0] if found and all(found) else None


def _named(code: Code) -> Text:
    """The code in a sentence; of several lines only how many, since reports show them beside it as they are."""
    count = len(code.text.strip().splitlines())
    one = Text(f"`{code}`", f"`{code}` ")
    return one if count == 1 else Text(f"the code of the claim ({count} lines)", f"论断所述的代码（{count} 行）")


_NEVER = "does not occur"
_STATEMENTS = ("Expr", "Assign", "AugAssign")
