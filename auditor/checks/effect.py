"""The check `effect`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from auditor.checks import Check, Wanting
from auditor.code import Undecidable
from auditor.code.flow.activations import activations, called_function
from auditor.code.flow.entailment import Reading
from auditor.code.flow.no_return import conditions_in
from auditor.code.flow.state_changes import Change, changes
from auditor.code.flow.stated_changes import also, amounts, balances, besides, changed, is_of, judged, worst
from auditor.code.matching.notation import Pattern
from auditor.code.phrases import quoted
from auditor.code.syntax.term import dotted
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
        definition = codebase.locate(self.at)
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
        for entries, bound in balances(self.changes, made, reading):
            findings = [judged(entry, self.when, bound, reading, only=self.only) for entry in entries]
            if not deeper:
                findings.append(also(entries, definition))
            findings.append(besides(entries, self.nothing_else, bound, made, definition))
            found.append((*worst(findings), entries))
        kind, message, entries = min(found, key=lambda one: one[0].gravity)
        if kind is Kind.FAIL and not all(entry.all for entry in entries) and (call := _unresolved(definition)):
            raise Undecidable(
                Text("{} {}, unless {} does, which is not found", "{} {}，除非 {} 改变了它，而后者没有找到").filled(
                    quoted(definition.name), message, quoted(call)
                )
            )
        if kind is Kind.PASS:
            message = Text(" and ", "，并").join(changed(place, amount) for place, amount in self.changes.items())
            if self.when:
                message += Text(", if {}", "（当 {} 时）").filled(quoted(self.when))
        places = dict.fromkeys(where[id(change.term)] for entry in entries for change in entry.all)
        expected = "; ".join(f"{place} by {amount}" for place, amount in self.changes.items())
        actual = "; ".join(f"{entry.place} by {amounts(entry.all).en}" for entry in entries if entry.all) or None
        locations = tuple(places) or (definition.location,)
        message = Text("{} {}", "{} {}").filled(quoted(definition.name), message)
        return Outcome(kind, message, expected, actual, locations, definition.fingerprint)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        return (
            Wanting(frozenset[str]().union(*(one.members for one in self.changes))) if outcome.actual is None else None
        )


_DEPTH = 2
"""Calls that are followed to where a place is changed."""


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
