"""The abstract grammar of terms is what both lowerings make, no more and no less."""

import re
from collections.abc import Callable, Iterator
from types import EllipsisType

import pytest

from auditor.code.syntax import from_libcst
from auditor.code.syntax.term import GRAMMAR, Part, Term
from tests.code.syntax.test_lowering import EXPRESSIONS, STATEMENTS, blocks, of_ast

_RULE = re.compile(r"^(\w+)\((.*?)\)", re.MULTILINE)
_CONSTANTS = (str, bytes, int, float, complex, EllipsisType)
_SECTIONS = dict(zip(("stmt", "part", "expr"), re.split(r"^-- .*\n", GRAMMAR, flags=re.MULTILINE)[1:], strict=True))
_NOT_ALONE = {"Keyword", "Slice", "DictElement", "StarredDictElement", "CompFor", "Field"}


def _rules(text: str) -> dict[str, dict[str, str]]:
    """Type -> part -> what it is."""
    return {
        type_: {name: kind for kind, name in (one.split() for one in parts.split(", ") if one)}
        for type_, parts in _RULE.findall(text)
    }


RULES = _rules(GRAMMAR)
_SORTS = {
    "stmt": set(_rules(_SECTIONS["stmt"])),
    "expr": set(_rules(_SECTIONS["expr"])) - _NOT_ALONE | {"Slice"},
    "item": {"DictElement", "StarredDictElement"},
    "piece": {"Literal", "Field", "FString"},
}


def _fits(part: Part, kind: str) -> bool:
    if kind.endswith("*"):
        return isinstance(part, tuple) and all(_fits(item, kind[:-1]) for item in part)
    if kind.endswith("?"):
        return part is None or _fits(part, kind[:-1])
    if kind in ("str", "bool", "int"):
        return type(part).__name__ == kind
    if kind == "constant":
        return isinstance(part, _CONSTANTS) and not isinstance(part, bool)
    return isinstance(part, Term) and part.type in _SORTS.get(kind, {kind})


def _terms(parse: Callable[[str], tuple[Term, ...]]) -> Iterator[Term]:
    for text in (*(f"({line}\n)" for line in EXPRESSIONS.splitlines()), *blocks(STATEMENTS)):
        for statement in parse(text):
            yield from statement.walk()


@pytest.mark.parametrize("parse", [of_ast, from_libcst.parse], ids=["ast", "libcst"])
def test_a_lowering_makes_the_terms_of_the_grammar_and_no_others(parse: Callable[[str], tuple[Term, ...]]) -> None:
    seen = set()
    for term in _terms(parse):
        assert term.type in RULES, f"{term.type} is not in the grammar"
        assert list(term.parts) == list(RULES[term.type]), f"the parts of {term.type}"
        for name, kind in RULES[term.type].items():
            assert _fits(term.parts[name], kind), f"{term.type}.{name} is {term.parts[name]!r}, no {kind}"
        seen.add(term.type)
    assert set(RULES) - seen == set(), "in the grammar, but never made"
