"""Entailment: whether a path condition implies the condition that a claim states, and what it asks beyond that."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.inlining import inlined
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import Bindings, has_metavariables, instantiate, name_subterms, unify
from auditor.code.phrases import AND, quoted
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term, encode
from auditor.code.syntax.unparse import unparse
from auditor.code.values.algebra import are_equal, substitute
from auditor.code.values.constant_propagation import with_constants
from auditor.code.values.constants import scope_of
from auditor.code.values.logic import Implication, atoms, conjuncts, implication
from auditor.model import Text

if TYPE_CHECKING:
    from auditor.code.flow.program_points import Condition, Values
    from auditor.code.project.codebase import Definition

_RANK = {Implication.NO: 0, Implication.IF_WHOLE: 1, Implication.NARROWER: 2, Implication.YES: 3}
_DEPTH = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """How expressions are compared: in which class, and what names stand for."""

    around: "Definition"
    where: Mapping[str, Pattern] = field(default_factory=dict)

    def term(self, term: Term, depth: int = 0) -> Term:
        """The code's expression, with the claim's names in it, the class's methods inlined so many times."""
        term = self._named(term)
        term = self._named(inlined(term, self.around, depth)) if depth else term
        term = substitute(term, _whole_parameters(self.around.term)) if self.around.symbol else term
        return with_constants(term, scope_of(self.around))

    def of_claim(self, term: Term, depth: int = 0) -> Term:
        """The claim's expression."""
        return self.term(substitute(self._named(term), {alias: _quantity(alias) for alias in self.where}), depth)

    def _named(self, term: Term) -> Term:
        for alias, pattern in self.where.items():
            term = name_subterms(term, pattern, _quantity(alias).text("id"))
        return term


@lru_cache(maxsize=64)
def _whole_parameters(function: Term) -> Mapping[str, Term]:
    """`int(n)` for each parameter that is annotated as a whole number and bound to nothing else."""
    if function.type != "FunctionDef":
        return {}
    bound = {place.parts.get("id") for inner in function.walk() for place in bound_targets(inner)}
    whole = [
        one.text("name")
        for one in function.terms("params")
        if one.annotation is not None and one.annotation.parts.get("id") == "int" and one.text("name") not in bound
    ]
    return {one: Term("Call", {"func": name("int"), "args": (name(one),), "keywords": ()}) for one in whole}


def _quantity(alias: str) -> Term:
    """A name that no code has: the code may use the alias for something else."""
    return name(f"{alias}°")


@dataclass(frozen=True, slots=True)
class Entailment:
    """Whether a path condition implies what is wanted, and what it asks beyond that."""

    answer: Implication
    others: tuple[str, ...] = ()
    """Other conditions, as written; those without which the function fails are none."""
    changed: frozenset[str] = frozenset()
    """Attributes in what is wanted that had been changed before they were asked for."""
    path_condition: str = ""
    """The whole path condition, as written."""
    wanted: tuple[Term, ...] = ()
    """What is wanted, as it reads among the conditions when methods are inlined `depth` times."""
    depth: int = 0
    given: tuple[Term, ...] = ()
    """The conditions themselves, as they read so."""
    updated: frozenset[str] = frozenset()
    """Locals in what is wanted that are given a number made of their own after they were asked for: `x += 1`."""


def when_reached(verdict: Entailment) -> Text:
    """When a program point is reached, for people."""
    if not verdict.path_condition:
        return Text("whatever happens", "总会执行")
    return Text("only if {}", "仅当 {} 时执行").filled(quoted(verdict.path_condition))


def qualification(verdict: Entailment, *, only: bool) -> Text | None:
    """What is to be said beside what a claim says; without `only`, other conditions need not be."""
    if verdict.answer is Implication.NARROWER:
        return Text(", and more narrowly only if {}", "，且条件更窄：仅当 {} 时").filled(quoted(verdict.path_condition))
    if verdict.changed:
        changed = AND.join(map(quoted, sorted(verdict.changed)))
        return Text(", asked after {} has been changed", "，但判断之前 {} 已被改变").filled(changed)
    if verdict.updated:
        updated = AND.join(map(quoted, sorted(verdict.updated)))
        return Text(", asked before {} is changed", "，但判断之后 {} 又被改变").filled(updated)
    if only and verdict.others:
        return Text(", and only if {}", "，并且仅当 {} 时").filled(quoted(" and ".join(verdict.others)))
    return None


