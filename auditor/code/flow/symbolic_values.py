"""Symbolic values: what an expression is on one path, split into its cases, and told apart from the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.targets import SCOPED_EXPRESSIONS, own_names
from auditor.code.syntax.term import Term, encode
from auditor.code.syntax.unparse import unparse


@dataclass(frozen=True, slots=True)
class SymbolicValue:
    """One value, and the statement that computes it. `guards` are the conditions on its path, locals inlined."""

    value: Term
    guards: tuple[Term, ...]
    source: tuple[Term, ...]
    """The guards as they are written, for people."""
    statement: Term
    is_repeated: bool = False
    """Whether it stands in a loop."""


def cases(computed: SymbolicValue) -> tuple[SymbolicValue, ...]:
    """A value that holds conditional expressions as one value for each of their branches, the tests as guards.

    Beyond so many conditions that nobody would read the cases, the value is left as it is.
    """
    found = [computed]
    for _ in range(_MOST_CONDITIONS + 1):
        split = [case for one in found for case in _split(one)]
        if len(split) == len(found):
            return tuple(found)
        found = split
    return (computed,)


_MOST_CONDITIONS = 3


def _split(computed: SymbolicValue) -> tuple[SymbolicValue, ...]:
    test = next(_tests(computed.value, frozenset()), None)
    if test is None:
        return (computed,)
    return tuple(
        replace(
            computed,
            value=_decided(computed.value, encode(test), branch),
            guards=(*computed.guards, guard),
            source=(*computed.source, guard),
        )
        for branch, guard in (("body", test), ("orelse", negation(test)))
    )


def _tests(term: Term, bound: frozenset[str]) -> Iterator[Term]:
    """The tests of the conditional expressions in an expression, in order; none that is about a name bound in it."""
    if term.type in SCOPED_EXPRESSIONS:
        bound |= own_names(term)
    if term.type == "IfExp":
        test = term.term("test")
        yield from _tests(test, bound)
        if not any(one.parts.get("id") in bound for one in test.walk()):
            yield test
    for inner in term.children():
        yield from _tests(inner, bound)


def _decided(term: Term, test: str, branch: str) -> Term:
    """The expression with the branch that is taken in place of every condition on `test`, an encoded term."""
    if term.type == "IfExp" and encode(term.term("test")) == test:
        return _decided(term.term(branch), test, branch)
    return term.rebuilt(lambda inner: _decided(inner, test, branch))


def described(tests: Sequence[Term]) -> str | None:
    """Conditions as one; None where there are none."""
    return " and ".join(unparse(test, 3) for test in tests) or None


def distinctive(values: Sequence[SymbolicValue]) -> list[str | None]:
    """For each of several values, the condition that sets it apart: what they have in common is left out."""
    common = (
        set.intersection(*({encode(test) for test in value.source} for value in values)) if len(values) > 1 else set()
    )
    return [described([test for test in value.source if encode(test) not in common]) for value in values]
