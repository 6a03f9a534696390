"""Propositions: conjunctions, disjunctions and negations."""

from fractions import Fraction

import pytest

from auditor.code.values.polynomials import variable
from auditor.code.values.propositions import FALSE, TRUE, Atom, Prop, atoms_of, joined, negated, quantity_of, text_of

A, B, C = (Prop("atom", atom=Atom("true", quantity_of(variable(one)), Fraction(0))) for one in "abc")
NOT_A = negated(A)

SAME = [
    (joined("and", []), TRUE),
    (joined("or", []), FALSE),
    (joined("and", [A]), A),
    (joined("and", [A, A]), A),
    (joined("and", [A, TRUE]), A),
    (joined("and", [A, FALSE]), FALSE),
    (joined("or", [A, FALSE]), A),
    (joined("or", [A, TRUE]), TRUE),
    (joined("and", [joined("and", [A, B]), C]), joined("and", [A, B, C])),
    (negated(negated(A)), A),
    (negated(TRUE), FALSE),
    (negated(FALSE), TRUE),
    (negated(joined("and", [A, B])), joined("or", [NOT_A, negated(B)])),
    (negated(joined("or", [A, NOT_A])), joined("and", [NOT_A, A])),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same(one: Prop, other: Prop) -> None:
    assert one == other


TEXTS = [
    (joined("and", [A, B]), joined("and", [B, A]), True),
    (joined("and", [A, B]), joined("or", [A, B]), False),
    (A, NOT_A, False),
    (A, B, False),
    (joined("or", [joined("and", [A, B]), C]), joined("and", [A, joined("or", [B, C])]), False),
]


@pytest.mark.parametrize(("one", "other", "is_same"), TEXTS)
def test_texts_differ_where_more_than_the_order_does(one: Prop, other: Prop, is_same: bool) -> None:
    assert (text_of(one) == text_of(other)) == is_same


def test_the_atoms_of_a_proposition() -> None:
    assert list(atoms_of(joined("and", [A, joined("or", [NOT_A, B])]))) == [A.atom, A.atom, B.atom]
