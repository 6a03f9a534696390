"""What a dotted name refers to, through imports and re-exports."""

import pytest

from auditor.code.project.names import referents
from tests.support.snapshots import codebase

FILES = {
    "pkg/__init__.py": "from .low import Low as Exported, other\nfrom .star import *\nfrom . import sub\n",
    "pkg/low.py": "class Low:\n    n = 1\n    def go(self): pass\ndef other(): pass\n",
    "pkg/star.py": "def starred(): pass\nLIMIT = 1\n",
    "pkg/sub.py": "from pkg.low import other as again\nfrom pkg import main\n",
    "pkg/loop.py": "from pkg.pool import loop\n",
    "pkg/pool.py": "from pkg.loop import loop\n",
    "pkg/main.py": """
import os.path
import pkg
import pkg.low
import pkg.low as short
import torch
from pkg import Exported, starred, LIMIT, sub as renamed
from pkg.low import Low
from pkg.star import *
from pkg.loop import loop
from pkg.sub import again
from outside import thing
from . import low
from .missing import gone

def own(): pass
CONST = 1
class Own(Low):
    def method(self): pass

try:
    from fast import twice
except ImportError:
    def twice(): pass

def f():
    from pkg.star import starred as local
""",
}

REFERENTS = [
    ("own", ["function pkg/main.py own"]),
    ("CONST", ["value pkg/main.py CONST"]),
    ("Own", ["class pkg/main.py Own"]),
    ("Own.method", ["function pkg/main.py Own.method"]),
    ("Own.go", []),
    ("Low", ["class pkg/low.py Low"]),
    ("Low.n", ["value pkg/low.py Low.n"]),
    ("Low.missing", []),
    ("Exported", ["class pkg/low.py Low"]),
    ("Exported.go", ["function pkg/low.py Low.go"]),
    ("starred", ["function pkg/star.py starred"]),
    ("LIMIT", ["value pkg/star.py LIMIT"]),
    ("again", ["function pkg/low.py other"]),
    ("local", ["function pkg/star.py starred"]),
    ("low", ["module pkg/low.py -"]),
    ("low.other", ["function pkg/low.py other"]),
    ("short.other", ["function pkg/low.py other"]),
    ("pkg", ["module pkg/__init__.py -"]),
    ("pkg.low.other", ["function pkg/low.py other"]),
    ("pkg.Exported", ["class pkg/low.py Low"]),
    ("renamed.again", ["function pkg/low.py other"]),
    ("torch", ["outside  torch"]),
    ("torch.nn.Module", ["outside  torch.nn.Module"]),
    ("thing", ["outside  outside.thing"]),
    ("os.path.join", ["outside  os.path.join"]),
    ("twice", ["function pkg/main.py twice", "outside  fast.twice", "value pkg/main.py twice"]),
    ("loop", []),
    ("unknown", []),
    ("len", []),
]


@pytest.mark.parametrize(("name", "expected"), REFERENTS)
def test_a_name_refers_to(name: str, expected: list[str]) -> None:
    found = referents(codebase(FILES), name, "pkg/main.py")
    assert sorted(f"{one.type} {one.path} {one.name or '-'}" for one in found) == expected