def entailment(
    when: Pattern | None,
    bindings: Bindings,
    conditions: Sequence["Condition"],
    values: "Values",
    reading: Reading,
) -> Entailment:
    """Whether `when` is asked on the way, the best of the ways to fill in its metavariables. Raises Undecidable."""
    if when is None:
        return _others((), frozenset(), conditions, reading, 0, Implication.YES)
    found = []
    for depth in range(_DEPTH + 1):
        for parts in condition_instances(when, bindings, [c for one in conditions for c in (one.source, one.test)]):
            found.append(_entailment(list(parts), conditions, values, reading, depth))
            if found[-1].answer is Implication.YES and not found[-1].others:
                return found[-1]
    best = max(found, key=lambda one: (_RANK[one.answer], -len(one.others)), default=_not_entailed(conditions))
    if best.answer is Implication.IF_WHOLE:
        whole = Text(
            "{} is asked if the numbers are whole, which is not known",
            "仅当各数均为整数时才等于判断了 {}，而这无法确定",
        )
        raise Undecidable(whole.filled(quoted(when)))
    return best


def _not_entailed(conditions: Sequence["Condition"]) -> Entailment:
    return Entailment(Implication.NO, path_condition=_path_condition(conditions))


def interpretations(
    when: Pattern, conditions: Sequence["Condition"], reading: Reading
) -> Iterator[tuple[int, tuple[Term, ...], frozenset[str]]]:
    """A claim's condition in terms of what is asked: how deep methods are inlined, its conjuncts, what had changed.

    Nothing where it asks for something that the conditions do not.
    """
    for depth in range(_DEPTH + 1):
        known = frozenset[str]().union(*(atoms(reading.term(one.test, depth)) for one in conditions))
        for parts in condition_instances(when, {}, [c for one in conditions for c in (one.source, one.test)]):
            chosen, changed = [], frozenset[str]()
            for part in parts:
                readings = ((reading.of_claim(read, depth), moved) for read, moved in _candidates(part, conditions, {}))
                found = next((one for one in readings if atoms(one[0]) <= known), None)
                if found is not None:
                    chosen.append(found[0])
                    changed |= found[1]
            if len(chosen) == len(parts):
                yield depth, tuple(chosen), changed


def instantiations(
    wanted: Term, sources: Sequence[Term], known: Bindings, pattern: Pattern
) -> Iterator[tuple[Term, Bindings]]:
    """An expression of a claim for every way to fill in its metavariables and holes from expressions of the code."""
    wanted = instantiate(wanted, known)
    first = next((term for term in _quantities(wanted) if has_metavariables(term)), None)
    if first is None:
        yield wanted, known
        return
    for inner in {encode(inner): inner for source in sources for inner in source.walk()}.values():
        for bound in unify(first, inner, known, pattern):
            yield from instantiations(_replaced(wanted, first, inner), sources, bound, pattern)


def _quantities(term: Term) -> Iterator[Term]:
    """The parts of an expression that are no arithmetic."""
    if term.type in ("BinaryOperation", "UnaryOperation"):
        for inner in term.children():
            yield from _quantities(inner)
    else:
        yield term


def _replaced(term: Term, old: Term, new: Term) -> Term:
    return new if term is old else term.rebuilt(lambda inner: _replaced(inner, old, new))


def is_same(value: Term, wanted: Term, values: "Values", reading: Reading) -> bool:
    """Whether a value, its locals inlined, is what a claim says, as it stands or with the locals inlined there."""
    of_claim = {encode(term): term for term in (wanted, substitute(wanted, values))}
    return any(
        are_equal(reading.term(value, depth), reading.of_claim(term, depth))
        for depth in range(_DEPTH + 1)
        for term in of_claim.values()
    )


