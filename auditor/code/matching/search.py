"""Patterns: code with holes, as an article quotes it.

`...` stands for anything: an expression, any arguments, any statements. `$NAME` is a metavariable: whatever it binds
first, it must bind everywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.code import Undecidable
from auditor.code.matching.notation import Pattern
from auditor.code.syntax.independence import are_independent
from auditor.code.syntax.normal_forms import integer_bound, name, negation, whole_number
from auditor.code.syntax.term import Part, Term, encode
from auditor.code.syntax.term_index import TermIndex
from auditor.model import Text

Bindings = dict[str, Part]

_MOST_STEPS = 300_000  # half a second; holes beside holes can ask for any number


@dataclass(frozen=True, slots=True)
class Match:
    """Where a pattern was found: one term, or the neighbouring statements it matched."""

    terms: tuple[Term, ...]
    bindings: Bindings


def search(pattern: Pattern, code: TermIndex) -> Iterator[Match]:
    """Every place in the code where the pattern matches, in source order. Raises Undecidable when it takes too long."""
    wanted, matching = pattern.terms, _Matching(pattern)
    if pattern.is_expression:
        expression = wanted[0].term("value")
        for term in code.by_type.get(expression.type, ()):
            for bindings in matching.part(expression, term, {}):
                yield Match((term,), bindings)
                break
        return
    is_found = False
    for match in _in_blocks(matching, code):
        is_found = True
        yield match
    if not is_found and any(map(_is_assignment, wanted)):
        yield from _in_blocks(_Matching(pattern, exchanges=True), code)


def _in_blocks(matching: "_Matching", code: TermIndex) -> Iterator[Match]:
    for statements in code.blocks:
        last = 0
        for start in range(len(statements)):
            if matching.exchanges and start < last:
                continue  # what was exchanged to match is no match of its own
            for end, bindings in matching.some(matching.pattern.terms, statements, start, {}):
                last = end
                yield Match(statements[start:end], bindings)
                break


def name_subterms(term: Term, pattern: Pattern, alias: str) -> Term:
    """The expression with `alias` in place of every part that the pattern matches. Raises Undecidable, as `search`."""
    matching, wanted = _Matching(pattern), pattern.terms[0].term("value")

    def rename(inner: Term) -> Term:
        for _ in matching.part(wanted, inner, {}):
            return name(alias)
        return inner.rebuilt(rename)

    return rename(term)


def _otherwise(term: Term, like: Term) -> Term | None:
    """The same code in the form that a pattern has: branches exchanged, `x = x + e` as `x += e`, a number worked out.

    A pattern that leaves the condition open says by the order which branch it means, where the code's has no `not`.
    """
    if term.type == like.type and term.type in ("If", "IfExp") and term.parts["orelse"]:
        test = term.term("test")
        if _is_hole(like.parts["test"]) and test.parts.get("operator") != "not":
            return None
        parts: dict[str, Part] = {"body": term.parts["orelse"], "orelse": term.parts["body"]}
        return term.with_parts({"test": negation(test), **parts})
    if term.type == like.type == "Comparison":
        return integer_bound(term, like.operators)
    if (term.type, like.type) == ("BinaryOperation", "Literal"):
        return whole_number(term)
    if (term.type, like.type) == ("Assign", "AugAssign") and len(term.terms("targets")) == 1:
        value, operator = term.term("value"), like.parts["operator"]
        if value.type != "BinaryOperation" or value.parts["operator"] != operator:
            return None
        target = term.terms("targets")[0]
        sides = [value.term("left"), value.term("right")]
        if encode(sides[0]) != encode(target) and operator in ("+", "*"):
            sides.reverse()
        if encode(sides[0]) == encode(target):
            return Term("AugAssign", {"target": target, "operator": operator, "value": sides[1]}, term.region)
    return None


_OTHERWISE = ("If", "IfExp", "Comparison", "Literal", "AugAssign")
"""The types of patterns that have another form."""


def _is_assignment(part: Part) -> bool:
    return part.__class__ is Term and part.type == "Assign"


def _is_hole(part: Part) -> bool:
    if part.__class__ is Term and part.type == "Expr":
        part = part.parts["value"]
    return part.__class__ is Term and part.type == "Literal" and part.parts["value"] is ...


class _Matching:
    """One search. Every method yields each way to match, as the bindings it makes."""

    def __init__(self, pattern: Pattern, *, exchanges: bool = False) -> None:
        self.pattern = pattern
        self.exchanges = exchanges
        """Whether neighbours that may be exchanged match in either order."""
        self._steps = 0

    def part(self, pattern: Part, part: Part, bindings: Bindings) -> Iterator[Bindings]:
        self._step()
        if _is_hole(pattern):
            if isinstance(part, Term):
                yield bindings
        elif variable := _metavariable(pattern):
            yield from self._bind(variable, part, bindings)
        elif isinstance(pattern, Term):
            if not isinstance(part, Term):
                return
            if pattern.type in _OTHERWISE and (other := _otherwise(part, pattern)) is not None:
                yield from self._parts(tuple(pattern.parts), pattern, other, bindings)
            if pattern.type == part.type:
                if (operands := _commuting(pattern)) and (others := _commuting(part, pattern)):
                    yield from self._operands(operands, others, bindings)
                else:
                    yield from self._parts(tuple(pattern.parts), pattern, part, bindings)
        elif isinstance(pattern, tuple):
            if isinstance(part, tuple):
                yield from (bound for end, bound in self.some(pattern, part, 0, bindings) if end == len(part))
        # 1 == 1.0 as in Python, but "1" and 1, or True and 1, are not the same code.
        elif pattern == part and (type(pattern) is type(part) or {type(pattern), type(part)} == {int, float}):
            yield bindings

    def some(
        self, pattern: tuple[Part, ...], parts: tuple[Part, ...], start: int, bindings: Bindings
    ) -> Iterator[tuple[int, Bindings]]:
        """Every end (exclusive), the nearest first, up to which the pattern matches `parts` from `start`."""
        self._step()
        if not pattern:
            yield start, bindings
            return
        first, rest = pattern[0], pattern[1:]
        if _is_hole(first):
            for skipped in range(start, len(parts) + 1):
                yield from self.some(rest, parts, skipped, bindings)
        elif start < len(parts):
            for bound in self.part(first, parts[start], bindings):
                yield from self.some(rest, parts, start + 1, bound)
            is_open = self.exchanges and _is_assignment(first) and start + 1 < len(parts)
            if is_open and are_independent(parts[start], parts[start + 1]):
                for bound in self.part(first, parts[start + 1], bindings):
                    exchanged = (*parts[: start + 1], parts[start], *parts[start + 2 :])
                    yield from self.some(rest, exchanged, start + 1, bound)

    def _parts(self, names: tuple[str, ...], pattern: Term, term: Term, bindings: Bindings) -> Iterator[Bindings]:
        if not names:
            yield bindings
            return
        for bound in self._named_part(names[0], pattern, term, bindings):
            yield from self._parts(names[1:], pattern, term, bound)

    def _named_part(self, name: str, pattern: Term, term: Term, bindings: Bindings) -> Iterator[Bindings]:
        wanted = pattern.parts[name]
        if name == "keywords":
            is_open = any(_is_hole(arg) for arg in pattern.terms("args" if pattern.type == "Call" else "bases"))
            yield from self._keywords(pattern.terms(name), term.terms(name), bindings, is_open=is_open)
        elif wanted == () and name in ("orelse", "decorators"):
            yield bindings  # a pattern that shows no `else` or decorator says nothing of them
        elif name in ("orelse", "finalbody") and wanted and not term.parts[name]:
            return  # but one that shows an `else` asks for one, whatever is in it
        elif name == "targets" and pattern.type == "Assign" and len(pattern.terms(name)) == 1:
            for target in term.terms(name):  # `a = b = 0` assigns to a, and to b
                yield from self.part(pattern.terms(name)[0], target, bindings)
        else:
            yield from self.part(wanted, term.parts.get(name), bindings)

    def _keywords(
        self, wanted: tuple[Term, ...], given: tuple[Term, ...], bindings: Bindings, *, is_open: bool
    ) -> Iterator[Bindings]:
        """Keyword arguments in any order; others besides only where the pattern's arguments have a hole."""
        if not wanted:
            if is_open or not given:
                yield bindings
            return
        for number, keyword in enumerate(given):
            if keyword.parts["name"] == wanted[0].parts["name"]:
                others = (*given[:number], *given[number + 1 :])
                for bound in self.part(wanted[0].parts["value"], keyword.parts["value"], bindings):
                    yield from self._keywords(wanted[1:], others, bound, is_open=is_open)

    def _operands(self, wanted: tuple[Term, ...], given: tuple[Term, ...], bindings: Bindings) -> Iterator[Bindings]:
        """The operands of a sum or product in any order; a hole takes what is left, one at least."""
        if len(given) < len(wanted):
            return
        if not wanted or all(map(_is_hole, wanted)):
            if len(given) == len(wanted) or wanted:
                yield bindings
            return
        first = next(number for number, operand in enumerate(wanted) if not _is_hole(operand))
        rest = (*wanted[:first], *wanted[first + 1 :])
        for number, operand in enumerate(given):
            for bound in self.part(wanted[first], operand, bindings):
                yield from self._operands(rest, (*given[:number], *given[number + 1 :]), bound)

    def _bind(self, variable: str, part: Part, bindings: Bindings) -> Iterator[Bindings]:
        if variable.startswith(Pattern.any_local) and not self._is_free(variable, part, bindings):
            return
        if variable not in bindings:
            yield {**bindings, variable: part}
            return
        self._step(10)
        if encode(bindings[variable]) == encode(part):
            yield bindings

    def _is_free(self, variable: str, part: Part, bindings: Bindings) -> bool:
        """Whether a local may be the one that a metavariable stands for: no other one does, and no name means it."""
        if not isinstance(part, Term) or part.type != "Name" or part.text("id") in self.pattern.words:
            return False
        if part.text("id") not in self.pattern.bound:
            return False
        others = (other for key, other in bindings.items() if key.startswith(Pattern.any_local) and key != variable)
        return all(encode(other) != encode(part) for other in others)

    def _step(self, cost: int = 1) -> None:
        self._steps += cost
        if self._steps > _MOST_STEPS:
            raise Undecidable(
                Text(
                    f"`{self.pattern}` has too many ways to match here; write it with fewer holes",
                    f"`{self.pattern}` 在此处的匹配方式过多，请减少其中的空位",
                )
            )


