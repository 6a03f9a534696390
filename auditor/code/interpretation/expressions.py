"""Expressions, evaluated over abstract values."""

import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from auditor.code.interpretation.machine import Arguments, Machine
from auditor.code.interpretation.operators import binary, compare, is_type, key_or_none, spread, store
from auditor.code.interpretation.symbolic import is_readable, joined, reified
from auditor.code.interpretation.values import (
    ClassValue,
    External,
    FunctionValue,
    Hint,
    Instance,
    Item,
    Items,
    OneOf,
    Super,
    Table,
    Unknown,
    Value,
    concrete,
    is_member,
    is_scalar,
)
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term, encode

if TYPE_CHECKING:
    from auditor.code.interpretation.values import Frame

_UNARY: Mapping[str, Callable[..., object]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
_WRONG = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)


def evaluate(machine: Machine, term: Term, frame: "Frame") -> Value:
    """The value of an expression; Unknown where it has none that code alone tells."""
    machine.step()
    evaluator = _EVALUATORS.get(term.type)
    return evaluator(machine, term, frame) if evaluator else Unknown(term)


def test(machine: Machine, term: Term, frame: "Frame") -> bool | Term:
    """How a test comes out, or the condition under which it is true."""
    if term.type == "UnaryOperation" and term.parts["operator"] == "not":
        found = test(machine, term.term("operand"), frame)
        return not found if isinstance(found, bool) else negation(found)
    if term.type == "BooleanOperation":
        return _tests(machine, term, frame)
    return truth(machine, machine.evaluate(term, frame), term)


def _tests(machine: Machine, term: Term, frame: "Frame") -> bool | Term:
    is_and = term.parts["operator"] == "and"
    left: list[Term] = []
    for operand in term.terms("values"):
        found = test(machine, operand, frame)
        if found is (not is_and):
            return found
        if isinstance(found, Term):
            left.append(found)
    if not left:
        return is_and
    found = joined("and" if is_and else "or", left)
    return found if is_readable(found) else term


def truth(machine: Machine, value: Value, term: Term) -> bool | Term:
    """Whether a value counts as true, or the condition under which it does."""
    if isinstance(value, Unknown):
        held = machine.holds(value.term)
        return value.term if held is None else held
    if isinstance(value, OneOf):
        outcomes = [(truth(machine, item.value, term), item.when) for item in value.options]
        if all(outcome is True for outcome, _ in outcomes) or all(outcome is False for outcome, _ in outcomes):
            return outcomes[0][0]
        found = _either(
            [
                [*when, *([outcome] if isinstance(outcome, Term) else [])]
                for outcome, when in outcomes
                if outcome is not False
            ]
        )
        if not is_readable(found):
            found = term
        held = machine.holds(found)
        return found if held is None else held
    if isinstance(value, Items):
        is_sure = any(not item.when for item in value.items)
        return is_sure if is_sure or not (value.is_open or value.items) else term
    if isinstance(value, Table):
        is_sure = any(not item.when for item in value.entries.values())
        return is_sure if is_sure or not (value.is_open or value.entries) else term
    if isinstance(value, External) and value.is_attribute:
        shown = reified(value, term)
        held = machine.holds(shown)
        return shown if held is None else held
    if is_member(value):
        return truth(machine, value.names.get("value"), term)  # type: ignore[attr-defined] # is_member says so
    if isinstance(value, Instance) and _defines_truth(value.cls):
        return term
    return bool(value) if is_scalar(value) else True


def _defines_truth(cls: Value) -> bool:
    """Whether a class, or one above it, says by a method whether its objects are true."""
    if not isinstance(cls, ClassValue):
        return False
    return any(one in cls.names for one in ("__bool__", "__len__")) or any(map(_defines_truth, cls.bases))


