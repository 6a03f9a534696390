"""Expressions that are equal are proven equal; of those that are not a counterexample is found."""

import ast

import pytest

from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term
from auditor.code.values.algebra import are_equal
from auditor.code.values.counterexample import counterexample
from auditor.code.values.logic import Implication, implication
from tests.support.equivalences import CONDITIONS, NUMBERS, OTHER_CONDITIONS, OTHER_NUMBERS, filled

SEEDS = range(6)


def _term(code: str) -> Term:
    return lower(ast.parse(code, mode="eval").body)


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_numbers_are_equal_and_have_no_counterexample(seed: int) -> None:
    for one, other in filled(NUMBERS, seed):
        assert are_equal(_term(one), _term(other)), f"{one} is {other}"
        assert counterexample(_term(one), _term(other)) is None, f"{one} is {other}"


@pytest.mark.parametrize("seed", SEEDS)
def test_other_numbers_are_not_equal_and_have_a_counterexample(seed: int) -> None:
    for one, other in filled(OTHER_NUMBERS, seed):
        assert not are_equal(_term(one), _term(other)), f"{one} is not {other}"
        assert counterexample(_term(one), _term(other)), f"{one} is not {other}"


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_conditions_follow_from_each_other(seed: int) -> None:
    for one, other in filled(CONDITIONS, seed):
        for wanted, given in ((one, other), (other, one)):
            assert implication(_term(wanted), [_term(given)]) is not Implication.NO, f"{given} is {wanted}"
            assert counterexample(_term(f"bool({one})"), _term(f"bool({other})")) is None, f"{one} is {other}"


@pytest.mark.parametrize("seed", SEEDS)
def test_other_conditions_do_not_both_follow_from_each_other(seed: int) -> None:
    for one, other in filled(OTHER_CONDITIONS, seed):
        answers = {implication(_term(wanted), [_term(given)]) for wanted, given in ((one, other), (other, one))}
        assert Implication.NO in answers or Implication.IF_WHOLE in answers, f"{one} is not {other}"
