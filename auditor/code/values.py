"""What an expression is worth, without running it.

Literals, arithmetic, constants and enum members of the same code base, `Field(default=...)`,
`field(default_factory=...)`, `EnvFloat(0.7)`, `os.getenv(name, default)`, indexing of constant containers, conditional
expressions. What is not static is Undecidable, with the expression shown.
"""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.show import show
from auditor.code.term import Term, dotted, negation

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase, Definition

_DEPTH = 16
_LARGEST = 10**6  # bits of a number, or items of a container, that arithmetic may make

_BINARY: Mapping[str, Callable[..., object]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "|": operator.or_, "&": operator.and_, "^": operator.xor, "<<": operator.lshift,
    ">>": operator.rshift, "**": operator.pow,
}  # fmt: skip

_UNARY: Mapping[str, Callable[..., object]] = {
    "-": operator.neg, "+": operator.pos, "~": operator.invert, "not": operator.not_,
}  # fmt: skip

_COMPARE: Mapping[str, Callable[..., object]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    "is": operator.is_, "is not": operator.is_not,
}  # fmt: skip

_BUILTINS: Mapping[str, Callable[..., object]] = {
    "int": int, "float": float, "str": str, "bool": bool, "abs": abs, "min": min, "max": max, "round": round,
    "len": len, "sum": sum, "tuple": tuple, "list": list, "dict": dict, "set": set, "frozenset": frozenset,
}  # fmt: skip

_CONSTANTS = {"True": True, "False": False, "None": None}


@dataclass(frozen=True, slots=True)
class Possible:
    """A value, and the condition under which it is the one (None: always)."""

    value: object
    condition: str | None = None


@dataclass(frozen=True)
class Scope:
    """Where names are looked up: a file, the class whose body an expression stands in, the locals around it."""

    codebase: "Codebase"
    path: str
    cls: str | None = None
    locals: frozenset[str] = frozenset()
    depth: int = 0

    def inner(self, path: str, cls: str | None) -> "Scope":
        if self.depth >= _DEPTH:
            raise Undecidable(f"a constant in {path} refers to itself, or through more than {_DEPTH} others")
        return Scope(self.codebase, path, cls, depth=self.depth + 1)


def scope_of(definition: "Definition") -> Scope:
    """The scope in which the expressions of a definition stand."""
    names = local_names(definition.term) if definition.symbol and definition.symbol.type == "function" else frozenset()
    return Scope(definition.codebase, definition.path, definition.cls, names)


def local_names(function: Term) -> frozenset[str]:
    """The names that a function binds, its parameters included."""
    bound = {param.text("name") for param in function.terms("params")}
    for term in function.walk():
        targets = (term.parts.get("target"), *(term.terms("targets") if "targets" in term.parts else ()))
        for target in targets:
            if isinstance(target, Term):
                bound |= {inner.text("id") for inner in target.walk() if inner.type == "Name"}
    return frozenset(bound)


def possible(term: Term, scope: Scope) -> tuple[Possible, ...]:
    """The values an expression can have: one for each branch of a conditional expression. Raises Undecidable."""
    if term.type != "IfExp":
        return (Possible(evaluate(term, scope)),)
    test = term.term("test")
    try:
        chosen = "body" if evaluate(test, scope) else "orelse"
    except Undecidable:
        branches = ((test, term.term("body")), (negation(test), term.term("orelse")))
        return tuple(
            Possible(inner.value, " and ".join(filter(None, (show(condition), inner.condition))))
            for condition, branch in branches
            for inner in possible(branch, scope)
        )
    return possible(term.term(chosen), scope)


def evaluate(term: Term, scope: Scope) -> object:
    """The one value of an expression. Raises Undecidable."""
    try:
        return _evaluate(term, scope)
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        raise Undecidable(f"{show(term)} has no value: {error}") from None
    except RecursionError:
        raise Undecidable("an expression is nested too deeply") from None


