"""What a claim rests on beside the definitions that its checks have found: what these call and name, some calls deep.

A check's own fingerprint is of the definitions that it looks at. A helper that does otherwise can change the claim's
answer, or the truth of its sentence, though nothing changed where the check looks.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.canonical_form import canonical_digest
from auditor.code.program.callees import callees, constants
from auditor.code.syntax.blocks import header, is_compound
from auditor.code.syntax.term import Term, dotted
from auditor.model import Outcome

if TYPE_CHECKING:
    from auditor.claims import Entry
    from auditor.code.project.codebase import Codebase, Definition
    from auditor.model import Region

DEPTH = 2
"""How many calls away a helper is looked at."""
_PLACE_ONLY = frozenset({"symbol", "doc-text"})
"""Rules that ask whether something is there, not what it does."""
_LOGS = frozenset({"logger", "logging", "log", "print", "warnings"})


def with_footprint(entry: "Entry", outcome: Outcome, codebase: "Codebase") -> Outcome:
    """The outcome, its fingerprint of all that it rests on, and a digest of each helper by `path::symbol`."""
    if set(entry.rules) <= _PLACE_ONLY:
        return outcome
    helpers: dict[str, str] = {}
    own: dict[str, str] = {}
    for location in outcome.locations:
        if location.region is not None and location.symbol is not None and location.path.endswith(".py"):
            with suppress(Undecidable, RecursionError):
                for definition in codebase.definitions(location.path, location.symbol):
                    if definition.region.contains(location.region):
                        own[f"{definition.path}::{definition.name}"] = canonical_digest(definition)
                        helpers |= _helpers(list(_statements(definition.terms, location.region)), definition, DEPTH)
    if not own:
        return outcome
    found = tuple(sorted((name, digest) for name, digest in helpers.items() if name not in own))
    # What moved to another file as it was is the same.
    every = sorted(f"{name.partition('::')[2]} {digest}" for name, digest in (*own.items(), *found))
    text = "\n".join(every)
    return replace(outcome, fingerprint=hashlib.sha256(text.encode()).hexdigest()[:16], helpers=found)


def _statements(terms: Sequence[Term], region: "Region") -> Iterator[Term]:
    """The statements in some lines, and of those around them the tests; what only logs is left out."""
    for term in terms:
        if term.region is None or not term.region.overlaps(region) or _is_log(term):
            continue
        is_around = is_compound(term) and term.region != region
        if not is_around:
            yield term
            continue
        if term.type not in ("FunctionDef", "ClassDef"):
            yield term.with_parts(header(term))
        for part in ("body", "handlers", "cases", "orelse", "finalbody"):
            inner = term.parts.get(part)
            yield from (
                _statements([one for one in inner if isinstance(one, Term)], region) if isinstance(inner, tuple) else ()
            )


def _is_log(term: Term) -> bool:
    value = term.parts.get("value") if term.type == "Expr" else None
    is_call = isinstance(value, Term) and value.type == "Call"
    return is_call and isinstance(value, Term) and (dotted(value.term("func")) or "").partition(".")[0] in _LOGS


def _helpers(terms: Sequence[Term], around: "Definition", depth: int) -> dict[str, str]:
    """Digests of what some terms call and name, and of what that calls in turn."""
    found = {f"{one.path}::{one.name}": canonical_digest(one) for one in constants(terms, around)}
    for callee in callees(terms, around) if depth else ():
        name = f"{callee.path}::{callee.name}"
        if name in found or callee.name == around.name:
            continue
        found[name] = canonical_digest(callee)
        inner, codebase = callee, callee.codebase
        key = ("helpers", inner.path, inner.name, depth - 1)
        found |= codebase.memoized(key, lambda inner=inner: _helpers(inner.terms, inner, depth - 1))  # type: ignore[misc]
    return found
