"""Where a constructor hands the object that it makes to other code, which may give its attributes other values.

A function that is known is looked at, and every function of the package that has the name of a method whose object is
not; what one of these hands on in turn is not. What is of another project may do anything, but for what is listed here.
"""

import builtins
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.code.program.construction import body_of_object, names_of_object
from auditor.code.project.names import referents
from auditor.code.syntax.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_HARMLESS = frozenset((
    "append", "add", "put", "insert", "setdefault", "appendleft", "debug", "info", "warning", "warn", "error",
    "exception", "critical", "log", "asdict", "astuple", "fields", "replace", "is_dataclass", "dumps", "ref", "proxy",
    "finalize", "copy", "deepcopy", "get_type_hints", "signature", "cast", "super", "__init__", "__post_init__",
    "__new__", "__repr__", "__setattr__", "__getattribute__", "__delattr__", "__eq__", "__hash__", "__class__",
    "__init_subclass__",
))  # fmt: skip
"""Functions and methods of the standard library that give no attribute a value, or that are followed as such."""
_DYNAMIC = re.compile(r"\bsetattr\(|__dict__|\bvars\(|\bexec\(")


def handed_on(function: "Definition", attribute: str) -> Iterator[Term]:
    """The calls in a constructing function that may give an attribute of its object another value."""
    names = names_of_object(function)
    for call in body_of_object(function):
        if call.type == "Call" and _is_handed(call, names) and _may_set(call, attribute, function, names):
            yield call


def _is_handed(call: Term, names: frozenset[str]) -> bool:
    given = (*call.terms("args"), *(keyword.term("value") for keyword in call.terms("keywords")))
    return any(dotted(one) in names for one in given)


def _may_set(call: Term, attribute: str, function: "Definition", names: frozenset[str]) -> bool:
    codebase, chain = function.codebase, dotted(call.term("func"))
    last = str(call.term("func").parts.get("attr") or call.term("func").parts.get("id") or "")
    targets = referents(codebase, chain, function.path) if chain else frozenset()
    known = [one for one in targets if one.type in ("function", "class")]
    if known and all(one.type == "function" for one in known) and dotted(next(iter(call.terms("args")), call)) in names:
        return False  # it is followed as one of the constructing functions
    if known:
        several = (one for target in known for one in codebase.definitions(target.path, target.name))
        return any(_sets(one.text, attribute) for one in several)
    if last in _HARMLESS or (chain == last and hasattr(builtins, last)):
        return False
    if call.term("func").type == "Attribute" and not any(one.type == "outside" for one in targets):
        texts = _texts_of(last, codebase, function.path)
        return any(_sets(text, attribute) for text in texts) if texts else True
    return True


def _texts_of(name: str, codebase: "Codebase", path: str) -> tuple[str, ...]:
    """The functions of the package with a name, as they are written."""

    def found() -> tuple[str, ...]:
        texts = []
        for other in codebase.python_under(codebase.package_of(path)):
            if f"def {name}(" in codebase.text(other):
                for symbol in codebase.index(other).symbols:
                    if symbol.type == "function" and symbol.name.rpartition(".")[2] == name:
                        texts += [one.text for one in codebase.definitions(other, symbol.name)]
        return tuple(texts)

    return codebase.memoized(("functions named", name, codebase.package_of(path)), found)


def _sets(text: str, attribute: str) -> bool:
    """Whether code may give an attribute of this name a value."""
    assigned = rf"\.{attribute}\b[ \t]*(?:,[^=\n(]*|:[^=\n]*)?(?:[-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)"
    return re.search(assigned, text) is not None or _DYNAMIC.search(text) is not None
