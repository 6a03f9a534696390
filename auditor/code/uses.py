"""Where code uses something, however it is written: under another name, through `getattr`, handed on uncalled."""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from auditor.code import patterns
from auditor.code.bindings import bound, places
from auditor.code.notation import Pattern
from auditor.code.term import Code, Part, Term, dotted, name

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase, Definition
    from auditor.model import Location

_BY_NAME = ("getattr", "hasattr", "setattr", "delattr", "attrgetter", "methodcaller")


@dataclass(frozen=True, slots=True)
class Use:
    """One place. `is_handed_on` where a function is named there, but not called: a callback, a partial."""

    location: "Location"
    is_handed_on: bool = False


def uses(wanted: Sequence[Pattern], code: "Codebase", paths: Sequence[str]) -> Iterator[Use]:
    """Every use in some files. Raises Undecidable for a file that may hold one and cannot be parsed."""
    for path in paths:
        text = code.text(path)
        near = [pattern for pattern in wanted if all(word in text for word in pattern.words)]
        if near:
            yield from _in_file(near, code.whole(path))


def _in_file(wanted: Sequence[Pattern], definition: "Definition") -> Iterator[Use]:
    found: dict[tuple[int, int], Use] = {}
    imported = _import_aliases(definition)
    renamed = {str(original.parts["id"]) for original in imported.values()}
    index = definition.codebase.index(definition.path)
    lines = definition.codebase.text(definition.path).split("\n")
    for statement in index.statements:
        own = "\n".join(lines[statement.region.start - 1 : statement.region.end])
        near = [pattern for pattern in wanted if all(word in own or word in renamed for word in pattern.words)]
        for code in _readings(statement.terms(), imported) if near else ():
            _note(near, code, definition, found)
    if several := [pattern for pattern in wanted if len(pattern.terms) > 1]:
        _note(several, Code(index.terms()), definition, found)
    yield from (found[key] for key in sorted(found))


def _note(
    wanted: Sequence[Pattern], code: Code, definition: "Definition", found: dict[tuple[int, int], Use]
) -> None:
    for pattern in wanted:
        for use in _in(pattern, code, definition):
            region = use.location.region
            key = (region.start, region.end) if region else (0, 0)
            if key not in found or found[key].is_handed_on:
                found[key] = use


def _in(pattern: Pattern, code: Code, definition: "Definition") -> Iterator[Use]:
    for variant in _variants(pattern):
        for match in patterns.search(variant, code):
            yield Use(definition.location_of(*match.terms))
    if place := _written_place(pattern):
        written = {id(inner) for terms in code.by_type.values() for term in terms for inner in _written(term)}
        for match in patterns.search(place, code):
            if id(match.terms[0]) in written:
                yield Use(definition.location_of(*match.terms))
    if function := _function(pattern):
        called = {id(call.term("func")) for call in code.by_type.get("Call", ())}
        for match in patterns.search(function, code):
            if id(match.terms[0]) not in called:
                yield Use(definition.location_of(*match.terms), is_handed_on=True)


def _written(term: Term) -> Iterator[Term]:
    if term.type == "Declare":
        return  # an annotation alone writes nothing
    yield from bound(term)


@cache
def _variants(pattern: Pattern) -> tuple[Pattern, ...]:
    """The pattern, and other ways to write the same: `x = x + e` for `x += e`."""
    (first, *others) = ast.parse(pattern.python).body
    if others or not isinstance(first, ast.AugAssign):
        return (pattern,)
    operations = [ast.BinOp(first.target, first.op, first.value)]
    if isinstance(first.op, ast.Add | ast.Mult):
        operations.append(ast.BinOp(first.value, first.op, first.target))
    target = ast.unparse(first.target)
    return (pattern, *(Pattern(f"{target} = {ast.unparse(operation)}") for operation in operations))


@cache
def _written_place(pattern: Pattern) -> Pattern | None:
    """The place of a pattern `place = ...`, which any write to the place matches."""
    (first, *others) = ast.parse(pattern.python).body
    if others or not isinstance(first, ast.Assign) or len(first.targets) != 1:
        return None
    is_any = isinstance(first.value, ast.Constant) and first.value.value is ...
    return Pattern(ast.unparse(first.targets[0])) if is_any else None


@cache
def _function(pattern: Pattern) -> Pattern | None:
    """What a pattern that is a call calls."""
    if not pattern.is_expression:
        return None
    (first,) = ast.parse(pattern.python).body
    if isinstance(first, ast.Expr) and isinstance(call := first.value, ast.Call):
        return Pattern(ast.unparse(call.func))
    return None


