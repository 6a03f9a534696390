"""The definitions of the constants that an expression names: where its value is written."""

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.project.codebase import Definition
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.initializers import initializer

if TYPE_CHECKING:
    from auditor.code.values.constants import Scope

_DEEPEST = 4  # constants that are another one


def constant_sites(term: Term, scope: "Scope", depth: int = _DEEPEST) -> Iterator[Definition]:
    """The constants and class fields that a term names, then those that these name in turn; a local is none."""
    for inner in term.walk():
        chain = dotted(inner) if inner.type in ("Name", "Attribute") else None
        definition = _defined(chain, scope) if chain and not scope.is_local(chain.partition(".")[0]) else None
        if definition is not None:
            yield definition
            with suppress(Undecidable):
                outer = definition.name.rpartition(".")[0] or None
                if depth:
                    inside = scope.inner(definition.path, outer)
                    yield from constant_sites(initializer(definition), inside, depth - 1)


def _defined(chain: str, scope: "Scope") -> Definition | None:
    """The one constant that a dotted name stands for, in this file or the one that its first name is imported from."""
    codebase, path = scope.codebase, scope.path
    names = [f"{scope.cls}.{chain}", chain] if scope.cls and scope.locals is None else [chain]
    first, _, rest = chain.partition(".")
    try:
        module, original = codebase.index(path).imports.get(first, (None, None))
        places = [(path, name) for name in names]
        if module is not None and (source := codebase.module(module, path)):
            places.append((source, ".".join(filter(None, (original, rest)))))
        for place, name in places:
            found = codebase.definitions(place, name) if name else ()
            if len(found) == 1 and found[0].symbol and found[0].symbol.type in ("field", "constant"):
                return found[0]
    except Undecidable:
        pass
    return None
