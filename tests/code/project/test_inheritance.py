"""Members that a class has from its bases, and names that are imported rather than defined."""

import pytest

from auditor.code import Absent
from auditor.model import Anchor
from tests.support.snapshots import codebase

FILES = {
    "engine/base.py": "class Base:\n    size = 1\n    def f(self): ...\n    def g(self): ...\n",
    "engine/__init__.py": "from engine.base import Base as Renamed\n",
    "engine/sub.py": "from engine import Renamed\nclass M(Renamed): ...\nclass Sub(M):\n    def g(self): ...\n",
    "engine/other.py": "class Sub:\n    def f(self): ...\n",
    "engine/loop.py": "class A(B): ...\nclass B(A): ...\n",
}

INHERITED = [
    ("Sub.f", "engine/base.py", "Base.f"),
    ("Sub.size", "engine/base.py", "Base.size"),
    ("Sub.g", "engine/sub.py", "Sub.g"),
]


@pytest.mark.parametrize(("symbol", "path", "name"), INHERITED)
def test_a_member_is_found_in_the_class_or_in_a_base(symbol: str, path: str, name: str) -> None:
    found = codebase(FILES).locate(Anchor("engine/sub.py", symbol))
    assert (found.path, found.name) == (path, name)


@pytest.mark.parametrize(("path", "symbol"), [("engine/sub.py", "Sub.nothing"), ("engine/loop.py", "A.f")])
def test_what_no_base_has_is_absent(path: str, symbol: str) -> None:
    with pytest.raises(Absent):
        codebase(FILES).locate(Anchor(path, symbol))


def test_an_alias_for_typing_is_no_second_definition() -> None:
    alias = "if TYPE_CHECKING:\n    from engine.nest import Nest\nelse:\n    Nest = Any\n"
    found = codebase({"engine/nest.py": "class Nest: ...\n", "engine/alias.py": alias}).locate(
        Anchor("engine/old.py", "Nest")
    )
    assert found.path == "engine/nest.py"
