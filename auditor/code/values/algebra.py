"""Formulas as algebra: a normal form in which equal sums, products and conditions are equal.

A number expression becomes a sum of products over atoms; what is no arithmetic (names, attributes, calls, `//`, `%`,
`min`, conditions) is an atom whose own parts are in normal form. Where two normal forms differ and there is division,
sympy decides.
"""

import hashlib
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from auditor.code import Undecidable
from auditor.code.syntax.normal_forms import name, negation
from auditor.code.syntax.term import Part, Term, dotted, encode
from auditor.model import Text

Atom: TypeAlias = str
Monomial: TypeAlias = tuple[tuple[Atom, int], ...]
"""Atoms with their exponents, sorted; the empty one is the number 1."""
Polynomial: TypeAlias = dict[Monomial, Fraction]

Number: TypeAlias = Any
"""A Fraction, or what sympy, which has no types, makes."""

_MOST_TERMS = 2_000  # an expanded product beyond this is left as one atom
_MOST_BITS = 4_096  # so is a power of a longer number
_HIGHEST = 64  # and a higher power


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


def normal_form(term: Term) -> Polynomial:
    """The normal form of an expression."""
    match term.type:
        case "Literal":
            value = term.parts["value"]
            if isinstance(value, int | float) and value == value and abs(value) != float("inf"):
                return _constant(Fraction(value) if isinstance(value, int) else Fraction(str(value)))
        case "UnaryOperation" if term.parts["operator"] in ("-", "+"):
            sign = -1 if term.parts["operator"] == "-" else 1
            return _product(_constant(Fraction(sign)), normal_form(term.term("operand")))
        case "BinaryOperation":
            return _arithmetic(term)
        case "Call" if term.term("func").parts.get("id") == "float" and len(term.terms("args")) == 1:
            return normal_form(term.terms("args")[0])  # the same number
        case _:
            pass
    return _atom(_key(term))


def _constant(number: Fraction) -> Polynomial:
    return {(): number} if number else {}


def _atom(key: Atom, exponent: int = 1) -> Polynomial:
    return {((key, exponent),): Fraction(1)}


def _arithmetic(term: Term) -> Polynomial:
    left, right = normal_form(term.term("left")), normal_form(term.term("right"))
    match term.parts["operator"]:
        case "+":
            return _sum(left, right)
        case "-":
            return _sum(left, _product(_constant(Fraction(-1)), right))
        case "*" if len(left) * len(right) <= _MOST_TERMS:
            return _product(left, right)
        case "/" if right:
            return _product(left, _inverse(right))
        case "**" if (power := _whole(right)) is not None and _is_expandable(left, power):
            result, base = _constant(Fraction(1)), left if power >= 0 else _inverse(left)
            for _ in range(abs(power)):
                result = _product(result, base)
            return result
        case symbol:
            return _atom(f"({_frozen(left)} {symbol!r} {_frozen(right)})")


def _is_expandable(form: Polynomial, power: int) -> bool:
    """Whether a power has a value, and one of a size to work with."""
    if abs(power) > (_HIGHEST if len(form) == 1 else 8) or (power < 0 and not form):
        return False
    bits = max((f.numerator.bit_length() + f.denominator.bit_length() for f in form.values()), default=0)
    return len(form) ** abs(power) <= _MOST_TERMS and bits <= _MOST_BITS


def _whole(form: Polynomial) -> int | None:
    if not form:
        return 0
    number = form.get(()) if len(form) == 1 else None
    return int(number) if number is not None and number.denominator == 1 else None


def _sum(left: Polynomial, right: Polynomial) -> Polynomial:
    total = dict(left)
    for monomial, factor in right.items():
        total[monomial] = total.get(monomial, Fraction(0)) + factor
    return {monomial: factor for monomial, factor in total.items() if factor}


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for one, factor in left.items():
        for other, times in right.items():
            exponents = dict(one)
            for atom, exponent in other:
                exponents[atom] = exponents.get(atom, 0) + exponent
            monomial = tuple(sorted((atom, exponent) for atom, exponent in exponents.items() if exponent))
            total[monomial] = total.get(monomial, Fraction(0)) + factor * times
    return {monomial: factor for monomial, factor in total.items() if factor}


