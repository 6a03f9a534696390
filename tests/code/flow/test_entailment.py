"""Whether a path condition implies a condition, and whether it is known not to."""

import ast

import pytest

from auditor.code.flow.entailment import Reading, entailment, instantiations, is_same
from auditor.code.flow.no_return import conditions_in
from auditor.code.flow.occurrence import restriction, unsure_round
from auditor.code.flow.refutation import is_refuted
from auditor.code.matching.notation import Pattern
from auditor.code.project.codebase import Definition
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse
from auditor.code.values.logic import Implication
from tests.support.snapshots import definition

TEXT = """
LIMIT = 4

class Pool:
    @property
    def is_full(self):
        return self.free == 0

    def has(self, n):
        return self.free >= n

    def start(self, a, b, n):
BODY
"""
YES, NO, NARROWER = Implication.YES, Implication.NO, Implication.NARROWER

# A body, a condition, what the path condition of `mark()` says of it, and the conditions that do not follow from it.
ENTAILED: list[tuple[str, str, Implication, list[str]]] = [
    ("if a:\n  mark()", "a", YES, []),
    ("if a and b:\n  mark()", "a", YES, ["b"]),
    ("if a:\n  if b:\n    mark()", "a and b", YES, []),
    ("if a or b:\n  mark()", "a", NO, []),
    ("if a:\n  mark()", "not a", NO, ["a"]),
    ("if not a:\n  return\nmark()", "a", YES, []),
    ("if not a:\n  raise E\nmark()", "b", NO, []),
    ("mark()", "a", NO, []),
    ("while a:\n  mark()", "a", YES, []),
    ("a and mark()", "a", YES, []),
    ("mark() if a else b", "a", YES, []),
    ("if n > 3:\n  mark()", "n > 2", NARROWER, ["3 < n"]),
    ("if n > 2:\n  mark()", "n > 3", NO, []),
    ("if 0 < n < 5:\n  mark()", "n < 5", YES, ["0 < n < 5"]),
    ("if n > LIMIT:\n  mark()", "n > 4", YES, []),
    ("m = n + 1\nif m > 4:\n  mark()", "n > 3", YES, []),
    ("if self.is_full:\n  mark()", "self.free == 0", YES, []),
    ("if not self.is_full:\n  mark()", "self.free != 0", YES, []),
    ("if self.has(a):\n  mark()", "self.free >= a", YES, []),
    ("if self.has(a):\n  mark()", "self.has($N)", YES, []),
    ("if self.has(a) and self.has(b):\n  mark()", "self.has($N) and b > 1", NO, ["self.has(b)"]),
    ("if a is None:\n  mark()", "not a", NARROWER, ["a is None"]),
    ("if a == 0:\n  mark()", "a is None", NO, ["a == 0"]),
    ("if a is True:\n  mark()", "a", NARROWER, ["a is True"]),
    ("if a:\n  mark()", "a is True", NO, []),
    ("match a:\n  case 1:\n    mark()", "a == 1", YES, []),
    ("if (m := n) > 2:\n  mark()", "n > 2", YES, []),
    ("try:\n  if a:\n    mark()\nfinally:\n  pass", "a", YES, []),
    ("for i in a:\n  if i:\n    continue\n  mark()", "not i", YES, []),
]


@pytest.mark.parametrize(("body", "when", "answer", "others"), ENTAILED)
def test_a_condition_is_entailed(body: str, when: str, answer: Implication, others: list[str]) -> None:
    start = _start(body)
    point = conditions_in(start).point(_mark(start))
    assert point is not None
    found = entailment(Pattern(when), {}, point.conditions, point.values, Reading(start))
    assert (found.answer, list(found.others)) == (answer, others)


# Conditions that hold, a condition, and whether it is known not to follow.
REFUTED = [
    (["a"], "b", True),
    (["a"], "a", False),
    (["a or b"], "a", True),
    (["a and b"], "a", False),
    (["n > 2"], "n > 3", True),
    (["n > 3"], "n > 2", False),
    (["n > 2"], "n > 2 and a", True),
    (["a"], "a is True", True),
    (["a is True"], "a", False),
    (["a is None"], "not a", False),
    (["a == 'x'"], "a == 'y'", True),
    (["a == 'x'"], "a == 'x'", False),
    (["a == 'x'"], "a", False),
    (["a in b"], "a in b", False),
    (["a not in b"], "a in b", True),
    (["a in b"], "b", False),
    (["f(a)"], "f(a)", False),
    (["f(a)"], "not f(a)", True),
    (["f(a)"], "a", False),
    (["f(a)"], "g(a)", True),
    (["isinstance(a, bool)"], "isinstance(a, int)", False),
    (["len(a) > 0"], "a", False),
]


