"""Refutation: whether a path condition is known not to imply what a claim says, or only not known to imply it.

A refutation is a valuation at which the path is taken and the claim's condition is false. Calls that are not followed,
membership in what is not written out and texts are abstracted to free quantities, the same for the same text; such a
quantity may depend on another that is asked about the same thing, and then no valuation is a refutation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from auditor.code.phrases import NOT_LEFT
from auditor.code.syntax.normal_forms import literal, name
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.unparse import unparse
from auditor.code.values.counterexample import counterexample

_EVALUATED = ("min", "max", "abs", "sum", "int", "float", "bool", "round", "any", "all", "len")
_DISPLAYS = ("Tuple", "List", "Set")
_TEXTS = 10_007  # the first number that stands for a text


def is_refuted(wanted: Sequence[Term], given: Sequence[Term]) -> bool:
    """Whether conditions that hold leave it open that another, a conjunction, does not."""
    if any(_is_event(term) for condition in given for term in condition.walk()):
        return False
    abstraction = _Abstraction()
    claimed, known = _Side(), _Side()
    goal = [abstraction.of(term, claimed) for term in wanted]
    premises = [abstraction.of(term, known) for term in given]
    if not claimed.names() & known.names():
        return True  # they are about different things
    if claimed.may_depend_on(known) or known.may_depend_on(claimed):
        return False
    negation = Term("UnaryOperation", {"operator": "not", "operand": _conjunction(goal)})
    return counterexample(negation, name("False"), premises) is not None


def _conjunction(terms: Sequence[Term]) -> Term:
    return terms[0] if len(terms) == 1 else Term("BooleanOperation", {"operator": "and", "values": tuple(terms)})


def _is_event(term: Term) -> bool:
    """Whether it is that a loop is not left by `break`, which no expression asks."""
    return term.type == "Name" and NOT_LEFT.en in term.text("id")


@dataclass
class _Side:
    """What the conditions of one side are about."""

    plain: set[str] = field(default_factory=set)
    calls: dict[str, Term] = field(default_factory=dict)
    memberships: dict[str, Term] = field(default_factory=dict)

    def names(self) -> set[str]:
        return self.plain | self.calls.keys() | self.memberships.keys() | {
            subject for one in (*self.calls.values(), *self.memberships.values()) for subject in _subjects(one)
        }  # fmt: skip

    def may_depend_on(self, other: "_Side") -> bool:
        """Whether what is abstracted here may follow from what the other side asks about the same thing."""
        for text, call in self.calls.items():
            subjects = set(_subjects(call))
            if text not in other.calls and subjects & other.plain:
                return True
            if any(subjects & set(_subjects(one)) for one in other.memberships.values()):
                return True
            if any(_is_kind_of_number(call, one) for one in other.calls.values()):
                return True
        held = {subject for one in self.memberships.values() for subject in _subjects(one)}
        return bool(held & other.plain)


def _subjects(term: Term) -> Iterator[str]:
    """What a call or a membership is asked of, by its full name."""
    if term.type == "Comparison":
        found = [*term.terms("comparators")]
    else:
        function = term.term("func")
        found = [*term.terms("args"), *([function.term("value")] if function.type == "Attribute" else ())]
    yield from (chain for one in found if (chain := dotted(one)) and chain not in ("self", "cls"))


def _is_kind_of_number(one: Term, other: Term) -> bool:
    """Whether two calls ask whether a thing is a `bool` and whether it is an `int`, which a `bool` is."""
    asked = [
        {dotted(inner) for inner in call.terms("args")[1].walk()}
        for call in (one, other)
        if dotted(call.term("func")) == "isinstance" and len(call.terms("args")) == 2
    ]
    return len(asked) == 2 and "bool" in asked[0] | asked[1] and "int" in asked[0] | asked[1]


def _compared_truth(comparison: Term) -> int | None:
    """The number of the truth value that something is compared with: of True 1, of False 0."""
    return {"True": 1, "False": 0}.get(str(comparison.terms("comparators")[0].parts.get("id")))


@dataclass
class _Abstraction:
    """Conditions as expressions of numbers and truth values."""

    texts: dict[object, int] = field(default_factory=dict)

    def of(self, term: Term, side: _Side) -> Term:
        match term.type:
            case "Literal" if isinstance(value := term.parts["value"], str | bytes):
                return literal(self.texts.setdefault(value, _TEXTS + 3 * len(self.texts)) if value else 0)
            case "Name" | "Attribute" if (chain := dotted(term)) is not None:
                if chain not in ("True", "False", "None"):
                    side.plain.add(chain)
                return name(chain.replace("′", "'")) if "′" in chain else term
            case "Comparison" if tuple(term.operators) in (("is",), ("is not",)) and _compared_truth(term) is not None:
                symbol = "==" if term.operators[0] == "is" else "!="
                compared = (literal(_compared_truth(term) or 0),)
                left = self.of(term.term("left"), side)
                return Term("Comparison", {"left": left, "operators": (symbol,), "comparators": compared})
            case "Comparison" if tuple(term.operators) in (("in",), ("not in",)):
                if term.terms("comparators")[0].type not in _DISPLAYS:
                    held = Term("Comparison", {**term.parts, "operators": ("in",)})
                    side.memberships[unparse(held)] = held
                    atom = name(f"{unparse(held)}°")
                    is_in = term.operators[0] == "in"
                    return atom if is_in else Term("UnaryOperation", {"operator": "not", "operand": atom})
            case "Call" if dotted(term.term("func")) not in _EVALUATED:
                side.calls[unparse(term)] = term
                return name(f"{unparse(term)}°")
            case _:
                pass
        return term.rebuilt(lambda inner: self.of(inner, side))
