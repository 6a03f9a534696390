"""Where code uses something, however it is written: under another name, through `getattr`, handed on uncalled."""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import search
from auditor.code.program.aliases import Imports, followed_references, imports_of, readings
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.passed_on_names import passed_on
from auditor.code.program.prefilter import Needed, may_hold, needed
from auditor.code.project.names import referents
from auditor.code.syntax.dynamic_attributes import attribute_access, may_change_any_attribute, may_read_any_attribute
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.term_index import TermIndex

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition
    from auditor.model import Location, Region


@dataclass(frozen=True, slots=True)
class Use:
    """One place.

    `is_handed_on` where a function is named there, but not called: a callback, a partial. `is_dynamic` where an
    attribute is accessed by a name that is worked out, and that may be the one.
    """

    location: "Location"
    is_handed_on: bool = False
    is_dynamic: bool = False


def uses(wanted: Sequence[Pattern], codebase: "Codebase", paths: Sequence[str]) -> Iterator[Use]:
    """Every use in some files. Raises Undecidable for a file that may hold one and cannot be parsed.

    Names worked out at run time are looked at in the files that name what is wanted somewhere, and in a single file.
    """
    renamed = [alias for pattern in wanted for alias in _renamed(pattern, codebase, paths)]
    imported = [_Imported(pattern, codebase, paths) for pattern in wanted]
    reads = {name for pattern in wanted if (name := _attribute(_function(pattern) or pattern))}
    writes = {name for pattern in wanted if (name := _attribute(_place(pattern)))}
    for path in paths:
        text = codebase.text(path)
        near = [pattern for pattern in wanted if needed(pattern).may_be_in(text)]
        near += [one.pattern for one in imported if one.pattern not in near and one.is_in(path)]
        given = frozenset[str]().union(*(one.names(path) for one in imported))
        near += [alias for alias in renamed if needed(alias).may_be_in(text) and _is_it(alias, codebase, path)]
        if near:
            yield from _in_file(near, codebase.whole(path), given)
        if (reads or writes) and (near or len(paths) == 1) and _DYNAMIC.search(text):
            yield from _dynamic(reads, writes, codebase.whole(path), is_alone=len(paths) == 1)


_DYNAMIC = re.compile(r"attr|getter|methodcaller|vars|__dict__|eval|exec|globals|locals")


class _Imported:
    """A pattern whose callee is a dotted name, and the files that import it under another one."""

    def __init__(self, pattern: Pattern, codebase: "Codebase", paths: Sequence[str]) -> None:
        self.pattern = pattern
        self._codebase = codebase
        self._chain = _full_name(pattern)
        self._words = needed(pattern).words - set(self._chain.split("."))
        last = self._chain.rpartition(".")[2]
        self._given = passed_on(last, codebase, paths) if self._chain else {}
        self._last = last

    def is_in(self, path: str) -> bool:
        text = self._codebase.text(path)
        if not self._chain or not may_hold(text, self._words) or "import" not in text:
            return False
        if not any(one in text for one in (self._last, *self._given.get(path, ()))):
            return False
        qualified = imports_of(self._codebase.whole(path), [self._chain], self.names(path)).qualified
        names = (dotted(name) for several in qualified.values() for name in several)
        return any(f"{self._chain}.".startswith(f"{name}.") for name in names)

    def names(self, path: str) -> frozenset[str]:
        """The names by which the file, or a module that it imports, may call what the pattern calls."""
        return self._given.get(path, frozenset())


def _full_name(pattern: Pattern) -> str:
    """The dotted name that a pattern which is a call calls, which a file may import under another one; else empty."""
    function = _function(pattern)
    chain = dotted(function.terms[0].term("value")) if function else None
    is_plain = chain is not None and "." in chain and not chain.startswith(("self.", "cls.", Pattern.prefix))
    return chain if is_plain and chain is not None else ""


def _other_names(own: str, codebase: "Codebase", paths: Sequence[str]) -> list[str]:
    """The names that files give to an imported one."""
    found = (
        re.findall(rf"(?<!\w){own} as (\w+)", codebase.text(path))
        for path in paths
        if f"{own} as " in codebase.text(path)
    )
    return list(dict.fromkeys(other for others in found for other in others if other != own))


