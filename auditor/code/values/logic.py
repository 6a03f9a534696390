"""Conditions as logic: whether some, which all hold, imply another, whatever the questions in them turn out to be.

`not`, `and`, `or`, conditional expressions and comparisons are taken apart; what is left, the atoms, is compared as
algebra. `not a < b` is taken for `b <= a`: no number is a NaN. A constant compared with one thing is one constant.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from auditor.code import Undecidable
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.algebra import Polynomial, normal_form
from auditor.model import Text

_MOST_ATOMS = 16  # a table of their combinations has 65 536 rows

Prop = tuple[str, tuple["Prop", ...], str]
"""`and`, `or` or `not` of others; an `atom` with its key; `true`."""

TRUE: Prop = ("true", (), "")
FALSE: Prop = ("not", (TRUE,), "")


class Implication(Enum):
    """Whether a condition follows from others."""

    NO = "no"
    NARROWER = "narrower"
    """It does, because of something narrower: `a or b` of `a`."""
    YES = "yes"


def implication(wanted: Term, given: Sequence[Term]) -> Implication:
    """Whether a condition follows from those given. Raises Undecidable when they contradict each other."""
    conclusion = proposition(wanted)
    premises = _related([proposition(test) for test in given], conclusion)
    table = _Table([*premises, conclusion])
    asked = table.all(premises)
    holds = asked & table.facts()
    if not holds:
        raise Undecidable(
            Text(
                "the conditions there contradict each other; the same question has two answers in turn",
                "该处的条件相互矛盾：同一个问题先后得到两种回答",
            )
        )
    if holds & ~table.of(conclusion):
        return Implication.NO
    kind, parts, _ = conclusion
    if kind == "or":
        for left_out in range(len(parts)):
            rest: Prop = ("or", parts[:left_out] + parts[left_out + 1 :], "")
            if not holds & ~table.of(rest):
                return Implication.NARROWER
    return Implication.NARROWER if asked & ~table.of(conclusion) else Implication.YES


def are_satisfiable(given: Sequence[Term]) -> bool:
    """Whether conditions can hold together."""
    premises = list(map(proposition, given))
    return all(_is_possible(group) for group in _groups(premises))


def _is_possible(props: Sequence[Prop]) -> bool:
    table = _Table(props)
    return bool(table.all(props) & table.facts())


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
    """The questions that a condition asks."""
    return frozenset(_atoms(proposition(term)))


@lru_cache(maxsize=4_096)
def proposition(term: Term) -> Prop:
    """A condition without its looks."""
    match term.type:
        case "UnaryOperation" if term.parts["operator"] == "not":
            return _not(proposition(term.term("operand")))
        case "BooleanOperation":
            return _joined(term.text("operator"), map(proposition, term.terms("values")))
        case "IfExp":
            test, body, orelse = (proposition(term.term(part)) for part in ("test", "body", "orelse"))
            return _joined("or", [_joined("and", [test, body]), _joined("and", [_not(test), orelse])])
        case "Comparison":
            sides = [term.term("left"), *term.terms("comparators")]
            return _joined("and", map(_compared, term.operators, sides, sides[1:]))
        case "Call" if term.term("func").parts.get("id") == "bool" and len(term.terms("args")) == 1:
            return proposition(term.terms("args")[0])
        case "Name" if term.parts["id"] in ("True", "False", "None"):
            return TRUE if term.parts["id"] == "True" else FALSE
        case "Literal":
            return TRUE if term.parts["value"] else FALSE
        case _:
            return _atom("true", _key(term))


def _compared(operator: str, left: Term, right: Term) -> Prop:
    match operator:
        case "!=" | "not in" | "is not":
            return _not(_compared(_POSITIVE[operator], left, right))
        case "<":
            return _less(left, right)
        case "<=":
            return _not(_less(right, left))
        case "in" if right.type in ("Tuple", "List", "Set"):
            elements = right.terms("elements")
            if not any(element.type == "Starred" for element in elements):
                return _joined("or", [_compared("==", left, element) for element in elements])
        case "==":
            return _equal(left, right)
        case "is":
            return _atom("is", *sorted((_key(left), _key(right))))
        case _:
            pass
    return _atom(operator, _key(left), _key(right))


_POSITIVE = {"!=": "==", "not in": "in", "is not": "is"}


def _less(left: Term, right: Term) -> Prop:
    form = _difference(left, right)
    if set(form) <= {()}:
        return TRUE if form and form[()] < 0 else FALSE
    return _atom("<0", _text(form, abs(form[min(form)])))


def _equal(left: Term, right: Term) -> Prop:
    form = _difference(left, right)
    if set(form) <= {()}:
        return FALSE if form else TRUE
    for one, other in ((left, right), (right, left)):
        if (kind := _constant_kind(one)) and not _constant_kind(other):
            return _atom("==", _key(other), kind, _key(one))
    constant = form.pop((), Fraction(0))
    lead = form[min(form)]
    return _atom("==", _text(form, lead), "number", str(-constant / lead))


def _constant_kind(term: Term) -> str | None:
    """What sort of constant, no number, a term is: two of one sort are two things. None: something else."""
    if term.type == "Literal" and isinstance(term.parts["value"], str | bytes):
        return "text"
    owner, _, last = (dotted(term) or "").rpartition(".")
    return f"{owner}." if owner and last.isupper() and owner.rpartition(".")[2][:1].isupper() else None


def _difference(left: Term, right: Term) -> Polynomial:
    return normal_form(Term("BinaryOperation", {"left": left, "operator": "-", "right": right}))


def _text(form: Polynomial, unit: Fraction) -> str:
    return repr(sorted((monomial, str(factor / unit)) for monomial, factor in form.items()))


def _key(term: Term) -> str:
    return _text(normal_form(term), Fraction(1))


def _atom(*parts: str) -> Prop:
    return ("atom", (), "\0".join(parts))


def _not(prop: Prop) -> Prop:
    kind, parts, _ = prop
    if kind == "not":
        return parts[0]
    if kind in ("and", "or"):
        return ("or" if kind == "and" else "and", tuple(map(_not, parts)), "")
    return ("not", (prop,), "")


def _joined(kind: str, props: Iterable[Prop]) -> Prop:
    flat: list[Prop] = []
    for prop in props:
        flat += prop[1] if prop[0] == kind else (prop,)
    return flat[0] if len(flat) == 1 else (kind, tuple(flat), "")


def _atoms(prop: Prop) -> Iterator[str]:
    kind, parts, key = prop
    if kind == "atom":
        yield key
    for part in parts:
        yield from _atoms(part)


def _related(props: Sequence[Prop], conclusion: Prop) -> list[Prop]:
    """The propositions that can have to do with a conclusion."""
    *_, last = _groups([*props, conclusion])
    return last[:-1]


def _groups(props: Sequence[Prop]) -> list[list[Prop]]:
    """Propositions in groups that have no atom in common; what two equations say of one thing is common to them."""
    groups: list[tuple[set[str], list[Prop]]] = []
    for prop in props:
        keys = {key.rpartition("\0")[0] if key.startswith("==\0") else key for key in _atoms(prop)}
        members = [prop]
        apart = []
        for other, others in groups:
            if keys & other:
                keys |= other
                members = [*others, *members]
            else:
                apart.append((other, others))
        groups = [*apart, (keys, members)]
    return [members for _, members in groups]


class _Table:
    """A truth table: of every atom and proposition, the rows in which it is true, as the bits of an integer."""

    def __init__(self, props: Iterable[Prop]) -> None:
        """Raises Undecidable when there are too many atoms."""
        keys = list(dict.fromkeys(key for prop in props for key in _atoms(prop)))
        if len(keys) > _MOST_ATOMS:
            raise Undecidable(
                Text(
                    f"it depends on {len(keys)} conditions, too many to be combined",
                    f"它取决于 {len(keys)} 个条件，数量过多，无法逐一组合",
                )
            )
        rows = 1 << len(keys)
        self._all = (1 << rows) - 1
        self._true: dict[str, int] = {}
        for number, key in enumerate(keys):
            width, column = 2 << number, ((1 << (1 << number)) - 1)
            while width < rows:
                column |= column << width
                width *= 2
            self._true[key] = column

    def of(self, prop: Prop) -> int:
        kind, parts, key = prop
        match kind:
            case "atom":
                return self._true[key]
            case "not":
                return self._all & ~self.of(parts[0])
            case "and":
                return self.all(parts)
            case "or":
                return self._all & ~self.all(map(_not, parts))
            case _:
                return self._all

    def all(self, props: Iterable[Prop]) -> int:
        found = self._all
        for prop in props:
            found &= self.of(prop)
        return found

    def facts(self) -> int:
        """The rows in which nothing is two different constants."""
        found = self._all
        same: dict[str, list[int]] = {}
        for key, column in self._true.items():
            if key.startswith("==\0"):
                same.setdefault(key.rpartition("\0")[0], []).append(column)
        for columns in same.values():
            for one, other in combinations(columns, 2):
                found &= ~(one & other)
        return found
