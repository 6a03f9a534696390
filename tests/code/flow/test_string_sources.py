"""Where the text of an expression comes from."""

import pytest

from auditor.code.flow.string_sources import text_sources
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import definition

# A file with one `mark(...)` in `_say`, and each text that is marked with the conditions for it; `*` is a gap.
TEXTS: list[tuple[str, list[tuple[str, str]]]] = [
    ("def _say():\n  mark('a')\n_say()\n", [("a", "")]),
    ("X = 'a'\ndef _say():\n  mark(X)\n_say()\n", [("a", "")]),
    ("def _say():\n  x = 'a'\n  mark(x)\n_say()\n", [("a", "")]),
    ("def _say(c):\n  mark('a' if c else 'b')\n_say(c=C)\n", [("a", "C"), ("b", "not C")]),
    ("def _say(x):\n  mark(x)\n_say('a')\n", [("a", "")]),
    ("def _say(x):\n  mark(x)\ndef run(c):\n  if c:\n    _say('a')\n  _say('b')\n", [("a", "c"), ("b", "")]),
    ("def _say(x='a'):\n  mark(x)\n_say()\n", [("a", "")]),
    ("def _say(x):\n  mark(f'{x}b')\n_say('a')\n", [("ab", "")]),
    ("def _say(x):\n  mark('a' + x)\n_say('b')\n", [("ab", "")]),
    ("def _say():\n  for x in ('a', 'b'):\n    mark(x)\n_say()\n", [("a", ""), ("b", "")]),
    ("T = {'a': 1}\ndef _say():\n  for x in T:\n    mark(x)\n_say()\n", [("a", "")]),
    ("T = {'a': 'b'}\ndef _say():\n  for k, v in T.items():\n    mark(v)\n_say()\n", [("b", "")]),
    ("T = ['a']\ndef _say():\n  for i, x in enumerate(T):\n    mark(x)\n_say()\n", [("a", "")]),
    ("def name():\n  return 'a'\ndef _say():\n  mark(name())\n_say()\n", [("a", "")]),
    ("def _say(x):\n  mark(x)\n_say(y)\n", [("*", "")]),
    ("def _say(x):\n  mark(x)\n_say(*y)\n", [("*", "")]),
    ("def _say():\n  x, y = 'a', 'b'\n  mark(y)\n_say()\n", [("b", "")]),
    ("def _say():\n  (x, y), z = ('a', 'b'), 'c'\n  mark(y)\n_say()\n", [("b", "")]),
    ("def _say():\n  *x, y = 'a', 'b'\n  mark(x)\n_say()\n", [("*", "")]),
    ("def _say():\n  if (x := 'a'):\n    mark(x)\n_say()\n", [("a", "")]),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_a_text_comes_from(text: str, expected: list[tuple[str, str]]) -> None:
    say = definition(text, "_say")
    (mark,) = (call for call in say.code.by_type["Call"] if call.term("func").parts.get("id") == "mark")
    sources = text_sources(mark.terms("args")[0], say)
    found = [(one.value.text.replace("\0", "*"), " and ".join(map(unparse, one.tests))) for one in sources]
    assert sorted(found) == sorted(expected)
