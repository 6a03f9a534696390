"""Program points: where control can be, with the path condition and the symbolic values there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.code.flow.short_circuit import ALWAYS
from auditor.code.syntax.normal_forms import boolean
from auditor.code.syntax.term import Term

Values = Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Condition:
    """One conjunct of a path condition: a test on the way, and that it came out true."""

    test: Term
    """With its locals inlined."""
    source: Term
    values: Values
    """The values of locals, and of attributes that were assigned, where it is tested."""
    changed: frozenset[str] = frozenset()
    """Attributes that had been updated from their own values by then, such as `x.n += 1`."""
    is_failure: bool = False
    """Whether the function fails otherwise."""


@dataclass(frozen=True, slots=True)
class ProgramPoint:
    """A statement or expression that can be reached, its path condition, and the symbolic values there."""

    statement: Term
    conditions: tuple[Condition, ...]
    values: Values
    is_repeated: bool
    loops: "tuple[Round, ...]" = ()
    """The `for` loops around it, a round of which must run, the outermost first."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a `for` loop: what is looped over, its locals inlined, and the names that the loop binds."""

    iterable: Term
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Exit:
    """A value that the function returns, as it is written and with its locals inlined."""

    value: Term
    source: Term
    point: ProgramPoint


def either(ways: Sequence[Sequence[Condition]], *, least: int = 0) -> tuple[Condition, ...]:
    """The disjunction of several paths as one condition; none where they have no more than `least` conditions."""
    if not all(ways) or all(len(way) <= least for way in ways):
        return ()
    if len(ways) == 1:
        return tuple(ways[0])
    conditions = [condition for way in ways for condition in way]
    tests, sources = (
        boolean("or", [every([getattr(condition, part) for condition in way]) for way in ways], None)
        for part in ("test", "source")
    )
    extra = [condition for way in ways for condition in way[least:]]
    values = {key: value for condition in reversed(conditions) for key, value in condition.values.items()}
    changed = frozenset[str]().union(*(condition.changed for condition in conditions))
    return (Condition(tests, sources, values, changed, all(condition.is_failure for condition in extra)),)


def every(tests: Sequence[Term]) -> Term:
    return boolean("and", tests, None) if len(tests) > 1 else tests[0] if tests else ALWAYS
