"""Counterexamples to equality: numbers and booleans at which two expressions have different values.

Expressions are evaluated exactly, in whole numbers and fractions, on a fixed sequence of valuations of their atoms:
names, attributes and items, and calls that both of them make. What only one of them calls, and is not known here, might
be anything; then no difference proves that they differ.
"""

import hashlib
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term, dotted
from auditor.code.values import polynomials
from auditor.code.values.displays import elements_of
from auditor.code.values.normal_form import normal_form

_VALUATIONS = 240
_LARGEST = 4_096  # bits of a number
_SINGLETONS: dict[object, object] = {"True": True, "False": False, "None": None}
_CHAINS = ("Name", "Attribute", "Subscript")

_BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": lambda a, b: Fraction(a) / Fraction(b),
    "//": operator.floordiv, "%": operator.mod, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_,
    "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    "is": lambda a, b: a is b, "is not": lambda a, b: a is not b,
    "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip
_CALLS: Mapping[str, Callable[..., Any]] = {
    "min": min, "max": max, "abs": abs, "sum": sum, "int": int, "float": lambda x: x, "bool": bool, "round": round,
    "any": any, "all": all, "math.ceil": ceil, "math.floor": floor,
}  # fmt: skip


def counterexample(
    one: Term, other: Term, given: Sequence[Term] = (), beside: Sequence[Term] = ()
) -> dict[str, object] | None:
    """Values of the atoms, by their text, at which two expressions differ where conditions hold; None: none is found.

    Zero is among the values, negative numbers and fractions are not: they may be of no such type. Of what is rounded,
    no quotient, fractions are; of what is compared with None, None is. `beside` are other values of the first side.
    """
    try:
        shared = _chosen_calls((one, *given, *beside), (other,), one)
        sides = [_Evaluation(shared) for _ in range(2)]
        if any(not side.is_comparable(term) for side, term in zip(sides, (one, other), strict=True)):
            return None
        numbers = sorted({0, 1, *(n for term in (one, other, *given) for n in _numbers(term))})
        fractional, nullable = _rounded(one) | _rounded(other), _compared_with_none((one, other, *given))
        for turn in range(_VALUATIONS):
            evaluation = _Evaluation(shared, turn, numbers, fractional, nullable)
            if evaluation.differ(one, other, given):
                return evaluation.values
    except RecursionError:
        pass
    return None


def _chosen_calls(code: Sequence[Term], claim: Sequence[Term], value: Term) -> frozenset[str]:
    """The calls whose values may be chosen: those that both sides make, and reads such as `x.free()` of one side.

    Where the other side has a plain quantity that this one has not, the read may be just that.
    """
    calls = [{_key(call): call for term in side for call in _unknown_calls(term)} for side in (code, claim)]
    plain = [frozenset(_key(one) for term in side for one in _plain(term)) for side in ((value,), claim)]
    found = calls[0].keys() & calls[1].keys()
    for own, (mine, theirs) in zip(calls, (plain, plain[::-1]), strict=True):
        if not theirs - mine:
            found |= {key for key, call in own.items() if _is_read(call)}
    return frozenset(found)


def _unknown_calls(term: Term) -> Iterator[Term]:
    return (inner for inner in term.walk() if not _is_known(inner) and inner.type not in _CHAINS)


def _is_read(call: Term) -> bool:
    is_method = call.type == "Call" and call.term("func").type == "Attribute" and dotted(call.term("func")) is not None
    return is_method and not call.terms("args") and not call.terms("keywords")


def _plain(term: Term) -> Iterator[Term]:
    """The names, attributes and items that a value is made of, but for what calls look at or give: `free()°`."""
    if _is_known(term):
        for inner in term.terms("args") if term.type == "Call" else term.children():
            yield from _plain(inner)
    elif term.type in _CHAINS and term.parts.get("id") not in _SINGLETONS and "()" not in str(term.parts.get("id")):
        yield term


def _compared_with_none(terms: Sequence[Term]) -> frozenset[str]:
    found = (one for term in terms for one in term.walk() if one.type == "Comparison" and one.operators[0][:2] == "is")
    sides = (side for one in found for side in (one.term("left"), *one.terms("comparators")))
    return frozenset(_key(side) for side in sides if side.type in _CHAINS)


def _rounded(term: Term) -> frozenset[str]:
    """The atoms in what `int` or `round` is applied to, where that is no quotient."""
    calls = (one for one in term.walk() if one.type == "Call" and one.term("func").parts.get("id") in ("int", "round"))
    inside = (inner for call in calls for arg in call.terms("args") for inner in arg.walk() if not _has_quotient(arg))
    return frozenset(_key(inner) for inner in inside if inner.type in _CHAINS)


def _has_quotient(term: Term) -> bool:
    return any(inner.parts.get("operator") in ("/", "//") for inner in term.walk())


