"""Constant evaluation: the values that an expression can have, without running it.

Literals, arithmetic, constants and enum members of the same code base, `Field(default=...)`,
`field(default_factory=...)`, `EnvFloat(0.7)`, `os.getenv(name, default)`, indexing of constant containers, conditional
expressions. What is not static is Undecidable, with the expression shown.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.phrases import quoted
from auditor.code.project.names import Referent, referents
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.targets import local_names
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.unparse import unparse
from auditor.code.values.bounded_arithmetic import binary, bounded_items
from auditor.code.values.initializers import initializer
from auditor.model import Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_DEPTH = 16
_MOST_DIGITS = 400  # a float has no more
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

_WRAPPER = re.compile(r"Env[A-Z]\w*")
_ENVIRONMENT = re.compile(r"(.*\.)?(environ\.get|getenv)")

_FIELDS = ("Field", "field", "FieldInfo", "ib", "attrib")
_CONSTANTS = {"True": True, "False": False, "None": None}


@dataclass(frozen=True, slots=True)
class PossibleValue:
    """A value, and the condition under which it is the one (None: always)."""

    value: object
    condition: str | None = None


@dataclass(frozen=True)
class Scope:
    """Where names are looked up: a file, the class around an expression, the locals around it."""

    codebase: "Codebase"
    path: str
    cls: str | None = None
    locals: frozenset[str] | None = None
    """Names bound in the functions around the expression; None where it stands in a class's body, or a module's."""
    depth: int = 0
    is_exact: bool = False
    """Whether numbers are fractions rather than floats."""
    is_strict: bool = False
    """Whether a default that the environment, or whoever makes an object, may replace has no value here."""
    known: dict[tuple[str, str], object] = field(default_factory=dict, compare=False)
    """Constants worked out so far, by file and name: one that is used twice is worked out once."""

    def is_local(self, name: str) -> bool:
        return self.locals is not None and name in self.locals

    def inner(self, path: str, cls: str | None) -> "Scope":
        if self.depth >= _DEPTH:
            raise Undecidable(
                Text(
                    f"a constant in {path} refers to itself, or through more than {_DEPTH} others",
                    f"{path} 中有常量引用了自身，或经过了 {_DEPTH} 个以上的其他常量",
                )
            )
        return replace(self, path=path, cls=cls, locals=None, depth=self.depth + 1)


def scope_of(definition: "Definition") -> Scope:
    """The scope in which the expressions of a definition stand: of a function, those of its body."""
    if definition.symbol is None or definition.symbol.type != "function":
        return Scope(definition.codebase, definition.path, definition.cls)
    names = local_names(definition.term)
    parts = definition.name.split(".")
    for length in range(1, len(parts)):
        for outer in definition.codebase.definitions(definition.path, ".".join(parts[:length])):
            if outer.symbol and outer.symbol.type == "function":
                names |= local_names(outer.term)
    return Scope(definition.codebase, definition.path, definition.cls, names)


def possible_values(term: Term, scope: Scope) -> tuple[PossibleValue, ...]:
    """The values an expression can have: one for each branch of a conditional expression. Raises Undecidable."""
    if term.type != "IfExp":
        return (PossibleValue(evaluate(term, scope)),)
    test = term.term("test")
    try:
        chosen = "body" if evaluate(test, scope) else "orelse"
    except Undecidable:
        branches = ((test, term.term("body")), (negation(test), term.term("orelse")))
        return tuple(
            PossibleValue(inner.value, " and ".join(filter(None, (unparse(condition), inner.condition))))
            for condition, branch in branches
            for inner in possible_values(branch, scope)
        )
    return possible_values(term.term(chosen), scope)


def evaluate(term: Term, scope: Scope) -> object:
    """The one value of an expression. Raises Undecidable."""
    try:
        return _evaluate(term, scope)
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        raise Undecidable(
            Text("{} has no value: {}", "{} 没有值：{}").filled(quoted(unparse(term)), quoted(error))
        ) from None
    except RecursionError:
        raise Undecidable(Text("an expression is nested too deeply", "表达式嵌套过深")) from None


def _evaluate(term: Term, scope: Scope) -> object:
    match term.type:
        case "Literal":
            constant = term.parts["value"]
            return Fraction(str(constant)) if scope.is_exact and isinstance(constant, float) else constant
        case "Name":
            identifier = term.text("id")
            return _CONSTANTS[identifier] if identifier in _CONSTANTS else _constant(identifier, scope)
        case "Attribute":
            return _attribute(term, scope)
        case "Tuple" | "List" | "Set":
            items = bounded_items(value for item in term.terms("elements") for value in _spread(item, scope))
            return tuple(items) if term.type == "Tuple" else set(items) if term.type == "Set" else items
        case "Dict":
            return _dict(term, scope)
        case "UnaryOperation":
            return _UNARY[term.text("operator")](_evaluate(term.term("operand"), scope))
        case "BinaryOperation":
            left, right = (_evaluate(term.term(side), scope) for side in ("left", "right"))
            return binary(term.text("operator"), left, right, is_exact=scope.is_exact)
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
            if symbol.startswith("is") and not any(one is None or isinstance(one, bool) for one in (left, right)):
                raise _not_static(unparse(term))  # whether equal objects are one is the interpreter's choice
            return _COMPARE[symbol](left, right)
        case "IfExp":
            return _evaluate(term.term("body" if _evaluate(term.term("test"), scope) else "orelse"), scope)
        case "Subscript":
            item, *others = term.terms("slice")
            if item.type != "Slice" and not others:
                container = _evaluate(term.term("value"), scope)
                return container[_evaluate(item, scope)]  # type: ignore[index] # a TypeError is an answer
        case "FString":
            return "".join(str(part) for part in bounded_items(_text_of(part, scope) for part in term.terms("parts")))
        case "Lambda" if not term.terms("params"):
            return _evaluate(term.term("body"), scope)
        case "Call":
            return _call(term, scope)
        case _:
            pass
    raise _not_static(unparse(term))


def _spread(item: Term, scope: Scope) -> tuple[object, ...]:
    """What an element of a display adds to it: of `*x`, what is in x."""
    if item.type != "Starred":
        return (_evaluate(item, scope),)
    value = _evaluate(item.term("value"), scope)
    if not isinstance(value, list | tuple | dict | str):  # a set has no order
        raise _not_static(unparse(item))
    return tuple(value)


def _dict(term: Term, scope: Scope) -> dict[object, object]:
    found: dict[object, object] = {}
    for element in term.terms("elements"):
        value = _evaluate(element.term("value"), scope)
        if element.type == "DictElement":
            (key,) = bounded_items((_evaluate(element.term("key"), scope),))
            found[key] = value
        elif isinstance(value, dict):
            found |= value
        else:
            raise _not_static(unparse(term))
        bounded_items((found,))
    return found


def _not_static(code: str) -> Undecidable:
    return Undecidable(Text("not static: {}", "无法静态求值：{}").filled(quoted(code)))


def _text_of(part: Term, scope: Scope) -> str:
    if part.type == "Literal":
        return str(part.parts["value"])
    if part.parts["conversion"] or part.parts["spec"] is not None:
        expression = quoted(unparse(part.term("expression")))
        raise Undecidable(Text("not static: a formatted {}", "无法静态求值：带格式的 {}").filled(expression))
    return str(_evaluate(part.term("expression"), scope))


def _call(term: Term, scope: Scope) -> object:
    callee = (dotted(term.term("func")) or "").rpartition(".")[2]
    args, keywords = term.terms("args"), {k.text("name"): k.term("value") for k in term.terms("keywords")}
    is_lookup = _ENVIRONMENT.fullmatch(dotted(term.term("func")) or "") is not None
    if scope.is_strict and (callee in _FIELDS or _WRAPPER.fullmatch(callee) or is_lookup):
        raise _not_static(unparse(term))
    if callee in _FIELDS:
        return _field(term, args, keywords, scope)
    if is_lookup and len(args) == 2:
        return _evaluate(args[1], scope)
    if _WRAPPER.fullmatch(callee) and (args or "default" in keywords):
        return _evaluate(keywords.get("default") or args[0], scope)
    if callee in _BUILTINS and term.term("func").type == "Name" and not _is_shadowed(callee, scope):
        values = [_evaluate(arg, scope) for arg in args]
        if callee == "round" and len(values) > 1 and not (isinstance(values[1], int) and abs(values[1]) < _MOST_DIGITS):
            raise _not_static(unparse(term))
        if callee in ("list", "tuple", "set", "frozenset", "dict") and len(values) > 1:
            raise _not_static(unparse(term))
        if callee == "sum" and not all(isinstance(one, int | float) for one in _summed(values)):
            raise _not_static(unparse(term))
        named = {name: _evaluate(value, scope) for name, value in keywords.items()}
        (made,) = bounded_items((_BUILTINS[callee](*bounded_items(values), **named),))
        return made
    raise _not_static(unparse(term))


def _summed(values: list[object]) -> Iterable[object]:
    """What `sum` adds: numbers, or what it would copy again and again."""
    items, *start = values or [()]
    return [*(items if isinstance(items, Iterable) else [items]), *start]


def _is_shadowed(name: str, scope: Scope) -> bool:
    """Whether a built-in's name means something else here."""
    if not scope.path:
        return False
    is_defined = bool(scope.codebase.definitions(scope.path, name))
    return is_defined or scope.is_local(name) or name in scope.codebase.index(scope.path).imports


