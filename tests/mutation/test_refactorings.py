"""Edits that change nothing: the edited code gives what the unedited gives."""

import pytest

from auditor.mutation import neutral
from auditor.mutation.places import Function, Source

CODE = """
import ast


class Pool:
    def __init__(self, size: int) -> None:
        self.size = size
        self._taken = 0

    def _share(self, part: int, whole: int) -> int:
        return part * 10 // whole

    def take(self, count: int, wanted: list[int]) -> object:
        first = count
        second = self._taken
        kind = "many" if count > 3 else "few"
        suffix = "!"
        if count < 2:
            kind = "one"
        if len(wanted) >= 1:
            kind += "+"
        self._taken = second + first
        kind = kind + suffix
        return kind, self._share(self._taken, self.size + len(wanted))


def run():
    pool = Pool(8)
    return [pool.take(count, [1] * (count % 2)) for count in range(6)]
"""
OPERATORS = {
    "inverted conditional", "integer bound", "passed by keyword", "exchanged statements", "moved into function",
    "renamed attribute", "commuted", "extracted variable",
}  # fmt: skip


def run(code: str) -> object:
    names: dict[str, object] = {}
    exec(compile(code, "pool", "exec"), names)
    return names["run"]()  # type: ignore[operator]


def edits(spelt: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    source = Source(CODE)
    take = next(f for f in source.parents if isinstance(f, Function) and f.name == "take")
    nodes = {node for node in source.parents if hasattr(node, "lineno") and source.function(node) is take}
    found = [*neutral.of_file("pool.py", source, [take], spelt), *neutral.of_function("pool.py", source, take, nodes)]
    return [(edit.operator, edit.text) for edit in found]


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_a_refactoring_changes_the_text_and_nothing_that_it_does(operator: str) -> None:
    found = [text for name, text in edits() if name == operator]
    assert found
    for text in found:
        assert text != CODE
        assert run(text) == run(CODE)


def test_an_attribute_that_a_claim_spells_keeps_its_name() -> None:
    assert "renamed attribute" not in dict(edits(neutral.words("self._taken += $COUNT")))


def test_statements_that_depend_on_each_other_are_not_exchanged() -> None:
    source = Source("def f(a):\n    b = a\n    c = b\n    return c\n")
    (function,) = source.tree.body
    assert isinstance(function, Function)
    found = neutral.of_function("f.py", source, function, set(function.body))
    assert "exchanged statements" not in {edit.operator for edit in found}