def _readings(statements: tuple[Term, ...], imported: dict[str, Term]) -> Iterator[Code]:
    """Statements as written, and as they read with aliases and `getattr` written out."""
    yield Code(statements)
    expanded = tuple(_expanded(named_attributes(statement), imported) for statement in statements)
    if any(new is not old for new, old in zip(expanded, statements, strict=True)):
        yield Code(expanded)


def named_attributes(term: Term) -> Term:
    """Attributes named in a string, as attributes."""
    term = rewritten(term, named_attributes)
    call = _by_name(term.parts["value"] if term.type == "Expr" else term)
    function = call.term("func").text("id") if call else None
    if call and term.type == "Expr" and function == "setattr" and len(call.terms("args")) == 3:
        return Term("Assign", {"targets": (_attribute(call),), "value": call.terms("args")[2]}, term.region)
    is_read = call is not None and call is term and function in ("getattr", "hasattr")
    return _attribute(term) if is_read else term


def _by_name(part: Part) -> Term | None:
    """A call such as `getattr(x, "name")`."""
    if not isinstance(part, Term) or part.type != "Call" or part.term("func").parts.get("id") not in _BY_NAME:
        return None
    args = part.terms("args")
    is_plain = len(args) >= 2 and args[1].type == "Literal" and isinstance(args[1].parts["value"], str)
    return part if is_plain else None


def _attribute(call: Term) -> Term:
    owner, attribute, *_ = call.terms("args")
    return Term("Attribute", {"value": owner, "attr": str(attribute.parts["value"])}, call.region)


def _expanded(term: Term, aliases: dict[str, Term]) -> Term:
    """Code with what a name or attribute was assigned in its place, where that is another plain chain."""
    if term.type in ("FunctionDef", "ClassDef"):
        aliases = aliases | _aliases(term)

    def expand(inner: Term) -> Term:
        return _expanded(inner, aliases)

    if term.type in ("Assign", "Import", "ImportFrom"):  # the alias itself stays as it is
        value = term.parts.get("value")
        return _with(term, {"value": expand(value)} if isinstance(value, Term) else {})
    if (chain := dotted(term)) and chain in aliases:
        return replace(aliases[chain], region=term.region)
    return rewritten(term, expand)


def _aliases(block: Term) -> dict[str, Term]:
    """What the names of a function, or the attributes of a class, stand for: `a = self.b.c`."""
    found: dict[str, Term] = {}
    for term in block.walk():
        if term.type not in ("Assign", "NamedExpr"):
            continue
        targets = term.terms("targets") if term.type == "Assign" else (term.term("target"),)
        for target, value in ((t, v) for t in targets for t, v in _paired(t, term.term("value"))):
            chain, meant = dotted(target), dotted(value)
            is_own = block.type == "FunctionDef" or (chain or "").startswith("self.")
            if chain and meant and is_own and chain.count(".") <= 1 and not f"{meant}.".startswith(f"{chain}."):
                found.setdefault(chain, value)
    # An alias of an alias.
    return {chain: _expanded_value(value, found, len(found)) for chain, value in found.items()}


def _expanded_value(value: Term, aliases: dict[str, Term], depth: int) -> Term:
    for _ in range(min(depth, 4)):
        value = _substituted(value, aliases)
    return value


def _substituted(term: Term, aliases: dict[str, Term]) -> Term:
    if (chain := dotted(term)) and chain in aliases:
        return aliases[chain]
    return rewritten(term, lambda inner: _substituted(inner, aliases))


def _paired(target: Term, value: Term) -> Iterator[tuple[Term, Term]]:
    """Each target with its own value, where both are sequences."""
    targets, values = tuple(places(target)), value.terms("elements") if value.type in ("Tuple", "List") else ()
    if target.type in ("Tuple", "List"):
        yield from zip(targets, values, strict=True) if len(targets) == len(values) else ()
    else:
        yield target, value


def _import_aliases(definition: "Definition") -> dict[str, Term]:
    imports = definition.codebase.index(definition.path).every_import
    return {local: name(original) for local, _, original in imports if original and original not in (local, "*")}


def rewritten(term: Term, change: Callable[[Term], Term]) -> Term:
    """A term with `change` applied to the terms directly below, at the same lines; itself when nothing changes."""
    parts = {key: _changed(part, change) for key, part in term.parts.items()}
    return _with(term, {key: part for key, part in parts.items() if part is not term.parts[key]})


def _with(term: Term, parts: dict[str, Part]) -> Term:
    changed = {key: part for key, part in parts.items() if part is not term.parts[key]}
    return replace(term, parts={**term.parts, **changed}) if changed else term


def _changed(part: Part, change: Callable[[Term], Term]) -> Part:
    if isinstance(part, Term):
        return change(part)
    if isinstance(part, tuple):
        items = tuple(_changed(item, change) for item in part)
        return part if all(new is old for new, old in zip(items, part, strict=True)) else items
    return part
