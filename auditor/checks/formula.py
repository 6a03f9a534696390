"""The check `formula`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.checks import Check, holding_inlined
from auditor.code import Undecidable
from auditor.code.flow.inlining import inlined
from auditor.code.flow.symbolic_execution import assigned_to, returned
from auditor.code.flow.symbolic_values import SymbolicValue, cases, distinctive
from auditor.code.matching.notation import Formula as Expression
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import name_subterms
from auditor.code.phrases import OR, quoted, under_condition
from auditor.code.program.decorators import undecorated
from auditor.code.program.self_calls import assigning_method
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.targets import local_names
from auditor.code.syntax.unparse import unparse
from auditor.code.values.algebra import are_equal, substitute
from auditor.code.values.constant_propagation import with_constants
from auditor.code.values.constants import scope_of
from auditor.code.values.counterexample import counterexample
from auditor.model import Anchor, Kind, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition
    from auditor.code.syntax.term import Term


@dataclass(frozen=True, kw_only=True)
class Formula(Check):
    """A function computes the stated expression.

    *What it checks.* What the function `at` returns, or assigns to `variable`, equals `equals` as algebra: sums and
    products in any order, locals inlined but for those that the claim names, the class's own properties and methods
    too, `depth` times, constants for their values. `x += e` is read as `x = x + e`. It fails where numbers are found at
    which the two differ; what is neither proven equal nor found different, as a call that only one of them makes, is
    `open`. Where the function gives other values as well, each under its condition, the claim needs that said:
    `review`, unless `besides` says it.

    *Parameters.* `equals`: a Python expression of parameters, attributes and the names in `where`. `variable`
    (optional): the local, attribute or item assigned. `where` (optional): names for calls and other code (patterns)
    that the formula treats as one quantity. `besides` (optional): condition -> other value. `depth` (optional, 2).

    *中文。* 函数计算的是所述的式子。

    *Example.*

        check: formula
        at: vllm/v1/core/block_pool.py::BlockPool.get_usage
        equals: 1 - free / (total - 1)
        where: {free: self.get_num_free_blocks(), total: self.num_gpu_blocks}
        besides: {not (total - 1): 0}
    """

    at: Anchor
    equals: Expression
    variable: Expression | None = None
    where: Mapping[str, Pattern] = field(default_factory=dict)
    besides: Mapping[Expression, Expression] = field(default_factory=dict)
    depth: int = 2

    def problems(self) -> Iterator[str]:
        if self.at.symbol is None:
            yield "at needs a symbol: path::function"
        if not 0 <= self.depth <= 4:
            yield "depth is 0 to 4"
        for alias, pattern in self.where.items():
            if not pattern.is_expression:
                yield f"where.{alias} is not an expression"

    def run(self, codebase: "Codebase") -> Outcome:
        return holding_inlined(self._in, undecorated(codebase.locate(self.at)))

    def _in(self, definition: "Definition") -> Outcome:
        found = self._computed(definition)
        same = [value for value in found if self._is(value.value, self.equals, definition)]
        if not same:
            found = tuple(case for value in found for case in cases(value))
            same = [value for value in found if self._is(value.value, self.equals, definition)]
        rest = [value for value in found if value not in same]
        others = [value for value in rest if not self._is_among_besides(value, definition)]
        what, is_open = Text("what {} returns", "{} 的返回值").filled(quoted(definition.name)), False
        if self.variable:
            what = quoted(self.variable.text)
        if not same:
            message = Text("{} is {}, not {}", "{} 是 {}，而不是 {}").filled(what, _phrase(found), quoted(self.equals))
            differ = any if any(term.type == "IfExp" for term in self.equals.term.walk()) else all
            if not differ(self._is_other(value, found, definition) for value in found):
                untold = Text("{} is {}; whether that is {} cannot be told", "{} 是 {}；无法判断它是否等于 {}")
                message, is_open = untold.filled(what, _phrase(found), quoted(self.equals)), True
        else:
            message = Text("{} is {}", "{} 是 {}").filled(what, _phrase(same))
        if same and others:
            message += Text(", but also {}", "，但也可能是 {}").filled(_phrase(others))
        kind = Kind.OPEN if is_open else Kind.FAIL if not same else Kind.REVIEW if others else Kind.PASS
        if (
            kind is Kind.PASS
            and self.variable
            and (helper := assigning_method(self.variable.term, definition)) is not None
        ):
            kind = Kind.REVIEW
            too = Text("; but {}, which it calls, assigns it too", "；但它调用的 {} 也给它赋值")
            message += too.filled(quoted(helper.name))
        locations = tuple(dict.fromkeys(definition.location_of(value.statement) for value in (*same, *rest)))
        return Outcome(kind, message, self.equals.text, _phrase(found).en, locations, definition.fingerprint)

    def _computed(self, definition: "Definition") -> tuple[SymbolicValue, ...]:
        function = definition.function
        opaque = self._locals_named(function)
        found = assigned_to(function, self.variable.term, opaque) if self.variable else returned(function, opaque)
        if not found and self.variable:
            found = self._renamed(definition, self.variable.term)
        if not found:
            nothing = Text("returns nothing", "没有返回值")
            if self.variable:
                nothing = Text("assigns nothing to {}", "没有给 {} 赋值").filled(quoted(self.variable))
            raise Undecidable(
                Text("{}: {} {}", "{}：{} {}").filled(definition.location, quoted(definition.name), nothing)
            )
        return found

    def _renamed(self, definition: "Definition", variable: "Term") -> tuple[SymbolicValue, ...]:
        """The values of the one local that is what a local of another name was said to be."""
        if variable.type != "Name" or any(
            t.parts["id"] == variable.parts["id"] for t in definition.code.by_type.get("Name", ())
        ):
            return ()
        found = [assigned_to(definition.function, name(local)) for local in sorted(local_names(definition.function))]
        same = [values for values in found if any(self._is(v.value, self.equals, definition) for v in values)]
        return same[0] if len(same) == 1 else ()

    def _locals_named(self, function: "Term") -> frozenset[str]:
        """The locals of the function, no parameters, that the claim speaks of by their names."""
        params = {param.text("name") for param in function.terms("params")}
        patterns = (term for pattern in self.where.values() for term in pattern.terms)
        said = {term.text("id") for one in (self.equals.term, *patterns) for term in one.walk() if term.type == "Name"}
        variable = {self.variable.text} if self.variable else set()
        return (frozenset(said) & local_names(function)) - params - self.where.keys() - variable

    def _is(self, value: "Term", expected: Expression, definition: "Definition") -> bool:
        """Whether two expressions are equal, as they stand or with methods inlined."""
        return any(are_equal(*self._read(value, expected, definition, depth)) for depth in range(self.depth + 1))

    def _is_other(self, value: SymbolicValue, found: Sequence[SymbolicValue], definition: "Definition") -> bool:
        """Whether there are numbers at which a value differs from the stated one."""
        return any(
            counterexample(
                *self._read(value.value, self.equals, definition, depth),
                [self._read(guard, self.equals, definition, depth)[0] for guard in value.guards],
                [self._read(one.value, self.equals, definition, depth)[0] for one in found],
            )
            is not None
            for depth in reversed(range(self.depth + 1))
        )

    def _read(self, value: "Term", expected: Expression, definition: "Definition", depth: int) -> "tuple[Term, Term]":
        """A value and the stated expression, with names for quantities, methods inlined and constants written out."""
        aliases = {alias: name(_quantity(alias, pattern)) for alias, pattern in self.where.items()}
        scope = scope_of(definition)
        one, other = (
            with_constants(self._named(inlined(term, definition, depth)), scope)
            for term in (self._named(value), substitute(self._named(expected.term), aliases))
        )
        return one, other

    def _named(self, term: "Term") -> "Term":
        for alias, pattern in self.where.items():
            term = name_subterms(term, pattern, _quantity(alias, pattern))
        return term

    def _is_among_besides(self, value: SymbolicValue, definition: "Definition") -> bool:
        """Whether `besides` tells of this other value, under its condition."""
        return any(
            self._is(value.value, other, definition)
            and any(self._is(guard, condition, definition) for guard in value.guards)
            for condition, other in self.besides.items()
        )


def _quantity(alias: str, pattern: Pattern) -> str:
    """A name that no code has: the code may use the alias for something else. It shows what a call gives."""
    is_call = pattern.terms[0].term("value").type == "Call"
    return f"{alias}()°" if is_call else f"{alias}°"


def _phrase(values: Sequence[SymbolicValue]) -> Text:
    phrases = (
        under_condition(unparse(value.value), condition)
        for value, condition in zip(values, distinctive(values), strict=True)
    )
    return OR.join(dict.fromkeys(phrases))
