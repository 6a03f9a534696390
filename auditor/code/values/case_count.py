"""How many cases a condition has once conditional expressions, `min`, `max` and displays are split: counted beforehand.

Inlined locals share their parts, so a short function can have more cases than can be listed.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

from auditor.code.syntax.term import Term

MOST_ATOMS = 4_096
"""Atoms of a proposition. `Scheduler.schedule` of vLLM 0.31.0, with its locals inlined, has 111."""


@lru_cache(maxsize=4_096)
def atom_count(term: Term) -> int:
    """At most how many atoms, counted as often as they occur, the proposition of a condition has; 1 or more."""
    match term.type:
        case "UnaryOperation" if term.parts["operator"] == "not":
            return atom_count(term.term("operand"))
        case "BooleanOperation":
            return sum(map(atom_count, term.terms("values")))
        case "IfExp":
            return 2 * atom_count(term.term("test")) + atom_count(term.term("body")) + atom_count(term.term("orelse"))
        case "Comparison":
            sides = [values(side) for side in (term.term("left"), *term.terms("comparators"))]
            return sum(one * other for one, other in pairwise(sides))
        case "Call":
            return sum(_elements(arg, atom_count) for arg in term.terms("args")) or 1
        case _:
            return 1


@lru_cache(maxsize=4_096)
def values(term: Term) -> int:
    """At most how many comparisons one with an expression is split into."""
    match term.type:
        case "IfExp":
            return 2 * atom_count(term.term("test")) + values(term.term("body")) + values(term.term("orelse"))
        case "Call":
            return sum(_elements(arg, values) for arg in term.terms("args")) or 1
        case _:
            return _elements(term, lambda _: 1)


def _elements(term: Term, count: Callable[[Term], int]) -> int:
    """The sum over the elements of a display or a comprehension; of something else, its own count."""
    match term.type:
        case "Tuple" | "List" | "Set":
            return sum(map(count, term.terms("elements"))) or 1
        case "GeneratorExp" | "ListComp":
            return _elements(term.terms("for_in")[0].term("iter"), values) * count(term.term("elt"))
        case _:
            return count(term)
