"""Powers, floors and minima of polynomials, as polynomials again: where they are none, they are atoms of their own."""

from fractions import Fraction
from math import floor

from auditor.code.values import polynomials
from auditor.code.values.polynomials import Polynomial, constant, product, scaled, total, variable

_HIGHEST_SHIFT = 512  # bits; a longer shift is an atom
_MOST_BITS = 4_096  # so is a power of more bits


def two_to(exponent: Polynomial) -> Polynomial | None:
    """`2 ** exponent`, as a shift multiplies; None where it is too large."""
    number = polynomials.whole_number_of(exponent)
    if number is not None:
        return constant(1 << number) if 0 <= number <= _HIGHEST_SHIFT else None
    return power(constant(2), exponent)


def power(base: Polynomial, exponent: Polynomial) -> Polynomial | None:
    """A power with a whole exponent, expanded; of a number with any exponent, `c ** (n + 2)` is `c * c * c ** n`."""
    whole, number = polynomials.whole_number_of(exponent), polynomials.number_of(base)
    if whole is not None:
        return polynomials.power(base, whole)
    if number is None or number <= 0 or number == 1:
        return None
    found = constant(1)
    for monomial, factor in exponent.items():
        times = factor if not monomial else Fraction(1)
        bits = number.numerator.bit_length() + number.denominator.bit_length()
        if times.denominator != 1 or abs(times) * bits > _MOST_BITS:
            return None
        if not monomial:
            found = scaled(found, number ** int(times))
        elif factor.denominator == 1 and abs(factor) <= _HIGHEST_SHIFT:  # 4 ** n is 2 ** (2 * n): one base for both
            root, height = _root(number)
            found = product(found, variable(f"({root} ** {polynomials.text({monomial: factor * height})})"))
        else:
            return None
    return found


def _root(number: Fraction) -> tuple[Fraction, int]:
    """The smallest number of which another is a power, and the exponent: 2 and 3 of 8."""
    if number.denominator == 1 and number > 1:
        for height in range(min(64, int(number).bit_length()), 1, -1):
            root = round(float(number) ** (1 / height)) if number < 1 << 512 else 0
            if root > 1 and root**height == number:
                return Fraction(root), height
    return number, 1


def floor_of_quotient(left: Polynomial, right: Polynomial) -> Polynomial:
    """`left // right`, as the floor of a quotient; whole numbers are taken out, and floors of it by whole numbers."""
    divisor = polynomials.whole_number_of(right)
    if divisor is not None and divisor > 1 and len(left) == 1:  # a // b // c is a // (b * c) for a whole c
        ((monomial, factor),) = left.items()
        inner = _FLOORS.get(monomial[0][0]) if len(monomial) == 1 and monomial[0][1] == 1 and factor == 1 else None
        if inner is not None:
            return floor_of_quotient(inner, constant(divisor))
    quotient = product(left, polynomials.inverse(right))
    number = polynomials.number_of(quotient)
    if number is not None:
        return constant(floor(number))
    whole = floor(quotient.get((), Fraction(0)))
    rest = total(quotient, constant(whole), -1)
    key = f"floor({polynomials.text(rest)})"
    if len(_FLOORS) < _MOST_FLOORS:
        _FLOORS[key] = rest
    return total(constant(whole), variable(key))


_FLOORS: dict[str, Polynomial] = {}
"""What the atoms that are floors are floors of."""
_MOST_FLOORS = 100_000


def least(forms: list[Polynomial]) -> Polynomial:
    """The least of some numbers; those of a nested `min` among them, a common part and a common factor taken out."""
    flat = [inner for form in forms for inner in _spread(form)]
    kept: list[Polynomial] = []
    for form in flat:
        differences = [polynomials.number_of(total(form, other, -1)) for other in kept]
        if any(difference is not None and difference >= 0 for difference in differences):
            continue
        kept = [other for other, d in zip(kept, differences, strict=True) if d is None]
        kept.append(form)
    if len(kept) == 1:
        return kept[0]
    least_factors = {m: min(form.get(m, Fraction(0)) for form in kept) for form in kept for m in form}
    common = {monomial: factor for monomial, factor in least_factors.items() if factor}
    rest = [total(form, common, -1) for form in kept]
    unit = min(polynomials.content(form) for form in rest if form)
    rest = sorted((scaled(form, 1 / unit) for form in rest), key=polynomials.text)
    key = f"min({','.join(map(polynomials.text, rest))})"
    if len(_LEASTS) < _MOST_FLOORS:
        _LEASTS[key] = rest
    return total(common, variable(key), unit)


_LEASTS: dict[str, list[Polynomial]] = {}
"""What the atoms that are the least of some numbers are the least of."""


def _spread(form: Polynomial) -> list[Polynomial]:
    """The numbers of which a form with a minimum in it is the least: `a + c` and `b + c` of `min(a, b) + c`."""
    for monomial, factor in form.items():
        inner = _LEASTS.get(monomial[0][0]) if len(monomial) == 1 and monomial[0][1] == 1 and factor > 0 else None
        if inner is not None and len(inner) <= _MOST_SPREAD:
            rest = total(form, {monomial: factor}, -1)
            return [total(rest, one, factor) for one in inner]
    return [form]


_MOST_SPREAD = 16


def is_whole(form: Polynomial) -> bool:
    """Whether a polynomial is a whole number whatever its names stand for."""
    return all(
        factor.denominator == 1 and all(exponent > 0 and is_whole_atom(atom) for atom, exponent in monomial)
        for monomial, factor in form.items()
    )


def is_whole_atom(atom: str) -> bool:
    return atom.startswith(("len(", "floor(", "int("))
