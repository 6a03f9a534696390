"""The check `effect`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

from auditor.checks import Check, Wanting, holding_inlined
from auditor.code import Undecidable
from auditor.code.flow.activations import activations
from auditor.code.flow.change_amounts import PlaceChanges, always_both, by_amount, can_both, is_of
from auditor.code.flow.entailment import Entailment, Reading, entailment, qualification, when_reached
from auditor.code.flow.no_return import conditions_in
from auditor.code.flow.program_points import every
from auditor.code.flow.state_changes import Change, changes
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import Bindings, has_metavariables
from auditor.code.phrases import OR, UNKNOWN, quoted, under_condition
from auditor.code.program.callees import called_function
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.self_calls import with_called_methods
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import dotted
from auditor.code.syntax.unparse import unparse
from auditor.code.values.algebra import substitute
from auditor.code.values.counterexample import counterexample
from auditor.code.values.logic import Implication, are_satisfiable
from auditor.code.values.normal_form import normal_form
from auditor.code.values.polynomials import number_of
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, kw_only=True)
class Effect(Check):
    """A function changes places by stated amounts.

    *What it checks.* The function `at` changes each place of `changes` by its amount, once: by `+=`, `-=` or an
    assignment, whose value less the place is the amount (in a loop: in each round). A condition on the way that `when`
    does not tell is `review`, so is another amount under another condition. Conditions are compared as in `guard`.
    Where the function changes a place in no statement of its own, the functions that it calls are followed. Methods of
    the class that change a place too are `review`, or what `nothing_else` forbids. What other calls change is not seen.

    *Parameters.* `changes`: place -> amount; metavariables are the same thing in all places, amounts and `when`. `when`
    (optional): the condition. `only` (optional, true): whether other conditions are `review`. `nothing_else`
    (optional): places that get no value beside `changes`. `where` (optional): names for calls and other code.

    *中文。* 函数按所述的量改变某些地方。

    *Example.*

        check: effect
        at: python/sglang/srt/mem_cache/radix_cache.py::RadixCache.inc_lock_ref
        changes: {self.evictable_size_: -len($NODE.key), self.protected_size_: len($NODE.key)}
        when: not self.disable and $NODE != self.root_node and $NODE.lock_ref == 0
    """

    at: Anchor
    changes: Mapping[Pattern, Pattern]
    when: Pattern | None = None
    only: bool = True
    nothing_else: tuple[Pattern, ...] = ()
    where: Mapping[str, Pattern] = field(default_factory=dict)

    def problems(self) -> Iterator[str]:
        if self.at.symbol is None:
            yield "at needs a symbol: path::function"
        if not self.changes:
            yield "changes is empty"
        given = [*self.changes, *self.changes.values(), *self.nothing_else, *self.where.values()]
        yield from (f"{one} is not an expression" for one in (*given, self.when) if one and not one.is_expression)

    def run(self, codebase: "Codebase") -> Outcome:
        return holding_inlined(self._in, codebase.locate(self.at))

    def _in(self, definition: "Definition") -> Outcome:
        flow = conditions_in(definition)
        if flow.is_generator:
            raise Undecidable(
                Text("{}: {} is a generator", "{}：{} 是生成器").filled(definition.location, quoted(definition.name))
            )
        made = list(changes(definition.function, flow))
        reading = Reading(definition, self.where)
        where = {id(change.term): definition.location_of(change.term) for change in made}
        deeper = [] if all(_is_made(place, made) for place in self.changes) else _in_callees(definition)
        deeper = [(change, place) for change, place in deeper if any(is_of(change, one, {}) for one in self.changes)]
        where |= {id(change.term): place for change, place in deeper}
        made += [change for change, _ in deeper]
        found = []
        for entries, bound in by_amount(self.changes, made, reading):
            findings = [_verdict(entry, self.when, bound, reading, only=self.only) for entry in entries]
            if not deeper:
                findings.append(_changes_in_methods(entries, definition))
            findings.append(_changes_beside(entries, self.nothing_else, bound, made, definition))
            found.append((*_worst(findings), entries))
        kind, message, entries = min(found, key=lambda one: one[0].gravity)
        if kind is Kind.FAIL and not all(entry.all for entry in entries) and (call := _unresolved(definition)):
            raise Undecidable(
                Text("{} {}, unless {} does, which is not found", "{} {}，除非 {} 改变了它，而后者没有找到").filled(
                    quoted(definition.name), message, quoted(call)
                )
            )
        if kind is Kind.PASS:
            message = Text(" and ", "，并").join(_changed(place, amount) for place, amount in self.changes.items())
            if self.when:
                message += Text(", if {}", "（当 {} 时）").filled(quoted(self.when))
        places = dict.fromkeys(where[id(change.term)] for entry in entries for change in entry.all)
        expected = "; ".join(f"{place} by {amount}" for place, amount in self.changes.items())
        actual = "; ".join(f"{entry.place} by {_amounts(entry.all).en}" for entry in entries if entry.all) or None
        locations = tuple(places) or (definition.location,)
        message = Text("{} {}", "{} {}").filled(quoted(definition.name), message)
        return Outcome(kind, message, expected, actual, locations, definition.fingerprint)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        return (
            Wanting(frozenset[str]().union(*(one.members for one in self.changes))) if outcome.actual is None else None
        )


_DEPTH = 2
"""Calls that are followed to where a place is changed."""

_METHOD_DEPTH = 3
"""Calls of methods of the same object in which further changes are looked for."""

_Finding = tuple[Kind, Text]


def _is_made(place: Pattern, made: "Sequence[Change]") -> bool:
    return any(is_of(change, place, {}) and not change.is_first for change in made)


def _unresolved(definition: "Definition") -> str | None:
    """A method of its own object that a function calls, and that is not found."""
    for call in definition.code.by_type.get("Call", ()):
        chain = dotted(call.term("func")) or ""
        if chain.startswith(("self.", "cls.")) and chain.count(".") == 1 and called_function(call, definition) is None:
            return chain
    return None


def _in_callees(definition: "Definition") -> "list[tuple[Change, Location]]":
    """What the functions that are called change, in the expressions of the caller. Raises Undecidable."""
    found = []
    for activation in activations(definition, _DEPTH):
        if not activation.calls:
            continue
        for change in changes(activation.function.function, conditions_in(activation.function)):
            point = activation.translated(change.point)
            amount = activation.term(change.amount) if change.amount is not None else None
            source = amount if change.source is not None else None
            place = activation.term(change.place)
            moved = replace(
                change, place=place, inlined=activation.term(change.inlined), amount=amount, source=source, point=point
            )
            if change.place.type != "Name":
                found.append((moved, activation.function.location_of(change.term)))
    return found


def _amounts(made: Sequence[Change]) -> Text:
    """By how much a place is changed, for people."""
    return OR.join(dict.fromkeys(map(_described, made)))


def _described(change: Change) -> Text:
    asked = " and ".join(unparse(one.source, 3) for one in change.point.conditions if not one.is_failure)
    return under_condition(unparse(change.source) if change.source is not None else UNKNOWN.en, asked)


def _changed(place: Pattern, amount: Pattern, when: Pattern | None = None) -> Text:
    """That a place is changed by an amount, for people."""
    by = Text("changes {} by {}", "使 {} 变化 {}").filled(quoted(place), quoted(amount))
    return by + Text(" if {}", "（当 {} 时）").filled(quoted(when)) if when else by


def _verdict(entry: PlaceChanges, when: Pattern | None, bound: Bindings, reading: Reading, *, only: bool) -> _Finding:
    """What can be said of one place. Raises Undecidable."""
    place, amount = quoted(entry.place), quoted(entry.amount)
    by = _changed(entry.place, entry.amount, when)
    if not entry.all:
        return Kind.FAIL, Text("does not change {}", "没有改变 {}").filled(place)
    if not entry.same:
        message = Text("changes {} by {}, not by {}", "使 {} 变化 {}，而不是 {}")
        if not all(_is_other(change, entry.amount, reading) for change in entry.all):
            message = Text("changes {} by {}; whether that is {} cannot be told", "使 {} 变化 {}；无法判断这是否为 {}")
            return Kind.OPEN, message.filled(place, _amounts(entry.all), amount)
        return Kind.FAIL, message.filled(place, _amounts(entry.all), amount)
    twice = any(can_both(one, other, reading) for one, other in combinations(entry.same, 2))
    if twice and not entry.is_total:
        message = Text("changes {} by {} more than once: {}", "不止一次使 {} 变化 {}：{}")
        return Kind.FAIL, message.filled(place, amount, _amounts(entry.same))
    verdicts = [entailment(when, bound, change.point.conditions, change.point.values, reading) for change in entry.same]
    found = [_of_condition(verdict, by, only=only) for verdict in verdicts]
    if len(verdicts) > 1 and _are_the_condition(verdicts, entry.same, reading):
        found = [(Kind.PASS, by)]
    for other in entry.others:
        both = [one for one in entry.same if can_both(one, other, reading)]
        if any(always_both(one, other, reading) for one in both):
            message = Text("changes {} by {}, and always also by {}", "使 {} 变化 {}，且总是另外再变化 {}")
            return Kind.FAIL, message.filled(place, amount, _described(other))
        tests = [reading.term(condition.test, verdicts[0].depth) for condition in other.point.conditions]
        if both or are_satisfiable([*verdicts[0].wanted, *tests]):
            found.append((Kind.REVIEW, Text("{}, but also by {}", "{}，但也会变化 {}").filled(by, _described(other))))
    if any(change.point.is_repeated and not _varies(change) for change in entry.same):
        found.append((Kind.REVIEW, by + Text(" in every round of a loop", "，在循环的每一轮中都发生")))
    return _worst(found)


def _is_other(change: Change, amount: Pattern, reading: Reading) -> bool:
    """Whether there are numbers at which a change is by another amount than a claim states."""
    stated = amount.terms[0].term("value")
    if change.amount is None or has_metavariables(stated):
        return change.amount is not None
    conditions = [reading.term(one.test) for one in change.point.conditions]
    made = substitute(change.amount, change.point.values)
    numbers = {number_of(normal_form(reading.term(made))), number_of(normal_form(reading.of_claim(stated)))}
    if None not in numbers:
        return len(numbers) == 2
    return any(
        counterexample(reading.term(made, depth), reading.of_claim(stated, depth), conditions) is not None
        for depth in (0, 2)
    )


def _worst(found: Sequence[_Finding]) -> _Finding:
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


def _of_condition(verdict: Entailment, by: Text, *, only: bool) -> _Finding:
    if verdict.answer is Implication.NO:
        return Kind.FAIL, Text("{}, but that runs {}", "{}，但这段代码{}").filled(by, when_reached(verdict))
    if (qualified := qualification(verdict, only=only)) is not None:
        return Kind.REVIEW, by + qualified
    return Kind.PASS, by


def _varies(change: Change) -> bool:
    """Whether a change in a loop is to, or by, something that the loop gives another value in each round."""
    terms = [term for term in (change.inlined, change.amount) if term is not None]
    return any("′" in str(inner.parts.get("id")) for term in terms for inner in term.walk())


def _changes_in_methods(entries: Sequence[PlaceChanges], around: "Definition") -> _Finding:
    """Whether methods that are called change the places too. Raises Undecidable for a place that is a property."""
    for entry in entries:
        chain = dotted(entry.place.terms[0].term("value")) or ""
        if chain.startswith("self.") and around.cls and _is_computed(chain.removeprefix("self."), around):
            computed = Text(
                "{} is a property, so that what giving it a value does is not told", "{} 是属性，赋值的效果无法判断"
            )
            raise Undecidable(computed.filled(quoted(chain)))
    too = Text("; but {}, which it calls, changes it too", "；但它调用的 {} 也改变它")
    for body in with_called_methods(around, _METHOD_DEPTH)[1:]:
        for change in changes(body.function, conditions_in(body)):
            for entry in entries:
                if is_of(change, entry.place, {}):
                    return Kind.REVIEW, _changed(entry.place, entry.amount) + too.filled(quoted(body.name))
    return Kind.PASS, Text("is changed nowhere else", "没有在别处改变")


def _is_computed(attribute: str, around: "Definition") -> bool:
    lineage = Hierarchy(around.codebase, ()).lineage(Class(around.path, around.cls or ""))
    found = (one for cls in lineage for one in around.codebase.definitions(cls.path, f"{cls.name}.{attribute}"))
    return any(one.symbol is not None and one.symbol.type == "function" for one in found)


def _changes_beside(
    entries: Sequence[PlaceChanges],
    places: Sequence[Pattern],
    bound: Bindings,
    made: Sequence[Change],
    around: "Definition",
) -> _Finding:
    """Whether some places get other values than the stated ones, here or in the methods called. Raises Undecidable."""
    stated = [change for entry in entries for change in entry.all]
    for change in made:
        if change not in stated and not change.is_first and any(is_of(change, place, bound) for place in places):
            message = Text("also gives {} a value: {}", "还给 {} 赋了值：{}")
            return Kind.FAIL, message.filled(quoted(unparse(change.place)), _described(change))
    for body in with_called_methods(around, _METHOD_DEPTH)[1:] if places else ():
        for change in changes(body.term, conditions_in(body)):
            if any(is_of(change, place, {}) for place in places):
                message = Text("also gives {} a value, in {}", "还在 {1} 中给 {0} 赋了值")
                return Kind.FAIL, message.filled(quoted(unparse(change.place)), quoted(body.name))
    return Kind.PASS, Text("changes nothing else", "不改变其他内容")
