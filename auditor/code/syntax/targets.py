"""What code binds: the places that an assignment, a loop or an import gives a value to, and the names among them."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from auditor.code.syntax.dynamic_attributes import attribute_access, owner_of_any_write
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Part, Term, dotted

SEQUENCES = ("Tuple", "List")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


def flattened_target(target: Term) -> Iterator[Term]:
    """The names, attributes and items that a target assigns to."""
    if target.type in SEQUENCES:
        for element in target.terms("elements"):
            yield from flattened_target(element)
    elif target.type == "Starred":
        yield from flattened_target(target.term("value"))
    else:
        yield target


def assigned_pairs(target: Term, value: Term) -> Iterator[tuple[Term, Term | None]]:
    """Each place that a target assigns to, with the expression it is given; None where the value is unpacked."""
    if target.type not in SEQUENCES:
        yield target, value
        return
    elements = target.terms("elements")
    items = value.terms("elements") if value.type in SEQUENCES else ()
    if len(items) == len(elements) and not any(one.type == "Starred" for one in (*elements, *items)):
        for inner, item in zip(elements, items, strict=True):
            yield from assigned_pairs(inner, item)
    else:
        yield from ((place, None) for place in flattened_target(target))


def bound_targets(term: Term) -> Iterator[Term]:
    """The places that a term itself binds, without what is nested in it."""
    match term.type:
        case "Assign" | "Declare" | "Delete":
            for target in term.terms("targets"):
                yield from flattened_target(target)
        case "AugAssign" | "For" | "NamedExpr" | "CompFor":
            yield from flattened_target(term.term("target"))
        case "WithItem" if isinstance(named := term.parts["asname"], Term):
            yield from flattened_target(named)
        case "FunctionDef" | "ClassDef":
            yield name(term.text("name"))
        case "ExceptHandler" if isinstance(caught := term.parts["name"], str):
            yield name(caught)
        case "Alias":
            yield name(str(term.parts["asname"] or term.text("name").partition(".")[0]))
        case "MatchCase":
            yield from map(name, pattern_captures(term.text("pattern")))
        case "Call" if (access := attribute_access(term)) is not None and access.access != "read":
            if (changed := access.attribute) is not None:
                yield changed
        case _:
            pass


def rebindings(statement: Term, prefix: str, *, is_value: bool) -> Iterator[str]:
    """What a statement of a module or a class gives another value or takes away, other than by `name = ...`.

    In a function (`is_value` is false) that is what it declares to be global.
    """
    if statement.type == "Global":
        yield from (str(name) for name in _items(statement.parts["names"]))
    if not is_value:
        return
    found: Iterator[Term]
    match statement.type:
        case "Expr":
            inner = statement.term("value").walk()
            calls = [term for term in inner if term.type in ("Call", "NamedExpr")]
            owners = (dotted(owner) for call in calls if (owner := owner_of_any_write(call)) is not None)
            yield from (f"{owner}.{ANY_ATTRIBUTE}" for owner in owners if owner)
            found = (place for term in calls for place in bound_targets(term))
        case "With":
            found = (place for item in statement.terms("items") for place in bound_targets(item))
        case "Import" | "ImportFrom":
            found = (place for alias in statement.terms("names") for place in bound_targets(alias))
        case "Assign" | "AugAssign":
            found = (place for place in bound_targets(statement) if place.type != "Name")
        case "Delete" | "For":
            found = bound_targets(statement)
        case _:
            return
    for place in found:
        if chain := dotted(place):
            yield prefix + chain if place.type == "Name" else chain


ANY_ATTRIBUTE = "*"
"""Stands for the name of an attribute that the code works out."""


def _items(part: Part) -> tuple[Part, ...]:
    return part if isinstance(part, tuple) else (part,)


def pattern_captures(pattern: str) -> list[str]:
    """The names that a case's pattern binds; every word of one that is newer than the running Python."""
    try:
        tree = ast.parse(f"match _:\n case {pattern}:\n  pass")
    except SyntaxError:
        return _IDENTIFIER.findall(pattern)
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.MatchAs(name=str() as found_name) | ast.MatchStar(name=str() as found_name):
                found.append(found_name)
            case ast.MatchMapping(rest=str() as found_name):
                found.append(found_name)
            case _:
                pass
    return found


@lru_cache(maxsize=512)
def local_names(function: Term) -> frozenset[str]:
    """The names that a function binds, its parameters included."""
    found = {param.text("name") for param in function.terms("params")}
    for statement in function.terms("body"):
        for term in statement.walk():
            found.update([place.text("id") for place in bound_targets(term) if place.type == "Name"])
    return frozenset(found)


@lru_cache(maxsize=512)
def assigned_names(function: Term) -> frozenset[str]:
    """The names that a function binds other than by an import."""
    imported = {place.text("id") for term in function.walk() if term.type == "Alias" for place in bound_targets(term)}
    return local_names(function) - imported


SCOPED_EXPRESSIONS = ("Lambda", "ListComp", "SetComp", "DictComp", "GeneratorExp")
"""The expressions with names of their own."""


def own_names(term: Term) -> frozenset[str]:
    """The names that a lambda or a comprehension binds for itself."""
    found: set[str] = set()
    for inner in term.walk():
        if inner.type == "Lambda":
            found.update(param.text("name") for param in inner.terms("params"))
        elif inner.type == "CompFor":
            found.update(one.text("id") for one in inner.term("target").walk() if one.type == "Name")
    return frozenset(found)
