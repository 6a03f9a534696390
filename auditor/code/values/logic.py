"""Implication, equivalence and satisfiability of conditions, over every consistent truth assignment of their atoms.

The conditions' propositions are put in a truth table over their atoms. Rows that the order of numbers, the difference
of constants or the truth of what is None rules out do not count (`number_order`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from fractions import Fraction

from auditor.code import Undecidable
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term
from auditor.code.values import polynomials
from auditor.code.values.normal_form import proposition
from auditor.code.values.number_order import measured, possible_rows, subjects
from auditor.code.values.propositions import FALSE, Atom, Prop, atoms_of, negated
from auditor.model import Text

_MOST_ATOMS = 16  # a table of their combinations has 65 536 rows


class Implication(Enum):
    """Whether a condition follows from others."""

    NO = "no"
    IF_WHOLE = "if whole"
    """It does if the numbers in them are whole, which is not known: `x < 2` of `x <= 1` does, the other way it may."""
    NARROWER = "narrower"
    """It does, because of something narrower: `a or b` of `a`."""
    YES = "yes"


def implication(wanted: Term, given: Sequence[Term]) -> Implication:
    """Whether a condition follows from those given. Raises Undecidable when they contradict each other."""
    conclusion, every = proposition(wanted), [proposition(test) for test in given]
    premises = _related(every, conclusion)
    table = _Table([*premises, conclusion])
    asked = table.all(premises)
    holds = asked & table.possible()
    if not holds or FALSE in every:
        raise Undecidable(
            Text(
                "the conditions there contradict each other; the same question has two answers in turn",
                "该处的条件相互矛盾：同一个问题先后得到两种回答",
            )
        )
    if counterexamples := holds & ~table.of(conclusion):
        is_whole = bool(holds & table.possible(is_whole=True))
        return (
            Implication.IF_WHOLE if is_whole and not counterexamples & table.possible(is_whole=True) else Implication.NO
        )
    if conclusion.kind == "or":
        parts = conclusion.parts
        for left_out in range(len(parts)):
            rest = Prop("or", parts[:left_out] + parts[left_out + 1 :])
            if not holds & ~table.of(rest):
                return Implication.NARROWER
    is_wider = asked & ~table.of(conclusion) and not any(
        table.are_equivalent(one, conclusion) for one in _parts(premises)
    )
    return Implication.NARROWER if is_wider else Implication.YES


def _parts(props: Iterable[Prop]) -> Iterator[Prop]:
    for prop in props:
        yield from prop.parts if prop.kind == "and" else (prop,)


def are_equivalent(one: Term, other: Term) -> bool:
    """Whether each of two conditions follows from the other. Raises Undecidable."""
    props = (proposition(one), proposition(other))
    return _Table(props).are_equivalent(*props)


def are_satisfiable(given: Sequence[Term]) -> bool:
    """Whether conditions can hold together."""
    return all(_is_satisfiable(group) for group in _groups(list(map(proposition, given))))


def _is_satisfiable(props: Sequence[Prop]) -> bool:
    table = _Table(props)
    return bool(table.all(props) & table.possible())


def conjuncts(term: Term) -> Iterator[Term]:
    """The conditions that a condition is the conjunction of."""
    if term.type == "BooleanOperation" and term.parts["operator"] == "and":
        for value in term.terms("values"):
            yield from conjuncts(value)
    elif term.type == "UnaryOperation" and term.parts["operator"] == "not":
        inner = term.term("operand")
        if inner.type == "BooleanOperation" and inner.parts["operator"] == "or":
            for value in inner.terms("values"):
                yield from conjuncts(negation(value))
        else:
            yield term
    else:
        yield term


def atoms(term: Term) -> frozenset[str]:
    """The atoms of a condition; of a comparison, the quantity alone, whatever it is compared with."""
    return frozenset(_question(atom) for atom in atoms_of(proposition(term)))


def _question(atom: Atom) -> str:
    if atom.relation in ("<", ">", "==", "true"):
        return measured(atom.quantity) or polynomials.text(dict(atom.quantity))
    other = "" if atom.relation == "constant" or isinstance(atom.than, Fraction) else polynomials.text(dict(atom.than))
    return "|".join((atom.relation, polynomials.text(dict(atom.quantity)), atom.sort, other))


def _related(props: Sequence[Prop], conclusion: Prop) -> list[Prop]:
    """The propositions that can have to do with a conclusion."""
    *_, last = _groups([*props, conclusion])
    return last[:-1]


def _groups(props: Sequence[Prop]) -> list[list[Prop]]:
    """Propositions in groups that have no subject in common, the last one's last; in a large group, no quantity."""
    found: list[list[Prop]] = []
    for group in _grouped(props, subjects):
        is_small = len({atom for prop in group for atom in atoms_of(prop)}) <= _MOST_ATOMS
        found += [group] if is_small else _grouped(group, _quantity)
    return found


def _quantity(atom: Atom) -> frozenset[str]:
    return frozenset((polynomials.text(dict(atom.quantity)),))


def _grouped(props: Sequence[Prop], of: Callable[[Atom], frozenset[str]]) -> list[list[Prop]]:
    groups: list[tuple[frozenset[str], list[Prop]]] = []
    for prop in props:
        keys = frozenset[str]().union(*map(of, atoms_of(prop)))
        members, apart = [prop], []
        for other, others in groups:
            if keys & other:
                keys, members = keys | other, [*others, *members]
            else:
                apart.append((other, others))
        groups = [*apart, (keys, members)]
    return [members for _, members in groups]


class _Table:
    """A truth table: of every atom and proposition, the rows in which it is true, as the bits of an integer."""

    def __init__(self, props: Iterable[Prop]) -> None:
        """Raises Undecidable when there are too many atoms."""
        found = list(dict.fromkeys(atom for prop in props for atom in atoms_of(prop)))
        if len(found) > _MOST_ATOMS:
            raise Undecidable(
                Text(
                    f"it depends on {len(found)} conditions, too many to be combined",
                    f"它取决于 {len(found)} 个条件，数量过多，无法逐一组合",
                )
            )
        rows = 1 << len(found)
        self._all = (1 << rows) - 1
        self._true: dict[Atom, int] = {}
        for number, atom in enumerate(found):
            width, column = 2 << number, ((1 << (1 << number)) - 1)
            while width < rows:
                column |= column << width
                width *= 2
            self._true[atom] = column

    def of(self, prop: Prop) -> int:
        match prop.kind:
            case "atom" if prop.atom is not None:
                return self._true[prop.atom]
            case "not":
                return self._all & ~self.of(prop.parts[0])
            case "and":
                return self.all(prop.parts)
            case "or":
                return self._all & ~self.all(map(negated, prop.parts))
            case _:
                return self._all

    def all(self, props: Iterable[Prop]) -> int:
        found = self._all
        for prop in props:
            found &= self.of(prop)
        return found

    def possible(self, *, is_whole: bool = False) -> int:
        """The rows that can come about; with `is_whole`, if numbers that may be whole are."""
        return possible_rows(self._true, self._all, is_all_whole=is_whole)

    def are_equivalent(self, one: Prop, other: Prop) -> bool:
        return not (self.of(one) ^ self.of(other)) & self.possible()