def _either(ways: list[list[Term]]) -> Term:
    """One of several conditions, each a list of tests: `a or (not a and b)` is `a or b`."""
    refuted: set[str] = set()
    left: list[Term] = []
    for tests in ways:
        together = joined("and", [one for one in tests if encode(one) not in refuted])
        left.append(together)
        refuted.add(encode(negation(together)))
    return joined("or", left)


def _name(machine: Machine, term: Term, frame: "Frame") -> Value:
    identifier = term.text("id")
    if identifier in _CONSTANTS:
        return _CONSTANTS[identifier]
    at: Frame | None = frame
    if identifier not in frame.globals:
        while at is not None:
            if identifier in at.names and not (at.is_body and at.cls is None):
                return machine.resolved(at.names[identifier])
            at = at.outer
    return machine.attribute(frame.module, identifier, term)


_CONSTANTS: Mapping[str, object] = {"True": True, "False": False, "None": None, "TYPE_CHECKING": False}


def _attribute(machine: Machine, term: Term, frame: "Frame") -> Value:
    owner = machine.evaluate(term.term("value"), frame)
    attr = term.text("attr")
    return machine.lifted(lambda one: machine.attribute(one, attr, _with(term, "value", one)), owner)


def _with(term: Term, part: str, value: Value) -> Term:
    return Term(term.type, {**term.parts, part: reified(value, term.term(part))}, term.region)


def _sequence(machine: Machine, term: Term, frame: "Frame") -> Value:
    kind = {"List": "list", "Tuple": "tuple", "Set": "set"}[term.type]
    made = Items(kind, depth=len(machine.path))  # type: ignore[arg-type] # one of the three
    for element in term.terms("elements"):
        if element.type == "Starred":
            more, is_open = machine.iterated(machine.evaluate(element.term("value"), frame), element)
            made.items += more
            made.is_open |= is_open
        else:
            made.items.append(Item(machine.evaluate(element, frame)))
    return made


def _dict(machine: Machine, term: Term, frame: "Frame") -> Value:
    made = Table(depth=len(machine.path))
    for element in term.terms("elements"):
        if element.type == "StarredDictElement":
            spread(machine, made, machine.evaluate(element.term("value"), frame))
            continue
        store(
            machine, made, machine.evaluate(element.term("key"), frame), machine.evaluate(element.term("value"), frame)
        )
    return made


def _unary(machine: Machine, term: Term, frame: "Frame") -> Value:
    symbol = term.text("operator")
    if symbol == "not":
        found = test(machine, term.term("operand"), frame)
        return not found if isinstance(found, bool) else Unknown(negation(found))

    def applied(value: Value) -> Value:
        try:
            return _UNARY[symbol](concrete(value))
        except _WRONG:
            return Unknown(_with(term, "operand", value))

    return machine.lifted(applied, machine.evaluate(term.term("operand"), frame))


def _binary(machine: Machine, term: Term, frame: "Frame") -> Value:
    left, right = (machine.evaluate(term.term(side), frame) for side in ("left", "right"))
    return machine.lifted(lambda a, b: binary(machine, term, term.text("operator"), a, b), left, right)


def _boolean(machine: Machine, term: Term, frame: "Frame") -> Value:
    """`a or b` is one of its operands: which is told by the truth of those before."""
    is_and = term.parts["operator"] == "and"
    *others, last = term.terms("values")
    found: list[Item] = []
    added: list[str] = []
    depth = len(machine.path)
    try:
        for operand in others:
            value = machine.evaluate(operand, frame)
            outcome = truth(machine, value, operand)
            if outcome is (not is_and):
                found.append(Item(value, machine.since(depth)))
                return machine.one_of(found)
            if isinstance(outcome, Term):
                found.append(Item(value, (*machine.since(depth), negation(outcome) if is_and else outcome)))
                added += machine.keep_assuming([outcome if is_and else negation(outcome)])
        found.append(Item(machine.evaluate(last, frame), machine.since(depth)))
    finally:
        machine.forget(added)
    return machine.one_of(found)


