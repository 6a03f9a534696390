"""Uses by another name: where a definition may run what a pattern calls though the pattern does not occur in it."""

from typing import TYPE_CHECKING

from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import search
from auditor.code.program.references import uses
from auditor.model import Location

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


def use_by_another_name(code: Pattern, definition: "Definition") -> Location | None:
    """Where a definition may use what a pattern calls, through an alias, a callback or a name that is worked out.

    None where it does not, where the pattern does occur, and for a pattern of statements.
    """
    if not code.is_expression or any(True for _ in search(code, definition.code)):
        return None
    whole = definition.codebase.whole(definition.path)
    for use in uses((code,), definition.codebase, [definition.path]):
        region = use.location.region
        if region is None or definition.region.contains(region):
            return use.location
        for assigned in whole.code.by_type.get("Assign", ()) if use.is_handed_on else ():
            if assigned.region is None or not assigned.region.contains(region):
                continue
            is_outside = whole.location_of(assigned).symbol in (None, definition.cls)
            parts = ("attr", "id") if is_outside else ("attr",)
            if definition.words & {target.parts.get(part) for target in assigned.terms("targets") for part in parts}:
                return use.location
    return None