def condition_instances(
    when: Pattern, bindings: Bindings, path_condition: Iterable[Term]
) -> Iterator[tuple[Term, ...]]:
    """The conjuncts of a condition, for every way to fill in its metavariables and holes from what is asked."""
    there = [part for test in path_condition for part in conjuncts(test)]
    yield from _filled([*conjuncts(when.terms[0].term("value"))], bindings, there, when)


def _filled(
    parts: Sequence[Term], bindings: Bindings, there: Sequence[Term], when: Pattern
) -> Iterator[tuple[Term, ...]]:
    if not parts:
        yield ()
        return
    first, rest = instantiate(parts[0], bindings), parts[1:]
    if not has_metavariables(first):
        yield from ((first, *others) for others in _filled(rest, bindings, there, when))
        return
    for test in there:
        for bound in unify(first, test, bindings, when):
            yield from ((test, *others) for others in _filled(rest, bound, there, when))


def _entailment(
    parts: Sequence[Term], conditions: Sequence["Condition"], values: "Values", reading: Reading, depth: int
) -> Entailment:
    given = [reading.term(condition.test, depth) for condition in conditions]
    answer, changed, updated, chosen = Implication.YES, frozenset[str](), frozenset[str](), []
    for part in parts:
        best, read, since, later = Implication.NO, part, frozenset[str](), frozenset[str]()
        for candidate, moved in _candidates(part, conditions, values):
            found = implication(of_claim := reading.of_claim(candidate, depth), given)
            if _RANK[found] > _RANK[best]:
                best, read, since, later = found, of_claim, moved, _updated(part, candidate, values)
            if best is Implication.YES:
                break
        answer = min(answer, best, key=_RANK.__getitem__)
        changed |= since
        updated |= later
        chosen.append(read)
    return replace(_others(chosen, changed, conditions, reading, depth, answer), updated=updated)


def _candidates(
    part: Term, conditions: Sequence["Condition"], values: "Values"
) -> Iterator[tuple[Term, frozenset[str]]]:
    """A condition as it reads where the function is entered, and at each place where something is asked."""
    seen = {encode(part)}
    yield part, frozenset()
    points = [(condition.values, condition.changed) for condition in conditions]
    for known, changed in (*points, (values, frozenset[str]())):
        read = substitute(part, known)
        if encode(read) not in seen:
            seen.add(encode(read))
            yield read, frozenset(chain for chain in changed if encode(part) != encode(_without(part, chain)))


def _updated(part: Term, asked: Term, values: "Values") -> frozenset[str]:
    """The locals of a condition that have since been given a number made of the value they had there."""
    names = {one.text("id") for one in part.walk() if one.type == "Name"} & values.keys()
    found = set()
    for local in names:
        value = values[local]
        parts = {encode(one) for one in value.walk()} if value.type == "BinaryOperation" else ()
        is_past = encode(substitute(part, {local: value})) != encode(asked)
        if is_past and any(encode(one) in parts for one in asked.walk() if one.type == "Name"):
            found.add(local)
    return frozenset(found)


def _without(term: Term, chain: str) -> Term:
    return substitute(term, {chain: name(f"{chain}°")})


def _others(
    wanted: Sequence[Term],
    changed: frozenset[str],
    conditions: Sequence["Condition"],
    reading: Reading,
    depth: int,
    answer: Implication,
) -> Entailment:
    premises = [*wanted, *(reading.term(one.test, depth) for one in conditions if one.is_failure)]
    others: list[str] = []
    for condition in conditions:
        if condition.is_failure:
            continue
        tests, sources = list(conjuncts(condition.test)), list(conjuncts(condition.source))
        if len(tests) != len(sources):
            tests, sources = [condition.test], [condition.source]
        for test, source in zip(tests, sources, strict=True):
            if implication(reading.term(test, depth), premises) in (Implication.NO, Implication.IF_WHOLE):
                others.append(unparse(source, 3))
    given = tuple(reading.term(one.test, depth) for one in conditions)
    path = _path_condition(conditions)
    return Entailment(answer, tuple(dict.fromkeys(others)), changed, path, tuple(wanted), depth, given)


def _path_condition(conditions: Sequence["Condition"]) -> str:
    return " and ".join(dict.fromkeys(unparse(one.source, 3) for one in conditions if not one.is_failure))
