"""Both parsers make the same terms, and terms drop how code looks and nothing else."""

import ast
import os
import textwrap
import warnings
from pathlib import Path

import pytest

from auditor.code.syntax import from_libcst
from auditor.code.syntax.blocks import reachable
from auditor.code.syntax.from_ast import lower_all
from auditor.code.syntax.term import Term, encode
from auditor.errors import SourceError
from auditor.model import Target
from auditor.sources import Access
from auditor.sources.pypi import Pypi

EXPRESSIONS = """\
1 + 2 * -3 ** 4 // 5 % 6 @ a
0xFF, 1_000, 1e3, 1.50, 0o17, 0b11, 1j
-1, - 1, --1, +1, ~1, -x, -1.5, -1j
a or b or c, (a or b) or c, a or (b or c), a and b or c
not a, not not a, not (a == b), not a in b, not a < b, not (a and b)
a < b <= c, a > b, a >= b, a == b != c, a is not b, a not in b
a if b else c if d else e
f(), f(a), f(*a, **b), f(a, *b, c, d=1, **e, f=2), f(b=1, a=2), f(x for x in y), f((x for x in y), 1), f(x := 1)
f(**a, **b), f(a)(b)[c].d
x[a], x[a,], x[a, b], x[(a, b)], x[(a,)], x[()], x[1:2], x[:, ::3], x[a:b, c], x[...], x[-1], x[*a], x[*a, b]
(), (a,), (a, b), [], [a], {}, {a}, {a: b}, {**a, "b": 1}, {*a, b}, [*a, b]
[x for x in y if z if w], {x for x in y}, {x: y for x, y in z}, (x for x in y for z in x), [x for x in y if (a, b)]
lambda: 0
lambda a, b=1, *c, d, e=2, **f: a
lambda a, /, b, *, c: (a, b, c)
"a" 'b' "c", "a" "", '', b"a" b"b", r"a\\n", "\\x41\\N{EM DASH}\\u00e9", u"a", rb"\\d", "\\d"
f"a{x}b", f"{x!r}", f"{x:>{w}.{p}}", f"{x!s:}", f"{{}}{x}", f"{x}" "b" f"{y}", f"", f"a", f"a" "b", f"{x=}", f"{ x = }"
f"{x=!s}", f"{x=:>3}", f"{a['b']}", f"{x:%Y-%m}", rf"\\d{x}\\n", f"\\n{x}\\t", f"{x,}"
f"{(lambda: 1)}", f"{f'{x}'}", f"{x:{'>'}3}"
f"\\N{EM DASH}{x}", f"{x:\\n}", "\\ud800", f'{x}"', f'\\'{x}\\"'
(yield), (yield a), (yield a, b), (yield from a), (x := 1), ...
None, True, False, Ellipsis
größe.maß, _a1
a  .  b, (a)(b), ((a))
"""

STATEMENTS = """\
x = 1
x = y = z, w = 1
x: int
x: int = 1
self.x: "int" = 1
x += 1; y -= 2; x //= 3; x **= 4; x @= 5; x >>= 6; x |= 7
a, *b = c
[a, b] = c
a.b, c[d] = e
del a, b
del (a, b)
del [a]
del a[0]
pass
import a, b.c as d, e.f
from a import b
from . import a as b
from ..a.b import (c, d as e,)
from a import *
assert a, b
assert a
raise
raise A
raise A from B
global a, b
if a: b
if a:
    b
elif c:
    d
else:
    e
if True:
    a
    b
if False: a
else: b
for a, b in c:
    continue
else:
    d
for a in b, c: break
while a:
    b
else:
    c
with a: b
with a as b, c as (d, e): f
with (a as b, c): f
with (a, b): f
with (a): f
with a, b as c.d: f
try:
    a
except B: c
except (D, E) as f:
    g
except:
    h
else: i
finally: j
try: a
finally: b
try:
    a
except* B as c:
    d
def f(): pass
def f():
    "docstring"
def f():
    "docstring"
    return 1
def f(a, /, b: int = 1, *c: int, d, e=2, **g) -> int: return a
def f(a, *, b): return
def f(a=1, /, b=2): yield a
async def f():
    await a
    async for b in c: d
    async with e as f, g: h
    return [x async for x in y if await z]
def f():
    nonlocal_ = 1
    def g():
        nonlocal nonlocal_
        nonlocal_ = 2
def f():
    return 1
    a()
def f():
    if a:
        raise B
        c()
    while d:
        break
        e()
    return; g()
@a
@b.c(1)
def f(): pass
@a
async def f(): pass
class A: pass
class A(): x = 1
class A(B, *C, metaclass=D, **E):
    "docstring"
    x: int = 1
    def f(self): return self.x
@a
class A: x: int; y = 1
match a:
    case 1: b
    case "x" | None: c
    case [d, *e]: f
    case {"g": h, **i} if j: k
    case L(m, n=o) as p: q
    case r.s: t
    case -1 | 1 + 2j: u
    case (v, w): x
    case [y]: z
    case _: pass
match a, b:
    case c, d: e
match (a):
    case (b): c
match = case = type = 1
print(a)
"""


def blocks(text: str) -> list[str]:
    """The statements of a text, each with what is indented below it and the decorators above it."""
    found: list[str] = []
    for line in text.splitlines(keepends=True):
        continues = line.startswith((" ", "el", "else", "except", "finally")) or (
            found and found[-1].startswith("@") and found[-1].count("\n") == found[-1].count("\n@") + 1
        )
        if continues and found:
            found[-1] += line
        else:
            found.append(line)
    return found


