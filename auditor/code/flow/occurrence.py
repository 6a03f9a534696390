"""Whether one of some program points is reached whenever a condition holds: the disjunction of path conditions."""

from collections.abc import Sequence

from auditor.code.flow.entailment import Reading, entailment, when_reached
from auditor.code.flow.path_conditions import ProgramPoint, every
from auditor.code.matching.notation import Pattern
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term
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


def _path(point: ProgramPoint, reading: Reading, depth: int) -> Term:
    return every([reading.term(one.test, depth) for one in point.conditions if not one.is_failure])
