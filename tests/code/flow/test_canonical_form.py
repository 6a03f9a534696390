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


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_it_does_not_tell_how_code_is_written(text: str) -> None:
    assert text != BASE
    assert digest(text) == digest(BASE)


def test_what_does_something_else_has_another() -> None:
    digests = [digest(BASE), *map(digest, OTHER.values())]
    assert len(set(digests)) == len(digests)
