"""Where code uses something, however it is written: under another name, through `getattr`, handed on uncalled."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import search
from auditor.code.project.names import referents
from auditor.code.syntax.dynamic_attributes import with_named_attributes
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.targets import bound_targets, flattened_target
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.term_index import TermIndex

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition
    from auditor.model import Location, Region

_MOST_READINGS = 6
_DEPTH = 4  # aliases of aliases


@dataclass(frozen=True, slots=True)
class Use:
    """One place. `is_handed_on` where a function is named there, but not called: a callback, a partial."""

    location: "Location"
    is_handed_on: bool = False


def uses(wanted: Sequence[Pattern], codebase: "Codebase", paths: Sequence[str]) -> Iterator[Use]:
    """Every use in some files. Raises Undecidable for a file that may hold one and cannot be parsed."""
    renamed = [alias for pattern in wanted for alias in _renamed(pattern, codebase, paths)]
    for path in paths:
        text = codebase.text(path)
        near = [pattern for pattern in wanted if all(word in text for word in pattern.words)]
        near += [
            alias for alias in renamed if all(word in text for word in alias.words) and _is_it(alias, codebase, path)
        ]
        if near:
            yield from _in_file(near, codebase.whole(path))


def _renamed(pattern: Pattern, codebase: "Codebase", paths: Sequence[str]) -> Iterator[Pattern]:
    """A call of a function by the names under which files pass it on."""
    function = _function(pattern)
    own = ast.unparse(ast.parse(function.python)) if function else ""
    if not own.isidentifier() or own.startswith(Pattern.prefix):
        return
    found = (
        re.findall(rf"(?<!\w){own} as (\w+)", codebase.text(path))
        for path in paths
        if f"{own} as " in codebase.text(path)
    )
    for alias in dict.fromkeys(other for others in found for other in others if other != own):
        (call,) = ast.parse(pattern.python).body
        if isinstance(call, ast.Expr) and isinstance(call.value, ast.Call):
            call.value.func = ast.Name(alias)
            yield Pattern(ast.unparse(call))


def _is_it(alias: Pattern, codebase: "Codebase", path: str) -> bool:
    """Whether such a name is, in a file, what was passed on, and not something else of that name."""
    function = _function(alias)
    own = function.python if function else ""
    return any(target.name != own for target in referents(codebase, own, path)) or not referents(codebase, own, path)


def _in_file(wanted: Sequence[Pattern], definition: "Definition") -> Iterator[Use]:
    found: dict[tuple[int, int], Use] = {}
    names = _names(definition)
    renamed = {str(original.parts["id"]) for originals in names.imported.values() for original in originals}
    index = definition.codebase.index(definition.path)
    lines = definition.codebase.text(definition.path).split("\n")
    for statement in index.statements:
        own = "\n".join(lines[statement.region.start - 1 : statement.region.end])
        near = [pattern for pattern in wanted if all(word in own or word in renamed for word in pattern.words)]
        if not near:
            continue
        words = {word for pattern in near for word in pattern.words - {"self"}}
        words |= {local for local, referents in names.imported.items() if referents[0].parts["id"] in words}
        # Lowering the functions of a large class that name nothing of it would take most of the time.
        if words and not any(pattern.terms[0].type == "ClassDef" for pattern in near):
            naming = re.compile("|".join(map(re.escape, sorted(words))))
            statement = statement.without(partial(_names_none, naming, lines))
        for code in _equivalent_readings(statement.terms(), names):
            _note(near, code, definition, found)
    if several := [pattern for pattern in wanted if len(pattern.terms) > 1]:
        _note(several, TermIndex(index.terms()), definition, found)
    yield from (found[key] for key in sorted(found))


def _names_none(naming: re.Pattern[str], lines: list[str], region: "Region") -> bool:
    return not any(map(naming.search, lines[region.start - 1 : region.end]))


def _note(
    wanted: Sequence[Pattern], code: TermIndex, definition: "Definition", found: dict[tuple[int, int], Use]
) -> None:
    for pattern in wanted:
        for use in _in(pattern, code, definition):
            region = use.location.region
            key = (region.start, region.end) if region else (0, 0)
            if key not in found or found[key].is_handed_on:
                found[key] = use


def _in(pattern: Pattern, code: TermIndex, definition: "Definition") -> Iterator[Use]:
    for variant in _variants(pattern):
        for match in search(variant, code):
            yield Use(definition.location_of(*match.terms))
    if place := _assigned_place(pattern):
        assigned = {id(inner) for terms in code.by_type.values() for term in terms for inner in _assigned(term)}
        for match in search(place, code):
            if id(match.terms[0]) in assigned:
                yield Use(definition.location_of(*match.terms))
    if function := _function(pattern):
        called = {id(call.term("func")) for call in code.by_type.get("Call", ())}
        for match in search(function, code):
            if id(match.terms[0]) not in called:
                yield Use(definition.location_of(*match.terms), is_handed_on=True)


def _assigned(term: Term) -> Iterator[Term]:
    if term.type == "Declare":
        return  # an annotation alone writes nothing
    yield from bound_targets(term)


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
def _assigned_place(pattern: Pattern) -> Pattern | None:
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


def _equivalent_readings(statements: tuple[Term, ...], names: "_Names") -> Iterator[TermIndex]:
    """Statements as written, and as they read with `getattr` and each of what aliases may stand for written out."""
    yield TermIndex(statements)
    named = tuple(with_named_attributes(statement) for statement in statements)
    for turn in range(_MOST_READINGS):
        expansion = _Expansion(names, turn)
        expanded = tuple(expansion.of(statement, names.imported) for statement in named)
        if any(new is not old for new, old in zip(expanded, statements, strict=True)):
            yield TermIndex(expanded)
        if turn + 1 >= expansion.most:
            return


@dataclass(frozen=True, slots=True)
class _Names:
    """What a file imports: names that are other names elsewhere, and modules of the code base."""

    imported: Mapping[str, tuple[Term, ...]]
    modules: frozenset[str]


def _names(definition: "Definition") -> _Names:
    code, path = definition.codebase, definition.path
    imports = code.index(path).every_import
    renamed = {local: (name(original),) for local, _, original in imports if original and original not in (local, "*")}
    modules = {
        local
        for local, module, original in imports
        if code.module(module if original is None else f"{module.rstrip('.')}.{original}", path)
        or (original is not None and not module.strip(".") and code.module(module + original, path))
    }
    return _Names(renamed, frozenset(modules))


@dataclass
class _Expansion:
    """Writes out what names stand for; where that is one of several, the one whose `turn` it is."""

    names: _Names
    turn: int
    most: int = 1

    def of(self, term: Term, aliases: Mapping[str, tuple[Term, ...]]) -> Term:
        if term.type in ("FunctionDef", "ClassDef"):
            aliases = {**aliases, **_aliases(term)}
        if term.type == "Assign":  # the alias itself stays as it is
            value = self.of(term.term("value"), aliases)
            return term if value is term.parts["value"] else replace(term, parts={**term.parts, "value": value})
        if term.type in ("Import", "ImportFrom"):
            return term
        chain = dotted(term)
        if chain is not None and chain in aliases:
            return replace(self.chosen(aliases[chain], aliases), region=term.region)
        owner = chain.rpartition(".")[0] if chain else ""
        if owner and owner.partition(".")[0] in self.names.modules:
            return name(term.text("attr"), term.region)
        return term.rebuilt(lambda inner: self.of(inner, aliases), keeps_lines=True)

    def chosen(self, values: tuple[Term, ...], aliases: Mapping[str, tuple[Term, ...]]) -> Term:
        self.most = min(max(self.most, len(values)), _MOST_READINGS)
        value = values[self.turn % len(values)]
        for _ in range(_DEPTH):  # an alias of an alias
            value = self.substituted(value, aliases)
        return value

    def substituted(self, term: Term, aliases: Mapping[str, tuple[Term, ...]]) -> Term:
        if (chain := dotted(term)) and chain in aliases:
            return aliases[chain][self.turn % len(aliases[chain])]
        return term.rebuilt(lambda inner: self.substituted(inner, aliases), keeps_lines=True)


def _aliases(block: Term) -> Mapping[str, tuple[Term, ...]]:
    """What the names of a function, or the attributes of a class, may stand for: `a = self.b.c`."""
    found: dict[str, dict[str, Term]] = {}
    for term in block.walk():
        for target, value in _bindings(term):
            chain = dotted(target) or ""
            is_own = block.type == "FunctionDef" or chain.startswith("self.")
            for choice in _choices(value) if chain and is_own and chain.count(".") <= 1 else ():
                other = dotted(choice)
                if other and not f"{other}.".startswith(f"{chain}."):
                    found.setdefault(chain, {})[other] = choice
    return {chain: tuple(values.values()) for chain, values in found.items()}


def _bindings(term: Term) -> Iterator[tuple[Term, Term]]:
    match term.type:
        case "Assign":
            for target in term.terms("targets"):
                yield from _paired(target, term.term("value"))
        case "NamedExpr":
            yield term.term("target"), term.term("value")
        case "For" | "CompFor" if term.term("iter").type in ("Tuple", "List"):
            for item in term.term("iter").terms("elements"):
                yield from _paired(term.term("target"), item)
        case "WithItem" if isinstance(named := term.parts["asname"], Term):
            yield named, term.term("item")
        case _:
            pass


def _choices(value: Term) -> Iterator[Term]:
    """The values that a conditional expression may be."""
    if value.type == "IfExp":
        yield from _choices(value.term("body"))
        yield from _choices(value.term("orelse"))
    elif value.type == "BooleanOperation":
        for inner in value.terms("values"):
            yield from _choices(inner)
    else:
        yield value


def _paired(target: Term, value: Term) -> Iterator[tuple[Term, Term]]:
    """Each target with its own value, where both are sequences."""
    targets, values = (
        tuple(flattened_target(target)),
        value.terms("elements") if value.type in ("Tuple", "List") else (),
    )
    if target.type in ("Tuple", "List"):
        yield from zip(targets, values, strict=True) if len(targets) == len(values) else ()
    else:
        yield target, value
