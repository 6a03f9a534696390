"""The same code written otherwise, for patterns that did not match it as it stands.

A local may have another name than a pattern gives it, a part of a statement may have been put in a local of its own
just before it, or in a function of the module, and arguments may be passed by keyword. Nothing of it changes what the
code does. For what is looked for only: that something is not there is asked of the code as it stands.
"""

import builtins
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from auditor.code.matching.notation import Pattern
from auditor.code.matching.plain_calls import by_position, with_plain_calls
from auditor.code.syntax.blocks import BLOCKS, CLAUSES
from auditor.code.syntax.dynamic_attributes import with_named_attributes
from auditor.code.syntax.normal_forms import attribute_chain
from auditor.code.syntax.targets import bound_targets, local_names
from auditor.code.syntax.term import Part, Term
from auditor.code.values.constant_propagation import with_constants
from auditor.code.values.constants import scope_of

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition

_NAMED = frozenset((*dir(builtins), "self", "cls"))
_MOST_ALONE = 24
"""Locals of a function written out one at a time; each takes a search."""
_MOST_CALLS = 3
"""Calls within a function that is written out, written out too."""
_HEADERS = {"If": "test", "For": "iter", "Return": "value", "Assign": "value", "AugAssign": "value", "Expr": "value",
            "Raise": "exc", "Assert": "test"}  # fmt: skip
"""What a statement works out first, before it does anything."""


def equivalent_forms(
    definition: "Definition", wanted: Sequence[Pattern]
) -> "Iterator[tuple[Definition, tuple[Pattern, ...]]]":
    """A definition and patterns as they are, then in the other ways to write the same."""
    yield definition, tuple(wanted)
    unknown = _locals(wanted) - _names(definition) - _modules(definition, wanted)
    bound = _bound(definition) if unknown else frozenset[str]()
    opened = tuple(pattern.opened(unknown, bound) for pattern in wanted) if unknown else None
    if opened:
        yield definition, opened
    if (qualified := _qualified(definition)) is not None:
        yield qualified, tuple(wanted)
    named = _locals(wanted)  # a pattern that names a local may have its assignment
    singles = {id(one): _single(one) - named for term in definition.terms for one in _functions(term)}
    every = frozenset().union(*singles.values())
    # All of them, then each alone: a pattern's metavariable may stand for one that is written out with the others.
    alone = _read_at_once(definition, every)[:_MOST_ALONE] if len(every) > 1 else []
    for names in (every, *(frozenset([one]) for one in alone)):
        terms = tuple(_inlined(term, names, singles) for term in definition.terms)
        if any(new is not old for new, old in zip(terms, definition.terms, strict=True)):
            inlined = definition.rewritten(terms)
            yield inlined, tuple(wanted)
            if opened:
                yield inlined, opened
    positional = tuple(_by_position(pattern, definition) for pattern in wanted)
    is_same = all(one is other for one, other in zip(positional, wanted, strict=True))
    for most in (0, _MOST_CALLS):
        if (plain := with_plain_calls(definition, most)) is not definition or not is_same:
            yield plain, positional
            if opened:
                yield plain, tuple(_by_position(pattern, definition) for pattern in opened)
    yield from _in_other_words(definition, wanted)


def _by_position(pattern: Pattern, definition: "Definition") -> Pattern:
    """A pattern with the arguments of calls by position, where it is known what it calls."""

    def of(term: Term) -> Term:
        new = term.rebuilt(of, keeps_lines=True)
        return by_position(new, definition) if new.type == "Call" else new

    terms = tuple(of(term) for term in pattern.terms)
    return (
        pattern if all(new is old for new, old in zip(terms, pattern.terms, strict=True)) else pattern.with_terms(terms)
    )


def _in_other_words(
    definition: "Definition", wanted: Sequence[Pattern]
) -> "Iterator[tuple[Definition, tuple[Pattern, ...]]]":
    """With `object.__setattr__(x, "n", v)` as `x.n = v`, and constants of the code base as the values they have."""
    plain = tuple(map(with_named_attributes, definition.terms))
    if any(new is not old for new, old in zip(plain, definition.terms, strict=True)):
        definition = definition.rewritten(plain)
        yield definition, tuple(wanted)
    scope = scope_of(definition)
    valued = tuple(with_constants(term, scope) for term in definition.terms)
    patterns = tuple(pattern.with_terms(tuple(with_constants(t, scope) for t in pattern.terms)) for pattern in wanted)
    is_same = all(new is old for new, old in zip(valued, definition.terms, strict=True))
    if not is_same or any(one.terms != other.terms for one, other in zip(patterns, wanted, strict=True)):
        yield definition.rewritten(valued), patterns


def _qualified(definition: "Definition") -> "Definition | None":
    """A definition with what it imports by its full name: `time.sleep` for `sleep`; None where it names none of it."""
    imports = definition.codebase.index(definition.path).imports
    is_function = definition.symbol is not None and definition.term.type == "FunctionDef"
    own = local_names(definition.term) if is_function else frozenset[str]()
    full = {
        local: ".".join(filter(None, (module.lstrip("."), original))) for local, (module, original) in imports.items()
    }
    named = {
        local: attribute_chain(chain)
        for local, chain in full.items()
        if chain != local and local in definition.words and local not in own
    }

    def of(term: Term) -> Term:
        if term.type == "Name" and term.text("id") in named:
            return replace(named[term.text("id")], region=term.region)
        return term.rebuilt(of, keeps_lines=True)

    terms = tuple(of(term) for term in definition.terms) if named else definition.terms
    is_same = all(new is old for new, old in zip(terms, definition.terms, strict=True))
    words = frozenset(word for local in named for word in full[local].split("."))
    return None if is_same else definition.rewritten(terms, words)


