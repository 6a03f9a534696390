"""Constant propagation: named constants of the code base written out in expressions, so that a literal equals them."""

import re
from dataclasses import replace

from auditor.code import Undecidable
from auditor.code.syntax.normal_forms import literal, name
from auditor.code.syntax.targets import own_names
from auditor.code.syntax.term import Part, Term, dotted
from auditor.code.values.constants import Scope, evaluate, resolve


def with_constants(term: Term, scope: Scope) -> Term:
    """An expression with constants of the code base, no members of an enumeration, in place of their names."""
    chain = dotted(term)
    if chain is not None:
        value = None if _is_local(chain.partition(".")[0], scope) else _named_constant(chain, scope)
        return term if value is None else value
    if term.type in ("Lambda", "ListComp", "SetComp", "DictComp", "GeneratorExp"):
        scope = replace(scope, locals=(scope.locals or frozenset()) | own_names(term))
    if term.type in ("Assign", "AugAssign", "For", "NamedExpr", "Delete", "Declare"):  # targets are no values
        return term.with_parts(
            {part: _part(value, scope) for part, value in term.parts.items() if part not in ("target", "targets")}
        )
    return term.with_parts({part: _part(value, scope) for part, value in term.parts.items()})


def _part(part: Part, scope: Scope) -> Part:
    if isinstance(part, Term):
        return with_constants(part, scope)
    if isinstance(part, tuple):
        items = tuple(_part(item, scope) for item in part)
        return part if all(new is old for new, old in zip(items, part, strict=True)) else items
    return part


def _is_local(first: str, scope: Scope) -> bool:
    return scope.is_local(first) and first not in ("self", "cls")


def _named_constant(chain: str, scope: Scope) -> Term | None:
    owner, _, last = chain.rpartition(".")
    if (owner and not last.isupper()) or chain in ("True", "False", "None"):
        return None  # an attribute that is no constant may be another of any object
    if owner in ("self", "cls") and _is_overridden(last, scope):
        return None
    strict = Scope(scope.codebase, scope.path, scope.cls, frozenset(), is_strict=True)

    def worked_out() -> Term | None:
        try:
            if owner and _is_enumeration(owner, strict):
                return None
            first, *rest = chain.split(".")
            term = name(first)
            for attribute in rest:
                term = Term("Attribute", {"value": term, "attr": attribute})
            value = evaluate(term, strict)
        except Undecidable:
            return None
        if value is None or isinstance(value, bool):
            return name(repr(value))
        return literal(value) if isinstance(value, int | float | str | bytes) else None

    return scope.codebase.memoized(("constant", scope.path, scope.cls, chain), worked_out)


def _is_overridden(constant: str, scope: Scope) -> bool:
    """Whether another class of the file has such a constant too, which an object may be of, or it is set there."""
    setting = rf"\.{re.escape(constant)}[ \t]*(?::[^=\n]+)?(?:[-+*/|&%@^]|//|\*\*|<<|>>)?=(?!=)"
    if re.search(setting, scope.codebase.text(scope.path)):
        return True
    symbols = scope.codebase.index(scope.path).symbols
    owners = {symbol.name.rpartition(".")[0] for symbol in symbols if symbol.name.endswith(f".{constant}")}
    return owners != {scope.cls}


def _is_enumeration(owner: str, scope: Scope) -> bool:
    """Whether a class is an enumeration, or may be one."""
    path, cls = (scope.path, scope.cls) if owner in ("self", "cls") else resolve(owner.partition(".")[0], scope)
    if path is None or cls is None:
        return False
    bases = scope.codebase.index(path).bases.get(cls, ())
    inner = scope.inner(path, None)
    return any(base.endswith(("Enum", "Flag")) or _is_enumeration(base, inner) for base in bases)
