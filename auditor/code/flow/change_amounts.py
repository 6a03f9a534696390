"""Which changes of a place are by a given amount, each alone or all together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.code.flow.entailment import Reading, instantiations, is_same
from auditor.code.flow.state_changes import Change
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import Bindings, unify
from auditor.code.syntax.term import Term, encode
from auditor.code.values.logic import Implication, are_satisfiable, implication


@dataclass(frozen=True, slots=True)
class PlaceChanges:
    """The changes of one place: those by a given amount, and the others."""

    place: Pattern
    amount: Pattern
    same: tuple[Change, ...]
    others: tuple[Change, ...]
    is_total: bool = False
    """Whether it is all of `same` together that make the amount."""

    @property
    def all(self) -> tuple[Change, ...]:
        return (*self.same, *self.others)


def by_amount(
    amounts: Mapping[Pattern, Pattern], made: Sequence[Change], reading: Reading
) -> Iterator[tuple[tuple[PlaceChanges, ...], Bindings]]:
    """The places, for every way to fill in the metavariables that they share. Raises Undecidable."""
    yield from _by_amount(list(amounts.items()), made, reading, {})


def _by_amount(
    amounts: Sequence[tuple[Pattern, Pattern]], made: Sequence[Change], reading: Reading, known: Bindings
) -> Iterator[tuple[tuple[PlaceChanges, ...], Bindings]]:
    if not amounts:
        yield (), known
        return
    (place, amount), rest = amounts[0], amounts[1:]
    for bound in _bindings(place, made, known):
        of_place = [change for change in made if is_of(change, place, bound) and not change.is_first]
        sources = [term for change in of_place for term in (change.source, change.amount) if term is not None]
        wanted = amount.terms[0].term("value")
        instances = list(instantiations(wanted, sources, bound, amount)) or [(wanted, bound)]
        for term, filled in instances:
            entry = _changes_of(place, amount, term, of_place, reading)
            yield from (((entry, *others), last) for others, last in _by_amount(rest, made, reading, filled))


def _bindings(place: Pattern, made: Sequence[Change], known: Bindings) -> list[Bindings]:
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


def _changes_of(
    place: Pattern, amount: Pattern, term: Term, of_place: Sequence[Change], reading: Reading
) -> PlaceChanges:
    def is_by_amount(value: Term | None, change: Change) -> bool:
        return value is not None and is_same(value, term, change.point.values, reading)

    by_amount = [change for change in of_place if is_by_amount(change.amount, change)]
    is_total = not by_amount and len(of_place) > 1 and _are_together(of_place)
    if is_total:
        total = of_place[0].amount
        for change in of_place[1:]:
            total = _sum(total, change.amount)
        by_amount = list(of_place) if is_by_amount(total, of_place[-1]) else []
    return PlaceChanges(
        place, amount, tuple(by_amount), tuple(one for one in of_place if one not in by_amount), is_total
    )


def _sum(one: Term | None, other: Term | None) -> Term | None:
    if one is None or other is None:
        return None
    return Term("BinaryOperation", {"left": one, "operator": "+", "right": other})


def _are_together(made: Sequence[Change]) -> bool:
    """Whether several changes are made under the same conditions, each once or each in the same round."""
    asked = {"".join(encode(condition.test) for condition in change.point.conditions) for change in made}
    return len(asked) == 1


def can_both(one: Change, other: Change, reading: Reading) -> bool:
    """Whether one call may make both changes."""
    return are_satisfiable(
        [reading.term(condition.test) for change in (one, other) for condition in change.point.conditions]
    )


def always_both(one: Change, other: Change, reading: Reading) -> bool:
    """Whether a call that makes one change also makes the other."""
    given = [reading.term(condition.test) for condition in one.point.conditions]
    return all(
        implication(reading.term(asked.test), given) not in (Implication.NO, Implication.IF_WHOLE)
        for asked in other.point.conditions
    )