def _renamed(pattern: Pattern, codebase: "Codebase", paths: Sequence[str]) -> Iterator[Pattern]:
    """A call of a function by the names under which files pass it on."""
    function = _function(pattern)
    own = ast.unparse(ast.parse(function.python)) if function else ""
    if not own.isidentifier() or own.startswith(Pattern.prefix):
        return
    for alias in _other_names(own, codebase, paths):
        (call,) = ast.parse(pattern.python).body
        if isinstance(call, ast.Expr) and isinstance(call.value, ast.Call):
            call.value.func = ast.Name(alias)
            yield Pattern(ast.unparse(call))


def _is_it(alias: Pattern, codebase: "Codebase", path: str) -> bool:
    """Whether such a name is, in a file, what was passed on, and not something else of that name."""
    function = _function(alias)
    own = function.python if function else ""
    return any(target.name != own for target in referents(codebase, own, path)) or not referents(codebase, own, path)


def _in_file(wanted: Sequence[Pattern], definition: "Definition", given: frozenset[str]) -> Iterator[Use]:
    found: dict[tuple[int, int], Use] = {}
    chains = [chain for one in wanted if (chain := _full_name(one))]
    imports = imports_of(definition, chains, given)
    renamed = {str(part) for _, names in _imported_words(imports) for part in names}
    index = definition.codebase.index(definition.path)
    lines = definition.codebase.text(definition.path).split("\n")
    for statement in index.statements:
        own = "\n".join(lines[statement.region.start - 1 : statement.region.end])
        near = [
            one
            for one in wanted
            if Needed(needed(one).words - renamed, needed(one).numbers, needed(one).literals).may_be_in(own)
        ]
        if not near:
            continue
        # Lowering the functions of a large class that name nothing of it would take most of the time.
        if not any(pattern.terms[0].type == "ClassDef" for pattern in near):
            near_by = [_near_by(pattern, imports) for pattern in near]
            statement = statement.without(partial(_is_far, near_by, lines))
        for number, code in enumerate(readings(statement.terms(), imports)):
            # `import trio as time` makes `time.sleep` another one than the standard library's.
            _note([one for one in near if number or not _is_shadowed(one, imports)], code, definition, found)
            if not any(pattern.words for pattern in near):
                break  # names make no difference
    if several := [pattern for pattern in wanted if len(pattern.terms) > 1]:
        _note(several, TermIndex(index.terms()), definition, found)
    yield from (found[key] for key in sorted(found))


def _is_shadowed(pattern: Pattern, imports: Imports) -> bool:
    """Whether a file gives the name of the standard library's module, which a pattern calls, to something else."""
    root = _full_name(pattern).partition(".")[0]
    names = imports.qualified.get(root, ()) if root in sys.stdlib_module_names else ()
    return bool(names) and not any(f".{dotted(name)}".endswith(f".{root}") for name in names)