def _comparison(machine: Machine, term: Term, frame: "Frame") -> Value:
    sides = [machine.evaluate(side, frame) for side in (term.term("left"), *term.terms("comparators"))]
    if len(sides) > 2:
        found = [
            machine.lifted(lambda a, b, s=symbol: compare(machine, term, s, a, b), left, right)
            for symbol, left, right in zip(term.operators, sides[:-1], sides[1:], strict=True)
        ]
        is_known = all(isinstance(one, bool) for one in found)
        return all(found) if is_known else False if any(one is False for one in found) else Unknown(term)
    return machine.lifted(lambda a, b: compare(machine, term, term.operators[0], a, b), *sides)


def _conditional(machine: Machine, term: Term, frame: "Frame") -> Value:
    outcome = test(machine, term.term("test"), frame)
    if isinstance(outcome, bool):
        return machine.evaluate(term.term("body" if outcome else "orelse"), frame)
    found = []
    for branch, assumed in (("body", outcome), ("orelse", negation(outcome))):
        with machine.assuming([assumed]) as is_possible:
            if is_possible:
                found.append(Item(machine.evaluate(term.term(branch), frame), (assumed,)))
    return machine.one_of(found)


def _subscript(machine: Machine, term: Term, frame: "Frame") -> Value:
    owner = machine.evaluate(term.term("value"), frame)
    slices = term.terms("slice")
    if len(slices) == 1:
        at: Value = (
            _slice(machine, slices[0], frame) if slices[0].type == "Slice" else machine.evaluate(slices[0], frame)
        )
    else:
        at = Items.of("tuple", [machine.evaluate(one, frame) for one in slices])
    return machine.lifted(lambda a, b: item(machine, term, a, b), owner, at)


def _slice(machine: Machine, term: Term, frame: "Frame") -> Value:
    bounds = []
    for part in ("lower", "upper", "step"):
        bound = term.parts[part]
        value = machine.evaluate(bound, frame) if isinstance(bound, Term) else None
        if not (value is None or isinstance(value, int)):
            return Unknown(term)
        bounds.append(value)
    return slice(*bounds)


def item(machine: Machine, term: Term, owner: Value, at: Value) -> Value:
    """`owner[at]`."""
    if is_type(owner) and not (isinstance(owner, ClassValue) and "__class_getitem__" in owner.names):
        if isinstance(owner, ClassValue) and isinstance(at, str) and at in owner.names:
            return machine.attribute(owner, at, term)  # a member of an enumeration by its name
        args = tuple(at.values) if isinstance(at, Items) and at.kind == "tuple" else (at,)
        origin = owner.origin if isinstance(owner, Hint) else owner
        return Hint(_ALIASES.get(origin.last, origin) if isinstance(origin, External) else origin, args)
    symbolic = Term("Subscript", {"value": reified(owner, term), "slice": (reified(at, term),)})
    if isinstance(owner, Table):
        found = owner.entries.get(key_or_none(at))
        if found is not None:
            return found.value
        return Unknown(symbolic)
    if isinstance(owner, Items) and isinstance(at, slice):
        return Items(owner.kind, owner.items[at], owner.is_open, len(machine.path))
    if isinstance(owner, Items) and isinstance(at, int) and not any(one.when for one in owner.items):
        return owner.items[at].value if -len(owner.items) <= at < len(owner.items) else Unknown(symbolic)
    if isinstance(owner, str | bytes) and isinstance(at, int | slice):
        try:
            return owner[at]
        except (IndexError, ValueError):
            return Unknown(symbolic)
    return Unknown(symbolic)


_ALIASES: Mapping[str, object] = {
    "List": list, "Dict": dict, "Set": set, "Tuple": tuple, "FrozenSet": frozenset, "Type": type,
    "Optional": External("typing.Optional"), "Union": External("typing.Union"), "Literal": External("typing.Literal"),
    "Annotated": External("typing.Annotated"), "Sequence": list,
}  # fmt: skip


