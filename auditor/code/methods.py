"""The methods that a method calls on its own object."""

from typing import TYPE_CHECKING

from auditor.code.hierarchy import Class, Hierarchy
from auditor.code.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.codebase import Definition


def method(call: Term, around: "Definition") -> "Definition | None":
    """The method that `self.f(...)` runs, of the class itself or the nearest base; None where that is not plain."""
    owner, _, attribute = (dotted(call.term("func")) or "").rpartition(".")
    if around.cls is None or owner not in ("self", "cls"):
        return None
    for cls in Hierarchy(around.codebase, ()).lineage(Class(around.path, around.cls)):
        found = around.codebase.definitions(cls.path, f"{cls.name}.{attribute}")
        if found:
            is_plain = len(found) == 1 and found[0].symbol is not None and found[0].symbol.type == "function"
            return found[0] if is_plain else None
    return None


def methods(around: "Definition", depth: int) -> tuple["Definition", ...]:
    """The definition itself, and the methods that it calls on its own object, so many calls deep."""
    found = {(around.path, around.name): around}
    last = [around]
    for _ in range(depth):
        called = [
            inner
            for one in last
            for call in one.code.by_type.get("Call", ())
            if (inner := method(call, one)) is not None
        ]
        last = [one for one in called if (one.path, one.name) not in found]
        found |= {(one.path, one.name): one for one in last}
    return tuple(found.values())
