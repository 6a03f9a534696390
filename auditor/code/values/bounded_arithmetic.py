"""Arithmetic within bounds: results that would be too large are refused before they are begun; values as texts."""

import operator
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sized
from fractions import Fraction

from auditor.code import Undecidable
from auditor.code.phrases import quoted
from auditor.model import Text

_LARGEST = 10**6  # bits of a number, or items of a container, that arithmetic may make
_HEAVIEST = 200_000  # items and characters in all of a value
_LONGEST = 2_000  # characters of a value that are shown

_BINARY: Mapping[str, Callable[..., object]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "|": operator.or_, "&": operator.and_, "^": operator.xor, "<<": operator.lshift,
    ">>": operator.rshift, "**": operator.pow,
}  # fmt: skip


def binary(symbol: str, left: object, right: object, *, is_exact: bool = False) -> object:
    if symbol not in _BINARY or (symbol == "%" and isinstance(left, str | bytes)):
        raise Undecidable(Text(f"the operator {symbol} has no static value", f"运算符 `{symbol}` 无法静态求值"))
    if result_size(symbol, left, right) > _LARGEST:
        raise Undecidable(
            Text("{} is too large to be worked out", "{} 过大，无法求值").filled(
                quoted(f"{value_text(left)} {symbol} {value_text(right)}")
            )
        )
    if is_exact and symbol in ("/", "**") and isinstance(left, int | Fraction) and isinstance(right, int | Fraction):
        return _exactly(symbol, Fraction(left), Fraction(right))
    (result,) = bounded_items((_BINARY[symbol](left, right),))
    return result


def _exactly(symbol: str, left: Fraction, right: Fraction) -> Fraction | float:
    """A quotient or a power without rounding, where there is one."""
    if symbol == "/":
        if not right:
            raise ZeroDivisionError("division by zero")
        return left / right
    if right.denominator == 1:
        return Fraction(left ** int(right))
    return float(pow(float(left), float(right)))


def result_size(symbol: str, left: object, right: object) -> int:
    """At most how many bits, or items, an operation's result has."""
    match symbol, left, right:
        case "**" | "<<", _, (int() | Fraction()) as times:
            return max(1, _size(left)) * int(abs(Fraction(times)))
        case "*", (str() | bytes() | list() | tuple()), int():
            return _size(left) * right
        case "*", int(), (str() | bytes() | list() | tuple()):
            return _size(right) * left
        case _:
            return _size(left) + _size(right)


def _size(value: object) -> int:
    if isinstance(value, int | Fraction):
        return value.numerator.bit_length() + value.denominator.bit_length() - 1
    return len(value) if isinstance(value, Sized) else 64


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxtuple = self.maxlist = self.maxdict = self.maxset = self.maxfrozenset = 50
        self.maxstring = self.maxlong = self.maxother = 500

    def repr_int(self, value: int, level: int) -> str:
        return super().repr_int(value, level) if value.bit_length() < self.maxlong else f"{value:#x}"[: self.maxlong]


def value_text(value: object) -> str:
    """A value as Python text: all of one that a person would write; sets in order."""
    text = _Short().repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def bounded_items(values: Iterable[object]) -> list[object]:
    """The values, in all not too large to be compared, hashed or shown. Raises Undecidable."""
    found: list[object] = []
    weight = 0
    for value in values:
        weight += _weight(value, _HEAVIEST - weight)
        if weight > _HEAVIEST:
            raise Undecidable(Text("a value is too large to be worked out", "值过大，无法求值"))
        found.append(value)
    return found


def _weight(value: object, most: int) -> int:
    """How many items and characters a value has in all, one that is in it twice counted twice; beyond `most`, more."""
    weight = 1
    if isinstance(value, str | bytes):
        weight += len(value)
    elif isinstance(value, int):
        weight += value.bit_length() // 8
    elif isinstance(value, dict):
        value = [part for pair in value.items() for part in pair]
    if isinstance(value, list | tuple | set | frozenset):
        weight += len(value)
        for item in value:
            if weight > most:
                break
            weight += _weight(item, most - weight)
    return weight