def _imported_words(imports: Imports) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each imported name, and the words of what it stands for."""
    for names in (imports.renamed, imports.qualified):
        for local, values in names.items():
            yield local, tuple(word for value in values for word in (dotted(value) or "").split("."))


def _near_by(pattern: Pattern, imports: Imports) -> tuple[frozenset[str], frozenset[float]]:
    """The words of which a function that holds a pattern has one, and the numbers of which it has all."""
    words = set(needed(pattern).words) - {"self"}
    words |= {local for local, names in _imported_words(imports) if words.intersection(names)}
    return frozenset(words), needed(pattern).numbers


def _is_far(near_by: Sequence[tuple[frozenset[str], frozenset[float]]], lines: list[str], region: "Region") -> bool:
    text = "\n".join(lines[region.start - 1 : region.end])
    return not any(
        (not words or any(may_hold(text, (word,)) for word in words)) and Needed(frozenset(), values).may_be_in(text)
        for words, values in near_by
    )


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
        named = [match for match in search(function, code) if id(match.terms[0]) not in called]
        if named:
            followed = {one for inner in code.by_type.get("FunctionDef", ()) for one in followed_references(inner)}
            assigned = {id(one) for terms in code.by_type.values() for term in terms for one in bound_targets(term)}
            for match in named:
                is_rebound = match.terms[0].type == "Name" and id(match.terms[0]) in assigned
                if id(match.terms[0]) not in followed and not is_rebound:
                    yield Use(definition.location_of(*match.terms), is_handed_on=True)


def takes_anything(pattern: Pattern) -> bool:
    """Whether a pattern that is a call has no argument that would tell one call of the function from another."""
    term = pattern.terms[0].parts.get("value")
    if not isinstance(term, Term) or term.type != "Call":
        return True
    values = (*term.terms("args"), *(one.term("value") for one in term.terms("keywords")))
    return all(one.parts.get("value") is ... for one in values)


def _dynamic(reads: set[str], writes: set[str], definition: "Definition", *, is_alone: bool) -> Iterator[Use]:
    """The accesses to attributes by names that are worked out, and that may be among those wanted.

    `reads` are those of calls: what `getattr` gives counts where it is called, or bound to a local that is. Reflection
    (`vars`, `eval`) counts in a file that is searched alone.
    """
    called = _called(definition)
    for term in (one for type_ in ("Call", "Attribute") for one in definition.code.by_type.get(type_, ())):
        access = attribute_access(term)
        if access is None:
            is_any = is_alone and (may_read_any_attribute(term) or may_change_any_attribute(term))
        elif access.owner is None and access.name is not None:
            is_any = access.name in reads  # `attrgetter("n")`, of whatever it is applied to
        elif access.name is None:
            wanted = (reads if id(term) in called else set()) if access.access == "read" else writes
            wanted = wanted if is_alone else {one for one in wanted if _may_have(access.owner, one, term, definition)}
            worked_out = access.named_by
            is_any = any(may_be_named(worked_out, name) for name in wanted)
        else:
            is_any = False
        if is_any:
            yield Use(definition.location_of(term), is_dynamic=True)


def _may_have(owner: Term | None, attribute: str, term: Term, definition: "Definition") -> bool:
    """Whether an object may have an attribute: of `self`, whether its class or one above it does."""
    function = definition.location_of(term).symbol
    if owner is None or owner.parts.get("id") not in ("self", "cls") or function is None:
        return True
    (inner, *_) = definition.codebase.definitions(definition.path, function) or (None,)
    if inner is None or inner.cls is None:
        return True
    hierarchy = Hierarchy(definition.codebase, ())
    lineage = hierarchy.lineage(Class(definition.path, inner.cls))
    texts = (one.text for cls in lineage for one in definition.codebase.definitions(cls.path, cls.name))
    return any(re.search(rf"\b{attribute}\b", text) for text in texts)


def _called(definition: "Definition") -> frozenset[int]:
    """The identities of what is called, directly or by the name of a local."""
    calls = definition.code.by_type.get("Call", ())
    names = {call.term("func").parts.get("id") for call in calls}
    assigned = [one for one in definition.code.by_type.get("Assign", ()) if one.term("value").type == "Call"]
    bound = {id(one.term("value")) for one in assigned if names & {t.parts.get("id") for t in one.terms("targets")}}
    return frozenset({id(call.term("func")) for call in calls} | bound)


def may_be_named(worked_out: Term, name: str) -> bool:
    """Whether an expression can be a name: by the literal parts of an f-string, or of what is joined by `+`."""
    return re.fullmatch(_shape(worked_out), name) is not None


def _shape(term: Term) -> str:
    match term.type:
        case "Literal":
            return re.escape(str(term.parts["value"]))
        case "FString":
            return "".join(map(_shape, term.terms("parts")))
        case "BinaryOperation" if term.parts["operator"] == "+":
            return _shape(term.term("left")) + _shape(term.term("right"))
        case "IfExp":
            return f"(?:{_shape(term.term('body'))}|{_shape(term.term('orelse'))})"
        case _:
            return ".*"


def _attribute(pattern: Pattern | None) -> str | None:
    """The attribute that a pattern ends in."""
    term = pattern.terms[0].parts.get("value") if pattern is not None and pattern.is_expression else None
    return term.text("attr") if isinstance(term, Term) and term.type == "Attribute" else None


@cache
def _place(pattern: Pattern) -> Pattern | None:
    """The place that a pattern which is an assignment assigns to."""
    (first, *others) = ast.parse(pattern.python).body
    if others or not isinstance(first, ast.Assign | ast.AugAssign):
        return None
    target = first.target if isinstance(first, ast.AugAssign) else first.targets[0]
    return Pattern(ast.unparse(target)) if isinstance(target, ast.Attribute) else None


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
