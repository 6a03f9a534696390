"""Dead stores: assignments that a later one always overwrites, and statements written twice in a row."""

from collections.abc import Sequence, Set
from itertools import pairwise

from auditor.code.syntax.blocks import abrupt_completions, block
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Part, Term, encode


def repeated(function: Term, terms: Sequence[Term]) -> Term | None:
    """One of some terms that stands in a statement written twice in a row, where that makes a difference."""
    wanted = {id(term): term for term in terms}
    for holder in function.walk():
        if "body" not in holder.parts:
            continue
        for part in ("body", "orelse", "finalbody"):
            statements = block(holder, part)
            for before, after in pairwise(statements):
                if before.type != after.type or not _is_same(before, after):
                    continue
                pair = (*after.walk(), *before.walk())
                inside = [wanted[id(term)] for term in pair if id(term) in wanted]
                if inside and any(t.type in _EFFECTIVE for t in inside[0].walk()):
                    return inside[0]
    return None


def overwritten(function: Term, terms: Sequence[Term], *, with_locals: bool = False) -> Term | None:
    """A statement that is always reached after one of some assignments and assigns to the same place again.

    A local may serve several ends, one after the other, so it counts only where that is asked for.
    """
    stores = (term for term in terms if with_locals or any(place.type != "Name" for place in bound_targets(term)))
    found: list[Term] = []
    _live_stores(function.terms("body"), frozenset(map(id, stores)), found)
    return found[0] if found else None


def _live_stores(
    statements: Sequence[Term], wanted: frozenset[int], found: list[Term], before: Set[str] = frozenset()
) -> set[str]:
    """The places that the wanted assignments of a block have given a value when its end is reached.

    What assigns to one of them again is added to `found`; `before` are those that have a value when it begins.
    """
    assigned = set(before)
    for statement in statements:
        if statement.type in _LEAVING:
            return set()
        if statement.type in ("FunctionDef", "ClassDef"):
            continue
        leaves = abrupt_completions((statement,)) - {"Raise"}
        outer = assigned
        assigned = set() if leaves else set(assigned)
        body = _live_stores(block(statement, "body"), wanted, found)
        for clause in (*block(statement, "handlers"), *block(statement, "cases")):
            assigned |= _live_stores(clause.terms("body"), wanted, found)
        is_always = statement.type in ("Try", "TryStar", "For", "While") and "Break" not in abrupt_completions(
            block(statement, "body")
        )
        orelse = _live_stores(block(statement, "orelse"), wanted, found, body if is_always else frozenset())
        assigned |= body | orelse
        if last := block(statement, "finalbody"):
            assigned |= _live_stores(last, wanted, found, assigned | outer)
        if statement.type in _ASSIGNING:
            places = {encode(place) for place in bound_targets(statement)}
            if id(statement) in wanted:
                assigned |= places
            elif assigned & places:
                found.append(statement)
    return assigned


_ASSIGNING = ("Assign", "AugAssign", "Delete")
_LEAVING = ("Return", "Raise", "Break", "Continue")


def _is_same(one: Part, other: Part) -> bool:
    """Whether two parts are the same syntax: as their encodings, and told at the first difference."""
    if isinstance(one, Term):
        if not isinstance(other, Term) or one.type != other.type or one.parts.keys() != other.parts.keys():
            return False
        return all(_is_same(part, other.parts[key]) for key, part in one.parts.items())
    if isinstance(one, tuple):
        return isinstance(other, tuple) and len(one) == len(other) and all(map(_is_same, one, other))
    return not isinstance(other, Term | tuple) and encode(one) == encode(other)


_EFFECTIVE = ("Call", "AugAssign", "Await")
