"""Defaults of command-line arguments, and what argparse makes of them."""

import pytest

from auditor.code import Undecidable
from auditor.code.syntax.unparse import unparse
from auditor.code.values.argparse_defaults import converted, defaults
from tests.support.snapshots import definition

DECLARED = [
    ('p.add_argument("--n", default=3)', ["3"]),
    ('p.add_argument("--n")', ["None"]),
    ('p.add_argument("--n", action="store_true")', ["False"]),
    ('p.add_argument("--n", action="store_false")', ["True"]),
    ('p.add_argument("-n", "--n", default=3)\n    p.set_defaults(n=4)', ["3", "4"]),
    ('p.add_argument("--n", default=3, dest="m")\n    p.set_defaults(n=4, m=5)', ["3", "5"]),
    ('p.add_argument("--n", default=3)\n    q.add_argument("--n", default=4)', ["3", "4"]),
]

CONVERTED = [("5", "int", 5), ("0.5", "float", 0.5), ("5", "str", "5"), ("", "bool", False), (5, "parse", 5)]


@pytest.mark.parametrize(("body", "expected"), DECLARED)
def test_the_defaults_of_an_argument(body: str, expected: list[str]) -> None:
    function = definition(f"def f(p, q):\n    {body}\n", "f").function
    assert [unparse(term) for term, _ in defaults(function, "--n")] == expected


@pytest.mark.parametrize(("value", "type_", "expected"), CONVERTED)
def test_a_default_that_is_a_string_is_given_to_the_type(value: object, type_: str, expected: object) -> None:
    function = definition(f'def f(p):\n    p.add_argument("--n", type={type_}, default=0)\n', "f").function
    ((_, given),) = defaults(function, "--n")
    made = converted(value, given)
    assert (type(made), made) == (type(expected), expected)


@pytest.mark.parametrize(("value", "type_"), [("5", "parse"), ("five", "int"), ("5", "lambda text: 6")])
def test_a_conversion_that_is_not_known_or_fails_is_undecidable(value: str, type_: str) -> None:
    function = definition(f'def f(p):\n    p.add_argument("--n", type={type_}, default=0)\n', "f").function
    ((_, given),) = defaults(function, "--n")
    with pytest.raises(Undecidable, match="converted by"):
        converted(value, given)
