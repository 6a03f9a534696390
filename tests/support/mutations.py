"""Texts and bytes of ours, mutated by hypothesis as a stranger, or a bad disk, would."""

from hypothesis import strategies as st

TOKENS = (
    "", "\n", "    ", "\t", ":", "::", ",", "(", ")", "[", "]", "{", "}", "'", "\"", "\"\"\"", "\\", "#", "@",
    "*", "**", "-", "/", "%", "=", ":=", "->", "...", "$X", "$...", "_", "0", "-1", "1e999", "9" * 30, "0x",
    "0o9", "1_000", "None", "True", "null", "~", "!!python/object", "&a", "*a", "<<", "---", "|", ">", "? ",
    "if x:", "else:", "elif y:", "for a in b:", "while 1:", "try:", "except* E:", "finally:", "with a as b:",
    "match x:", "case {**r}:", "def f(*, a=1, /):", "class C(", "lambda *a, **k: a", "await x",
    "async def g():", "yield from x", "return", "raise", "del a[0]", "global x", "nonlocal y",
    "import a.b as c", "from . import *", "f'{a!r:>{b}}'", "b'\\xff'", "t'{x}'", "self.x", "a.b.c()",
    "super().f()", "x if y else z", "not in", "is not", "and", "or", "not ", "type X[T] = int", "\u017f",
    "\ufb01", "\u53d8\u91cf", "\u202e", "\x00", "\x1b[31m", "\ud800", "\ufeff", "at: ", "check: ", "scope: ",
    "code: ", "when: ", "- ", "engine/module.py::", "__init__", "://", "../", "L10-L2", "`a.py:1-0`", "|---|",
    "<a href=x>", "</", "&#0;", "[x](y.py#L1)", "```", "1.0", "v", "sha256=", "\x7f", "\xe9",
)  # fmt: skip

_KINDS = ("insert", "delete", "replace", "repeat")
_EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from(_KINDS), st.sampled_from(TOKENS), st.integers(1, 40)),
    min_size=1,
    max_size=6,
)  # fmt: skip


@st.composite
def texts(draw: st.DrawFn, seeds: tuple[str, ...]) -> str:
    """One of some texts, edited."""
    text = draw(st.sampled_from(seeds))
    for where, what, token, length in draw(_EDITS):
        at = int(where * len(text))
        if what == "insert":
            text = text[:at] + token + text[at:]
        elif what == "delete":
            text = text[:at] + text[at + length :]
        elif what == "replace":
            text = text[:at] + token + text[at + max(1, len(token)) :]
        else:
            text = text[:at] + text[at : at + length] * length + text[at + length :]
    return text


@st.composite
def data(draw: st.DrawFn, seeds: tuple[bytes, ...]) -> bytes:
    """Some bytes, of which a few are others, or gone, or there again."""
    found = bytearray(draw(st.sampled_from(seeds)))
    for where, what, _, length in draw(_EDITS):
        at = int(where * len(found))
        if what == "delete":
            del found[at : at + length]
        elif what == "repeat":
            found[at:at] = found[at : at + length] * length
        else:
            found[at : at + length] = draw(st.binary(min_size=length, max_size=length))
    return bytes(found)
