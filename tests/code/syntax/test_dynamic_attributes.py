"""Attributes that are named in strings, or worked out."""

import ast

import pytest

from auditor.code.syntax.dynamic_attributes import attribute_access, may_change_any_attribute, may_read_any_attribute
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.unparse import unparse

NAMED = [
    ("getattr(x, 'n')", ("read", "x.n")),
    ("getattr(x.y, 'n', None)", ("read", "x.y.n")),
    ("hasattr(x, 'n')", ("read", "x.n")),
    ("setattr(x, 'n', v)", ("write", "x.n")),
    ("delattr(x, 'n')", ("delete", "x.n")),
    ("object.__setattr__(x, 'n', v)", ("write", "x.n")),
    ("super().__setattr__('n', v)", ("write", "self.n")),
    ("x.__setattr__('n', v)", ("write", "x.n")),
    ("object.__delattr__(x, 'n')", ("delete", "x.n")),
    ("object.__getattribute__(x, 'n')", ("read", "x.n")),
    ("getattr(x, n)", ("read", None)),
    ("setattr(x, f'a{n}', v)", ("write", None)),
    ("attrgetter('n')", ("read", None)),
    ("getattr(x, 'no name')", ("read", None)),
]
NO_ACCESS = ["f(x, 'n')", "x.setattr('n', v)", "getattr(*x)", "getattr(x)", "x.n"]

REACH = [
    ("getattr(x, n)", (True, False)),
    ("getattr(x, 'n')", (False, False)),
    ("setattr(x, n, v)", (False, True)),
    ("setattr(x, 'n', v)", (False, False)),
    ("vars(x)", (True, True)),
    ("x.__dict__", (True, True)),
    ("eval(x)", (True, True)),
    ("x.vars", (False, False)),
    ("x.f()", (False, False)),
]


@pytest.mark.parametrize(("source", "expected"), NAMED)
def test_an_attribute_is_accessed_by_name(source: str, expected: tuple[str, str | None]) -> None:
    access = attribute_access(lower(ast.parse(source, mode="eval").body))
    assert access is not None
    assert (access.access, unparse(access.attribute) if access.attribute else None) == expected


@pytest.mark.parametrize("source", NO_ACCESS)
def test_other_code_is_no_access_by_name(source: str) -> None:
    assert attribute_access(lower(ast.parse(source, mode="eval").body)) is None


@pytest.mark.parametrize(("source", "expected"), REACH)
def test_what_may_read_and_change_any_attribute(source: str, expected: tuple[bool, bool]) -> None:
    term = lower(ast.parse(source, mode="eval").body)
    assert (may_read_any_attribute(term), may_change_any_attribute(term)) == expected
