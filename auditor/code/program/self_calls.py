"""The methods that a method calls on its own object."""

from typing import TYPE_CHECKING

from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term, dotted, encode

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


def method(call: Term, around: "Definition") -> "Definition | None":
    """The method that `self.f(...)`, or `super().f(...)`, runs: of the nearest class; None where that is not plain."""
    function = call.term("func")
    owner, _, attribute = (dotted(function) or "").rpartition(".")
    is_super = _is_super(function)
    if around.cls is None or (owner not in ("self", "cls") and not is_super):
        return None
    if is_super:
        attribute = function.text("attr")
    lineage = Hierarchy(around.codebase, ()).lineage(Class(around.path, around.cls))
    for cls in lineage[1:] if is_super else lineage:
        found = around.codebase.definitions(cls.path, f"{cls.name}.{attribute}")
        if found:
            is_plain = len(found) == 1 and found[0].symbol is not None and found[0].symbol.type == "function"
            return found[0] if is_plain else None
    return None


def _is_super(function: Term) -> bool:
    if function.type != "Attribute" or function.term("value").type != "Call":
        return False
    return function.term("value").term("func").parts.get("id") == "super"


def methods(around: "Definition", depth: int) -> tuple["Definition", ...]:
    """The definition itself, and the methods that it calls on its own object, so many calls deep."""
    found = {(around.path, around.name): around}
    last = [around]
    for _ in range(depth):
        called = [
            inner
            for one in last
            for call in one.code.by_type.get("Call", ())
            if (inner := method(call, one)) is not None
        ]
        last = [one for one in called if (one.path, one.name) not in found]
        found |= {(one.path, one.name): one for one in last}
    return tuple(found.values())


def assigning(place: Term, around: "Definition") -> "Definition | None":
    """A method that a method calls, directly or not, and that gives an attribute of `self` a value too."""
    if not (dotted(place) or "").startswith("self."):
        return None
    own = encode(place)
    for body in methods(around, _DEPTH)[1:]:
        if any(encode(one) == own for term in body.term.walk() for one in bound_targets(term)):
            return body
    return None


_DEPTH = 3