@pytest.mark.parametrize(("given", "wanted", "expected"), REFUTED)
def test_a_condition_is_refuted(given: list[str], wanted: str, expected: bool) -> None:
    assert is_refuted([_term(wanted)], [_term(one) for one in given]) == expected


# A body, a condition, and whether something beyond it must hold for `mark()` to be reached.
RESTRICTED: list[tuple[str, str | None, bool]] = [
    ("mark()", None, False),
    ("if a:\n  mark()", None, True),
    ("if a:\n  mark()", "a", False),
    ("if a and b:\n  mark()", "a", True),
    ("if not a:\n  raise E\nmark()", None, False),
    ("if not a:\n  return\nmark()", None, True),
    ("if a:\n  mark()\nelse:\n  mark()", None, False),
    ("if a:\n  mark()\nelif b:\n  mark()", None, True),
    ("if a:\n  mark()\nelif b:\n  mark()", "b", False),
    ("if a < n:\n  mark()\nif a >= n:\n  mark()", None, False),
    ("match a:\n  case 1:\n    mark()\n  case _:\n    mark()", None, False),
    ("return a < b < mark()", None, True),
    ("return a < mark() < b", None, False),
]


@pytest.mark.parametrize(("body", "when", "expected"), RESTRICTED)
def test_more_must_hold(body: str, when: str | None, expected: bool) -> None:
    start = _start(body)
    conditions = conditions_in(start)
    points = [point for call in _marks(start) if (point := conditions.point(call)) is not None]
    found = restriction(points, Pattern(when) if when else None, Reading(start))
    assert (found is not None) == expected


# A body, and what may be empty for `mark()` not to be reached.
ROUNDS: list[tuple[str, str | None]] = [
    ("mark()", None),
    ("for i in a:\n  mark()", "a"),
    ("for i in (1, 2):\n  mark()", None),
    ("for i in range(LIMIT):\n  mark()", None),
    ("for i in range(n):\n  mark()", "range(n)"),
    ("for i in (1, 2):\n  for j in a:\n    mark()", "a"),
    ("for i in a:\n  mark()\nmark()", None),
    ("for i in a:\n  pass\nelse:\n  mark()", None),
]


@pytest.mark.parametrize(("body", "expected"), ROUNDS)
def test_a_loop_may_run_no_round(body: str, expected: str | None) -> None:
    start = _start(body)
    conditions = conditions_in(start)
    points = [point for call in _marks(start) if (point := conditions.point(call)) is not None]
    found = unsure_round(points, None, Reading(start))
    assert (unparse(found) if found is not None else None) == expected


# A pattern, expressions of the code, and the pattern with its metavariables filled in.
INSTANCES = [
    ("$X + 1", ["a", "b"], ["a + 1", "b + 1"]),
    ("$X + $X", ["a"], ["a + a"]),
    ("f($X)", ["f(a)", "g(b)"], ["f(a)"]),
    ("a + 1", ["b"], ["a + 1"]),
]


@pytest.mark.parametrize(("pattern", "sources", "expected"), INSTANCES)
def test_metavariables_are_filled_in(pattern: str, sources: list[str], expected: list[str]) -> None:
    wanted = Pattern(pattern)
    found = instantiations(wanted.terms[0].term("value"), [_term(one) for one in sources], {}, wanted)
    assert [unparse(term) for term, _ in found] == expected


VALUES = [
    ("n + n", "2 * n", True),
    ("self.is_full", "self.free == 0", True),
    ("LIMIT * n", "4 * n", True),
    ("n + 1", "n", False),
    ("n / 2", "n // 2", False),
]


@pytest.mark.parametrize(("value", "wanted", "expected"), VALUES)
def test_a_value_is_the_same(value: str, wanted: str, expected: bool) -> None:
    assert is_same(_term(value), _term(wanted), {}, Reading(_start("pass"))) == expected


def _start(body: str) -> Definition:
    indented = "\n".join(f"        {line}" for line in body.split("\n"))
    return definition(TEXT.replace("BODY", indented), "Pool.start")


def _marks(start: Definition) -> list[Term]:
    return [call for call in start.code.by_type["Call"] if call.term("func").parts.get("id") == "mark"]


def _mark(start: Definition) -> Term:
    (call,) = _marks(start)
    return call


def _term(expression: str) -> Term:
    return lower(ast.parse(expression, mode="eval").body)
