"""What nothing could meet, and what nothing could contradict, is known for it."""

import pytest

from auditor.code.matching.notation import Pattern, Regex
from auditor.code.matching.vacuity import is_tautology, matches_everything, matches_no_name

IMPOSSIBLE = [
    "swap-in", "^a b$", r"^\d+$", "a$b", "x^a", r"A\.b", "[-+]", r"\s", r"foo\(\)", "^[0-9]", r"^(?:\d)", "(a b|c-d)",
    r"(?:-)+", r"[^\w]", "$a", r"x\Zy",
]  # fmt: skip
POSSIBLE = [
    "swap_(in|out)", r"\d+", "A.b", "(a|b c)", "[^a-z]x", "(?i)Foo", "é", "[é-ü]", "(?<!x)foo", r"\bfoo\b", "^_",
    "[0-9]{3}", "a{2,}", "a(?:-b)?", "^(?:a|1)", "x-*y", r"\w+", r"[^\W\d]",
]  # fmt: skip


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_no_identifier_holds_it(text: str) -> None:
    assert matches_no_name(Regex(text), is_dotted=False)


@pytest.mark.parametrize("text", POSSIBLE)
def test_some_identifier_holds_it(text: str) -> None:
    assert not matches_no_name(Regex(text), is_dotted=False)


def test_a_qualified_name_has_dots() -> None:
    assert not matches_no_name(Regex(r"Pool\.size$"), is_dotted=True)


@pytest.mark.parametrize(("text", "expected"), [("$X", True), ("$F(...)", True), ("f($X)", False), ("$X.a", False)])
def test_a_metavariable_alone_matches_everything(text: str, expected: bool) -> None:
    assert matches_everything(Pattern(text)) is expected


@pytest.mark.parametrize("text", ["True", "1", "not False", "x or not x", "x == x", "x or True"])
def test_a_condition_that_always_holds(text: str) -> None:
    assert is_tautology(Pattern(text))


@pytest.mark.parametrize("text", ["x", "False", "$C or ...", "x == y", "not x", "x and True", "x or not y", "x < x"])
def test_a_condition_that_need_not_hold(text: str) -> None:
    assert not is_tautology(Pattern(text))
