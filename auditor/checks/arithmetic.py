"""The check `arithmetic`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import Undecidable
from auditor.code.matching.notation import Formula
from auditor.code.values.algebra import substitute
from auditor.code.values.constants import Scope, evaluate
from auditor.model import Kind, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase
    from auditor.code.syntax.term import Term


_LARGEST = 10_000  # parts of an expression when its quantities are written out


@dataclass(frozen=True, kw_only=True)
class Arithmetic(Check):
    """A calculation gives the stated number.

    *What it checks.* `expression` is `equals`; with a `tolerance`, it differs from it by no more than that share of it.
    Fractions are exact. It reads no code.

    *Parameters.* `expression` and `equals`: Python arithmetic. `where` (optional): names for quantities in it.
    `tolerance` (optional): a share, `0.05` for 5 %. `unit` (optional): for the message, in both languages.

    *中文。* 一道算式的结果是所述的数。

    *Example.*

        check: arithmetic
        expression: pool / per_token
        where: {pool: 60 * 2**30, per_token: 320 * 1024}
        equals: 190_000
        tolerance: 0.05
        unit: {en: tokens, zh: 个 token}
    """

    expression: Formula
    equals: Formula
    where: Mapping[str, Formula] = field(default_factory=dict)
    tolerance: float = 0.0
    unit: Text = field(default=Text("", ""))  # immutable, so that it can be shared

    def problems(self) -> Iterator[str]:
        known = set(self.where)
        for formula in (self.expression, self.equals, *self.where.values()):
            for unknown in sorted(formula.names - known):
                yield f"{unknown} in {formula} is not in where"
        if not 0 <= self.tolerance < 1:
            yield "tolerance is a share, from 0 to below 1"

    def run(self, codebase: "Codebase") -> Outcome:
        found, stated = self._number(self.expression, codebase), self._number(self.equals, codebase)
        distance = abs(found - stated) / abs(stated) if stated else abs(found)
        kind = Kind.PASS if distance <= Fraction(str(self.tolerance)) else Kind.FAIL
        message = Text(f"{self.expression} is {_formatted(found)}", f"`{self.expression}` 等于 {_formatted(found)}")
        if self.unit.en:
            message += Text(" ", " ") + self.unit
        if kind is Kind.FAIL or distance:
            share = f"{float(distance):.2%}", _formatted(stated)
            message += Text(", {} from {}", "，与 {1} 相差 {0}").filled(*share)
        return Outcome(kind, message, _plain(stated), _plain(found))

    def _number(self, formula: Formula, codebase: "Codebase") -> Fraction:
        values: dict[str, Term] = {name: quantity.term for name, quantity in self.where.items()}
        term = formula.term
        for _ in self.where:  # a quantity may be made of others
            term = substitute(term, values)
            if sum(1 for _ in term.walk()) > _LARGEST:
                raise Undecidable(Text(f"{formula} is too large to be worked out", f"`{formula}` 展开后过大，无法求值"))
        for left in term.walk():
            if left.type == "Name":
                name = left.text("id")
                raise Undecidable(Text(f"{name} is made of itself", f"`{name}` 的定义引用了自身"))
        value = evaluate(term, Scope(codebase, "", is_exact=True))
        if not isinstance(value, int | float | Fraction) or isinstance(value, bool):
            raise Undecidable(Text(f"{formula} is no number", f"`{formula}` 的值不是数"))
        try:
            float(value)
            return Fraction(value)
        except (OverflowError, ValueError):
            raise Undecidable(Text(f"{formula} is too large to be compared", f"`{formula}` 过大，无法比较")) from None


def _plain(number: Fraction) -> int | float:
    """A number as reports have it: a fraction that is whole as an integer, another one as the nearest float."""
    return number.numerator if number.denominator == 1 else float(number)


def _formatted(number: Fraction) -> str:
    return f"{_plain(number):,.10g}"
