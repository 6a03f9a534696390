"""The interpreter gives what Python gives: each row is a module, run by both."""

import pytest

from auditor.code.interpretation.interpreter import Interpreter
from auditor.code.interpretation.values import concrete
from tests.support.snapshots import MODULE, codebase

MODULES = [
    "result = 1 < 2 < 3, 1 < 3 < 2",
    "result = 0 or '' or None, 1 and [] and 2",
    "result = True + True, -7 // 2, -7 % 3, 2 ** -1, 7 / 2",
    "result = 'ab'[::-1], [1, 2, 3][1:], (1, 2, 3)[-1]",
    "x = [1]\ny = x\ny += [2]\nresult = x",
    "x = (1,)\ny = x\ny += (2,)\nresult = x",
    "result = [(x, y) for x in range(3) for y in range(x) if x + y != 2]",
    "x = 5\ny = [x for x in range(3)]\nresult = x",
    "result = [y := 1, y + 1]",
    "result = {x % 2: x for x in range(4)}",
    "result = list(x for x in 'ab')",
    "for x in range(3):\n if x == 5:\n  break\nelse:\n x = 'else'\nresult = x",
    "for x in range(3):\n if x == 1:\n  break\nelse:\n x = 'else'\nresult = x",
    "def f():\n try:\n  raise KeyError('a')\n except (ValueError, LookupError) as e:\n  return 'caught'\nresult = f()",
    "(a, *b), c = [1, 2, 3], 4\nresult = a, b, c",
    "a = b = []\na.append(1)\nresult = b",
    "def f(a, /, b, *, c=3):\n return a, b, c\nresult = f(1, b=2), f(*[1, 2], **{'c': 4})",
    "x = 1\ndef f():\n global x\n x = 2\nf()\nresult = x",
    "def f():\n n = 0\n def g():\n  nonlocal n\n  n += 1\n  return n\n g()\n return g()\nresult = f()",
    "fs = [lambda: i for i in range(3)]\nresult = [f() for f in fs]",
    "fs = [lambda i=i: i for i in range(3)]\nresult = [f() for f in fs]",
    "n = 1\ndef f(a, b=n):\n return a + b\nn = 5\nresult = f(1), f(1, 1)",
    "def f(a, b=[]):\n b.append(a)\n return b\nf(1)\nresult = f(2)",
    "class A:\n def f(self, b=[]):\n  b.append(1)\n  return b\nA().f()\nresult = A().f()",
    "class A:\n n = 1\n m = n + 1\nA.n = 5\nresult = A.n, A.m",
    "class A:\n items = []\nA().items.append(1)\nresult = A().items",
    "class A:\n @property\n def n(self): return 3\nresult = A().n",
    "class A:\n @staticmethod\n def s(x): return x\nresult = A().s(1), A.s(2)",
    "class A:\n @classmethod\n def c(cls): return cls.__name__\nresult = A().c(), A.c()",
    "class A:\n f = 1\nclass B(A): pass\nclass C(A):\n f = 2\nclass D(B, C): pass\nresult = D().f",
    "result = dict(zip('ab', range(2))), list(enumerate('ab', 1))",
    "result = 'a,b'.split(','), ' x '.strip(), 'x'.join(['a', 'b']), 'abc'.replace('b', '')",
    "result = int('0x10', 16), float('1.5'), bool(''), str(None)",
    "result = isinstance(True, int), isinstance(1, (str, float)), issubclass(bool, int)",
    "x = {'a': 1}\nresult = x.get('b', 2), x.pop('a'), x.setdefault('c', 3), x",
    "result = any(x > 1 for x in (1, 2)), all([])",
]


@pytest.mark.parametrize("text", MODULES)
def test_as_python_does(text: str) -> None:
    python: dict[str, object] = {}
    exec(text, python)
    found = Interpreter(codebase(text), {}, {}, is_environment_empty=True).symbol(MODULE, "result")
    assert repr(concrete(found)) == repr(python["result"])
