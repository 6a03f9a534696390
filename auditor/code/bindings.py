"""What code binds: the places that an assignment, a loop or an import gives a value to, and the names among them."""

import ast
import re
from collections.abc import Iterator

from auditor.code.term import Term, name

_IDENTIFIER = re.compile(r"[^\W\d]\w*")


def places(target: Term) -> Iterator[Term]:
    """The names, attributes and items that a target assigns to."""
    if target.type in ("Tuple", "List"):
        for element in target.terms("elements"):
            yield from places(element)
    elif target.type == "Starred":
        yield from places(target.term("value"))
    else:
        yield target


def bound(term: Term) -> Iterator[Term]:
    """The places that a term itself binds, without what is nested in it."""
    match term.type:
        case "Assign" | "Declare" | "Delete":
            for target in term.terms("targets"):
                yield from places(target)
        case "AugAssign" | "For" | "NamedExpr" | "CompFor":
            yield from places(term.term("target"))
        case "WithItem" if isinstance(named := term.parts["asname"], Term):
            yield from places(named)
        case "FunctionDef" | "ClassDef":
            yield name(term.text("name"))
        case "ExceptHandler" if isinstance(caught := term.parts["name"], str):
            yield name(caught)
        case "Alias":
            yield name(str(term.parts["asname"] or term.text("name").partition(".")[0]))
        case "MatchCase":
            yield from map(name, captures(term.text("pattern")))
        case _:
            pass


def captures(pattern: str) -> list[str]:
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


def local_names(function: Term) -> frozenset[str]:
    """The names that a function binds, its parameters included."""
    found = {param.text("name") for param in function.terms("params")}
    for statement in function.terms("body"):
        for term in statement.walk():
            found |= {place.text("id") for place in bound(term) if place.type == "Name"}
    return frozenset(found)
