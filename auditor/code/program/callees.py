"""The functions and constants of this code base that some statements use by name: the plain edges of the call graph.

A method called on another object than `self` is not followed; `call_graph` does that, and says what it could not.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from auditor.code.program.self_calls import called_method
from auditor.code.project.names import referents
from auditor.code.syntax.targets import assigned_names, bound_targets
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.constant_sites import constant_sites
from auditor.code.values.constants import Scope

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


def called_function(call: Term, around: "Definition") -> "Definition | None":
    """The one function that a call runs, where that is plain: an own method, or a function of the code base."""
    if (method := called_method(call, around)) is not None:
        return method
    chain = dotted(call.term("func"))
    if chain is None or chain.partition(".")[0] in ("self", "cls"):
        return None
    for scope in _enclosing(around):
        nested = around.codebase.definitions(around.path, f"{scope.name}.{chain}")
        if len(nested) == 1 and nested[0].term.type == "FunctionDef":
            return nested[0]
    if _is_local(chain, around):
        return None
    targets = [one for one in referents(around.codebase, chain, around.path) if one.type == "function"]
    found = around.codebase.definitions(targets[0].path, targets[0].name) if len(targets) == 1 else ()
    return found[0] if len(found) == 1 else None


def positional_parameters(function: "Definition") -> list[str]:
    """The parameters that the positional arguments of a call fill: not the object of a method."""
    term = function.term
    found = [one.text("name") for one in term.terms("params") if one.parts["kind"] == "positional"]
    is_static = any(dotted(one) == "staticmethod" for one in term.terms("decorators"))
    is_method = function.cls is not None and function.name.rpartition(".")[0] == function.cls
    return found[1:] if is_method and not is_static else found


def _enclosing(around: "Definition") -> Iterator["Definition"]:
    """The function that a definition is, and those around it, the innermost first."""
    scope = around.name if around.symbol else ""
    while scope:
        found = around.codebase.definitions(around.path, scope)
        if len(found) == 1 and found[0].term.type == "FunctionDef":
            yield found[0]
        scope = scope.rpartition(".")[0]


def _is_local(chain: str, around: "Definition") -> bool:
    """Whether a name is one that a function gives something of its own, an import apart."""
    first = chain.partition(".")[0]
    return any(first in assigned_names(scope.term) for scope in _enclosing(around))


def callees(terms: Iterable[Term], around: "Definition") -> Iterator["Definition"]:
    """The functions that are called in some terms of a definition: methods on `self`, and functions by their names."""
    codebase = around.codebase
    for call in (one for term in terms for one in term.walk() if one.type == "Call"):
        chain = dotted(call.term("func")) or ""
        found = called_method(call, around)
        if found is not None:
            yield found
        elif chain and chain.partition(".")[0] not in ("self", "cls") and not _is_local(chain, around):
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
