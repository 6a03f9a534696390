"""Names, classes and methods across files."""

import pytest

from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.self_calls import called_method
from auditor.code.project.names import referents
from auditor.model import Anchor
from tests.support.snapshots import codebase

FILES = {
    "pkg/__init__.py": "from pkg.base import Base as Exported\n",
    "pkg/base.py": "import os\nclass Base:\n  def f(self): ...\n  def g(self): ...\nLIMIT = 3\ndef make(): ...\n",
    "pkg/more.py": (
        "from pkg import Exported, base\nimport pkg.base as b\nfrom other import Foreign\n"
        "class A(Exported):\n  def f(self): ...\n"
        "class B(b.Base):\n  def g(self): ...\n"
        "class C(A, B):\n  def h(self):\n    self.f(); self.g(); super().f(); self.lost(); self.k()\n"
        "  def k(self): ...\n  def change(self):\n    self.k = 1\n"
        "class E(KeyError): ...\nclass D(E, Foreign): ...\n"
    ),
}

REFERENTS = [
    ("Exported", [("class", "pkg/base.py", "Base")]),
    ("base.LIMIT", [("value", "pkg/base.py", "LIMIT")]),
    ("b.make", [("function", "pkg/base.py", "make")]),
    ("b", [("module", "pkg/base.py", None)]),
    ("base.os", [("outside", "", "os")]),
    ("Foreign", [("outside", "", "other.Foreign")]),
    ("A.f", [("function", "pkg/more.py", "A.f")]),
    ("Nothing", []),
]


@pytest.mark.parametrize(("name", "expected"), REFERENTS)
def test_a_name_refers_to(name: str, expected: list[tuple[str, str, str | None]]) -> None:
    found = referents(codebase(FILES), name, "pkg/more.py")
    assert [(one.type, one.path, one.name) for one in found] == expected


def test_the_lineage_is_in_the_order_in_which_python_looks_names_up() -> None:
    hierarchy = Hierarchy(codebase(FILES), FILES)
    names = [cls.name for cls in hierarchy.lineage(Class("pkg/more.py", "C"))]
    assert names == ["C", "A", "B", "Base"]


def test_subclasses_are_found_through_renaming_imports() -> None:
    hierarchy = Hierarchy(codebase(FILES), FILES)
    assert [cls.name for cls in hierarchy.subclasses(Class("pkg/base.py", "Base"))] == ["A", "B", "C"]


ANCESTRY = [
    ("ValueError", {"ValueError", "Exception", "BaseException", "object"}, True),
    ("E", {"E", "KeyError", "LookupError", "Exception", "BaseException", "object"}, True),
    ("D", {"D", "E", "KeyError", "LookupError", "Exception", "BaseException", "object", "Foreign"}, False),
    ("B", {"B", "Base"}, True),
    ("nowhere.Else", {"Else"}, False),
]


@pytest.mark.parametrize(("name", "names", "is_complete"), ANCESTRY)
def test_a_class_derives_from_built_in_ones_too(name: str, names: set[str], is_complete: bool) -> None:
    found = Hierarchy(codebase(FILES), ()).ancestry(name, "pkg/more.py")
    assert (set(found.names), found.is_complete) == (names, is_complete)


def test_an_own_method_is_the_first_in_the_lineage_unless_an_instance_may_have_another() -> None:
    (method,) = codebase(FILES).definitions("pkg/more.py", "C.h")
    found = [called_method(call, method) for call in method.code.by_type["Call"] if call.term("func").type != "Name"]
    assert [one and one.name for one in found] == ["A.f", "B.g", "A.f", None, None]


def test_of_several_definitions_in_branches_none_is_the_method() -> None:
    text = "class A:\n  if x:\n    def f(self): ...\n  else:\n    def f(self): ...\n  def g(self):\n    self.f()\n"
    method = codebase(text).locate(Anchor("engine/module.py", "A.g"))
    assert called_method(method.code.by_type["Call"][0], method) is None
