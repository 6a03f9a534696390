"""What an expression is worth without running it, and what is left undecided."""

import ast
import time

import pytest

from auditor.code import Undecidable
from auditor.code.syntax.from_ast import lower
from auditor.code.values.bounded_arithmetic import value_text
from auditor.code.values.constants import Scope, evaluate, possible_values, scope_of
from auditor.model import Anchor
from tests.support.snapshots import MODULE, codebase

FILES = {
    MODULE: """
import os
import engine.sizes
import engine.sizes as sizes
from engine import sizes as same
from engine.sizes import BLOCK as IMPORTED, Mode
from . import sizes as relative
from .sizes import missing
from torch import OUTSIDE

N = 16
TWICE = N * 2
TABLE = {"a": (1, 2), "b": [3]}
ONE, TWO = 1, 2
LOOP = POOL
POOL = LOOP
SELF = SELF + 1
BOTH = 1
BOTH = 2
ADDED = 1
ADDED += 1
ANNOTATED: int
def function(): return 1

class Config:
    N = 8
    M = N + 1
    LIMIT = 4
    nested: "Inner" = None
    class Inner:
        K = 5
    def method(self, N, local=1):
        with x as opened: pass
        for looped in x: pass
        for self.attr, indexed[0] in x: pass
        def inner(): pass
        def outer_local(): captured = N
""",
    "engine/sizes.py": "from engine.more import *\nBLOCK = 64\nPASSED = BLOCK\nclass Mode:\n  A = 'a'\n  B = A + 'b'\n",
    "engine/__init__.py": "",
}

