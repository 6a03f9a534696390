"""The names in a file that match a regular expression."""

import pytest

from auditor.code.matching.notation import Regex
from auditor.code.program.identifiers import find, worked_out
from tests.support.snapshots import MODULE, codebase

TEXT = """
import foo_module
from other import thing as foo_alias

foo_constant = 1

@foo_decorator
class FooClass(FooBase):
    foo_field: int = 1

    def foo_method(self, foo_param: FooType = foo_default, *foo_args, **foo_kwargs):
        self.foo_attr = 1
        self.a, self.foo_second = 1, 2
        other.foo_foreign = 1
        foo_local = "foo_text"  # foo_comment
        setattr(self, "foo_set", 1)
        with x as self.foo_with: pass
        call(foo_keyword=1)
        return lambda foo_lambda: f"{foo_inside}"

def bar(): global foo_global
match x:
    case FooPattern(y): pass
"""

FOUND = [
    ("symbol", "FooClass FooClass.foo_field FooClass.foo_method foo_constant"),
    ("parameter", "foo_args foo_kwargs foo_lambda foo_param"),
    ("field", "FooClass.foo_field foo_attr foo_second foo_set foo_with"),
    (
        "word",
        "FooBase FooClass FooPattern FooType foo_alias foo_args foo_attr foo_constant foo_decorator foo_default "
        "foo_field foo_foreign foo_global foo_inside foo_keyword foo_kwargs foo_lambda foo_local foo_method "
        "foo_module foo_param foo_second foo_set foo_with",
    ),
]


@pytest.mark.parametrize(("type_", "expected"), FOUND)
def test_names_are_found(type_: str, expected: str) -> None:
    found = {name for name, _ in find(type_, Regex("(?i)foo"), codebase(TEXT), MODULE)}
    assert found == set(expected.split())


# A regular expression, and whether it finds the class's field.
FIELDS = [("foo_field", True), ("^foo_field$", True), ("Foo_field", False), ("(?i)Foo_field", True), ("^Class", False)]


@pytest.mark.parametrize(("regex", "expected"), FIELDS)
def test_a_field_is_matched_by_its_last_name(regex: str, expected: bool) -> None:
    assert (
        any(name == "FooClass.foo_field" for name, _ in find("field", Regex(regex), codebase(TEXT), MODULE)) == expected
    )


# A statement, whether it may write a field `foo_*`, and whether it may name such an attribute at all.
WORKED_OUT = [
    ("setattr(self, name, 1)", True, True),
    ("setattr(self, f'foo_{x}', 1)", True, True),
    ("setattr(self, f'bar_{x}', 1)", False, False),
    ("setattr(self, 'bar' + x, 1)", False, False),
    ("setattr(self, x + '_bar', 1)", True, True),
    ("getattr(self, name)", False, True),
    ("getattr(self, 'bar')", False, False),
    ("self.x = 1", False, False),
]


@pytest.mark.parametrize(("statement", "is_field", "is_word"), WORKED_OUT)
def test_a_name_is_worked_out(statement: str, is_field: bool, is_word: bool) -> None:
    code = codebase(f"def f(self, x, name):\n  {statement}\n")
    for type_, expected in (("field", is_field), ("word", is_word), ("symbol", False), ("parameter", False)):
        assert any(worked_out(type_, Regex("^foo_"), code, MODULE)) == expected
