"""The functions and constants of this code base that some statements use by name: the plain edges of the call graph.

A method called on another object than `self` is not followed; `call_graph` does that, and says what it could not.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from auditor.code.program.self_calls import called_method
from auditor.code.project.names import referents
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.constant_sites import constant_sites
from auditor.code.values.constants import Scope

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


def callees(terms: Iterable[Term], around: "Definition") -> Iterator["Definition"]:
    """The functions that are called in some terms of a definition: methods on `self`, and functions by their names."""
    codebase = around.codebase
    for call in (one for term in terms for one in term.walk() if one.type == "Call"):
        chain = dotted(call.term("func")) or ""
        found = called_method(call, around)
        if found is not None:
            yield found
        elif chain and chain.partition(".")[0] not in ("self", "cls"):
            for target in referents(codebase, chain, around.path):
                if target.type == "function":
                    several = codebase.definitions(target.path, target.name)
                    yield from several if len(several) == 1 else ()


def constants(terms: Iterable[Term], around: "Definition") -> Iterator["Definition"]:
    """The constants that are named in some terms of a definition, by names with a capital; a local is none."""
    chains: dict[str, Term] = {}
    for inner in (one for term in terms for one in term.walk() if one.type in ("Name", "Attribute")):
        chain = dotted(inner)
        if chain and any(map(str.isupper, chain)) and not chain.startswith(("self.", "cls.")):
            chains.setdefault(chain, inner)
    if chains:
        scope = Scope(around.codebase, around.path, around.cls, _bound(around))
        for inner in chains.values():
            yield from constant_sites(inner, scope)


def _bound(around: "Definition") -> frozenset[str] | None:
    """The names that a function binds; None for what is no function."""
    if around.symbol is None or around.symbol.type != "function":
        return None

    def names() -> frozenset[str]:
        bound = {chain for term in around.term.walk() for one in bound_targets(term) if (chain := dotted(one))}
        return frozenset(bound | {one.text("name") for one in around.term.terms("params")})

    return around.codebase.memoized(("bound", around.path, around.name), names)