def _inverse(form: Polynomial) -> Polynomial:
    if len(form) == 1:
        ((monomial, factor),) = form.items()
        return {tuple((atom, -exponent) for atom, exponent in monomial): 1 / factor}
    # Take out a factor, so that 1/(2x+2) and 1/(x+1) share their atom.
    lead = form[min(form)]
    return {((_frozen({m: f / lead for m, f in form.items()}), -1),): 1 / lead}


def _frozen(form: Polynomial) -> str:
    """A normal form as a text, in which equal forms are equal."""
    items = (
        f"{factor}*{'*'.join(f'{a}^{e}' for a, e in monomial) or '1'}" for monomial, factor in sorted(form.items())
    )
    return "{" + " + ".join(items) + "}"


def _key(term: Term) -> Atom:
    """The text of an atom, with all that is inside it in normal form."""
    match term.type:
        case "Call" if term.term("func").parts.get("id") in ("min", "max") and not term.terms("keywords"):
            return f"{term.term('func').text('id')}({','.join(sorted(_inner(arg) for arg in term.terms('args')))})"
        case "ListComp" | "SetComp" | "DictComp" | "GeneratorExp":
            parts = (f"{name}={_part(part)}" for name, part in _unnamed(term).parts.items())
            return f"{term.type}({','.join(parts)})"
        case "Comparison":
            sides = [_inner(term.term("left")), *map(_inner, term.terms("comparators"))]
            if term.operators in (("==",), ("!=",)):
                sides.sort()
            return f"({' '.join(term.operators)} {' '.join(sides)})"
        case "IfExp":
            test, body, orelse = term.term("test"), term.term("body"), term.term("orelse")
            opposite = negation(test)
            if encode(opposite) < encode(test):
                test, body, orelse = opposite, orelse, body
            return f"({_inner(body)} if {_inner(test)} else {_inner(orelse)})"
        case _:
            parts = (f"{name}={_part(part)}" for name, part in term.parts.items())
            return f"{term.type}({','.join(parts)})"


def _unnamed(term: Term) -> Term:
    """A comprehension without the names it gives what it runs over: they are numbered, those inside it further on."""
    targets = (loop.term("target") for loop in term.terms("for_in"))
    bound = dict.fromkeys(n.text("id") for target in targets for n in target.walk() if n.type == "Name")
    taken = {n.text("id") for n in term.walk() if n.type == "Name" and n.text("id").startswith(_BOUND)}
    numbered = {own: name(f"{_BOUND}{len(taken) + number}") for number, own in enumerate(bound)}

    def rename(inner: Term) -> Term:
        if inner.type == "Name":
            return numbered.get(inner.text("id"), inner)
        return inner.rebuilt(rename)

    return rename(term)


_BOUND = "bound′"


def _part(part: Part) -> str:
    if isinstance(part, Term):
        return _inner(part)
    if isinstance(part, tuple):
        return f"[{','.join(map(_part, part))}]"
    return repr(part)


def _inner(term: Term) -> str:
    return _frozen(normal_form(term))


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
    if operator_ == "**" and (power := _whole(normal_form(term.term("right")))) is not None and 0 <= power <= 8:
        return _rational(term.term("left"), symbol, number) ** power
    if term.type == "BinaryOperation" and operator_ in _RATIONAL:
        sides = (_rational(term.term(side), symbol, number) for side in ("left", "right"))
        return _RATIONAL[str(operator_)](*sides)
    if term.type == "UnaryOperation" and operator_ == "-":
        return -_rational(term.term("operand"), symbol, number)
    form = normal_form(term)
    return number(form.get((), Fraction(0))) if set(form) <= {()} else symbol(_frozen(form))


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
    if term.type in ("Lambda", "ListComp", "SetComp", "DictComp", "GeneratorExp"):
        own = _own_names(term)
        values = {n: v for n, v in values.items() if n not in own and own.isdisjoint(_names(v))}
    return term.rebuilt(lambda inner: substitute(inner, values))


def _own_names(term: Term) -> frozenset[str]:
    """The names that a lambda or a comprehension binds for itself."""
    targets = (inner.term("target") for inner in term.walk() if inner.type == "CompFor")
    params = (param.text("name") for inner in term.walk() if inner.type == "Lambda" for param in inner.terms("params"))
    return frozenset((*params, *(found for target in targets for found in _names(target))))


def _names(term: Term) -> frozenset[str]:
    return frozenset(inner.text("id") for inner in term.walk() if inner.type == "Name")
