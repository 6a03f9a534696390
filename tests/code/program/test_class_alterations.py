"""What alters an attribute of a class beside its body and constructors."""

import pytest

from auditor.code.program.class_alterations import alterations
from auditor.code.program.class_hierarchy import Class
from tests.support.snapshots import MODULE, codebase

# A file, and the functions that may give `Pool.n` another value.
ALTERED: list[tuple[str, list[str]]] = [
    ("class Pool:\n  n = 1\n", []),
    ("class Pool:\n  n = 1\ndef f():\n  Pool.n = 2\n", ["f"]),
    ("class Pool:\n  n = 1\ndef f():\n  Pool.n += 2\n", ["f"]),
    ("class Pool:\n  n = 1\ndef f():\n  Pool.n, x = 2, 3\n", ["f"]),
    ("class Pool:\n  n = 1\ndef f():\n  del Pool.n\n", ["f"]),
    ("class Pool:\n  n = 1\ndef f():\n  setattr(Pool, 'n', 2)\n", ["f"]),
    ("class Pool:\n  n = 1\ndef f():\n  return Pool.n\n", []),
    ("class Pool:\n  n = 1\ndef f():\n  Pool.m = 2\n", []),
    ("class Pool:\n  n = 1\ndef f():\n  Pool.n.m = 2\n", []),
    ("class Base:\n  n = 0\nclass Pool(Base):\n  n = 1\ndef f():\n  Base.n = 2\n", ["f"]),
    ("class Pool:\n  n = 1\n  @classmethod\n  def set(cls):\n    cls.n = 2\n", ["Pool.set"]),
    (
        "class Base:\n  def __init_subclass__(cls):\n    cls.n = 2\nclass Pool(Base):\n  n = 1\n",
        ["Base.__init_subclass__"],
    ),
    (
        """
class Base:
  def __init_subclass__(cls):
    setattr(cls, 'n', 2)
class Pool(Base):
  n = 1
""",
        ["Base.__init_subclass__"],
    ),
    ("class Base:\n  def __init_subclass__(cls):\n    cls.m = 2\nclass Pool(Base):\n  n = 1\n", []),
    ("def deco(cls):\n  cls.n = 2\n  return cls\n@deco\nclass Pool:\n  n = 1\n", ["deco"]),
    (
        """
def deco(n):
  def inner(cls):
    cls.n = n
    return cls
  return inner
@deco(3)
class Pool:
  n = 1
""",
        ["deco"],
    ),
    ("def deco(cls):\n  cls.m = 2\n  return cls\n@deco\nclass Pool:\n  n = 1\n", []),
    (
        """
def deco(cls):
  for k in K:
    setattr(cls, k, 2)
  return cls
@deco
class Pool:
  n = 1
""",
        ["deco"],
    ),
    (
        """
class Meta(type):
  def __new__(m, name, bases, space):
    space['n'] = 2
class Pool(metaclass=Meta):
  n = 1
""",
        ["Meta.__new__"],
    ),
    (
        "class Meta(type):\n  def __call__(cls):\n    cls.n = 2\nclass Pool(metaclass=Meta):\n  n = 1\n",
        ["Meta.__call__"],
    ),
    (
        """
class M(type):
  def __init__(cls, *a):
    cls.n = 2
class Meta(M): pass
class Pool(metaclass=Meta):
  n = 1
""",
        ["M.__init__"],
    ),
    ("class Pool:\n  n = 1\n  def __setattr__(self, k, v):\n    object.__setattr__(self, k, v)\n", []),
    (
        "class Pool:\n  n = 1\n  def __setattr__(self, k, v):\n    object.__setattr__(self, k, v + 1)\n",
        ["Pool.__setattr__"],
    ),
    (
        """
class Pool:
  n = 1
  def __setattr__(self, k, v):
    v = 2
    object.__setattr__(self, k, v)
""",
        ["Pool.__setattr__"],
    ),
    ("class Pool:\n  n = 1\n  def __setattr__(self, k, v):\n    raise E\n", []),
]


@pytest.mark.parametrize(("text", "expected"), ALTERED)
def test_a_class_is_altered_by(text: str, expected: list[str]) -> None:
    found = [function.name for function, _ in alterations(codebase(text), Class(MODULE, "Pool"), "n")]
    assert list(dict.fromkeys(found)) == expected
