"""Whether places are changed by the amounts that a claim states."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.entailment import (
    Entailment,
    Reading,
    entailment,
    instantiations,
    is_same,
    qualification,
    when_reached,
)
from auditor.code.flow.no_return import conditions_in
from auditor.code.flow.program_points import every
from auditor.code.flow.state_changes import Change, changes
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import Bindings, unify
from auditor.code.phrases import OR, UNKNOWN, quoted, under_condition
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.self_calls import with_called_methods
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term, dotted, encode
from auditor.code.syntax.unparse import unparse
from auditor.code.values.logic import Implication, are_satisfiable, implication
from auditor.model import Kind, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


Finding = tuple[Kind, Text]


@dataclass(frozen=True, slots=True)
class Entry:
    """One place of a claim, and the changes of it: those by the stated amount, and the others."""

    place: Pattern
    amount: Pattern
    same: tuple[Change, ...]
    others: tuple[Change, ...]
    is_total: bool = False
    """Whether it is all of `same` together that make the amount."""

    @property
    def all(self) -> tuple[Change, ...]:
        return (*self.same, *self.others)


def balances(
    stated: Mapping[Pattern, Pattern], made: Sequence[Change], reading: Reading
) -> Iterator[tuple[tuple[Entry, ...], Bindings]]:
    """The places, for every way to fill in the metavariables that they share. Raises Undecidable."""
    yield from _balances(list(stated.items()), made, reading, {})


def _balances(
    stated: Sequence[tuple[Pattern, Pattern]], made: Sequence[Change], reading: Reading, known: Bindings
) -> Iterator[tuple[tuple[Entry, ...], Bindings]]:
    if not stated:
        yield (), known
        return
    (place, amount), rest = stated[0], stated[1:]
    for bound in _ways(place, made, known):
        of_place = [change for change in made if is_of(change, place, bound) and not change.is_first]
        sources = [term for change in of_place for term in (change.source, change.amount) if term is not None]
        wanted = amount.terms[0].term("value")
        amounts = list(instantiations(wanted, sources, bound, amount)) or [(wanted, bound)]
        for term, filled in amounts:
            entry = _entry(place, amount, term, of_place, reading)
            yield from (((entry, *others), last) for others, last in _balances(rest, made, reading, filled))


def _ways(place: Pattern, made: Sequence[Change], known: Bindings) -> list[Bindings]:
    found: dict[str, Bindings] = {}
    for change in made:
        for term in (change.place, change.inlined):
            for bound in unify(place.terms[0].term("value"), term, known, place):
                found[",".join(f"{key}={encode(bound[key])}" for key in sorted(bound))] = bound
    return list(found.values()) or [known]


def is_of(change: Change, place: Pattern, known: Bindings) -> bool:
    """Whether a change is one of a place."""
    wanted = place.terms[0].term("value")
    return any(True for term in (change.place, change.inlined) for _ in unify(wanted, term, known, place))


def _entry(place: Pattern, amount: Pattern, term: Term, of_place: Sequence[Change], reading: Reading) -> Entry:
    def is_stated(value: Term | None, change: Change) -> bool:
        return value is not None and is_same(value, term, change.point.values, reading)

    by_amount = [change for change in of_place if is_stated(change.amount, change)]
    is_total = not by_amount and len(of_place) > 1 and _are_together(of_place)
    if is_total:
        total = of_place[0].amount
        for change in of_place[1:]:
            total = _sum(total, change.amount)
        by_amount = list(of_place) if is_stated(total, of_place[-1]) else []
    return Entry(place, amount, tuple(by_amount), tuple(one for one in of_place if one not in by_amount), is_total)


def _sum(one: Term | None, other: Term | None) -> Term | None:
    if one is None or other is None:
        return None
    return Term("BinaryOperation", {"left": one, "operator": "+", "right": other})


def _are_together(made: Sequence[Change]) -> bool:
    """Whether several changes are made under the same conditions, each once or each in the same round."""
    asked = {"".join(encode(condition.test) for condition in change.point.conditions) for change in made}
    return len(asked) == 1


def _can_both(one: Change, other: Change, reading: Reading) -> bool:
    """Whether one call may make both changes."""
    return are_satisfiable(
        [reading.term(condition.test) for change in (one, other) for condition in change.point.conditions]
    )


def _always_both(one: Change, other: Change, reading: Reading) -> bool:
    """Whether a call that makes one change also makes the other."""
    given = [reading.term(condition.test) for condition in one.point.conditions]
    return all(
        implication(reading.term(asked.test), given) not in (Implication.NO, Implication.IF_WHOLE)
        for asked in other.point.conditions
    )


def amounts(made: Sequence[Change]) -> Text:
    """By how much a place is changed, for people."""
    return OR.join(dict.fromkeys(map(_shown, made)))


def _shown(change: Change) -> Text:
    asked = " and ".join(unparse(one.source, 3) for one in change.point.conditions if not one.is_failure)
    return under_condition(unparse(change.source) if change.source is not None else UNKNOWN.en, asked)


def changed(place: Pattern, amount: Pattern, when: Pattern | None = None) -> Text:
    """That a place is changed by an amount, for people."""
    by = Text("changes {} by {}", "使 {} 变化 {}").filled(quoted(place), quoted(amount))
    return by + Text(" if {}", "（当 {} 时）").filled(quoted(when)) if when else by


def judged(entry: Entry, when: Pattern | None, bound: Bindings, reading: Reading, *, only: bool) -> Finding:
    """What can be said of one place. Raises Undecidable."""
    place, amount = quoted(entry.place), quoted(entry.amount)
    by = changed(entry.place, entry.amount, when)
    if not entry.all:
        return Kind.FAIL, Text("does not change {}", "没有改变 {}").filled(place)
    if not entry.same:
        message = Text("changes {} by {}, not by {}", "使 {} 变化 {}，而不是 {}")
        return Kind.FAIL, message.filled(place, amounts(entry.all), amount)
    twice = any(_can_both(one, other, reading) for one, other in combinations(entry.same, 2))
    if twice and not entry.is_total:
        message = Text("changes {} by {} more than once: {}", "不止一次使 {} 变化 {}：{}")
        return Kind.FAIL, message.filled(place, amount, amounts(entry.same))
    verdicts = [entailment(when, bound, change.point.conditions, change.point.values, reading) for change in entry.same]
    found = [_of(verdict, by, only=only) for verdict in verdicts]
    if len(verdicts) > 1 and _are_the_condition(verdicts, entry.same, reading):
        found = [(Kind.PASS, by)]
    for other in entry.others:
        both = [one for one in entry.same if _can_both(one, other, reading)]
        if any(_always_both(one, other, reading) for one in both):
            message = Text("changes {} by {}, and always also by {}", "使 {} 变化 {}，且总是另外再变化 {}")
            return Kind.FAIL, message.filled(place, amount, _shown(other))
        tests = [reading.term(condition.test, verdicts[0].depth) for condition in other.point.conditions]
        if both or are_satisfiable([*verdicts[0].wanted, *tests]):
            found.append((Kind.REVIEW, Text("{}, but also by {}", "{}，但也会变化 {}").filled(by, _shown(other))))
    if any(change.point.is_repeated and not _varies(change) for change in entry.same):
        found.append((Kind.REVIEW, by + Text(" in every round of a loop", "，在循环的每一轮中都发生")))
    return worst(found)


def worst(found: Sequence[Finding]) -> Finding:
    """The finding that decides."""
    return max(found, key=lambda one: one[0].gravity)


def _are_the_condition(verdicts: Sequence[Entailment], same: Sequence[Change], reading: Reading) -> bool:
    """Whether the path conditions of several changes together are the condition that the claim states."""
    if any(one.answer in (Implication.NO, Implication.IF_WHOLE) or one.changed for one in verdicts):
        return False
    first = verdicts[0]
    paths = [
        every([reading.term(one.test, first.depth) for one in change.point.conditions if not one.is_failure])
        for change in same
    ]
    return bool(first.wanted) and not are_satisfiable([*first.wanted, *map(negation, paths)])


def _of(verdict: Entailment, by: Text, *, only: bool) -> Finding:
    if verdict.answer is Implication.NO:
        return Kind.FAIL, Text("{}, but that runs {}", "{}，但这段代码{}").filled(by, when_reached(verdict))
    if (qualified := qualification(verdict, only=only)) is not None:
        return Kind.REVIEW, by + qualified
    return Kind.PASS, by


def _varies(change: Change) -> bool:
    """Whether a change in a loop is to, or by, something that the loop gives another value in each round."""
    terms = [term for term in (change.inlined, change.amount) if term is not None]
    return any("′" in str(inner.parts.get("id")) for term in terms for inner in term.walk())


def also(entries: Sequence[Entry], around: "Definition") -> Finding:
    """Whether methods that are called change the places too. Raises Undecidable for a place that is a property."""
    for entry in entries:
        chain = dotted(entry.place.terms[0].term("value")) or ""
        if chain.startswith("self.") and around.cls and _is_computed(chain.removeprefix("self."), around):
            computed = Text(
                "{} is a property, so that what giving it a value does is not told", "{} 是属性，赋值的效果无法判断"
            )
            raise Undecidable(computed.filled(quoted(chain)))
    too = Text("; but {}, which it calls, changes it too", "；但它调用的 {} 也改变它")
    for body in with_called_methods(around, _DEPTH)[1:]:
        for change in changes(body.function, conditions_in(body)):
            for entry in entries:
                if is_of(change, entry.place, {}):
                    return Kind.REVIEW, changed(entry.place, entry.amount) + too.filled(quoted(body.name))
    return Kind.PASS, Text("is changed nowhere else", "没有在别处改变")


def _is_computed(attribute: str, around: "Definition") -> bool:
    lineage = Hierarchy(around.codebase, ()).lineage(Class(around.path, around.cls or ""))
    found = (one for cls in lineage for one in around.codebase.definitions(cls.path, f"{cls.name}.{attribute}"))
    return any(one.symbol is not None and one.symbol.type == "function" for one in found)


def besides(
    entries: Sequence[Entry], places: Sequence[Pattern], bound: Bindings, made: Sequence[Change], around: "Definition"
) -> Finding:
    """Whether some places get other values than the stated ones, here or in the methods called. Raises Undecidable."""
    stated = [change for entry in entries for change in entry.all]
    for change in made:
        if change not in stated and not change.is_first and any(is_of(change, place, bound) for place in places):
            message = Text("also gives {} a value: {}", "还给 {} 赋了值：{}")
            return Kind.FAIL, message.filled(quoted(unparse(change.place)), _shown(change))
    for body in with_called_methods(around, _DEPTH)[1:] if places else ():
        for change in changes(body.term, conditions_in(body)):
            if any(is_of(change, place, {}) for place in places):
                message = Text("also gives {} a value, in {}", "还在 {1} 中给 {0} 赋了值")
                return Kind.FAIL, message.filled(quoted(unparse(change.place)), quoted(body.name))
    return Kind.PASS, Text("changes nothing else", "不改变其他内容")


_DEPTH = 3
