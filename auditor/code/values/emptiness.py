"""Whether what is looped over has an item for certain: displays, ranges, constants of the code base."""

from auditor.code import Undecidable
from auditor.code.project.names import referents
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.constants import Scope, evaluate

_DISPLAYS = ("Tuple", "List", "Set", "Dict")
_AS_LONG_AS_ARGUMENT = (
    "enumerate",
    "sorted",
    "list",
    "tuple",
    "set",
    "frozenset",
    "reversed",
    "iter",
    "itertools.cycle",
)
_VIEWS = ("items", "keys", "values", "copy")


def has_items(iterable: Term, scope: Scope) -> bool:
    """Whether a loop over it certainly runs a round; False where that is not known."""
    if iterable.type in _DISPLAYS and any("Starred" not in one.type for one in iterable.terms("elements")):
        return True
    if iterable.type == "Call":
        func, args = iterable.term("func"), iterable.terms("args")
        callee = _standard_name(func, scope)
        if callee == "itertools.count":
            return True
        if callee in _AS_LONG_AS_ARGUMENT and args:
            return has_items(args[0], scope)
        if callee in ("zip", "map") and len(args) > (callee == "map"):
            return all(has_items(one, scope) for one in args[callee == "map" :])
        if callee == "range" and args:
            return _is_positive_range(args, scope)
        if func.type == "Attribute" and func.parts["attr"] in _VIEWS and not args:
            return has_items(func.term("value"), scope)
    try:
        value = evaluate(iterable, scope)
    except Undecidable:
        return False
    return isinstance(value, str | bytes | list | tuple | set | frozenset | dict | range) and len(value) > 0


def _standard_name(function: Term, scope: Scope) -> str | None:
    """The name of a built-in function, or the full one of a function of another project; None for any other."""
    chain = dotted(function)
    if chain is None or scope.is_local(chain.partition(".")[0]):
        return None
    targets = referents(scope.codebase, chain, scope.path)
    if not targets:
        return chain
    return next((one.name for one in targets), None) if {one.type for one in targets} == {"outside"} else None


def _is_positive_range(args: tuple[Term, ...], scope: Scope) -> bool:
    try:
        bounds = [value for one in args if isinstance(value := evaluate(one, scope), int)]
        return len(bounds) == len(args) and bool(range(*bounds))
    except (Undecidable, ValueError, TypeError, OverflowError):
        return False
