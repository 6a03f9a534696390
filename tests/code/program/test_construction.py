"""What runs when an object is made, and what gives its attributes values there."""

import pytest

from auditor.code.program.class_hierarchy import Class
from auditor.code.program.construction import constructing_functions, opaque_writes, writes
from tests.support.snapshots import MODULE, codebase

RUN = [
    ("class C:\n    def __init__(self): ...\n    def f(self): ...", ["C.__init__"]),
    ("class C:\n    def __post_init__(self):\n        self.f()\n    def f(self): ...", ["C.__post_init__", "C.f"]),
    ("class B:\n    def __init__(self): ...\nclass C(B): ...", ["B.__init__"]),
    ("class B:\n    def __init__(self): ...\nclass C(B):\n    def __init__(self): ...", ["C.__init__"]),
    (
        "class B:\n    def __init__(self): ...\nclass C(B):\n    def __init__(self):\n        super().__init__()",
        ["C.__init__", "B.__init__"],
    ),
    (
        "class B:\n    def __init__(self): ...\nclass C(B):\n    def __init__(self):\n        B.__init__(self)",
        ["C.__init__", "B.__init__"],
    ),
    (
        "class B:\n    def __init__(self):\n        self.f()\n    def f(self): ...\nclass C(B):\n    def f(self): ...",
        ["B.__init__", "C.f"],
    ),
    ("class C:\n    @model_validator(mode='after')\n    def check(self): ...", ["C.check"]),
    ("class C:\n    def __init__(self):\n        other.f()\n    def f(self): ...", ["C.__init__"]),
    ("class C:\n    def __init__(self):\n        self.__init__()", ["C.__init__"]),
]

WRITTEN = [
    ("self.x = 1", 1),
    ("me = self\n        me.x = 1", 1),
    ("self.y, self.x = 1, 2", 1),
    ("setattr(self, 'x', 1)", 1),
    ("object.__setattr__(self, 'x', 1)", 1),
    ("for self.x in xs: ...", 1),
    ("other.x = 1", 0),
    ("x = 1", 0),
    ("def f(self):\n            self.x = 1", 0),
]

OPAQUE = [("setattr(self, n, 1)", 1), ("vars(self)", 1), ("self.__dict__.update(d)", 1), ("setattr(other, n, 1)", 0)]


@pytest.mark.parametrize(("source", "expected"), RUN)
def test_what_runs_when_an_object_is_made(source: str, expected: list[str]) -> None:
    assert [one.name for one in constructing_functions(codebase(source), Class(MODULE, "C"))] == expected


@pytest.mark.parametrize(("body", "expected"), WRITTEN)
def test_what_gives_an_attribute_a_value(body: str, expected: int) -> None:
    code = codebase(f"class C:\n    def __init__(self, xs, other):\n        {body}\n")
    (function,) = constructing_functions(code, Class(MODULE, "C"))
    assert len(list(writes(function, "x"))) == expected


@pytest.mark.parametrize(("body", "expected"), OPAQUE)
def test_what_may_give_any_attribute_a_value(body: str, expected: int) -> None:
    code = codebase(f"class C:\n    def __init__(self, n, d, other):\n        {body}\n")
    (function,) = constructing_functions(code, Class(MODULE, "C"))
    assert len(list(opaque_writes(function, "x"))) == expected
