"""Paths in the call graph, the accesses at their ends, and all that a search along them reaches."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.code.program.class_hierarchy import Class

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition
    from auditor.code.syntax.term import Term
    from auditor.model import Location


@dataclass(frozen=True, slots=True)
class CallPath:
    """A function that is reached, and how: from the first function on. Not certain: by its name alone."""

    function: "Definition"
    cls: Class | None
    before: "CallPath | None" = None
    is_certain: bool = True

    @property
    def depth(self) -> int:
        return 0 if self.before is None else self.before.depth + 1

    def __str__(self) -> str:
        return f"{self.before} -> {self.function.name}" if self.before else self.function.name


@dataclass(frozen=True, slots=True)
class Access:
    """A name that a function reads: an attribute, a function, a global. `chain` is as it is written."""

    name: str
    chain: str
    step: CallPath
    location: "Location"
    is_leaf: bool
    """Whether nothing behind it is followed: it is data, or a call that cannot be resolved."""


@dataclass(slots=True)
class Reachability:
    """All that is reached, and how far the search went."""

    functions: list[CallPath] = field(default_factory=list)
    reached: list[Access] = field(default_factory=list)
    unresolved: dict[str, "Location"] = field(default_factory=dict)
    dynamic: list[tuple["Term", "Term | None", CallPath]] = field(default_factory=list)
    """Attributes that are read by a name which is worked out: the code, its name (None: any), and in which function."""
    outside: dict[str, None] = field(default_factory=dict)
    """Calls that lead out of the scope."""
    cut: dict[str, None] = field(default_factory=dict)
    """Functions that are too many calls away."""