def _commuting(term: Term, like: Term | None = None) -> tuple[Term, ...]:
    """The operands of a sum or product of numbers, all levels of it; none where the order may matter.

    `like` is a term whose operator it must be.
    """
    operator = term.parts.get("operator")
    if term.type != "BinaryOperation" or operator not in ("+", "*") or (like and like.parts["operator"] != operator):
        return ()
    found: list[Term] = []
    for side in (term.term("left"), term.term("right")):
        is_same = side.type == "BinaryOperation" and side.parts["operator"] == operator
        found += _commuting(side) if is_same else [side]
    is_sequence = any(one.type in ("FString", "List", "Tuple", "ListComp") or _is_text(one) for one in found)
    return () if is_sequence or not found else tuple(found)


def _is_text(term: Term) -> bool:
    return term.type == "Literal" and isinstance(term.parts["value"], str | bytes)


def _metavariable(pattern: Part) -> str | None:
    if isinstance(pattern, Term):
        if pattern.type != "Name":
            return None
        pattern = pattern.parts["id"]
    is_one = isinstance(pattern, str) and pattern.startswith(Pattern.prefix)
    return str(pattern).removeprefix(Pattern.prefix) if is_one else None


def unify(wanted: Term, term: Term, known: Bindings, pattern: Pattern) -> Iterator[Bindings]:
    """Every way in which a part of a pattern matches the whole of a term. Raises Undecidable, as `search`."""
    return _Matching(pattern).part(wanted, term, known)


def has_metavariables(term: Term) -> bool:
    """Whether a part of a pattern has holes or metavariables."""
    return any(_is_hole(inner) or _metavariable(inner) for inner in term.walk())


def instantiate(term: Term, known: Bindings) -> Term:
    """A part of a pattern with what its metavariables are bound to in their place."""
    found = known.get(_metavariable(term) or "")
    return found if isinstance(found, Term) else term.rebuilt(lambda inner: instantiate(inner, known))
