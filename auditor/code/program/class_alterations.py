"""What alters the attributes of a class, or of all its objects, beside its own body and its constructors.

Decorators of the code base, metaclasses, `__init_subclass__`, a `__setattr__` that changes what it is given, and
assignments to the class's attribute in functions of its file.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.project.names import referents
from auditor.code.syntax.dynamic_attributes import attribute_access, may_change_any_attribute
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_OF_METACLASS = ("__call__", "__new__", "__init__", "__prepare__")


def alterations(codebase: "Codebase", cls: Class, attribute: str) -> "Iterator[tuple[Definition, Term]]":
    """The functions that may give an attribute another value, and where. Raises Undecidable."""
    for one in Hierarchy(codebase, ()).lineage(cls):
        for definition in codebase.definitions(one.path, one.name):
            yield from _of_decorators(codebase, definition, attribute)
            yield from _of_metaclass(codebase, definition, attribute)
        for method in codebase.definitions(one.path, f"{one.name}.__setattr__"):
            if method.term.type == "FunctionDef" and not _is_transparent(method.term):
                yield method, method.term
        if one != cls:
            yield from _of_init_subclass(codebase, one, attribute)
        yield from _in_functions(codebase, one, attribute)


def _of_decorators(codebase: "Codebase", cls: "Definition", attribute: str) -> "Iterator[tuple[Definition, Term]]":
    for decorator in cls.term.terms("decorators") if cls.term.type == "ClassDef" else ():
        chain = dotted(decorator.term("func") if decorator.type == "Call" else decorator)
        for target in sorted(referents(codebase, chain, cls.path), key=str) if chain else ():
            for function in codebase.definitions(target.path, target.name or "") if target.type == "function" else ():
                yield from ((function, term) for term in _writes(function.term, attribute))


def _of_metaclass(codebase: "Codebase", cls: "Definition", attribute: str) -> "Iterator[tuple[Definition, Term]]":
    keywords = cls.term.terms("keywords") if cls.term.type == "ClassDef" else ()
    for keyword in keywords:
        chain = dotted(keyword.term("value")) if keyword.parts["name"] == "metaclass" else None
        for target in sorted(referents(codebase, chain, cls.path), key=str) if chain else ():
            metaclass = Class(target.path, target.name or "")
            lineage = Hierarchy(codebase, ()).lineage(metaclass) if target.type == "class" else ()
            for one, method in product(lineage, _OF_METACLASS):
                for function in codebase.definitions(one.path, f"{one.name}.{method}"):
                    yield from ((function, term) for term in _writes(function.term, attribute))


def _writes(function: Term, attribute: str) -> Iterator[Term]:
    """What a function that is handed a class, its namespace or its object may give the attribute by."""
    for term in function.walk():
        for place in bound_targets(term):
            item = place.terms("slice")[0].parts.get("value") if place.type == "Subscript" else None
            if attribute in (place.parts.get("attr"), item):
                yield term
        if may_change_any_attribute(term):
            yield term


def _is_transparent(method: Term) -> bool:
    """Whether a `__setattr__` gives on what it is given, or nothing."""
    params = method.terms("params")
    value = params[2].text("name") if len(params) > 2 else None
    for term in method.walk():
        access = attribute_access(term)
        if access is not None and access.access == "write" and (access.value is None or dotted(access.value) != value):
            return False
        if any(dotted(place) == value or place.type == "Subscript" for place in bound_targets(term)):
            return False
    return True


def _of_init_subclass(codebase: "Codebase", base: Class, attribute: str) -> "Iterator[tuple[Definition, Term]]":
    """What a class does to the classes below it when they are made."""
    for function in codebase.definitions(base.path, f"{base.name}.__init_subclass__"):
        yield from ((function, term) for term in _writes(function.term, attribute))


def _in_functions(codebase: "Codebase", cls: Class, attribute: str) -> "Iterator[tuple[Definition, Term]]":
    """Assignments to `Class.attribute` in a function of the file, and to `cls.attribute` in a method of the class."""
    own, name = re.escape(cls.name), re.escape(attribute)
    if not re.search(rf"\b(?:{own}|cls)\.{name}\b|\b(?:set|del)attr\(.*{name}", codebase.text(cls.path)):
        return
    for symbol in codebase.index(cls.path).symbols:
        owners = (cls.name, "cls") if symbol.name.startswith(f"{cls.name}.") else (cls.name,)
        places = [f"{owner}.{attribute}" for owner in owners]
        for function in codebase.definitions(cls.path, symbol.name) if symbol.type == "function" else ():
            for term in function.term.walk():
                if any(dotted(place) in places for place in bound_targets(term)):
                    yield function, term
