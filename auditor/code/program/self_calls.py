"""The methods that a method calls on its own object: the one answer to "which method is `self.f()`"."""

import re
from functools import partial
from typing import TYPE_CHECKING

from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term, dotted, encode

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition
    from auditor.model import Anchor


def member(name: str, around: "Definition", *, is_super: bool = False) -> "Definition | None":
    """What `self.name` is on an instance of the class around: of the first class of its linearization that has it.

    With `is_super`, of those behind the class itself. None where there is none, or several in branches, or where the
    class's file assigns to an attribute of this name: an instance may then have something else in its place. A class
    below, of which the instance may be, is not looked at.
    """
    if around.cls is None:
        return None
    for cls in Hierarchy(around.codebase, ()).lineage(Class(around.path, around.cls))[is_super:]:
        if found := around.codebase.definitions(cls.path, f"{cls.name}.{name}"):
            is_function = len(found) == 1 and found[0].symbol is not None and found[0].symbol.type == "function"
            return found[0] if is_function and not _is_assigned(name, found[0], around) else None
    return None


def _is_assigned(name: str, method: "Definition", around: "Definition") -> bool:
    """Whether a file of the class, or of the one that defines the method, gives an attribute of the name a value."""
    if method.symbol is not None and method.symbol.decorators:
        return False  # a property may have a setter; nothing replaces it
    codebase = around.codebase
    return any(
        codebase.memoized(("assigned", path, name), partial(_assigns, name, path, codebase))
        for path in {method.path, around.path}
    )


def _assigns(name: str, path: str, codebase: "Codebase") -> bool:
    text, own = codebase.text(path), re.escape(name)
    # One after the other: an expression that begins with letters is looked for ten times as fast.
    assigning = (rf"\.{own}[ \t]*(?::[^=\n]+|,[^=\n()]*)?=(?!=)", rf"setattr\([^\n]*[\"']{own}[\"']")
    return any(re.search(one, text) for one in assigning)


def called_method(call: Term, around: "Definition") -> "Definition | None":
    """The method that `self.f(...)`, or `super().f(...)`, runs; None where that is not plain."""
    function = call.term("func")
    owner, _, attribute = (dotted(function) or "").rpartition(".")
    is_super = _is_super(function)
    if owner not in ("self", "cls") and not is_super:
        return None
    return member(function.text("attr") if is_super else attribute, around, is_super=is_super)


def _is_super(function: Term) -> bool:
    if function.type != "Attribute" or function.term("value").type != "Call":
        return False
    return function.term("value").term("func").parts.get("id") == "super"


def overridden_member(inherited: "Definition", at: "Anchor") -> str | None:
    """A member of its object that an inherited method uses, and of which the class that inherits it has another one."""
    codebase, owner = inherited.codebase, (at.symbol or "").rpartition(".")[0]
    lineage = Hierarchy(codebase, ()).lineage(Class(at.path, owner))
    own = [cls for cls in lineage if (cls.path, cls.name) != (inherited.path, inherited.cls)]
    below = own[: len(own) if len(own) == len(lineage) else lineage.index(Class(inherited.path, str(inherited.cls)))]
    for term in inherited.term.walk():
        if term.type == "Attribute" and dotted(term.term("value")) in ("self", "cls"):
            name = term.text("attr")
            if any(codebase.definitions(cls.path, f"{cls.name}.{name}") for cls in below):
                return f"{dotted(term.term('value'))}.{name}"
    return None


def with_called_methods(around: "Definition", depth: int) -> tuple["Definition", ...]:
    """The definition itself, and the methods that it calls on its own object, so many calls deep."""
    found = {(around.path, around.name): around}
    last = [around]
    for _ in range(depth):
        called = [
            inner
            for one in last
            for call in one.code.by_type.get("Call", ())
            if (inner := called_method(call, one)) is not None
        ]
        last = [one for one in called if (one.path, one.name) not in found]
        found |= {(one.path, one.name): one for one in last}
    return tuple(found.values())


def assigning_method(place: Term, around: "Definition") -> "Definition | None":
    """A method that a method calls, directly or not, and that gives an attribute of `self` a value too."""
    if not (dotted(place) or "").startswith("self."):
        return None
    own = encode(place)
    for body in with_called_methods(around, _DEPTH)[1:]:
        if any(encode(one) == own for term in body.term.walk() for one in bound_targets(term)):
            return body
    return None


_DEPTH = 3