def _locals(wanted: Sequence[Pattern]) -> frozenset[str]:
    """The names in patterns that may be those of locals."""
    terms = [term for pattern in wanted for statement in pattern.terms for term in statement.walk()]
    called = {id(term.term("func")) for term in terms if term.type == "Call"}
    names = {term.text("id") for term in terms if term.type == "Name" and id(term) not in called}
    return frozenset(one for one in names if one.islower() and not one.startswith(Pattern.prefix)) - _NAMED


def _modules(definition: "Definition", wanted: Sequence[Pattern]) -> frozenset[str]:
    """The names in patterns that stand where the code has an import: `time` of `time.sleep` beside `asyncio.sleep`."""
    imports = definition.codebase.index(definition.path).imports
    code = definition.code.by_type.get("Attribute", ())
    members = {one.text("attr") for one in code if one.term("value").parts.get("id") in imports}
    terms = (term for pattern in wanted for statement in pattern.terms for term in statement.walk())
    found = (
        one.term("value").parts.get("id") for one in terms if one.type == "Attribute" and one.text("attr") in members
    )
    return frozenset(name for name in found if isinstance(name, str))


def _bound(definition: "Definition") -> frozenset[str]:
    """The names that a definition binds, those of functions inside too, but for what is imported and the object."""
    found = set()
    for term in (inner for one in definition.terms for inner in one.walk()):
        if term.type == "Param":
            found.add(term.text("name"))
        elif term.type != "Alias":
            found.update(place.text("id") for place in bound_targets(term) if place.type == "Name")
    return frozenset(found) - {"self", "cls"}


def _names(definition: "Definition") -> frozenset[str]:
    found = definition.code.by_type
    names = {term.text("id") for term in found.get("Name", ())}
    return frozenset(names | {term.text("name") for term in found.get("Param", ())})


def _functions(term: Term) -> Iterator[Term]:
    """The outermost functions in some code."""
    if term.type == "FunctionDef":
        yield term
    else:
        for inner in term.children():
            yield from _functions(inner)


def _inlined(term: Term, names: frozenset[str], singles: Mapping[int, frozenset[str]]) -> Term:
    """The code with each local of these written out that only the next statement uses, and once; else itself.

    `singles` has those of each function, by its identity.
    """
    if term.type == "FunctionDef":
        own = singles[id(term)] & names
        return _without(term, own) if own else term
    return term.rebuilt(lambda inner: _inlined(inner, names, singles), keeps_lines=True)


def _single(function: Term) -> frozenset[str]:
    """The names that a function assigns once and reads once."""
    named: Counter[str] = Counter()
    assigned: Counter[str] = Counter()
    for one in function.walk():
        if one.type == "Name":
            named[one.text("id")] += 1
        elif one.type == "Assign":
            assigned.update(target.text("id") for target in one.terms("targets") if target.type == "Name")
    return frozenset(one for one, times in assigned.items() if times == 1 and named[one] == 2)


def _read_at_once(definition: "Definition", names: frozenset[str]) -> list[str]:
    """Those of some locals that a statement reads right after the one that assigns them, sorted."""
    found = {
        local
        for block in definition.code.blocks
        for statement, following in pairwise(block)
        if (local := _local(statement)) in names
        and _with_value_inlined(following, local, statement.term("value")) is not None
    }
    return sorted(found)


def _without(term: Term, single: frozenset[str]) -> Term:
    parts: dict[str, Part] = {}
    for key, part in term.parts.items():
        if key in BLOCKS and isinstance(part, tuple):
            parts[key] = _block(tuple(one for one in part if isinstance(one, Term)), single)
        elif key in CLAUSES and isinstance(part, tuple):
            parts[key] = tuple(_without(one, single) if isinstance(one, Term) else one for one in part)
        else:
            parts[key] = part
    is_same = all(_is_same(parts[key], part) for key, part in term.parts.items())
    return term if is_same else replace(term, parts=parts)


def _is_same(new: Part, old: Part) -> bool:
    if isinstance(new, tuple) and isinstance(old, tuple):
        return len(new) == len(old) and all(one is other for one, other in zip(new, old, strict=True))
    return new is old


def _block(statements: tuple[Term, ...], single: frozenset[str]) -> tuple[Term, ...]:
    found: list[Term] = []
    for statement in reversed([_without(one, single) for one in statements]):
        local = _local(statement)
        if local in single and found and (value := _with_value_inlined(found[-1], local, statement.term("value"))):
            found[-1] = value
        else:
            found.append(statement)
    return tuple(reversed(found))


def _local(statement: Term) -> str:
    targets = statement.terms("targets") if statement.type == "Assign" else ()
    return targets[0].text("id") if len(targets) == 1 and targets[0].type == "Name" else ""


def _with_value_inlined(statement: Term, local: str, value: Term) -> Term | None:
    """A statement with a value in place of a local that it reads first of all; None where it does not."""
    header = statement.parts.get(_HEADERS.get(statement.type, ""))
    if not isinstance(header, Term):
        return None
    new = _put(header, local, value)
    return None if new is header else replace(statement, parts={**statement.parts, _HEADERS[statement.type]: new})


def _put(term: Term, local: str, value: Term) -> Term:
    if term.type == "Name" and term.parts["id"] == local:
        return value
    if term.type in ("Lambda", "ListComp", "SetComp", "DictComp", "GeneratorExp"):
        return term  # what is in there may run later, or many times
    return term.rebuilt(lambda inner: _put(inner, local, value), keeps_lines=True)