def _field(term: Term, args: tuple[Term, ...], keywords: dict[str, Term], scope: Scope) -> object:
    """The default of a field of a dataclass, of attrs or of pydantic. attrs converts a default, too."""
    if "converter" in keywords:
        converter = quoted(unparse(keywords["converter"]))
        raise Undecidable(Text("the default is converted by {}", "默认值由 {} 转换").filled(converter))
    factory = keywords.get("default_factory") or keywords.get("factory")
    default = keywords.get("default") or (args[0] if args else None)
    if default is not None and default.type == "Call" and (dotted(default.term("func")) or "").endswith("Factory"):
        factory = next(iter(default.terms("args")), factory)
        default = None
    if default is not None:
        return _evaluate(default, scope)
    if factory is not None:
        if factory.type == "Lambda":
            return _evaluate(factory, scope)
        if factory.type == "Name" and factory.text("id") in _BUILTINS and not _is_shadowed(factory.text("id"), scope):
            return _BUILTINS[factory.text("id")]()
        raise Undecidable(Text("the default is made by {}", "默认值由 {} 生成").filled(quoted(unparse(factory))))
    raise Undecidable(Text("no default is declared: {}", "没有声明默认值：{}").filled(quoted(unparse(term))))


def _attribute(term: Term, scope: Scope) -> object:
    chain = dotted(term)
    if chain is None:
        raise _not_static(unparse(term))
    owner, _, name = chain.rpartition(".")
    if name == "value" and "." in owner:
        return _attribute(term.term("value"), scope)  # an enum member stands for its value here
    # An instance's fields hold what its constructor was given; only what is written as a constant is one.
    if owner in ("self", "cls") and scope.cls and name.isupper():
        return _member(scope.path, scope.cls, name, scope, chain)
    first, _, rest = owner.partition(".")
    path, cls = resolve(first, scope)
    if path is None or scope.is_local(first):
        raise _not_static(chain)
    qualified = ".".join(filter(None, (cls, rest)))
    if qualified:
        return _member(path, qualified, name, scope, chain)
    return _constant(name, scope.inner(path, None))


