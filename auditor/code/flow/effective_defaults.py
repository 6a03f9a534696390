"""Effective defaults: what becomes of a declared default when an object is made, or a function begins.

The functions that construct an object are executed symbolically, with the attribute at its declared default: an
assignment whose guard is then false does not count, `x or 3` and `3 if x is None else x` have a value.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.symbolic_execution import assigned_to
from auditor.code.program.class_alterations import alterations
from auditor.code.program.class_hierarchy import Class
from auditor.code.program.construction import constructing_functions, opaque_writes, self_name, writes
from auditor.code.program.handed_on_objects import handed_on
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term
from auditor.code.values.algebra import substitute
from auditor.code.values.constants import Scope, evaluate, possible_values, scope_of

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, slots=True)
class Setting:
    """A statement that gives an attribute of each new object a value, or may give any attribute one."""

    function: "Definition"
    statement: Term
    values: tuple[object, ...] | None
    """What it gives where the attribute has its declared default; None where that cannot be worked out."""
    is_opaque: bool = False
    """Whether it is not known to be about this attribute."""


def settings(codebase: "Codebase", cls: Class, attribute: str, declared: Term | None) -> Iterator[Setting]:
    """What sets an attribute when an object is made; `declared` is its default, None where it has none.

    Raises Undecidable.
    """
    for altering, term in alterations(codebase, cls, attribute):
        yield Setting(altering, term, None, is_opaque=True)
    for function in constructing_functions(codebase, cls):
        yield from (Setting(function, term, None, is_opaque=True) for term in opaque_writes(function, attribute))
        yield from (Setting(function, term, None, is_opaque=True) for term in handed_on(function, attribute))
        if next(writes(function, attribute), None) is None:
            continue
        place = Term("Attribute", {"value": name(self_name(function)), "attr": attribute})
        known = {f"{self_name(function)}.{attribute}": declared} if declared is not None else {}
        scope, is_followed = scope_of(function), False
        defaults = _parameters(function) if function.name.endswith("__init__") else {}
        for found in assigned_to(function.function, place):
            is_followed = True
            guards = [substitute(guard, known) for guard in found.guards]
            if not any(_is_false(guard, scope) for guard in guards):
                value = substitute(found.value, {**defaults, **known})
                yield Setting(function, found.statement, _values(value, scope))
        if not is_followed:  # by another name, or in a nested block that is not executed
            yield from (Setting(function, term, None) for term in writes(function, attribute))


def filled_in(function: "Definition", parameter: str, declared: Term) -> Iterator[Setting]:
    """What a function takes instead of a parameter that has its default: `x or 3`, `if x is None: x = 3`."""
    scope, known = scope_of(function), {parameter: declared}
    for found in assigned_to(function.function, name(parameter)):
        if found.guards and not any(_is_false(substitute(guard, known), scope) for guard in found.guards):
            yield Setting(function, found.statement, _values(substitute(found.value, known), scope))
    for term in function.function.walk():
        if term.type == "If" and _names(term.term("test")) == {parameter}:
            block = "orelse" if _is_false(substitute(term.term("test"), known), scope) else "body"
            for one in term.terms(block):
                places = one.terms("targets") if one.type == "Assign" else ()
                if any(str(place.parts.get("attr")).lstrip("_") == parameter for place in places):
                    yield Setting(function, one, _values(substitute(one.term("value"), known), scope))
        is_choice = term.type == "IfExp" and _names(term.term("test")) == {parameter}
        is_or = term.type == "BooleanOperation" and term.parts["operator"] == "or"
        if is_choice or (is_or and term.terms("values")[0].parts.get("id") == parameter):
            yield Setting(function, term, _values(substitute(term, known), scope))


def _parameters(function: "Definition") -> dict[str, Term]:
    """The parameters that have defaults, with them."""
    found = ((param.text("name"), param.parts["default"]) for param in function.function.terms("params"))
    return {parameter: default for parameter, default in found if isinstance(default, Term)}


def _names(term: Term) -> set[str]:
    constants = ("None", "True", "False")
    return {one.text("id") for one in term.walk() if one.type == "Name" and one.parts["id"] not in constants}


def _is_false(guard: Term, scope: Scope) -> bool:
    try:
        return not evaluate(guard, scope)
    except Undecidable:
        return False


def _values(value: Term, scope: Scope) -> tuple[object, ...] | None:
    try:
        return tuple(one.value for one in possible_values(value, scope))
    except Undecidable:
        return None
