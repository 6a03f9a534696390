"""Words that people read: docstrings without their markup."""

import pytest

from auditor.code import Undecidable
from auditor.code.idioms.docstrings import find, lines_at, missing
from auditor.model import Anchor, Region
from tests.support.snapshots import MODULE, NEWER, codebase

TEXT = '''"""The module."""

LIMIT = 1
"""The limit."""
PLAIN = 2


@decorated(key="def x: 'no'")
class Pool:
    """The pool."""

    size: int = 1
    """The size,
    in blocks."""

    def start(self, a: "str" = ":", *, b=lambda: 1) -> "int":
        # a comment
        """Starts."""

    async def go(
        self,
    ):
        r"""Goes."""
        return "no"

    def bare(self):
        return 1

    def silent(self): pass
'''

DOCSTRINGS: list[tuple[str | None, tuple[int, int] | None]] = [
    (None, (1, 1)),
    ("LIMIT", (4, 4)),
    ("PLAIN", None),
    ("Pool", (10, 10)),
    ("Pool.size", (13, 14)),
    ("Pool.start", (18, 18)),
    ("Pool.go", (23, 23)),
    ("Pool.bare", None),
    ("Pool.silent", None),
]


@pytest.mark.parametrize("prefix", ["", NEWER])
@pytest.mark.parametrize(("symbol", "expected"), DOCSTRINGS)
def test_a_docstring_stands(symbol: str | None, expected: tuple[int, int] | None, prefix: str) -> None:
    code = codebase(TEXT + prefix)
    if expected is None:
        with pytest.raises(Undecidable):
            lines_at(code, Anchor(MODULE, symbol))
    else:
        _, lines = lines_at(code, Anchor(MODULE, symbol))
        assert (lines[0][0], lines[-1][0]) == expected


# A text that is looked for, lines, and where it stands.
FOUND: list[tuple[str, str, tuple[int, int] | None]] = [
    ("the pool", "The pool.", (1, 1)),
    ("THE POOL", "x\nThe **pool** grows", (2, 2)),
    ("the pool", "The\npool", (1, 2)),
    ("the pool", "The\n\n  pool", (1, 3)),
    ("pool", "pools", None),
    ("pool", "carpool", None),
    ("pool.", "the pool. It", (1, 1)),
    ("the ... grows", "the pool\ngrows", (1, 2)),
    ("grows ... the", "the pool grows", None),
    ("a link here", "a [link](https://x) here", (1, 1)),
    ("max_num_seqs", "the `max_num_seqs`", (1, 1)),
    ("a b", "- a\n- b", (1, 2)),
    ("'a'", '"a"', (1, 1)),
    ("straße", "STRASSE", (1, 1)),
    ("a.b", "axb", None),
]


@pytest.mark.parametrize(("wanted", "text", "expected"), FOUND)
def test_a_text_is_found(wanted: str, text: str, expected: tuple[int, int] | None) -> None:
    found = find(wanted, list(enumerate(text.split("\n"), 1)))
    assert found == (Region(*expected) if expected else None)


def test_the_first_part_that_is_nowhere() -> None:
    lines = [(1, "the pool grows")]
    assert missing("the pool ... shrinks ... never", lines) == "shrinks"
    assert missing("the ... grows", lines) is None
