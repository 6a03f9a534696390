"""Where the text of an expression comes from: constants, locals, tables that are looped over, parameters, helpers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.call_sites import arguments, call_sites, is_entry, may_be_called_elsewhere, route
from auditor.code.flow.string_values import StringValue, string_values
from auditor.code.flow.symbolic_execution import returned
from auditor.code.program.callees import called_function
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.type_inference import Inference
from auditor.code.syntax.normal_forms import literal
from auditor.code.syntax.targets import assigned_pairs, flattened_target
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.algebra import substitute
from auditor.code.values.constants import Scope, evaluate, scope_of

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition

_DEPTH = 4
_MOST = 300


@dataclass(frozen=True)
class TextSource:
    """One text that an expression can be, the conditions for it, and whether anything in its file leads there."""

    value: StringValue
    tests: tuple[Term, ...]
    is_called: bool = True


def text_sources(
    term: Term, function: "Definition", root: "Definition | None" = None, depth: int = _DEPTH
) -> tuple[TextSource, ...]:
    """The texts of an expression in a function, or at the top of a file, over all calls of the function in its file.

    What is on the way to `root` is not among the conditions. A function with a public name may be called from another
    file that names it.
    """
    found: list[TextSource] = []
    params = {one.text("name") for one in function.term.terms("params")} if function.symbol else set()
    handed = params & {name for one in closed(term, function) for name in _names(one)}
    if handed and depth > 0 and not is_entry(function):
        for site in call_sites(function):
            if (given := arguments(function, site.call)) is None or site.caller == function:
                found.append(TextSource(StringValue("\0"), site.tests))
                continue
            for one in closed(term, function):
                # A parameter's argument is an expression of the caller.
                inner = substitute(one, {name: given[name] for name in handed if name in given})
                found += [
                    replace(source, tests=(*source.tests, *site.tests))
                    for source in text_sources(inner, site.caller, root, depth - 1)
                ]
        if found:
            return tuple(found[:_MOST])
    tests = () if function == root else route(function)
    tests = () if tests is None and may_be_called_elsewhere(function) else tests
    for value in string_values(term, lambda inner: tuple(_meanings(inner, function)))[:_MOST]:
        found.append(TextSource(value, (*(tests or ()), *value.conditions), tests is not None))
    return tuple(found)


def closed(term: Term, function: "Definition") -> list[Term]:
    """An expression with the function's locals written out that are assigned once, in each way they can be."""
    values = {}
    for name in _names(term):
        assigned = list(_assigned(name, function))
        if len(assigned) == 1:
            values[name] = assigned[0]
    return [substitute(term, values)] if values else [term]


def _names(term: Term) -> set[str]:
    return {inner.text("id") for inner in term.walk() if inner.type == "Name"}


def _meanings(term: Term, function: "Definition") -> Iterator[Term]:
    """The expressions that a name, an attribute, an item or a call may stand for."""
    scope = scope_of(function)
    try:
        value = evaluate(term, scope)
    except Undecidable:
        pass
    else:
        if isinstance(value, str):
            yield literal(value)
        return
    chain = dotted(term) or ""
    if term.type == "Name" and function.symbol is not None:
        yield from _assigned(chain, function)
    elif chain.startswith("self.") and chain.count(".") == 1 and function.cls:
        cls = Class(function.path, function.cls)
        hierarchy = Hierarchy(function.codebase, ())
        for one in hierarchy.lineage(cls):
            for _, value_, _ in Inference(hierarchy, {}).assignments(one, chain.removeprefix("self.")):
                yield value_
    elif term.type == "Call" and (callee := called_function(term, function)) is not None:
        given = arguments(callee, term)
        if callee.term.type == "FunctionDef" and given is not None:
            yield from (substitute(one.value, given) for one in returned(callee.term))


def _assigned(local: str, function: "Definition") -> Iterator[Term]:
    """What a local is given: by assignments, and by loops over tables."""
    scope = scope_of(function)
    body = function.terms if function.symbol is None else function.term.terms("body")
    for term in (inner for statement in body for inner in statement.walk()):
        match term.type:
            case "Assign":
                for target in term.terms("targets"):
                    for place, value in assigned_pairs(target, term.term("value")):
                        if place.parts.get("id") == local and (value is None or dotted(value) != "None"):
                            yield value if value is not None else Term("Unknown", {})
            case "NamedExpr" if term.term("target").parts.get("id") == local:
                yield term.term("value")
            case "For" | "CompFor":
                if any(place.parts.get("id") == local for place in flattened_target(term.term("target"))):
                    yield from _items(term.term("target"), term.term("iter"), local, scope)
            case _:
                pass


def _items(target: Term, table: Term, local: str, scope: Scope) -> Iterator[Term]:
    """What a local of a loop's target is in each round, where the table that is looped over can be read."""
    for row in _rows(table, scope):
        for place, value in assigned_pairs(target, row):
            if place.parts.get("id") == local:
                yield value if value is not None else Term("Unknown", {})


def _rows(table: Term, scope: Scope) -> Sequence[Term]:
    """The items of a table: a display, a constant, `d.items()`, `enumerate(t)`, `sorted(t)`."""
    unknown = (Term("Unknown", {}),)
    if table.type in ("Tuple", "List", "Set"):
        return table.terms("elements")
    if table.type == "Dict":
        return [one.term("key") for one in table.terms("elements") if one.type == "DictElement"]
    if table.type == "Call":
        func, args = table.term("func"), table.terms("args")
        if func.parts.get("attr") in ("items", "keys", "values") and not args:
            pairs = _pairs(func.term("value"), scope)
            if pairs is None:
                return unknown
            part = {"keys": 0, "values": 1}.get(func.text("attr"))
            return [Term("Tuple", {"elements": pair}) if part is None else pair[part] for pair in pairs]
        if func.parts.get("id") in ("sorted", "list", "tuple", "set", "reversed") and len(args) == 1:
            return _rows(args[0], scope)
        if func.parts.get("id") == "enumerate" and args:
            return [Term("Tuple", {"elements": (literal(n), row)}) for n, row in enumerate(_rows(args[0], scope))]
        return unknown
    try:
        value = evaluate(table, scope)
    except Undecidable:
        return unknown
    rows = [_term(one) for one in value] if isinstance(value, list | tuple | set | frozenset | dict) else [None]
    return [row if row is not None else unknown[0] for row in rows]


def _pairs(table: Term, scope: Scope) -> list[tuple[Term, Term]] | None:
    if table.type == "Dict":
        items = [one for one in table.terms("elements") if one.type == "DictElement"]
        return [(one.term("key"), one.term("value")) for one in items]
    try:
        value = evaluate(table, scope)
    except Undecidable:
        return None
    if not isinstance(value, dict):
        return None
    unknown = Term("Unknown", {})
    return [(_term(key) or unknown, _term(one) or unknown) for key, one in value.items()]


def _term(value: object) -> Term | None:
    """A value as an expression; None for one that has no such form here."""
    if isinstance(value, str | int | float):
        return literal(value)
    if isinstance(value, tuple | list):
        parts = [_term(one) for one in value]
        return Term("Tuple", {"elements": tuple(one or Term("Unknown", {}) for one in parts)})
    return None
