"""The state that a function changes: every place that it assigns, and by how much each is changed."""

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.code import Undecidable
from auditor.code.flow.path_conditions import PathConditions
from auditor.code.flow.program_points import ProgramPoint
from auditor.code.phrases import quoted
from auditor.code.syntax.dynamic_attributes import attribute_access, may_change_any_attribute
from auditor.code.syntax.normal_forms import unary
from auditor.code.syntax.targets import assigned_pairs, bound_targets
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.unparse import unparse
from auditor.code.values.algebra import substitute
from auditor.model import Text


@dataclass(frozen=True, slots=True)
class Change:
    """A place that is given a value, and by how much that changes it (None: what cannot be said)."""

    place: Term
    inlined: Term
    """The place with the locals in front of it inlined."""
    amount: Term | None
    source: Term | None
    """The amount as it is written."""
    term: Term
    point: ProgramPoint
    is_first: bool = False
    """Whether it gives a local its first value, so that nothing is changed."""


def changes(function: Term, flow: PathConditions) -> Iterator[Change]:
    """Every name, attribute and item that is given a value where the function can be. Raises Undecidable."""
    before = {one.text("name") for one in function.terms("params")} | _declared(function)
    for statement in function.terms("body"):
        for term in statement.walk():
            _refuse_by_name(term)
            found = [
                place
                for place in bound_targets(term)
                if term.type not in ("CompFor", "FunctionDef", "ClassDef", "Alias")
            ]
            point = flow.point(term) if found and term.type not in _INDIRECT else _around(term, statement, flow)
            for place in found if point is not None else ():
                assert point is not None
                own = dotted(place)
                values = {local: value for local, value in point.values.items() if local != own}
                source = _amount(term, place)
                amount = substitute(source, values) if source is not None else None
                is_first = place.type == "Name" and term.type == "Assign" and own not in {*before, *point.values}
                yield Change(place, substitute(place, values), amount, source, term, point, is_first)


def _declared(function: Term) -> set[str]:
    """The names of a function that are global, or those of a function around it."""
    names = (term.parts["names"] for term in function.walk() if term.type in ("Global", "Nonlocal"))
    return {str(name) for found in names if isinstance(found, tuple) for name in found}


def _refuse_by_name(term: Term) -> None:
    """Raises Undecidable for what may change any attribute."""
    if may_change_any_attribute(term):
        what = Text("{} may change any attribute", "{} 可能改变任何属性")
        raise Undecidable(what.filled(quoted(unparse(term))))


_INDIRECT = ("WithItem", "ExceptHandler", "MatchCase")


def _around(term: Term, statement: Term, flow: PathConditions) -> ProgramPoint | None:
    """Where a part of a statement that is no expression stands: where its statement does."""
    holders = (inner for inner in statement.walk() if any(child is term for child in inner.children()))
    return next((flow.point(holder) for holder in holders), None)


def _amount(term: Term, place: Term) -> Term | None:
    match term.type:
        case "AugAssign" if term.parts["operator"] == "+":
            return term.term("value")
        case "AugAssign" if term.parts["operator"] == "-":
            return unary("-", term.term("value"), None)
        case "AugAssign":
            return _minus(_operation(place, term.text("operator"), term.term("value")), place)
        case "Assign" if (value := _assigned_value(term, place)) is not None:
            return _minus(value, place)
        case "NamedExpr":
            return _minus(term.term("value"), place)
        case "Call" if (access := attribute_access(term)) is not None and access.value is not None:
            return _minus(access.value, place)
        case _:
            return None


def _assigned_value(assignment: Term, place: Term) -> Term | None:
    """What an assignment gives a place."""
    for target in assignment.terms("targets"):
        for assigned, value in assigned_pairs(target, assignment.term("value")):
            if assigned is place:
                return value
    return None


def _operation(left: Term, operator: str, right: Term) -> Term:
    return Term("BinaryOperation", {"left": left, "operator": operator, "right": right})


def _minus(value: Term, place: Term) -> Term:
    return _operation(value, "-", place)