def _evaluate(term: Term, scope: Scope) -> object:
    match term.type:
        case "Literal":
            return term.parts["value"]
        case "Name":
            identifier = term.text("id")
            return _CONSTANTS[identifier] if identifier in _CONSTANTS else _constant(identifier, scope)
        case "Attribute":
            return _attribute(term, scope)
        case "Tuple" | "List" | "Set":
            items = [_evaluate(item, scope) for item in term.terms("elements")]
            return tuple(items) if term.type == "Tuple" else set(items) if term.type == "Set" else items
        case "Dict":
            pairs = ((e.term("key"), e.term("value")) for e in term.terms("elements") if e.type == "DictElement")
            return {_evaluate(key, scope): _evaluate(value, scope) for key, value in pairs}
        case "UnaryOperation":
            return _UNARY[term.text("operator")](_evaluate(term.term("operand"), scope))
        case "BinaryOperation":
            return _binary(term.text("operator"), *(_evaluate(term.term(side), scope) for side in ("left", "right")))
        case "BooleanOperation":
            is_and = term.text("operator") == "and"
            value: object = None
            for operand in term.terms("values"):
                value = _evaluate(operand, scope)
                if bool(value) != is_and:
                    break
            return value
        case "Comparison" if len(term.terms("comparators")) == 1:
            symbol = term.operators[0]
            left, right = _evaluate(term.term("left"), scope), _evaluate(term.terms("comparators")[0], scope)
            if symbol in ("in", "not in"):
                return (left in right) == (symbol == "in")  # type: ignore[operator] # a TypeError is an answer
            return _COMPARE[symbol](left, right)
        case "IfExp":
            return _evaluate(term.term("body" if _evaluate(term.term("test"), scope) else "orelse"), scope)
        case "Subscript":
            item, *others = term.terms("slice")
            if item.type != "Slice" and not others:
                container = _evaluate(term.term("value"), scope)
                return container[_evaluate(item, scope)]  # type: ignore[index] # a TypeError is an answer
        case "FString":
            return "".join(_text_of(part, scope) for part in term.terms("parts"))
        case "Lambda" if not term.terms("params"):
            return _evaluate(term.term("body"), scope)
        case "Call":
            return _call(term, scope)
        case _:
            pass
    raise Undecidable(f"not static: {show(term)}")


def _text_of(part: Term, scope: Scope) -> str:
    if part.type == "Literal":
        return str(part.parts["value"])
    if part.parts["conversion"] or part.parts["spec"] is not None:
        raise Undecidable(f"not static: a formatted {show(part.term('expression'))}")
    return str(_evaluate(part.term("expression"), scope))


def _binary(symbol: str, left: object, right: object) -> object:
    if symbol in ("**", "<<") and isinstance(right, int) and abs(right) * max(1, _bits(left)) > _LARGEST:
        raise Undecidable(f"{left!r} {symbol} {right!r} is too large to be worked out")
    if symbol == "*":
        for sized, times in ((left, right), (right, left)):
            if (
                isinstance(sized, str | bytes | list | tuple)
                and isinstance(times, int)
                and len(sized) * times > _LARGEST
            ):
                raise Undecidable("a repeated sequence is too large to be worked out")
    if symbol not in _BINARY:
        raise Undecidable(f"the operator {symbol} has no static value")
    return _BINARY[symbol](left, right)


def _bits(value: object) -> int:
    return value.bit_length() if isinstance(value, int) else 64


def _call(term: Term, scope: Scope) -> object:
    callee = (dotted(term.term("func")) or "").rpartition(".")[2]
    args, keywords = term.terms("args"), {k.text("name"): k.term("value") for k in term.terms("keywords")}
    if callee in ("Field", "field", "FieldInfo"):
        return _field(term, args, keywords, scope)
    if callee in ("getenv", "get") and len(args) == 2 and "env" in (dotted(term.term("func")) or ""):
        return _evaluate(args[1], scope)
    if callee.startswith("Env") and (args or "default" in keywords):
        return _evaluate(keywords.get("default") or args[0], scope)
    if callee in _BUILTINS and term.term("func").type == "Name":
        worth = [_evaluate(arg, scope) for arg in args]
        if callee in ("list", "tuple", "set", "frozenset", "dict") and len(worth) > 1:
            raise Undecidable(f"not static: {show(term)}")
        return _BUILTINS[callee](*worth, **{name: _evaluate(value, scope) for name, value in keywords.items()})
    raise Undecidable(f"not static: {show(term)}")


