"""The sites of two steps in a function and the methods that it calls, and the must-analysis over them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.must_precede import MustPrecede
from auditor.code.flow.no_return import no_return_calls
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import Match, search
from auditor.code.program.self_calls import called_method
from auditor.code.syntax.blocks import walk_scope
from auditor.code.syntax.term import Term, encode
from auditor.model import Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition

StepSite = tuple[Match, "Definition"]


def step_sites(pattern: Pattern, bodies: "Sequence[Definition]") -> list[StepSite]:
    """Where a step stands. Raises Undecidable when that is in a nested function, or in none."""
    found: list[StepSite] = []
    for body in bodies:
        entered = {id(term) for term in walk_scope(body.function.terms("body"))}
        for match in search(pattern, body.code):
            if match.terms[0] is body.term:
                continue
            if id(match.terms[0]) not in entered:
                where = body.location_of(*match.terms)
                raise Undecidable(
                    Text(
                        f"{where}: `{pattern}` stands in a nested function; when that runs is not known",
                        f"{where}：`{pattern}` 位于嵌套函数中，无法得知它何时运行",
                    )
                )
            found.append((match, body))
    return found


def agree(one: Match, other: Match) -> bool:
    """Whether two steps are done to the same things."""
    common = one.bindings.keys() & other.bindings.keys()
    return all(encode(one.bindings[variable]) == encode(other.bindings[variable]) for variable in common)


def must_precede(
    firsts: Sequence[StepSite], thens: Sequence[StepSite], bodies: "Sequence[Definition]", depth: int
) -> MustPrecede:
    """What can be said of two steps, after following the first of some definitions and the methods it calls."""
    firsts_end, thens_begin, thens_end = (
        frozenset(id(match.terms[number]) for match, _ in step_sites)
        for step_sites, number in ((firsts, -1), (thens, 0), (thens, -1))
    )
    common = {v for one, _ in firsts for other, _ in thens for v in one.bindings.keys() & other.bindings.keys()}
    bound = (match.bindings[variable] for match, _ in firsts for variable in common)
    shared = (
        inner.text("id") for part in bound if isinstance(part, Term) for inner in part.walk() if "id" in inner.parts
    )
    called = {
        id(call): inner.term
        for body in bodies
        for call in body.code.by_type.get("Call", ())
        if (inner := called_method(call, body)) is not None and inner in bodies
    }
    no_return = frozenset(call for body in bodies for call in no_return_calls(body))
    analysis = MustPrecede(
        firsts_end, thens_begin, thens_end, frozenset(shared), lambda call: called.get(id(call)), depth, no_return
    )
    analysis.run(bodies[0].term)
    return analysis
