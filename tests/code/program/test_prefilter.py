"""No spelling of an identifier, a literal or a number is missed by a text prefilter."""

import pytest

from auditor.code.matching.notation import Pattern, Regex
from auditor.code.program.prefilter import needed

TEXTS = [
    ("$X.total", "y.total + 1", True),
    ("$X.total", "y.tota1", False),
    ("$X.total", "y.ｔotal", True),
    ("$X.total", "getattr(y, 'to' 'tal')", True),
    ("$X.total", "getattr(y, 'to'\n  # here\n  'tal')", True),
    ("$X.total", "getattr(y, r'to' f'tal')", True),
    ("$X.total", "getattr(y, '\\x74otal')", True),
    ("$X.total", "getattr(y, '\\u0074otal')", True),
    ("$X.total", "getattr(y, '\\164otal')", True),
    ("$X.total", "getattr(y, '\\N{LATIN SMALL LETTER T}otal')", True),
    ("$X.total", "getattr(y, 'to\\\ntal')", True),
    ("f('no room')", "f('no ' 'ro' 'om')", True),
    ("f('no room')", "f('no space')", False),
    ("4096", "x = 4_096", True),
    ("4096", "x = 0x1000", True),
    ("4096", "x = 4096.0", True),
    ("4096", "x = 4095 + 1", False),
    ("0.5", "x = .5", True),
    ("0.5", "x = 5e-1", True),
    ("0.5", "x = 0.25", False),
    ("-4096", "x = -4096", True),
    ("1", "True", True),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "text", "expected"), TEXTS)
def test_a_text_can_hold_a_pattern(pattern: str, text: str, expected: bool) -> None:
    assert needed(Pattern(pattern)).may_be_in(text) is expected


LITERALS = [
    ("f('no room here')", "f('no room here')", True),
    ("f('no room here')", "f('no room '\n  'here')", True),
    ("f('no room here')", "f('here no room')", False),
    ("f('no room here')", "f('no\\x20room here')", True),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), LITERALS)
def test_a_text_can_hold_a_literal(pattern: str, text: str, expected: bool) -> None:
    assert needed(Pattern(pattern)).may_be_in(text) is expected


WORDS = [
    ("pickle|marshal", ("pickle", "marshal")),
    ("^(pickle|marshal)$", ("pickle", "marshal")),
    ("^(?:pickle|marshal)$", ("pickle", "marshal")),
    ("swap_(in|out)", ("swap_",)),
    ("^(a)?(b|c)$", ("b", "c")),
    (r"(a|b)\$", None),
    ("x|.", None),
]


@pytest.mark.parametrize(("expression", "expected"), WORDS)
def test_every_match_holds_one_of_the_words(expression: str, expected: tuple[str, ...] | None) -> None:
    assert Regex(expression).literals == expected
