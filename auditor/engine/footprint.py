"""What a claim rests on: the backward slices from the lines that its checks found, and what these call, calls deep.

A helper that does otherwise can change the claim's answer, or the truth of its sentence, though nothing changed where
the check looks; what the rest of a long function does can not.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.canonical_form import canonical_digest, sliced, sliced_digest
from auditor.code.program.callees import callees, constants
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term
from auditor.model import Outcome, Region

if TYPE_CHECKING:
    from auditor.claims import Entry
    from auditor.code.project.codebase import Codebase, Definition

DEPTH = 2
"""How many calls away a helper is looked at."""
_PLACE_ONLY = frozenset({"symbol", "doc-text"})
"""Rules that ask whether something is there, not what it does."""
_IN_PART = _PLACE_ONLY | {"pattern", "guard", "formula", "effect", "metric", "default-value", "overrides", "arithmetic"}
"""Rules whose finding is some lines; the whole of a function beside them has but to be there."""


def with_footprint(entry: "Entry", outcome: Outcome, codebase: "Codebase") -> Outcome:
    """The outcome, its fingerprint of all that it rests on, and a digest of each helper by `path::symbol`."""
    if set(entry.rules) <= _PLACE_ONLY:
        return outcome
    helpers: dict[str, str] = {}
    looked: dict[tuple[str, str, Region], tuple[Definition, set[Region]]] = {}
    for location in outcome.locations:
        if location.region is not None and location.symbol is not None and location.path.endswith(".py"):
            with suppress(Undecidable, RecursionError):
                for definition in codebase.definitions(location.path, location.symbol):
                    if definition.region.contains(location.region):
                        key = definition.path, definition.name, definition.region
                        looked.setdefault(key, (definition, set()))[1].add(location.region)
    own: dict[str, str] = {}
    is_in_part = all(check.id in _IN_PART and getattr(check, "count", None) != 0 for check in entry.checks)
    for definition, found_in in looked.values():
        narrow = {region for region in found_in if region != definition.region}
        regions = narrow if narrow and is_in_part else found_in
        with suppress(Undecidable, RecursionError):
            own[f"{definition.path}::{definition.name}"] = sliced_digest(definition, frozenset(regions))
            helpers |= _helpers_of_slice(definition, frozenset(regions))
    if not own:
        return outcome
    found = tuple(sorted((name, digest) for name, digest in helpers.items() if name not in own))
    # What moved to another file as it was is the same.
    every = sorted(f"{name.partition('::')[2]} {digest}" for name, digest in (*own.items(), *found))
    text = "\n".join(every)
    return replace(outcome, fingerprint=hashlib.sha256(text.encode()).hexdigest()[:16], helpers=found)


def _helpers_of_slice(definition: "Definition", regions: frozenset[Region]) -> dict[str, str]:
    key = ("helpers of a slice", definition.path, definition.name, definition.region, regions)
    codebase = definition.codebase
    return codebase.memoized(key, lambda: _helpers([sliced(definition, regions)], definition, DEPTH))


def _helpers(terms: Sequence[Term], around: "Definition", depth: int) -> dict[str, str]:
    """Digests of what some terms call and name, and of what that calls in turn."""
    found = {f"{one.path}::{one.name}": canonical_digest(one) for one in constants(terms, around)}
    for callee, is_value in _called(terms, around) if depth else ():
        name = f"{callee.path}::{callee.name}"
        if name in found or callee.name == around.name:
            continue
        regions = _bearing(callee, terms, is_value=is_value)
        found[name] = sliced_digest(callee, regions)
        key = ("helpers", callee.path, callee.name, depth - 1, regions)

        def deeper(callee: "Definition" = callee, regions: frozenset[Region] = regions) -> dict[str, str]:
            return _helpers([sliced(callee, regions)], callee, depth - 1)

        found |= callee.codebase.memoized(key, deeper)
    return found


def _called(terms: Sequence[Term], around: "Definition") -> "Iterator[tuple[Definition, bool]]":
    """The functions that are called, and whether only for what they return: each as often as it is so called first."""
    statements = {id(one.term("value")) for term in terms for one in term.walk() if one.type == "Expr"}
    calls = [one for term in terms for one in term.walk() if one.type == "Call"]
    for_effect = {(one.path, one.name) for one in callees([c for c in calls if id(c) in statements], around)}
    for callee in callees(terms, around):
        yield callee, (callee.path, callee.name) not in for_effect


def _bearing(callee: "Definition", terms: Sequence[Term], *, is_value: bool) -> frozenset[Region]:
    """The lines of a function that bear on those who call it: what it returns, and the attributes that they read.

    All of its body where it is called for its effect, or returns nothing.
    """
    body = callee.term.terms("body") if callee.term.type == "FunctionDef" else ()
    inside = [one for statement in body for one in statement.walk() if one.region is not None]
    read = {one.text("attr") for term in terms for one in term.walk() if one.type == "Attribute"}
    returned = {one.region for one in inside if one.type in ("Return", "Yield", "YieldFrom")}
    set_ = {one.region for one in inside if one.type in _ASSIGNING and read & set(_attributes(one))}
    if is_value and returned:
        return frozenset(region for region in returned | set_ if region is not None)
    regions = [one.region for one in body if one.region is not None]
    return frozenset({Region(regions[0].start, regions[-1].end)}) if regions else frozenset({callee.region})


def _attributes(statement: Term) -> Iterator[str]:
    """The attributes that a statement assigns to, or to items of."""
    for place in bound_targets(statement):
        while place.type == "Subscript":
            place = place.term("value")
        if place.type == "Attribute":
            yield place.text("attr")


_ASSIGNING = ("Assign", "AugAssign", "Delete", "For", "With")