def _numbers(term: Term) -> Iterator[int]:
    for inner in term.walk():
        value = inner.parts.get("value") if inner.type == "Literal" else None
        if isinstance(value, int) and abs(value) < 1 << 32:
            yield from (n for n in (value - 1, value, value + 1) if n >= 0)


def _is_known(term: Term) -> bool:
    """Whether the value of a term follows from those of its parts here."""
    match term.type:
        case "Literal" | "UnaryOperation" | "BooleanOperation" | "IfExp" | "Comparison":
            return True
        case "BinaryOperation":
            return term.parts["operator"] in (*_BINARY, "**")
        case "Tuple" | "List" | "Set":
            return not any(item.type == "Starred" for item in term.terms("elements"))
        case "Call":
            args = term.terms("args")
            is_plain = not term.terms("keywords") and not any(arg.type == "Starred" for arg in args)
            called = dotted(term.term("func"))
            if called in ("min", "max", "sum", "any", "all") and len(args) == 1:
                return is_plain and (elements_of(args[0]) is not None or _is_simple_loop(args[0]))
            return is_plain and called in _CALLS
        case _:
            return False


def _is_simple_loop(term: Term) -> bool:
    """Whether a term is `f(x) for x in xs`, with or without conditions."""
    loops = term.terms("for_in") if term.type in ("GeneratorExp", "ListComp") else ()
    return len(loops) == 1 and loops[0].term("target").type == "Name" and not loops[0].parts["is_async"]


def _key(term: Term) -> str:
    return polynomials.text(normal_form(term))