WORTH: list[tuple[str, object]] = [
    ("16", 16),
    ("-1.5", -1.5),
    ("'a' 'b'", "ab"),
    ("None", None),
    ("True", True),
    ("...", ...),
    ("1 + 2 * 3 ** 2 // 4 % 5", 1 + 2 * 3**2 // 4 % 5),
    ("1 << 10 | 3 & 2 ^ 1", 1 << 10 | 3 & 2 ^ 1),
    ("~5", -6),
    ("not 1", False),
    ("7 / 2", 3.5),
    ("(1, 'a')", (1, "a")),
    ("[1, 2] + [3]", [1, 2, 3]),
    ("{1, 1}", {1}),
    ("{'a': 1}", {"a": 1}),
    ("0 or 5", 5),
    ("1 and 0", 0),
    ("1 < 2", True),
    ("2 > 3", False),
    ("2 in (1, 2)", True),
    ("'a' not in 'abc'", False),
    ("None is None", True),
    ("1 is not True", True),
    ("1 if 2 > 1 else unknown", 1),
    ("False and unknown", False),
    ("N", 16),
    ("TWICE + 1", 33),
    ("TABLE['a'][-1]", 2),
    ("TWO", 2),
    ("Config.LIMIT", 4),
    ("Config.M", 9),
    ("Config.Inner.K", 5),
    ("IMPORTED", 64),
    ("sizes.BLOCK", 64),
    ("same.BLOCK", 64),
    ("relative.PASSED", 64),
    ("Mode.A", "a"),
    ("Mode.B.value", "ab"),
    ("sizes.Mode.A", "a"),
    ("f'{N}-{1 + 1}'", "16-2"),
    ("int('12') + int(3.9)", 15),
    ("max(1, N, 3)", 16),
    ("min([4, 2])", 2),
    ("round(2.567, 1)", 2.6),
    ("len('abc') + sum((1, 2))", 6),
    ("str(5) + 'x'", "5x"),
    ("dict(a=1)", {"a": 1}),
    ("list((1, 2))", [1, 2]),
    ("os.getenv('A', '3')", "3"),
    ("os.environ.get('A', 4)", 4),
    ("EnvInt(7)", 7),
    ("EnvBool(default=True)", True),
    ("Field(default=3, gt=1)", 3),
    ("field(default_factory=list)", []),
    ("Field(default_factory=lambda: N)", 16),
]

UNDECIDABLE = [
    ("unknown", "not static: unknown"),
    ("unknown.a", "not static: unknown.a"),
    ("f(1)", r"not static: f\(1\)"),
    ("OUTSIDE", "not static: OUTSIDE"),
    ("missing", "not static: missing"),
    ("engine.sizes.BLOCK", "not static: engine.sizes.BLOCK"),
    ("function", "not static: function"),
    ("function()", "not static"),
    ("Config.method", "not static"),
    ("Config.absent", "not static"),
    ("Config.nested.x", "not static"),
    ("ANNOTATED", "has no default"),
    ("LOOP", "refers to itself"),
    ("SELF", "refers to itself"),
    ("BOTH", "assigned 2 times"),
    ("ADDED", "assigned 2 times"),
    ("1 / 0", "division by zero"),
    ("1 + 'a'", "has no value"),
    ("{}['a']", "has no value"),
    ("(1,)[5]", "has no value"),
    ("[1][:1]", "not static"),
    ("1 < 2 < 3", "not static"),
    ("[x for x in (1,)]", "not static"),
    ("(x := 1)", "not static"),
    ("f'{N!r}'", "formatted"),
    ("f'{N:>5}'", "formatted"),
    ("os.getenv('A')", "not static"),
    ("environment.get('A', 1)", "not static"),
    ("Envelope(1)", "not static"),
    ("Field(gt=1)", "no default is declared"),
    ("field(default_factory=Inner)", "the default is made by Inner"),
    ("{[]: 1}", "has no value"),
    ("await x", "not static"),
    ("'%s' % 1", "no static value"),
    ("x @ y", "not static"),
    ("int(*a)", "not static"),
    ("1.0 is 1.0", "not static"),
    ("Mode.A is not 'a'", "not static"),
]

HOSTILE = [
    "2**10**10",
    "2**-10**10",
    "1 << 10**12",
    "'x' * 10**12",
    "10**12 * [0]",
    "(0,) * 2**40",
    "((2**999_999) ** 999_999)",
    "'%1000000000d' % 5",
    "round(5, -10**9)",
    "str(2**99_999)",
    "int('9' * 100_000)",
    "float('1' * 999_999) ** 10**9",
    "-" * 50 + "x" + "()" * 50,
]


def value(code: str, scope: Scope | None = None) -> object:
    return evaluate(lower(ast.parse(code, mode="eval").body), scope or Scope(codebase(FILES), MODULE))


@pytest.mark.parametrize(("code", "expected"), WORTH, ids=lambda part: str(part))
def test_static_code_is_worth(code: str, expected: object) -> None:
    found = value(code)
    assert (type(expected), expected) == (type(found), found)


@pytest.mark.parametrize(("code", "reason"), UNDECIDABLE)
def test_other_code_is_undecidable_for_a_reason(code: str, reason: str) -> None:
    with pytest.raises(Undecidable, match=reason):
        value(code)


@pytest.mark.parametrize("code", HOSTILE)
def test_hostile_code_is_undecidable_in_time(code: str) -> None:
    started = time.monotonic()
    with pytest.raises(Undecidable, match=r"too large|no value|no static value|not static"):
        value(code)
    assert time.monotonic() - started < 2


def test_constants_that_use_each_other_many_times_are_worked_out_in_time() -> None:
    lines = ["A0 = 1", *(f"A{i + 1} = {' + '.join([f'A{i}'] * 8)}" for i in range(12))]
    started = time.monotonic()
    assert value("A12", Scope(codebase("\n".join(lines)), MODULE)) == 8**12
    assert time.monotonic() - started < 2


def test_a_chain_of_constants_that_is_too_long_is_undecidable() -> None:
    lines = ["A0 = 1", *(f"A{i + 1} = A{i}" for i in range(40))]
    with pytest.raises(Undecidable, match="through more than 16 others"):
        value("A40", Scope(codebase("\n".join(lines)), MODULE))


def test_code_that_is_nested_too_deeply_is_undecidable() -> None:
    text = "A = " + "+".join(["1"] * 5_000) + "\n"
    with pytest.raises(Undecidable, match="nested too deeply"):
        value("A", Scope(codebase(text), MODULE))


BODY = [("N", None), ("self.LIMIT", 4), ("cls.N", 8), ("IMPORTED", 64), ("TWICE", 32)]


@pytest.mark.parametrize(("code", "expected"), BODY)
def test_in_a_method_its_class_is_seen_through_self_alone(code: str, expected: object) -> None:
    scope = scope_of(codebase(FILES).locate(Anchor(MODULE, "Config.method")))
    if expected is None:
        with pytest.raises(Undecidable, match="not static: N"):
            value(code, scope)
    else:
        assert expected == value(code, scope)


@pytest.mark.parametrize("name", ["N", "self", "local", "opened", "looped", "inner", "captured"])
def test_what_a_function_binds_is_local(name: str) -> None:
    assert scope_of(codebase(FILES).locate(Anchor(MODULE, "Config.method"))).is_local(name)


@pytest.mark.parametrize("name", ["attr", "indexed", "x", "TWICE"])
def test_what_a_function_only_reads_or_changes_is_not_local(name: str) -> None:
    assert not scope_of(codebase(FILES).locate(Anchor(MODULE, "Config.method"))).is_local(name)


CONDITIONAL = [
    ("1", [(1, None)]),
    ("1 if True else 2", [(1, None)]),
    ("1 if x else 2", [(1, "x"), (2, "not x")]),
    ("1 if x is None else 2", [(1, "x is None"), (2, "x is not None")]),
    ("1 if x else 2 if y else 3", [(1, "x"), (2, "not x and y"), (3, "not x and not y")]),
]


@pytest.mark.parametrize(("code", "expected"), CONDITIONAL)
def test_a_conditional_expression_has_a_value_for_each_branch(code: str, expected: list[tuple[object, str]]) -> None:
    found = possible_values(lower(ast.parse(code, mode="eval").body), Scope(codebase(FILES), MODULE))
    assert expected == [(one.value, one.condition) for one in found]


SHOWN: list[tuple[object, str]] = [
    ("a", "'a'"),
    ({"b", "a"}, "{'a', 'b'}"),
    ((1, [2.0, None]), "(1, [2.0, None])"),
    (2**100_000, f"0x1{'0' * 497}"),
]


@pytest.mark.parametrize(("value", "expected"), SHOWN, ids=lambda part: str(type(part)))
def test_a_value_is_shown_the_same_each_time(value: object, expected: str) -> None:
    assert expected == value_text(value)


def test_a_long_value_is_shown_in_part() -> None:
    assert len(value_text([["x" * 10_000] * 1_000] * 1_000)) < 2_010
