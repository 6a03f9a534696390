"""Monotonicity: whether a quantity grows or shrinks with another one, by an abstract interpretation over signs.

Every statement counts, in whatever order they run: where two of them pull in opposite directions, nothing is said. What
a value is multiplied with or divided by has the sign of its values, where these are constants; else it is taken for
positive.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.symbolic_execution import rebound_by_closures
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.self_calls import member
from auditor.code.program.type_inference import Inference
from auditor.code.project.names import referents
from auditor.code.syntax.blocks import PARTS, header
from auditor.code.syntax.targets import flattened_target
from auditor.code.syntax.term import Term, dotted, encode
from auditor.code.values.constants import evaluate, scope_of

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition

_DEPTH = 6
_MONOTONE = ("int", "float", "round", "max", "min", "sum", "ceil", "floor", "math.ceil", "math.floor", "math.fsum")
_QUOTIENTS = ("cdiv", "ceil_div", "ceil_align", "triton.cdiv", "math.ceil_div")
_NESTED = ("FunctionDef", "ClassDef", "Lambda")


class Sign(Enum):
    """How a value moves when the other grows."""

    INDEPENDENT = "does not depend on it"
    GROWS = "grow"
    SHRINKS = "shrink"
    UNKNOWN = "cannot be told"

    def __or__(self, other: "Sign") -> "Sign":
        """The sign of a sum, or of one of two values."""
        if Sign.INDEPENDENT in (self, other) or self is other:
            return other if self is Sign.INDEPENDENT else self
        return Sign.UNKNOWN

    def __neg__(self) -> "Sign":
        return {Sign.GROWS: Sign.SHRINKS, Sign.SHRINKS: Sign.GROWS}.get(self, self)

    def __mul__(self, other: "Sign") -> "Sign":
        """The sign along a chain: how what depends on this depends on what this depends on."""
        if Sign.INDEPENDENT in (self, other):
            return Sign.INDEPENDENT
        return Sign.UNKNOWN if Sign.UNKNOWN in (self, other) else self if other is Sign.GROWS else -self


@dataclass
class Monotonicity:
    """One function, and the place whose growth is followed through it."""

    function: "Definition"
    of: Term
    depth: int = _DEPTH
    evidence: list[Term] = field(default_factory=list)
    """The statements through which the value depends on the place."""

    def __post_init__(self) -> None:
        self._of = encode(self.of)
        self._known: dict[str, Sign] = {}
        self._is_collecting = False
        self._statements = list(_statements(self.function.function.terms("body"), ()))

    def returned(self) -> tuple[Sign, bool]:
        """The sign of what the function returns, and whether it returns anything."""
        values = [
            (value, statement, tests)
            for statement, tests in self._statements
            if statement.type == "Return" and isinstance(value := statement.parts.get("value"), Term)
        ]
        return self._join(
            self._recorded(statement, self.sign(v) | self._under(tests)) for v, statement, tests in values
        ), bool(values)

    def assigned(self, place: Term) -> tuple[Sign, bool]:
        """The sign of what the function assigns to a place, and whether it assigns anything."""
        key = encode(place)
        found = [sign for target, sign in self._assignments() if target == key]
        return self._join(found), bool(found)

    def sign(self, term: Term) -> Sign:
        """The sign of an expression."""
        if encode(term) == self._of:
            return Sign.GROWS
        match term.type:
            case "Literal":
                return Sign.INDEPENDENT
            case "Name" | "Attribute":
                return self._place(term)
            case "BinaryOperation":
                return self._arithmetic(term)
            case "UnaryOperation" if term.parts["operator"] in ("-", "+"):
                operand = self.sign(term.term("operand"))
                return -operand if term.parts["operator"] == "-" else operand
            case "IfExp":
                return self.sign(term.term("body")) | self.sign(term.term("orelse")) | self._test(term.term("test"))
            case "BooleanOperation":
                return self._join(map(self.sign, term.terms("values")))
            case "NamedExpr" | "Await" | "Starred":
                return self.sign(term.term("value"))
            case "GeneratorExp" | "ListComp" | "SetComp":
                loops = [part for loop in term.terms("for_in") for part in (loop.term("iter"), *loop.terms("ifs"))]
                return self.sign(term.term("elt")) | self._join(map(self._test, loops))
            case "Call":
                return self._call(term)
            case "Comparison" if term.operators in (("<",), ("<=",)):  # that it becomes true
                return self.sign(term.terms("comparators")[0]) | -self.sign(term.term("left"))
            case _:
                return self._test(term)

    def _join(self, signs: "Iterator[Sign] | Sequence[Sign]") -> Sign:
        found = Sign.INDEPENDENT
        for sign in signs:
            found |= sign
        return found

    def _test(self, term: Term) -> Sign:
        """The sign of what is no number: none, or it cannot be told."""
        if term.type == "Comparison" and term.operators in (("is",), ("is not",)):
            return Sign.INDEPENDENT  # whether there is a value at all is not how large it is
        inner = (self.sign(child) for child in term.children())
        return Sign.UNKNOWN if any(sign is not Sign.INDEPENDENT for sign in inner) else Sign.INDEPENDENT

    def _under(self, tests: tuple[Term, ...]) -> Sign:
        """What conditions make of a value that stands under them."""
        return Sign.UNKNOWN if any(self._of_test(test) is not Sign.INDEPENDENT for test in tests) else Sign.INDEPENDENT

    def _of_test(self, test: Term) -> Sign:
        return self._test(test) if test.type == "Comparison" else self.sign(test)

    def _recorded(self, statement: Term, sign: Sign) -> Sign:
        if sign is not Sign.INDEPENDENT and statement not in self.evidence:
            self.evidence.append(statement)
        return sign

    def _place(self, term: Term) -> Sign:
        key = encode(term)
        if key not in self._known:
            if term.parts.get("id") in rebound_by_closures(self.function.function):
                self._known[key] = Sign.UNKNOWN
                return Sign.UNKNOWN
            self._known[key] = Sign.INDEPENDENT  # for what is assigned from itself, its own sign adds nothing
            sign = self._join(sign for target, sign in self._assignments() if target == key)
            if term.type == "Attribute" and sign is Sign.INDEPENDENT:
                owner = self.sign(term.term("value"))
                sign = Sign.UNKNOWN if owner is not Sign.INDEPENDENT else self._member(term, None)
            self._known[key] = sign
        return self._known[key]

    def _assignments(self) -> Iterator[tuple[str, Sign]]:
        """Every place that is assigned to, with the sign of what it gets."""
        for statement, tests in self._statements:
            for target, value, operator in _definitions(statement):
                sign = (
                    self.sign(value)
                    if operator is None
                    else self._combined(operator, Sign.INDEPENDENT, self.sign(value), value)
                )
                if operator == "":
                    sign = Sign.UNKNOWN if sign is not Sign.INDEPENDENT else sign
                if sign is not Sign.INDEPENDENT or tests:
                    sign |= self._under(tests)
                yield encode(target), self._recorded(statement, sign)

    def _arithmetic(self, term: Term) -> Sign:
        left, right = term.term("left"), term.term("right")
        operator = term.text("operator")
        one, other = self.sign(left), self.sign(right)
        if operator in ("*", "/", "//") and one is not Sign.INDEPENDENT:
            one = self._scaled(one, right)
        if operator == "*" and other is not Sign.INDEPENDENT:
            other = self._scaled(other, left)
        return self._combined(operator, one, other, right)

    def _scaled(self, sign: Sign, factor: Term) -> Sign:
        """A sign after a multiplication with, or a division by, a factor: by the factor's values, where they are known.

        One whose values are not known is taken for positive.
        """
        if _is_negative(factor):
            return -sign
        signs = {(value > 0) - (value < 0) for value in self._values(factor)}
        if not signs or signs == {1}:
            return sign
        return -sign if signs == {-1} else Sign.INDEPENDENT if signs == {0} else Sign.UNKNOWN

    def _values(self, factor: Term) -> list[float]:
        """The numbers that a factor can be: a constant, or all that the class assigns to an attribute of `self`."""
        terms = [factor]
        chain = dotted(factor) or ""
        if chain.startswith("self.") and chain.count(".") == 1 and self.function.cls:
            hierarchy = Hierarchy(self.function.codebase, ())
            attribute, cls = chain.removeprefix("self."), Class(self.function.path, self.function.cls)
            for one in hierarchy.lineage(cls):
                fields = hierarchy.own(one, attribute)
                terms += [value for _, value, _ in Inference(hierarchy, {}).assignments(one, attribute)]
                terms += [value for field_ in fields if isinstance(value := field_.term.parts.get("value"), Term)]
        found: list[float] = []
        for term in terms:
            try:
                number = evaluate(term, scope_of(self.function))
            except Undecidable:
                continue
            if isinstance(number, int | float):
                found.append(number)
        return found

    def _combined(self, operator: str, left: Sign, right: Sign, second: Term) -> Sign:
        match operator:
            case "+" | "*" | "":
                return left | right
            case "-" | "/" | "//":
                return left | -right
            case "**" if right is Sign.INDEPENDENT and not _is_negative(second):
                return left
            case _:
                return Sign.INDEPENDENT if left is right is Sign.INDEPENDENT else Sign.UNKNOWN

    def _call(self, term: Term) -> Sign:
        function, args = dotted(term.term("func")) or "", term.terms("args")
        if function in _MONOTONE:
            arguments = (*args[:1], *args[1:]) if function in ("max", "min") else args[:1]
            return self._join(map(self.sign, arguments))
        if function.rpartition(".")[2] in _QUOTIENTS and len(args) == 2:
            return self._combined("/", self.sign(args[0]), self.sign(args[1]), args[1])
        owner = term.term("func")
        if owner.type == "Attribute" and self.sign(owner.term("value")) is not Sign.INDEPENDENT:
            return Sign.UNKNOWN
        return self._member(owner, term)

    def _member(self, term: Term, call: Term | None) -> Sign:
        """What a property, or a call of a function, gives: through its parameters, and through `self`."""
        arguments = {}
        if call is not None:
            values = (*call.terms("args"), *(keyword.term("value") for keyword in call.terms("keywords")))
            arguments = {encode(value): sign for value in values if (sign := self.sign(value)) is not Sign.INDEPENDENT}
        chain = dotted(term) or ""
        is_own = chain.startswith("self.") and chain.count(".") == 1
        dependent = self._dependent_attributes() if is_own else {}
        functions = self._functions(chain, is_property=call is None) if arguments or dependent else []
        if not functions:
            return Sign.UNKNOWN if arguments else Sign.INDEPENDENT
        if self.depth <= 0:
            return Sign.UNKNOWN
        found = Sign.INDEPENDENT
        for function in functions:
            for place, sign in dependent.values():
                found |= sign * Monotonicity(function, place, self.depth - 1).returned()[0]
            for param, value in _bound(function.term, call, is_method=is_own) if call is not None else ():
                sign = arguments.get(encode(value), Sign.INDEPENDENT)
                if sign is Sign.INDEPENDENT:
                    continue
                if param is None:
                    return Sign.UNKNOWN
                found |= sign * Monotonicity(function, Term("Name", {"id": param}), self.depth - 1).returned()[0]
        return found

    def _dependent_attributes(self) -> dict[str, tuple[Term, Sign]]:
        """The attributes of `self` that move: the place itself, and what is assigned from it here."""
        found: dict[str, tuple[Term, Sign]] = {}
        if any(inner.parts.get("id") == "self" for inner in self.of.walk()):
            found[self._of] = (self.of, Sign.GROWS)
        if self._is_collecting:
            return found
        self._is_collecting = True
        for statement, tests in self._statements:
            for target, value, _ in _definitions(statement):
                if (dotted(target) or "").startswith("self.") and (sign := self.sign(value)) is not Sign.INDEPENDENT:
                    before = found.get(encode(target), (target, Sign.INDEPENDENT))[1]
                    found[encode(target)] = (target, before | sign | self._under(tests))
        self._is_collecting = False
        return found

    def _functions(self, chain: str, *, is_property: bool) -> "list[Definition]":
        codebase, path, cls = self.function.codebase, self.function.path, self.function.cls
        if chain.startswith("self.") and cls:
            own = member(chain.removeprefix("self."), self.function)
            found: tuple[Definition, ...] = (own,) if own is not None else ()
        else:
            targets = referents(codebase, chain, path) if chain else frozenset()
            found = tuple(d for t in targets if t.type == "function" for d in codebase.definitions(t.path, t.name))
        functions = [one for one in found if one.symbol and one.symbol.type == "function"]
        return [one for one in functions if _is_property(one) == is_property]


def _statements(statements: Sequence[Term], tests: tuple[Term, ...]) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    """All statements of a function, each with the conditions around it; those of functions in it left out."""
    for statement in statements:
        if statement.type in _NESTED:
            continue
        yield statement, tests
        own = [
            part for key in ("test", "iter", "subject", "guard") if isinstance(part := statement.parts.get(key), Term)
        ]
        for block in PARTS:
            if isinstance(statement.parts.get(block), tuple):
                yield from _statements(statement.terms(block), (*tests, *own))


def _definitions(statement: Term) -> Iterator[tuple[Term, Term, str | None]]:
    """Target, value, and the operator of `+=`; `""` where a part of the value is given."""
    if statement.type == "Assign":
        for target in statement.terms("targets"):
            yield from _paired(target, statement.term("value"))
    elif statement.type == "AugAssign":
        yield statement.term("target"), statement.term("value"), statement.text("operator")
    elif statement.type == "For":
        for place in flattened_target(statement.term("target")):
            yield place, statement.term("iter"), ""
    for term in _expressions(statement):
        if term.type == "NamedExpr":
            yield term.term("target"), term.term("value"), None


def _paired(target: Term, value: Term) -> Iterator[tuple[Term, Term, str | None]]:
    if target.type not in ("Tuple", "List"):
        yield target, value, None
        return
    items = value.terms("elements") if value.type in ("Tuple", "List") else ()
    if len(items) == len(target.terms("elements")):
        for place, item in zip(target.terms("elements"), items, strict=True):
            yield from _paired(place, item)
    else:
        for place in flattened_target(target):
            yield place, value, ""


def _expressions(statement: Term) -> Iterator[Term]:
    return Term("", header(statement)).walk()


def _is_negative(term: Term) -> bool:
    value = term.parts.get("value") if term.type == "Literal" else None
    return (isinstance(value, int | float) and value < 0) or (
        term.type == "UnaryOperation" and term.parts["operator"] == "-"
    )


def _bound(function: Term, call: Term, *, is_method: bool) -> Iterator[tuple[str | None, Term]]:
    """The parameter that each argument is given to; None where that cannot be told."""
    names = [param.text("name") for param in function.terms("params") if param.parts["kind"] == "positional"]
    known = {param.text("name") for param in function.terms("params")}
    is_static = any(dotted(one) == "staticmethod" for one in function.terms("decorators"))
    names = names[1:] if is_method and not is_static else names
    for number, arg in enumerate(call.terms("args")):
        yield names[number] if number < len(names) and arg.type != "Starred" else None, arg
    for keyword in call.terms("keywords"):
        yield keyword.text("name") if keyword.text("name") in known else None, keyword.term("value")


def _is_property(definition: "Definition") -> bool:
    decorators = definition.symbol.decorators if definition.symbol else ()
    return any("property" in decorator for decorator in decorators)
