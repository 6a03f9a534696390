"""What making an object of a class runs: constructors, hooks and validators of its lineage, and the methods they call.

It answers what gives an attribute of a new object its value beside what its class declares. A method that is called is
looked up from the class of the object, as it is at run time; what is called on other objects is not followed.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.syntax.blocks import walk_scope
from auditor.code.syntax.dynamic_attributes import may_change_any_attribute
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_HOOKS = (
    "__new__", "__init__", "__post_init__", "__post_init_post_parse__", "__attrs_post_init__", "model_post_init",
)  # fmt: skip
_MOST = 200  # functions


def constructing_functions(codebase: "Codebase", cls: Class) -> "tuple[Definition, ...]":
    """The functions that run when an object of a class is made, as far as they are its own. Raises Undecidable."""
    lineage = Hierarchy(codebase, ()).lineage(cls)
    pending: list[Definition] = []
    for hook in _HOOKS:
        pending += next((found for one in lineage if (found := _method(codebase, one, hook))), ())
    for one in lineage:
        for symbol in codebase.index(one.path).symbols:
            owner, _, name = symbol.name.rpartition(".")
            if owner == one.name and symbol.type == "function" and any("validator" in d for d in symbol.decorators):
                pending += _method(codebase, one, name)
    reached: dict[tuple[str, int], Definition] = {}
    while pending and len(reached) < _MOST:
        function = pending.pop(0)
        key = (function.path, function.region.start)
        if key not in reached:
            reached[key] = function
            pending += _called(codebase, lineage, function)
    return tuple(reached.values())


def _method(codebase: "Codebase", cls: Class, name: str) -> "tuple[Definition, ...]":
    found = codebase.definitions(cls.path, f"{cls.name}.{name}")
    return tuple(one for one in found if one.symbol is not None and one.symbol.type == "function")


def _called(codebase: "Codebase", lineage: tuple[Class, ...], function: "Definition") -> "Iterator[Definition]":
    """The methods that a function calls on the object that is made."""
    own = self_name(function)
    behind = [number for number, one in enumerate(lineage) if (one.path, one.name) == (function.path, function.cls)]
    for call in walk_scope(function.function.terms("body")):
        if call.type != "Call" or call.term("func").type != "Attribute":
            continue
        receiver, name = call.term("func").term("value"), call.term("func").text("attr")
        classes: tuple[Class, ...] = ()
        if dotted(receiver) in (own, "cls"):
            classes = lineage
        elif receiver.type == "Call" and receiver.term("func").parts.get("id") == "super":
            classes = lineage[behind[0] + 1 :] if behind else ()
        elif call.terms("args") and dotted(call.terms("args")[0]) == own:  # Base.__init__(self)
            classes = tuple(one for one in lineage if one.name == (dotted(receiver) or "").rpartition(".")[2])
        yield from next((found for one in classes if (found := _method(codebase, one, name))), ())


def self_name(function: "Definition") -> str:
    """What a method calls its object."""
    params = function.function.terms("params")
    return params[0].text("name") if params else "self"


def writes(function: "Definition", attribute: str) -> Iterator[Term]:
    """The terms of a method that give an attribute of its object a value, by whatever name it has there."""
    names = _names_of_object(function)
    for term in walk_scope(function.function.terms("body")):
        if any(dotted(place) in {f"{name}.{attribute}" for name in names} for place in bound_targets(term)):
            yield term


def opaque_writes(function: "Definition") -> Iterator[Term]:
    """The terms of a method that may change any attribute of its object: `setattr(self, name, x)`, `vars(self)`."""
    names = _names_of_object(function)
    for term in walk_scope(function.function.terms("body")):
        if may_change_any_attribute(term) and any(dotted(inner) in names for inner in term.walk()):
            yield term


def _names_of_object(function: "Definition") -> frozenset[str]:
    own = self_name(function)
    aliases = {
        target.text("id")
        for term in walk_scope(function.function.terms("body"))
        if term.type == "Assign" and dotted(term.term("value")) == own
        for target in term.terms("targets")
        if target.type == "Name"
    }
    return frozenset({own, *aliases})
