"""Whether expressions are equal as algebra: by their normal forms, or as rational functions; and substitution."""

import hashlib
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from auditor.code import Undecidable
from auditor.code.syntax.targets import SCOPED_EXPRESSIONS, own_names
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.normal_form import normal_form
from auditor.code.values.polynomials import Atom, text, whole_number_of
from auditor.model import Text

Number: TypeAlias = Any
"""A Fraction, or what sympy, which has no types, makes."""


def are_equal(one: Term, other: Term) -> bool:
    """Whether two expressions are the same number whatever their names stand for.

    Names are taken for numbers: addition and multiplication commute. Raises Undecidable when that cannot be worked out.
    """
    try:
        forms = normal_form(one), normal_form(other)
        if forms[0] == forms[1]:
            return True
        has_division = any(exponent < 0 for form in forms for monomial in form for _, exponent in monomial)
        return has_division and _equal_rationals(one, other)
    except RecursionError:
        raise Undecidable(Text("a formula is nested too deeply to be compared", "公式嵌套过深，无法比较")) from None


def _equal_rationals(one: Term, other: Term) -> bool:
    """Whether two quotients are the same. Where they differ at some point sympy need not be asked, nor imported."""
    values: dict[Atom, Fraction] = {}

    def point(key: Atom) -> Fraction:
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
        return values.setdefault(key, Fraction(int.from_bytes(digest[:8], "big") + 1))

    try:
        if _rational(one, point, Fraction) != _rational(other, point, Fraction):
            return False
    except ZeroDivisionError:
        return False
    import sympy

    symbols: dict[Atom, sympy.Symbol] = {}

    def symbol(key: Atom) -> sympy.Expr:
        return symbols.setdefault(key, sympy.Symbol(f"x{len(symbols)}"))

    def number(value: Fraction) -> sympy.Expr:
        return sympy.Rational(value.numerator, value.denominator)

    return bool(sympy.cancel(_rational(one, symbol, number) - _rational(other, symbol, number)) == 0)


def _rational(term: Term, symbol: Callable[[Atom], Number], number: Callable[[Fraction], Number]) -> Number:
    """An expression in another arithmetic: what stands for an atom there, and for a number."""
    operator_ = term.parts.get("operator")
    exponent = whole_number_of(normal_form(term.term("right"))) if operator_ == "**" else None
    if exponent is not None and 0 <= exponent <= 8:
        return _rational(term.term("left"), symbol, number) ** exponent
    if term.type == "BinaryOperation" and operator_ in _RATIONAL:
        sides = (_rational(term.term(side), symbol, number) for side in ("left", "right"))
        return _RATIONAL[str(operator_)](*sides)
    if term.type == "UnaryOperation" and operator_ == "-":
        return -_rational(term.term("operand"), symbol, number)
    form = normal_form(term)
    return number(form.get((), Fraction(0))) if set(form) <= {()} else symbol(text(form))


_RATIONAL: Mapping[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """The expression with other terms in place of some names and attribute chains, keyed as `a` or `a.b`."""
    chain = dotted(term)
    if chain is not None and chain in values:
        return values[chain]
    if term.type == "NamedExpr":  # it is worth its value
        return substitute(term.term("value"), values)
    if term.type in SCOPED_EXPRESSIONS:
        own = own_names(term)
        values = {n: v for n, v in values.items() if n not in own and own.isdisjoint(_names(v))}
    return term.rebuilt(lambda inner: substitute(inner, values))


def _names(term: Term) -> frozenset[str]:
    return frozenset(inner.text("id") for inner in term.walk() if inner.type == "Name")
