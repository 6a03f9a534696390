"""What code gives over partly known values: each row is a module and what its `result` is."""

import sys
from collections.abc import Iterator

import pytest

from auditor.code.interpretation.interpreter import Interpreter
from auditor.code.interpretation.machine import ExhaustedError
from auditor.code.interpretation.values import FunctionValue, OneOf, Unknown, concrete
from auditor.code.syntax.unparse import unparse
from tests.support.snapshots import MODULE, codebase


@pytest.fixture(autouse=True)
def _deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(12_000)
    yield
    sys.setrecursionlimit(before)


def result(text: str, *, is_environment_empty: bool = True) -> object:
    machine = Interpreter(codebase(text), {}, {}, is_environment_empty=is_environment_empty)
    return machine.symbol(MODULE, "result")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("result = [x * 2 for x in range(4) if x != 1]", [0, 4, 6]),
        ("result = {k: v for k, v in zip('ab', (1, 2))}", {"a": 1, "b": 2}),
        (
            "def f(a, *rest, b=3, **more):\n"
            "    return [a, rest, b, more]\n"
            "result = f(1, 2, b=4, c=5)",
            [1, (2,), 4, {"c": 5}],
        ),
        ("def f():\n    yield 1\n    yield from [2, 3]\nresult = list(f())", [1, 2, 3]),
        ("x = {'a': 1}\nx.update(b=2)\nx['c'] = 3\ndel x['a']\nresult = {**x, 'b': 0}", {"b": 0, "c": 3}),
        ("result = f'{1 + 1}-{\"a\"!r}-{255:x}' + ' %s' % 'b'", "2-'a'-ff b"),
        ("a, *b = [1, 2, 3]\nresult = (a, b)", (1, [2, 3])),
        ("class A:\n    x = 1\n    def f(self):\n        return self.x\nclass B(A):\n    x = 2\nresult = B().f()", 2),
        (
            "class A:\n"
            "    def f(self):\n"
            "        return 1\n"
            "class B(A):\n"
            "    def f(self):\n"
            "        return super().f() + 1\n"
            "result = B().f()",
            2,
        ),
        ("from enum import Enum\nclass C(Enum):\n    A = 'a'\n    B = 'b'\nresult = [c.value for c in C]", ["a", "b"]),
        (
            "from dataclasses import dataclass, field\n"
            "@dataclass\n"
            "class A:\n"
            "    x: int = 1\n"
            "    y: list = field(default_factory=list)\n"
            "result = [A(5).x, A().y]",
            [5, []],
        ),
        (
            "from dataclasses import dataclass, fields\n"
            "@dataclass\n"
            "class A:\n"
            "    x: int\n"
            "    y: str = 'a'\n"
            "result = [f.name for f in fields(A)]",
            ["x", "y"],
        ),
        ("import os\nresult = os.getenv('X', 'd')", "d"),
        ("import os\nresult = 'X' in os.environ", False),
        ("import functools\ndef f(a, b):\n    return a - b\nresult = functools.partial(f, b=1)(3)", 2),
        ("def f(n):\n    if n > 2:\n        return 'many'\n    return 'few'\nresult = [f(1), f(3)]", ["few", "many"]),
        ("result = 0\nfor i in range(10):\n    if i == 3:\n        break\n    result += i", 3),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    x: int = 5\nx = 6\nresult = x", 6),
        ("try:\n    import thing\nexcept ImportError:\n    thing = None\nresult = thing is None", False),
        ("x = []\ndef f():\n    x.append(1)\nf()\nf()\nresult = x", [1, 1]),
        ("def f(x):\n    def g():\n        return x\n    return g\nresult = f(7)()", 7),
        ("result = 'a' if [] else 'b'", "b"),
        ("result = None or 'x'", "x"),
    ],
)  # fmt: skip
def test_what_is_known_is_worked_out(text: str, value: object) -> None:
    assert concrete(result(text)) == value


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("import m\nresult = 1\nif m.on:\n    result = 2", {"2": "m.on", "1": "not m.on"}),
        ("import m\nresult = 'a' if m.on else 'b'", {"a": "m.on", "b": "not m.on"}),
        (
            "import m\n"
            "def f(x):\n"
            "    if x.y is None:\n"
            "        return 1\n"
            "    return 2\n"
            "result = f(m.z())",
            {"1": "m.z().y is None", "2": "m.z().y is not None"},
        ),
        ("import m\nx = {}\nif m.on:\n    x['a'] = 1\nresult = x.get('a', 0)", {"1": "m.on", "0": ""}),
    ],
)  # fmt: skip
def test_what_is_not_known_splits_the_path(text: str, ways: dict[str, str]) -> None:
    value = result(text)
    assert isinstance(value, OneOf)
    found = {str(one.value): " and ".join(map(unparse, one.when)) for one in value.options}
    assert found == ways


def test_a_test_that_holds_is_not_asked_again() -> None:
    text = "import m\ndef f(x):\n    if x:\n        return 'a' if x else 'c'\n    return 'b'\nresult = f(m.g())"
    value = result(text)
    assert isinstance(value, OneOf)
    assert sorted(str(one.value) for one in value.options) == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    return f(n + 1)\nresult = f(0)",
        "result = 10 ** 10 ** 10",
        "result = 'x' * 10 ** 9",
        "x = [0]\nfor i in x:\n    x.append(i)\nresult = len(x)\nwhile True:\n    result = result",
        "result = '{:1000000000}'.format(1)",
        "result = " + "(" * 80 + "unknown" + ")" * 80,
        "a = lambda: b()\nb = lambda: a()\nresult = a()",
        "class A(A):\n    pass\nresult = A().x",
    ],
)
def test_hostile_code_ends(text: str) -> None:
    value = result(text)
    assert isinstance(value, Unknown | OneOf | int)


def test_too_many_steps_end() -> None:
    loops = "".join("    " * depth + f"for a{depth} in range(2000):\n" for depth in range(3))
    body = "".join(f"    {line}\n" for line in loops.splitlines())
    text = f"def f():\n    x = 0\n{body}                x += 1\n"
    machine = Interpreter(codebase(text), {}, {}, most_steps=20_000)
    function = machine.symbol(MODULE, "f")
    assert isinstance(function, FunctionValue)
    with pytest.raises(ExhaustedError):
        machine.run(function)
