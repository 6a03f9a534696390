"""The check `bounds`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import Undecidable
from auditor.code.matching.notation import Constant
from auditor.code.phrases import listed, quoted
from auditor.code.program.decorators import undecorated
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.bounded_arithmetic import value_text
from auditor.code.values.constants import evaluate, scope_of
from auditor.model import Anchor, Kind, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_NAMES = {"ge": "least", "le": "most", "gt": "above", "lt": "below"}
_ANNOTATED = {"Ge": "least", "Le": "most", "Gt": "above", "Lt": "below"}
_TYPES = {
    "PositiveInt": ("above", 0), "NonNegativeInt": ("least", 0), "NegativeInt": ("below", 0),
    "NonPositiveInt": ("most", 0), "PositiveFloat": ("above", 0), "NonNegativeFloat": ("least", 0),
    "NegativeFloat": ("below", 0), "NonPositiveFloat": ("most", 0),
}  # fmt: skip
_SIGNS = {"least": ">=", "most": "<=", "above": ">", "below": "<"}


@dataclass(frozen=True, kw_only=True)
class Bounds(Check):
    """The values that a field may have are bounded.

    *What it checks.* The bounds that the declaration of the field `at` states: `Field(ge=0, lt=1)`, `Annotated[int,
    Gt(0)]`, `conint(ge=0)`, `PositiveInt`. A stated bound with another value is `fail`; one that the declaration does
    not state may be asked for elsewhere, as by a validator, so that it is `open`. Bounds that the claim does not
    mention do not matter, unless `only` is given.

    *Parameters.* At least one of `least`, `most`, `above`, `below`: a number. `only` (optional): whether there is no
    other bound.

    *中文。* 字段可取的值有所述的界限。

    *Example.*

        check: bounds
        at: vllm/config/cache.py::CacheConfig.gpu_memory_utilization
        above: 0
        most: 1
    """

    at: Anchor
    least: Constant | None = None
    most: Constant | None = None
    above: Constant | None = None
    below: Constant | None = None
    only: bool = False

    def problems(self) -> Iterator[str]:
        if not self._wanted:
            yield "give least, most, above or below"
        if self.at.symbol is None:
            yield "at needs a symbol: path::Class.field"

    @property
    def _wanted(self) -> dict[str, Constant]:
        bounds = {"least": self.least, "most": self.most, "above": self.above, "below": self.below}
        return {name: value for name, value in bounds.items() if value is not None}

    def run(self, codebase: "Codebase") -> Outcome:
        definition = undecorated(codebase.locate(self.at))
        if definition.symbol is None or definition.symbol.type != "field":
            message = Text("{}: {} is no field", "{}：{} 不是字段")
            raise Undecidable(message.filled(definition.location, quoted(definition.name)))
        found = dict(_bounds(definition))
        wanted = self._wanted
        wrong = [name for name, value in wanted.items() if name in found and not value.is_same(found[name])]
        missing = [name for name in wanted if name not in found]
        more = sorted(found.keys() - wanted.keys()) if self.only else []
        shown = listed(quoted(f"{_SIGNS[name]} {value_text(value)}") for name, value in found.items())
        message = Text("{} is declared with {}", "{} 声明的取值范围是 {}").filled(quoted(definition.name), shown)
        if not found:
            message = Text("{} is declared without bounds", "{} 的声明没有取值范围").filled(quoted(definition.name))
        expected = ", ".join(f"{_SIGNS[name]} {value_text(value.value)}" for name, value in wanted.items())
        kind = Kind.FAIL if wrong or more else Kind.OPEN if missing else Kind.PASS
        if kind is Kind.FAIL:
            message += Text(", not with {}", "，而不是 {}").filled(quoted(expected))
        elif kind is Kind.OPEN:
            asked = listed(quoted(f"{_SIGNS[name]} {value_text(wanted[name].value)}") for name in missing)
            message += Text("; whether {} is asked for elsewhere cannot be told", "；无法判断别处是否要求 {}").filled(
                asked
            )
        return Outcome(kind, message, expected, shown.en or None, (definition.location,), definition.fingerprint)


def _bounds(definition: "Definition") -> Iterator[tuple[str, object]]:
    """The bounds of a declaration by their names. Raises Undecidable for one that is not static."""
    scope = scope_of(definition)
    roots = [
        part for part in (definition.term.annotation, definition.term.parts.get("value")) if isinstance(part, Term)
    ]
    for root in roots:
        for term in root.walk():
            name = (dotted(term) or "").rpartition(".")[2] if term.type in ("Name", "Attribute") else ""
            if name in _TYPES:
                yield _TYPES[name]
            if term.type != "Call":
                continue
            called = (dotted(term.term("func")) or "").rpartition(".")[2]
            if called in _ANNOTATED and len(term.terms("args")) == 1:
                yield _ANNOTATED[called], evaluate(term.terms("args")[0], scope)
            elif called in ("Field", "Interval", "conint", "confloat", "Query", "Arg"):
                for keyword in term.terms("keywords"):
                    if (bound := keyword.text("name")) in _NAMES:
                        yield _NAMES[bound], evaluate(keyword.term("value"), scope)
