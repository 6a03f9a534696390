"""Equal code is equal to the checks, and code that is not equal is not: pairs made by rules, through each check."""

import pytest

from auditor.checks.formula import Formula
from auditor.checks.guard import Guard
from auditor.checks.pattern import Pattern as PatternCheck
from auditor.code.matching.notation import Formula as Expression
from auditor.code.matching.notation import Pattern
from auditor.model import Anchor, Kind
from tests.support.equivalences import CONDITIONS, NUMBERS, OTHER_CONDITIONS, OTHER_NUMBERS, filled, words
from tests.support.snapshots import MODULE, codebase

AT = Anchor(MODULE, "C.f")
PAIRS = [(wanted, given) for seed in (1, 2) for pair in filled(NUMBERS, seed) for wanted, given in (pair, pair[::-1])]
OTHER_PAIRS = list(filled(OTHER_NUMBERS, 1))
QUESTIONS = [pair for seed in (1, 2) for pair in filled(CONDITIONS, seed)]
OTHER_QUESTIONS = list(filled(OTHER_CONDITIONS, 1))


def _method(expression: str, body: str) -> str:
    return f"import math\n\nclass C:\n    def f({', '.join(['self', *words(expression)])}):\n        {body}\n"


def _formula(stated: str, given: str) -> Kind:
    code = codebase(_method(f"{stated} {given}", f"return {given}"))
    return Formula(at=AT, equals=Expression(stated)).audit(code).kind


def _guard(stated: str, given: str) -> Kind:
    code = codebase(_method(f"{stated} {given}", f"if {given}:\n            go()"))
    return Guard(at=AT, code=Pattern("go()"), when=Pattern(stated)).audit(code).kind


def _pattern(stated: str, given: str) -> Kind:
    code = codebase(_method(f"{stated} {given}", f"if {given}:\n            go()"))
    return PatternCheck(at=AT, code=Pattern(f"if {stated}:\n    go()")).audit(code).kind


@pytest.mark.parametrize(("stated", "given"), PAIRS)
def test_a_formula_holds_of_an_equal_one(stated: str, given: str) -> None:
    assert _formula(stated, given) in (Kind.PASS, Kind.REVIEW)


@pytest.mark.parametrize(("stated", "given"), OTHER_PAIRS)
def test_a_formula_fails_of_another_one(stated: str, given: str) -> None:
    assert _formula(stated, given) in (Kind.FAIL, Kind.REVIEW)


@pytest.mark.parametrize(("stated", "given"), QUESTIONS)
def test_a_guard_does_not_fail_of_an_equal_condition(stated: str, given: str) -> None:
    assert _guard(stated, given) is not Kind.FAIL


@pytest.mark.parametrize(("stated", "given"), OTHER_QUESTIONS)
def test_a_guard_does_not_pass_of_another_condition(stated: str, given: str) -> None:
    assert Kind.PASS not in (_guard(stated, given), _guard(given, stated))


@pytest.mark.parametrize(("stated", "given"), OTHER_QUESTIONS)
def test_a_pattern_does_not_pass_of_another_condition(stated: str, given: str) -> None:
    assert _pattern(stated, given) is not Kind.PASS