def _member(path: str, cls: str, name: str, scope: Scope, chain: str) -> object:
    found = scope.codebase.definitions(path, f"{cls}.{name}")
    if len(found) != 1 or found[0].symbol is None or found[0].symbol.type not in ("field", "constant"):
        raise _not_static(chain)
    return _known(found[0], scope.inner(path, cls))


def _known(definition: "Definition", scope: Scope) -> object:
    """The value of a constant or field, worked out once."""
    key = (definition.path, definition.name)
    if key not in scope.known:
        scope.known[key] = evaluate(initializer(definition), scope)
    return scope.known[key]


def _constant(name: str, scope: Scope) -> object:
    """The value of a name: of the class around, of the module, or of the module it is imported from."""
    if scope.is_local(name):
        raise _not_static(name)
    # A class's names are seen in its own body, not in its methods.
    names = ([f"{scope.cls}.{name}"] if scope.cls and scope.locals is None else []) + [name]
    for qualified in names:
        found = scope.codebase.definitions(scope.path, qualified)
        if len(found) > 1:
            raise Undecidable(
                Text(
                    f"{name} is assigned {len(found)} times in {scope.path}",
                    f"`{name}` 在 {scope.path} 中被赋值 {len(found)} 次",
                )
            )
        if found and found[0].symbol and found[0].symbol.type in ("field", "constant"):
            return _known(found[0], scope.inner(scope.path, scope.cls if qualified != name else None))
    module, original = scope.codebase.index(scope.path).imports.get(name, (None, None))
    path = scope.codebase.module(module, scope.path) if module and original else None
    if path and original:
        return _constant(original, scope.inner(path, None))
    raise _not_static(name)


def resolve(name: str, scope: Scope) -> tuple[str | None, str | None]:
    """The file that a name refers into, and the class in it (None: the module itself)."""
    found = {one for one in referents(scope.codebase, name, scope.path) if one.type in ("class", "module", "value")}
    (target, *others) = found or {Referent("outside", "")}
    if others or target.type == "outside":
        return None, None
    return target.path, None if target.type == "module" else target.name