def of_ast(text: str) -> tuple[Term, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reachable(lower_all(ast.parse(text).body))


def regions(terms: tuple[Term, ...]) -> list[tuple[str, object]]:
    """The statements in some terms, and where each is."""
    kinds = (*STATEMENT_TYPES, "ExceptHandler")
    return [(term.type, term.region) for top in terms for term in top.walk() if term.type in kinds]


STATEMENT_TYPES = [
    name for name in vars(ast) if isinstance(vars(ast)[name], type) and issubclass(vars(ast)[name], ast.stmt)
]


@pytest.mark.parametrize("text", [f"({line}\n)" for line in EXPRESSIONS.splitlines()])
def test_expressions_are_the_same_from_both_parsers(text: str) -> None:
    assert encode(of_ast(text)) == encode(from_libcst.parse(text))


@pytest.mark.parametrize("text", blocks(STATEMENTS))
def test_statements_and_their_places_are_the_same_from_both_parsers(text: str) -> None:
    one, other = of_ast(text), from_libcst.parse(text)
    assert (encode(one), regions(one)) == (encode(other), regions(other))


@pytest.mark.parametrize("text", blocks(STATEMENTS))
def test_layout_is_dropped(text: str) -> None:
    spaced = "\n".join(f"{line}  # a comment\n" for line in text.rstrip().split("\n")) + "\n"
    indented = textwrap.indent(text, "\t")
    assert encode(of_ast(text)) == encode(from_libcst.parse(spaced)) == encode(of_ast(f"if True:\n{indented}"))


SAME = [
    ("a  +  b", "(a+b)"),
    ("f(a, b,)", "f(a, b)"),
    ("f(b=1, a=2)", "f(a=2, b=1)"),
    ("'a'", '"a"'),
    ("'a' 'b'", "'ab'"),
    ("16", "0x10"),
    ("1.0", "1.00"),
    ("b > a", "a < b"),
    ("b >= a", "a <= b"),
    ("not a == b", "a != b"),
    ("not a is b", "a is not b"),
    ("a or (b or c)", "a or b or c"),
    ("-(1)", "-1"),
    ("x: int = 1", "x = 1"),
    ("x = (1, 2)", "x = 1, 2"),
    ("f'{x}' ''", "f'{x}'"),
    ("def f(a: int) -> int: return a", "def f(a):\n  'docstring'\n  return a"),
]

DIFFERENT = [
    ("a + b", "b + a"),
    ("a < b", "a <= b"),
    ("not a < b", "a >= b"),
    ("a and b", "b and a"),
    ("a and (b or c)", "a and b or c"),
    ("1", "1.0"),
    ("1", "True"),
    ("1", "'1'"),
    ("'a'", "b'a'"),
    ("x[a]", "x[a,]"),
    ("x[a]", "x[a:]"),
    ("(a)", "(a,)"),
    ("[a]", "(a,)"),
    ("{a}", "[a]"),
    ("f(a)", "f(*a)"),
    ("f(**a)", "f(a)"),
    ("f(a=b)", "f(b=a)"),
    ("f'{x}'", "f'{x!r}'"),
    ("f'{x}'", "f'{x:}a'"),
    ("f'{x}'", "x"),
    ("x = 1", "x += 1"),
    ("x: int", "x = None"),
    ("return", "return None"),
    ("def f(a): ...", "def f(*, a): ..."),
    ("def f(a): ...", "async def f(a): ..."),
    ("def f(a=1): ...", "def f(a): ..."),
    ("from a import b", "from .a import b"),
    ("import a", "import a as b"),
    ("with a: b", "async def f():\n  async with a: b"),
    ("for a in b: c", "while a: c"),
    ("try: a\nexcept B: c", "try: a\nexcept: c"),
    ("yield_(a)", "yield_((a,))"),
    ("a.b", "a['b']"),
    ("lambda: a", "a"),
    ("x = y = 1", "x = 1"),
    ("a = b, c = 1", "a = b = c = 1"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_code_is_the_same_term(one: str, other: str) -> None:
    assert encode(of_ast(one)) == encode(of_ast(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_code_is_another_term(one: str, other: str) -> None:
    assert encode(of_ast(one)) != encode(of_ast(other))


@pytest.mark.parametrize(
    "text", ["def f(:", "x = '\\N{no such thing}'", "(" * 5000, "-" * 5000, "lambda: " * 5000, "x = 'a", "\x00"]
)
def test_what_is_no_python_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_libcst.parse(text)


RELEASED = {
    "vllm/v1/core/block_pool.py", "vllm/v1/core/sched/scheduler.py", "vllm/config/cache.py",
    "vllm/v1/metrics/loggers.py", "vllm/envs.py", "vllm/utils/argparse_utils.py",
}  # fmt: skip


@pytest.mark.online
def test_real_code_is_the_same_from_both_parsers(tmp_path: Path) -> None:
    try:
        snapshot = Pypi().open(Target("vllm", project="vllm"), "0.31.0", Access(tmp_path))
    except SourceError as reason:
        if "CI" in os.environ or "cannot be reached" not in str(reason):
            raise
        pytest.skip(str(reason))
    found = sorted(RELEASED & snapshot.files())
    assert len(found) >= 4
    for path in found:
        text = snapshot.read(path).decode()
        one, other = of_ast(text), from_libcst.parse(text)
        assert encode(one) == encode(other), path
        assert regions(one) == regions(other), path