class _Evaluation:
    """The values of expressions at one valuation."""

    def __init__(
        self,
        shared: frozenset[str],
        turn: int = 0,
        numbers: Sequence[int] = (0, 1),
        fractional: frozenset[str] = frozenset(),
        nullable: frozenset[str] = frozenset(),
    ) -> None:
        self.values: dict[str, object] = {}
        self._shared = shared
        self._locals: dict[str, object] = {}
        """The names that comprehensions bind, and their values."""
        self._turn = turn
        self._numbers = numbers
        self._fractional = fractional
        self._nullable = nullable

    def is_comparable(self, term: Term) -> bool:
        """Whether all that a term's value depends on may be chosen."""
        if _is_known(term):
            items = elements_of(term.terms("args")[0]) if term.type == "Call" and len(term.terms("args")) == 1 else None
            if items is not None:
                return all(map(self.is_comparable, items))
            children = term.terms("args") if term.type == "Call" else term.children()
            return all(map(self.is_comparable, children))
        if _is_simple_loop(term):
            return self._is_comparable_loop(term)
        if term.type == "Name":
            return "′" not in term.text("id")  # of a fresh symbol nothing is known
        if polynomials.number_of(normal_form(term)) is not None:
            return True
        if self._is_of_local(term):
            return dotted(term) is not None
        if _key(term) in self._shared:
            return True
        if term.type == "Call" and term.term("func").parts.get("id") == "len" and len(term.terms("args")) == 1:
            return self.is_comparable(term.terms("args")[0])
        if term.type in ("Attribute", "Subscript"):
            return all(map(self.is_comparable, term.children()))
        return False

    def _is_of_local(self, term: Term) -> bool:
        """Whether a term is about what a comprehension runs over."""
        return any(inner.type == "Name" and inner.parts["id"] in self._locals for inner in term.walk())

    def _is_comparable_loop(self, term: Term) -> bool:
        loop, outer = term.terms("for_in")[0], self._locals
        if not self.is_comparable(loop.term("iter")):
            return False
        self._locals = {**outer, loop.term("target").text("id"): None}
        is_comparable = all(map(self.is_comparable, (term.term("elt"), *loop.terms("ifs"))))
        self._locals = outer
        return is_comparable

    def _looped(self, term: Term) -> list[object]:
        """The elements of a comprehension; what it runs over has so many as its text decides."""
        loop, outer, found = term.terms("for_in")[0], self._locals, []
        key, local = _key(loop.term("iter")), loop.term("target").text("id")
        items = elements_of(loop.term("iter"))
        runs = (
            list(map(self.of, items)) if items else [self._number(f"{key}[{n}]") for n in range(self._number(key) % 4)]
        )
        for item in runs:
            self._locals = {**outer, local: item}
            if all(map(self.truth, loop.terms("ifs"))):
                found.append(self.of(term.term("elt")))
        self._locals = outer
        return found

    def differ(self, one: Term, other: Term, given: Sequence[Term]) -> bool:
        """Whether both have values here, and these are two, while the conditions hold."""
        try:
            for condition in given:
                if not self.truth(condition):
                    return False
            first = self.of(one)
            try:
                second = self.of(other)
            except ZeroDivisionError:
                return True  # one has a value where the other has none
            return bool(first != second) and not _is_close(first, second)
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError):
            return False

    def truth(self, term: Term) -> bool:
        if not _is_known(term) and term.type in _CHAINS:
            length = _key(Term("Call", {"func": name("len"), "args": (term,), "keywords": ()}))
            if length in self.values:
                return self.values[length] != 0
        return bool(self.of(term))

    def of(self, term: Term) -> Any:
        if _is_simple_loop(term):
            return self._looped(term)
        if not _is_known(term):
            return self._chosen(term)
        match term.type:
            case "Literal":
                value = term.parts["value"]
                return Fraction(str(value)) if isinstance(value, float) else value
            case "UnaryOperation":
                return self._unary(term)
            case "BooleanOperation":
                return self._short_circuit(term)
            case "IfExp":
                return self.of(term.term("body" if self.truth(term.term("test")) else "orelse"))
            case "Comparison":
                return self._comparison(term)
            case "Tuple" | "List" | "Set":
                return tuple(map(self.of, term.terms("elements")))
            case "Call":
                args = term.terms("args")
                items = elements_of(args[0]) if len(args) == 1 else None
                called = dotted(term.term("func")) or ""
                of = self.truth if called in ("bool", "any", "all") and not _is_simple_loop(args[0]) else self.of
                values = [[of(item) for item in items]] if items is not None else map(of, args)
                return _CALLS[called](*values)
            case _:
                return self._binary(term.text("operator"), self.of(term.term("left")), self.of(term.term("right")))

    def _unary(self, term: Term) -> Any:
        if term.parts["operator"] == "not":
            return not self.truth(term.term("operand"))
        value = self.of(term.term("operand"))
        return -value if term.parts["operator"] == "-" else ~value if term.parts["operator"] == "~" else +value

    def _binary(self, symbol: str, left: Any, right: Any) -> Any:
        if symbol == "**":
            exponent = Fraction(right)
            if abs(exponent) > 64:
                raise ValueError("no such power is worked out")
            if exponent.denominator != 1:
                return float(left) ** float(exponent)
            return (Fraction(left) if exponent < 0 else left) ** int(exponent)
        if symbol in ("<<", ">>") and not 0 <= right <= _LARGEST:
            raise ValueError("no such shift is worked out")
        if isinstance(left, str | bytes | tuple) or isinstance(right, str | bytes | tuple):
            raise TypeError("these are no numbers")
        value = _BINARY[symbol](left, right)
        if isinstance(value, int | Fraction) and value.numerator.bit_length() > _LARGEST:
            raise ValueError("it is too large")
        return value

    def _short_circuit(self, term: Term) -> Any:
        *values, last = term.terms("values")
        for value in values:
            if self.truth(value) != (term.parts["operator"] == "and"):
                return self.of(value)
        return self.of(last)

    def _comparison(self, term: Term) -> bool:
        sides = [self.of(side) for side in (term.term("left"), *term.terms("comparators"))]
        return all(_COMPARE[symbol](*pair) for symbol, pair in zip(term.operators, pairwise(sides), strict=True))

    def _chosen(self, term: Term) -> object:
        """The value of an atom at this valuation."""
        identifier = term.parts.get("id")
        if identifier in self._locals:
            return self._locals[str(identifier)]
        if identifier in _SINGLETONS:
            return _SINGLETONS[identifier]
        form = normal_form(term)
        if (known := polynomials.number_of(form)) is not None:
            return known
        key = polynomials.text(form)
        if self._is_of_local(term):  # an attribute of it: of the same thing it is the same
            first, _, rest = (dotted(term) or "").partition(".")
            return self._number(f"{self._locals.get(first)}.{rest}")
        if key not in self.values:
            number = self._number(key)
            if key in self._nullable and number % 3 == 0:
                return self.values.setdefault(key, None)
            is_part = key in self._fractional and self._turn % 3 == 0
            self.values[key] = Fraction(number, 8) if is_part else number
        return self.values[key]

    def _number(self, key: str) -> int:
        digest = hashlib.sha256(f"{self._turn}|{key}".encode("utf-8", "surrogatepass")).digest()
        most = (50, 6, 1_000, 2)[self._turn % 4]
        number = int.from_bytes(digest[:4], "big")
        return self._numbers[number % len(self._numbers)] if digest[4] % 3 == 0 else number % most + int(most > 6)


def _is_close(one: object, other: object) -> bool:
    if not isinstance(one, float) and not isinstance(other, float):
        return False
    numbers = [float(value) for value in (one, other) if isinstance(value, int | float | Fraction)]
    return len(numbers) == 2 and abs(numbers[0] - numbers[1]) <= 1e-9 * max(abs(numbers[0]), abs(numbers[1]))
