"""Terms shown as Python text are the same code when they are read again."""

import ast
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import encode
from auditor.code.syntax.unparse import unparse

SHOWN = [
    ("a  +  b*c", "a + b * c"),
    ("(a + b) * c", "(a + b) * c"),
    ("a - (b - c)", "a - (b - c)"),
    ("a - b - c", "a - b - c"),
    ("(a ** b) ** c", "(a ** b) ** c"),
    ("a ** b ** c", "a ** b ** c"),
    ("(-1) ** 2", "(-1) ** 2"),
    ("-1 ** 2", "-1 ** 2"),
    ("-x ** 2", "-x ** 2"),
    ("(-x) ** 2", "(-x) ** 2"),
    ("a - -1", "a - -1"),
    ("not (a and b)", "not (a and b)"),
    ("(not a) and b or c", "not a and b or c"),
    ("a and (b or c)", "a and (b or c)"),
    ("b > a", "a < b"),
    ("(a < b) < c", "(a < b) < c"),
    ("a < b <= c", "a < b <= c"),
    ("not a is None", "a is not None"),
    ("(1).real", "(1).real"),
    ("1.5.real", "1.5.real"),
    ("(-1).real", "(-1).real"),
    ("(-0.0).real", "(-0.0).real"),
    ("f(a, *b, k = 1, **c)", "f(a, *b, **c, k=1)"),
    ("x[1:2, ::3]", "x[1:2, ::3]"),
    ("x[()]", "x[()]"),
    ("x[a,]", "x[(a,)]"),
    ("(a,)", "(a,)"),
    ("{}", "{}"),
    ("{'a': 1, **b}", "{'a': 1, **b}"),
    ("{a, b}", "{a, b}"),
    ("[*a, b]", "[*a, b]"),
    ("(a if b else c) if d else e", "(a if b else c) if d else e"),
    ("a if b else c if d else e", "a if b else c if d else e"),
    ("lambda: 0", "lambda: 0"),
    ("lambda a, b=1, *c, d, e=2, **f: a", "lambda a, b=1, *c, d, e=2, **f: a"),
    ("lambda *, a: a", "lambda *, a: a"),
    ("(lambda: 0)()", "(lambda: 0)()"),
    ("[x for x in (a if b else c) if (lambda: 1)]", "[x for x in (a if b else c) if (lambda: 1)]"),
    ("{k: v for k, v in x}", "{k: v for (k, v) in x}"),
    ("f(x for x in y)", "f((x for x in y))"),
    ("f(k=(x := 1))", "f(k=(x := 1))"),
    ("(yield)", "(yield)"),
    ("(yield from x)", "(yield from x)"),
    ("f'a{x!r:>{w}}b'", "f'a{x!r:>{w}}b'"),
    ("f\"{x['a']}\"", "f\"{x['a']}\""),
    ("f'{{}}{x}'", "f'{{}}{x}'"),
    ("f'{x}\\n\\\\'", "f'{x}\\n\\\\'"),
    ('f"it\'s {x}"', 'f"it\'s {x}"'),
    ("...", "..."),
    ("b'a'", "b'a'"),
    ("1j", "1j"),
    ("0xFF", "255"),
    ("größe", "größe"),
    ("(await x) ** 2", "(await x) ** 2"),
    ("[x async for x in y]", "[x async for x in y]"),
]


@pytest.mark.parametrize(("code", "expected"), SHOWN)
def test_a_term_is_shown_in_the_parentheses_it_needs(code: str, expected: str) -> None:
    assert expected == unparse(lower(ast.parse(code, mode="eval").body))


@pytest.mark.parametrize("code", [code for code, _ in SHOWN])
def test_what_is_shown_is_the_same_code(code: str) -> None:
    term = lower(ast.parse(code, mode="eval").body)
    assert encode(term) == encode(lower(ast.parse(unparse(term), mode="eval").body))


def test_a_number_too_long_to_be_written_is_shown_in_base_16() -> None:
    assert f"a + 0x{'f' * 5000}" == unparse(lower(ast.parse(f"a + 0x{'F' * 5000}", mode="eval").body))


NAMES = st.sampled_from(["a", "b", "größe"])
ATOMS = st.one_of(
    NAMES, st.integers(-3, 300).map(str), st.floats(0, 9, allow_nan=False).map(repr), st.text(max_size=3).map(repr)
)


def larger(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    inner = smaller.map(lambda code: f"({code})")
    symbols = "+ - * / // % ** & | ^ << >> and or < <= > >= == != in is"
    binary = st.sampled_from(symbols.split())  # shorter
    return st.one_of(
        st.builds(lambda left, symbol, right: f"{left} {symbol} {right}", inner, binary, inner),
        st.builds(lambda symbol, operand: f"{symbol} {operand}", st.sampled_from(["-", "+", "~", "not"]), inner),
        st.builds(lambda body, test, orelse: f"{body} if {test} else {orelse}", inner, inner, inner),
        st.builds(
            lambda name, args: f"{name}({', '.join(args)}, k=1)" if args else f"{name}()",
            NAMES,
            st.lists(inner, max_size=3),
        ),
        st.builds(lambda value, item: f"{value}[{item}]", NAMES, inner),
        st.builds(lambda value: f"{value}.attr", inner),
        st.builds(lambda value: f"lambda a, b=1: {value}", inner),
        st.builds(lambda value, test: f"[{value} for a in b if {test}]", inner, inner),
        st.builds(lambda name, value: f"({name} := {value})", NAMES, inner),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: f"({', '.join(items)},)"),
    )


@settings(deadline=None)
@given(st.recursive(ATOMS, larger, max_leaves=12))
def test_any_expression_that_is_shown_is_the_same_code(code: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `"a" is 1` is not our concern
        term = lower(ast.parse(code, mode="eval").body)
        assert encode(term) == encode(lower(ast.parse(unparse(term), mode="eval").body))
