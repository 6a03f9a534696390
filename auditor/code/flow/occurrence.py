"""Whether one of some program points is reached whenever a condition holds: the disjunction of path conditions."""

from collections.abc import Sequence

from auditor.code.flow.entailment import Reading, entailment, when_reached
from auditor.code.flow.program_points import ProgramPoint, every
from auditor.code.matching.notation import Pattern
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term
from auditor.code.values.constants import scope_of
from auditor.code.values.emptiness import has_items
from auditor.code.values.logic import are_satisfiable
from auditor.model import Text


def restriction(points: Sequence[ProgramPoint], when: Pattern | None, reading: Reading) -> Text | None:
    """What must hold, beyond `when`, for one of some points to be reached; None where nothing must.

    A condition without which the function raises does not count.
    """
    found = [entailment(when, {}, point.conditions, point.values, reading) for point in points]
    if any(not one.others for one in found):
        return None
    if len(points) > 1:
        for one in found:  # each reads what is wanted in its own way
            paths = [negation(_path(point, reading, one.depth)) for point in points]
            if not are_satisfiable([*one.wanted, *paths]):
                return None
    return when_reached(min(found, key=lambda one: len(one.others)))


def unsure_round(points: Sequence[ProgramPoint], when: Pattern | None, reading: Reading) -> Term | None:
    """What is looped over, and may be empty, wherever one of some points stands; None where one is in no such loop.

    A loop that binds what `when` asks for is implied by it.
    """
    asked = {one.text("id") for one in when.terms[0].walk() if one.type == "Name"} if when else set()
    scope, first = scope_of(reading.around), None
    for point in points:
        unsure = [one for one in point.loops if not asked & one.names and not has_items(one.iterable, scope)]
        if not unsure:
            return None
        first = first or unsure[0].iterable
    return first


def _path(point: ProgramPoint, reading: Reading, depth: int) -> Term:
    return every([reading.term(one.test, depth) for one in point.conditions if not one.is_failure])
