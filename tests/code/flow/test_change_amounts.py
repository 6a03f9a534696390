"""Which changes of a place are by a given amount."""

import textwrap

import pytest

from auditor.code.flow.change_amounts import always_both, by_amount, can_both
from auditor.code.flow.entailment import Reading
from auditor.code.flow.no_return import conditions_in
from auditor.code.flow.state_changes import changes
from auditor.code.matching.notation import Pattern
from tests.support.snapshots import definition

# A body, an amount, how many changes of `self.n` are by it and how many are not, and whether only their sum is.
AMOUNTS = [
    ("self.n += 1", "1", 1, 0, False),
    ("self.n -= 1", "-1", 1, 0, False),
    ("self.n = self.n + 1", "1", 1, 0, False),
    ("self.n = 1 + self.n", "1", 1, 0, False),
    ("self.n = 1", "1", 0, 1, False),
    ("self.n *= 2", "2", 0, 1, False),
    ("self.n += a", "a", 1, 0, False),
    ("m = a\nself.n += m", "a", 1, 0, False),
    ("self.n += a", "b", 0, 1, False),
    ("self.n += 1\nself.n += 1", "2", 2, 0, True),
    ("self.n += 1\nself.n += 1", "1", 2, 0, False),
    ("self.n += a\nself.n += b", "a + b", 2, 0, True),
    ("if a:\n  self.n += 1\nself.n += 1", "2", 0, 2, False),
    ("self.n += 1\nself.n -= 2", "1", 1, 1, False),
    ("self.n, m = self.n + 1, 2", "1", 1, 0, False),
    ("setattr(self, 'n', self.n + 1)", "1", 1, 0, False),
    ("self.m += 1", "1", 0, 0, False),
    ("p = self\np.n += 1", "1", 1, 0, False),
    ("self.n += $", "$A", 1, 0, False),
]


@pytest.mark.parametrize(("body", "amount", "same", "others", "is_total"), AMOUNTS)
def test_changes_by_an_amount(body: str, amount: str, same: int, others: int, is_total: bool) -> None:
    start = definition(f"def start(self, a, b):\n{textwrap.indent(body.replace('$', 'a'), '  ')}\n", "start")
    made = tuple(changes(start.function, conditions_in(start)))
    found = [one for (one,), _ in by_amount({Pattern("self.n"): Pattern(amount)}, made, Reading(start))]
    best = max(found, key=lambda one: len(one.same))
    assert (len(best.same), len(best.others), best.is_total) == (same, others, is_total)


# A body, whether one call may change both `self.n` and `self.m`, and whether the one is never without the other.
BOTH = [
    ("self.n += 1\nself.m += 1", True, True),
    ("if a:\n  self.n += 1\n  self.m += 1", True, True),
    ("if a:\n  self.n += 1\nself.m += 1", True, True),
    ("self.n += 1\nif a:\n  self.m += 1", True, False),
    ("if a:\n  self.n += 1\nelse:\n  self.m += 1", False, False),
    ("if a:\n  self.n += 1\n  return\nself.m += 1", False, False),
    ("if a > 1:\n  self.n += 1\nif a > 0:\n  self.m += 1", True, True),
    ("if a:\n  self.n += 1\nif b:\n  self.m += 1", True, False),
]


@pytest.mark.parametrize(("body", "may", "must"), BOTH)
def test_two_changes_go_together(body: str, may: bool, must: bool) -> None:
    start = definition(f"def start(self, a, b):\n{textwrap.indent(body, '  ')}\n", "start")
    one, other = changes(start.function, conditions_in(start))
    reading = Reading(start)
    assert (can_both(one, other, reading), always_both(one, other, reading)) == (may, must)
