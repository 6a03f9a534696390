"""Functions that differ in how they are written have one digest, and others have another."""

import pytest

from auditor.code.flow.canonical_form import canonical_digest
from tests.support.snapshots import definition

BASE = """\
def grow(self, by):
    total = self.size + by * 2
    for item in self.items:
        if item.is_held:
            total += item.size
    return total
"""
SAME = {
    "a local has another name": BASE.replace("total", "sum_"),
    "two locals have other names": BASE.replace("total", "sum_").replace("item in", "one in").replace("item.", "one."),
    "an expression has a name": BASE.replace("return total", "result = total\n    return result"),
    "a test has a name": BASE.replace("if item.is_held:", "held = item.is_held\n        if held:"),
    "a product is commuted": BASE.replace("by * 2", "2 * by"),
    "a sum is commuted": BASE.replace("self.size + by * 2", "by * 2 + self.size"),
    "an assignment is spelt out": BASE.replace("total += item.size", "total = total + item.size"),
    "a sum of locals is commuted": BASE.replace("total += item.size", "total = item.size + total"),
    "a number is worked out": BASE.replace("by * 2", "by * (1 + 1)"),
    "an expression is a function's": BASE.replace("self.size + by * 2", "start(by, self)")
    + "\ndef start(by, pool):\n    return pool.size + by * 2\n",
    "annotated and documented": BASE.replace("by):", 'by: int) -> int:\n    """Grow."""').replace(
        "total =", "total: int ="
    ),
}
OTHER = {
    "a parameter has another name": BASE.replace("by", "amount"),
    "an attribute has another name": BASE.replace("self.size", "self.length"),
    "another local is returned": BASE.replace("return total", "return item"),
    "another number": BASE.replace("2", "3"),
    "a difference": BASE.replace("+ by", "- by"),
    "texts are exchanged": BASE.replace("self.size + by * 2", "'a' + by"),
    "texts are exchanged back": BASE.replace("self.size + by * 2", "by + 'a'"),
    "what is asked first is asked later": BASE.replace("        if item.is_held:\n            total", "        total"),
    "a value is taken before it changes": BASE.replace(
        "    return total", "    size = self.size\n    self.size = 0\n    return total + size"
    ),
    "a value is taken after it changes": BASE.replace(
        "    return total", "    self.size = 0\n    return total + self.size"
    ),
}


def digest(text: str) -> str:
    return canonical_digest(definition(text, "grow"))


CHOICE = """\
def choose(self, items, low):
    self.first = low
    self.last = 0
    if self.is_open:
        step = 1 if len(items) > 0 else 2
    else:
        step = 3
    return step
"""
SAME_CHOICE = {
    "branches are exchanged": CHOICE.replace("is_open:\n        step = 1 if len(items) > 0 else 2", "X")
    .replace("step = 3", "step = 1 if len(items) > 0 else 2")
    .replace("if self.X", "if not self.is_open:\n        step = 3"),
    "a conditional expression is inverted": CHOICE.replace(
        "1 if len(items) > 0 else 2", "2 if not len(items) > 0 else 1"
    ),
    "the bound of a length is another": CHOICE.replace("len(items) > 0", "len(items) >= 1"),
    "independent neighbours are exchanged": CHOICE.replace(
        "self.first = low\n    self.last = 0", "self.last = 0\n    self.first = low"
    ),
}
OTHER_CHOICE = {
    "branches are other ones": CHOICE.replace("if self.is_open", "if not self.is_open"),
    "a conditional expression gives the other value": CHOICE.replace("1 if", "2 if").replace("else 2", "else 1"),
    "a bound is another": CHOICE.replace("> 0", ">= 0"),
    "neighbours that depend": CHOICE.replace("self.last = 0", "self.last = self.first"),
    "neighbours that depend, exchanged": CHOICE.replace(
        "self.first = low\n    self.last = 0", "self.last = self.first\n    self.first = low"
    ),
}


@pytest.mark.parametrize("text", SAME_CHOICE.values(), ids=SAME_CHOICE.keys())
def test_it_does_not_tell_in_which_order_code_stands(text: str) -> None:
    assert text != CHOICE
    assert canonical_digest(definition(text, "choose")) == canonical_digest(definition(CHOICE, "choose"))


def test_another_order_that_matters_has_another() -> None:
    digests = [canonical_digest(definition(text, "choose")) for text in (CHOICE, *OTHER_CHOICE.values())]
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_it_does_not_tell_how_code_is_written(text: str) -> None:
    assert text != BASE
    assert digest(text) == digest(BASE)


def test_what_does_something_else_has_another() -> None:
    digests = [digest(BASE), *map(digest, OTHER.values())]
    assert len(set(digests)) == len(digests)