def _fstring(machine: Machine, term: Term, frame: "Frame") -> Value:
    parts = [
        part.parts["value"] if part.type == "Literal" else machine.evaluate(part.term("expression"), frame)
        for part in term.terms("parts")
    ]
    fields = [part if part.type == "Field" else None for part in term.terms("parts")]

    def formatted(*values: Value) -> Value:
        text: list[str] = []
        for value, part in zip(values, fields, strict=True):
            try:
                shown = concrete(value)
                if part is not None and part.parts["conversion"] == "r":
                    shown = repr(shown)
                if part is not None and part.parts["spec"] is not None:
                    spec = machine.evaluate(part.term("spec"), frame)
                    if not isinstance(spec, str) or len(spec) > 20:
                        raise ValueError("a format that is not known")
                    shown = format(shown, spec)
            except _WRONG:
                pieces = tuple(
                    part if part.type == "Literal" else Term("Field", {**part.parts, "expression": reified(one, part)})
                    for one, part in zip(values, term.terms("parts"), strict=True)
                )
                return Unknown(Term("FString", {"parts": pieces}, term.region))
            text.append(str(shown))
        return "".join(text)

    return machine.lifted(formatted, *parts)


def _lambda(machine: Machine, term: Term, frame: "Frame") -> Value:
    return FunctionValue(term, frame, cls=frame.cls, defaults=machine.defaults(term, frame))


def _named(machine: Machine, term: Term, frame: "Frame") -> Value:
    value = machine.evaluate(term.term("value"), frame)
    target = term.term("target")
    if target.type == "Name":
        frame.names[target.text("id")] = value
    return value


def _awaited(machine: Machine, term: Term, frame: "Frame") -> Value:
    return machine.evaluate(term.term("value"), frame)


def _call(machine: Machine, term: Term, frame: "Frame") -> Value:
    func = term.term("func")
    if func.type == "Name" and func.text("id") == "super" and frame.cls is not None and not term.terms("args"):
        return Super(frame.cls, frame.receiver)
    callee = machine.evaluate(func, frame)
    arguments = _arguments(machine, term, frame)
    depth = len(machine.path)
    found = [Item(machine.call(one, arguments, term, frame), machine.since(depth)) for one in machine.each(callee)]
    return machine.one_of(found)


def _arguments(machine: Machine, term: Term, frame: "Frame") -> Arguments:
    given = Arguments()
    for arg in term.terms("args"):
        if arg.type == "Starred":
            more, is_open = machine.iterated(machine.evaluate(arg.term("value"), frame), arg)
            given.args += [one.value for one in more]
            given.is_open |= is_open
        else:
            given.args.append(machine.evaluate(arg, frame))
    for keyword in term.terms("keywords"):
        value = machine.evaluate(keyword.term("value"), frame)
        if keyword.text("name") != "**":
            given.keywords[keyword.text("name")] = value
            continue
        for one in machine.each(value):
            if isinstance(one, Table):
                given.is_open |= one.is_open
                if one.origin is not None:
                    given.origin, given.owner = str(one.origin), one.origin.owner
                given.keywords |= {str(entry): inner.value for entry, inner in one.entries.items()}
            else:
                given.is_open = True
    return given


_EVALUATORS: Mapping[str, Callable[[Machine, Term, "Frame"], Value]] = {
    "Literal": lambda _, term, __: term.parts["value"],
    "Name": _name,
    "Attribute": _attribute,
    "Tuple": _sequence, "List": _sequence, "Set": _sequence,
    "Dict": _dict,
    "UnaryOperation": _unary,
    "BinaryOperation": _binary,
    "BooleanOperation": _boolean,
    "Comparison": _comparison,
    "IfExp": _conditional,
    "Subscript": _subscript,
    "FString": _fstring,
    "Lambda": _lambda,
    "NamedExpr": _named,
    "Await": _awaited,
    "Call": _call,
}  # fmt: skip
