"""Whether two neighbouring statements may be exchanged: assignments without calls, of which neither feeds the other.

Attributes are taken for no properties, and operands for numbers or texts; two objects may be the same one.
"""

from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Part, Term

_PLAIN = frozenset(("Assign", "Name", "Attribute", "Literal", "BinaryOperation"))


def are_independent(one: Part, other: Part) -> bool:
    """Whether the order of two statements makes no difference."""
    if not (isinstance(one, Term) and isinstance(other, Term) and one.type == other.type == "Assign"):
        return False
    if not all(term.type in _PLAIN for statement in (one, other) for term in statement.walk()):
        return False
    return _written(one).isdisjoint(_names(other)) and _written(other).isdisjoint(_names(one))


def _written(statement: Term) -> frozenset[str]:
    """The names and attributes that it assigns to, whoever's they are."""
    return frozenset(str(place.parts.get("attr", place.parts.get("id"))) for place in bound_targets(statement))


def _names(statement: Term) -> frozenset[str]:
    return frozenset(str(one.parts.get("attr", one.parts.get("id"))) for one in statement.walk())
