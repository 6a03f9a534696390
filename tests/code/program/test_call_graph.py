"""What a function reaches over calls, callbacks and implicit calls."""

import pytest

from auditor.code.program.call_graph import reachability
from auditor.code.program.class_hierarchy import Hierarchy
from auditor.model import Anchor
from tests.support.snapshots import MODULE, codebase

TEXT = """
def free(): deep()
def deep(): pass
def rest(): pass

class Base:
    def run(self): self.step()
    def step(self): pass
    def __len__(self): return deep()
    def __enter__(self): return free()
    def __exit__(self, *_): pass
    def __aiter__(self): return free()
    def __setitem__(self, k, v): free()
    def __bool__(self): return rest()

class Low(Base):
    def step(self): free()

class Other:
    def step(self): pass
    def alone(self): pass

def start(base: Base, low: Low, x):
    BODY
"""

# The body of `start`, and all that it certainly reaches.
REACHED = [
    ("pass", ""),
    ("free()", "free deep"),
    ("x(free)", "free deep"),
    ("partial(free, 1)", "free deep"),
    ("f = free\n    f()", "free deep"),
    ("lambda: free()", "free deep"),
    ("def inner(): free()\n    inner()", "free deep"),
    ("base.step()", "Base.step Low.step free deep"),
    ("low.step()", "Low.step free deep"),
    ("base.run()", "Base.run Base.step Low.step free deep"),
    ("len(base)", "Base.__len__ deep"),
    ("with base: pass", "Base.__enter__ Base.__exit__ free deep"),
    ("async for i in base: pass", "Base.__aiter__ free deep"),
    ("base[0] = 1", "Base.__setitem__ free deep"),
    ("if base: pass", "Base.__bool__ rest"),
    ("match x:\n      case 1 if base: pass", "Base.__bool__ rest"),
    ("while x: rest()", "rest"),
    ("x.alone()", "Other.alone"),
    ("getattr(base, 'step')()", "Base.step Low.step free deep"),
]


@pytest.mark.parametrize(("body", "expected"), REACHED)
def test_functions_that_are_reached(body: str, expected: str) -> None:
    assert _reached(body, 9) == set(expected.split())


@pytest.mark.parametrize(("depth", "expected"), [(0, ""), (1, "free"), (2, "free deep")])
def test_depth_bounds_what_is_reached(depth: int, expected: str) -> None:
    assert _reached("free()", depth) == set(expected.split())


def _reached(body: str, depth: int) -> set[str]:
    code = codebase(TEXT.replace("BODY", body))
    start = code.locate(Anchor(MODULE, "start"))
    found = reachability(((start, None),), Hierarchy(code, (MODULE,)), {}, depth)
    return {step.function.name for step in found.functions if step.is_certain} - {"start"}