def _field(term: Term, args: tuple[Term, ...], keywords: dict[str, Term], scope: Scope) -> object:
    """The default of a dataclass's or pydantic's field."""
    if "default" in keywords:
        return _evaluate(keywords["default"], scope)
    if args:
        return _evaluate(args[0], scope)
    if "default_factory" in keywords:
        factory = keywords["default_factory"]
        if factory.type == "Lambda":
            return _evaluate(factory, scope)
        if factory.type == "Name" and factory.text("id") in _BUILTINS:
            return _BUILTINS[factory.text("id")]()
        raise Undecidable(f"the default is made by {show(factory)}")
    raise Undecidable(f"no default is declared: {show(term)}")


def _attribute(term: Term, scope: Scope) -> object:
    chain = dotted(term)
    if chain is None:
        raise Undecidable(f"not static: {show(term)}")
    owner, _, name = chain.rpartition(".")
    if name == "value" and "." in owner:
        return _attribute(term.term("value"), scope)  # an enum member stands for its value here
    # An instance's fields hold what its constructor was given; only what is written as a constant is one.
    if owner in ("self", "cls") and scope.cls and name.isupper():
        return _member(scope.path, scope.cls, name, scope, chain)
    first, _, rest = owner.partition(".")
    path, cls = _resolve(first, scope)
    if path is None or first in scope.locals:
        raise Undecidable(f"not static: {chain}")
    qualified = ".".join(filter(None, (cls, rest)))
    if qualified:
        return _member(path, qualified, name, scope, chain)
    return _constant(name, scope.inner(path, None))


def _member(path: str, cls: str, name: str, scope: Scope, chain: str) -> object:
    found = scope.codebase.definitions(path, f"{cls}.{name}")
    if len(found) != 1 or found[0].symbol is None or found[0].symbol.type not in ("field", "constant"):
        raise Undecidable(f"not static: {chain}")
    return evaluate(assigned(found[0]), scope.inner(path, cls))


def _constant(name: str, scope: Scope) -> object:
    """The value of a name: of the class around, of the module, or of the module it is imported from."""
    if name in scope.locals:
        raise Undecidable(f"not static: {name}")
    names = ([f"{scope.cls}.{name}"] if scope.cls else []) + [name]
    for qualified in names:
        found = scope.codebase.definitions(scope.path, qualified)
        if len(found) > 1:
            raise Undecidable(f"{name} is assigned {len(found)} times in {scope.path}")
        if found and found[0].symbol and found[0].symbol.type in ("field", "constant"):
            cls = scope.cls if qualified != name else None
            return evaluate(assigned(found[0]), scope.inner(scope.path, cls))
    module, original = scope.codebase.index(scope.path).imports.get(name, (None, None))
    path = scope.codebase.module(module, scope.path) if module and original else None
    if path and original:
        return _constant(original, scope.inner(path, None))
    raise Undecidable(f"not static: {name}")


def _resolve(name: str, scope: Scope) -> tuple[str | None, str | None]:
    """The file that a name refers into, and the class in it (None: the module itself)."""
    codebase = scope.codebase
    if codebase.definitions(scope.path, name):
        return scope.path, name
    module, original = codebase.index(scope.path).imports.get(name, (None, None))
    if module is None:
        return None, None
    if original is None:
        return codebase.module(module, scope.path), None
    if path := codebase.module(f"{module}.{original}" if module.strip(".") else module + original, scope.path):
        return path, None
    return codebase.module(module, scope.path), original


def assigned(definition: "Definition") -> Term:
    """The expression that gives a field or constant its value. Raises Undecidable when there is none."""
    term = definition.term
    if term.type == "Assign":
        (target, *_), value = term.terms("targets"), term.term("value")
        if target.type in ("Tuple", "List") and definition.symbol:
            last = definition.symbol.name.rpartition(".")[2]
            values = value.terms("elements") if value.type in ("Tuple", "List") else ()
            for place, item in zip(target.terms("elements"), values, strict=False):
                if place.parts.get("id") == last:
                    return item
            raise Undecidable(f"{definition.location}: the value of {definition.name} is unpacked")
        return value
    # `x: Annotated[int, Field(default=3)]` has its default in the annotation.
    for found in _annotated(term):
        return found
    raise Undecidable(f"{definition.location}: {definition.name} has no default")


def _annotated(term: Term) -> Iterator[Term]:
    for inner in term.annotation.walk() if term.annotation else ():
        if inner.type == "Call" and (dotted(inner.term("func")) or "").rpartition(".")[2] == "Field":
            yield inner
