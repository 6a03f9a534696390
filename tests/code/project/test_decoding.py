"""The text of a file, and what looks like a definition in it."""

import pytest

from auditor.code import Undecidable
from auditor.code.project.decoding import decode, may_define

TEXTS: list[tuple[bytes, str | None]] = [
    (b"", ""),
    (b"x = 1\n", "x = 1\n"),
    (b"x\r\ny\rz\n", "x\ny\nz\n"),
    (b"\xef\xbb\xbfx\n", "x\n"),
    ("é\n".encode(), "é\n"),
    (b"# coding: latin-1\n\xe9\n", "# coding: latin-1\né\n"),
    (b"\n# coding: latin-1\n\xe9\n", "\n# coding: latin-1\né\n"),
    (b"\n\n# coding: latin-1\n\xe9\n", None),
    (b"\xe9\n", None),
    (b"# coding: nonsense\n", None),
    (b"# coding: utf-7\n+AOk-\n", "# coding: utf-7\né\n"),
    (b"# coding: unicode-escape\n\\x41\n", None),
    (b"# coding: hex\n41\n", None),
    (b"\xff\xfex\x00", None),
]


@pytest.mark.parametrize(("data", "expected"), TEXTS)
def test_a_file_is_decoded(data: bytes, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(Undecidable, match=r"^m\.py"):
            decode(data, "m.py")
    else:
        assert decode(data, "m.py") == expected


DEFINITIONS = [
    ("def f(): pass", "f", True),
    ("async def f(): pass", "f", True),
    ("class f: pass", "f", True),
    ("f = 1", "f", True),
    ("f: int", "f", True),
    ("  f: int", "f", True),
    ("def ff(): pass", "f", False),
    ("f()", "f", False),
    ("f == 1", "f", True),
    ("fé = 1", "f", False),
    ("class A:\n  def f(self): pass", "A.f", True),
    ("class B:\n  def f(self): pass", "A.f", False),
    ("class A:\n  pass", "A.f", False),
    ("class A(B):\n  f = 1", "A.f", True),
    ("\tdef f(): pass", "f", True),
    ("if x: f = 1", "f", True),
    ("a, f = 1, 2", "f", True),
    ("async  def  f(): pass", "f", True),
    ("f.a = 1", "f", False),
    ("g(f=1)", "f", False),
]


@pytest.mark.parametrize(("text", "symbol", "expected"), DEFINITIONS)
def test_a_file_may_define(text: str, symbol: str, expected: bool) -> None:
    assert may_define(text, symbol) == expected
