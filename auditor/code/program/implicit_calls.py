"""The methods that syntax calls without naming them, and the attributes that reflection reads by an item's name."""

import ast
import re
import string
from collections.abc import Iterator, Mapping

from auditor.code.syntax.dynamic_attributes import literal_text
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term, dotted

_ITERATED = ("__iter__", "__next__", "__getitem__")
_AWAITED = ("__aiter__", "__anext__")
_SHOWN = ("__format__", "__str__", "__repr__")
_IMPLICIT: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Subscript": ("value", ("__getitem__",)),
    "WithItem": ("item", ("__enter__", "__exit__", "__aenter__", "__aexit__")), "Field": ("expression", _SHOWN),
    "Starred": ("value", _ITERATED), "YieldFrom": ("value", _ITERATED), "Await": ("value", ("__await__",)),
    "StarredDictElement": ("value", ("keys", "__getitem__")),
    "Match": ("subject", ("__eq__", "__len__", "__getitem__")),
}  # fmt: skip
_OPERATIONS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "<": "lt", "<=": "le",
    "==": "eq", "!=": "ne", "in": "contains", "not in": "contains", "|": "or", "&": "and", "^": "xor", "@": "matmul",
    "**": "pow", "<<": "lshift", ">>": "rshift", ">": "gt", ">=": "ge",
}  # fmt: skip
_MIRRORED = {"<": "gt", "<=": "ge", ">": "lt", ">=": "le", "!=": "eq"}
"""What Python asks of the other side, or falls back on."""
_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
CONVERSIONS: Mapping[str, tuple[str, ...]] = {
    "len": ("__len__",), "int": ("__int__", "__index__", "__trunc__"), "float": ("__float__", "__index__"),
    "bool": ("__bool__", "__len__"), "str": ("__str__", "__repr__"), "repr": ("__repr__",), "ascii": ("__repr__",),
    "print": ("__str__", "__repr__"), "format": _SHOWN, "iter": _ITERATED, "next": ("__next__",), "abs": ("__abs__",),
    "hash": ("__hash__",), "bytes": ("__bytes__", *_ITERATED), "complex": ("__complex__", "__float__"),
    "round": ("__round__",), "reversed": ("__reversed__", "__len__", "__getitem__"), "dir": ("__dir__",),
    "divmod": ("__divmod__", "__rdivmod__"), "pow": ("__pow__", "__rpow__"), "range": ("__index__",),
    "min": (*_ITERATED, "__lt__"), "max": (*_ITERATED, "__gt__"), "dict": ("keys", *_ITERATED),
    **dict.fromkeys(
        ("list", "tuple", "set", "frozenset", "sorted", "sum", "any", "all", "enumerate", "zip", "map", "filter"),
        _ITERATED,
    ),
}  # fmt: skip
"""Built-in functions, and the methods that each may call on its arguments."""
NOT_CALLING = ("isinstance", "issubclass", "cast", "super", "getattr", "hasattr", "setattr", "delattr", "type", "id",
                "vars", "repr", "print")  # fmt: skip
"""Functions that do not call a class that they are handed."""
_BINDING_PATTERNS = ("bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple")
"""Classes of which a pattern's only position is the subject itself (the language reference, "Class Patterns")."""


def implicit_methods(term: Term) -> Iterator[tuple[Term, tuple[str, ...]]]:
    """Each operand of an operation, a loop, an item or a `with`, and the methods that may be called on it."""
    if term.type in _BINDING:
        stored = "__delitem__" if term.type == "Delete" else "__setitem__"
        yield from ((place.term("value"), (stored,)) for place in bound_targets(term) if place.type == "Subscript")
    match term.type:
        case "For" | "CompFor":
            yield term.term("iter"), _AWAITED if term.parts["is_async"] else _ITERATED
        case "BinaryOperation":
            yield from _operated((term.term("left"), term.term("right")), (term.text("operator"),))
            if term.parts["operator"] == "%" and term.term("left").type in ("Literal", "FString"):
                shown = term.term("right")
                yield from ((one, _SHOWN) for one in (shown.terms("elements") if shown.type == "Tuple" else (shown,)))
        case "Comparison":
            yield from _operated((term.term("left"), *term.terms("comparators")), tuple(term.operators))
        case "AugAssign":
            symbol = term.text("operator")
            yield term.term("target"), (f"__i{_OPERATIONS.get(symbol, symbol)}__",)
            yield from _operated((term.term("target"), term.term("value")), (symbol,))
        case "UnaryOperation" if (method := _UNARY.get(term.text("operator"))) is not None:
            yield term.term("operand"), (method,)
        case "Assign" if any(target.type in ("Tuple", "List") for target in term.terms("targets")):
            yield term.term("value"), _ITERATED
        case "Call":
            yield from _formatted_arguments(term)
        case _ if term.type in _IMPLICIT:
            part, methods = _IMPLICIT[term.type]
            yield term.term(part), methods
        case _:
            pass


_BINDING = ("Assign", "AugAssign", "For", "CompFor", "WithItem", "Delete")


def _operated(sides: tuple[Term, ...], symbols: tuple[str, ...]) -> Iterator[tuple[Term, tuple[str, ...]]]:
    stems = [_OPERATIONS[symbol] for symbol in symbols if symbol in _OPERATIONS]
    stems += [_MIRRORED[symbol] for symbol in symbols if symbol in _MIRRORED]
    methods = tuple(f"__{prefix}{stem}__" for stem in stems for prefix in ("", "r"))
    if "contains" in stems:
        methods += (*_ITERATED, "__eq__")
    yield from ((side, methods) for side in sides if methods)


def _formatted_arguments(call: Term) -> Iterator[tuple[Term, tuple[str, ...]]]:
    """What a text's own `format` and `join` show, and what a spread argument is asked for."""
    function = call.term("func")
    if function.type == "Attribute" and function.parts["attr"] == "format":
        yield from ((one, _SHOWN) for one in (*call.terms("args"), *(k.term("value") for k in call.terms("keywords"))))
    elif function.type == "Attribute" and function.parts["attr"] == "join":
        yield from ((one, _ITERATED) for one in call.terms("args"))
    for keyword in call.terms("keywords"):
        if keyword.parts["name"] == "**":
            yield keyword.term("value"), ("keys", "__getitem__")


_COPYING = frozenset((
    "copy", "deepcopy", "replace", "evolve", "copy.copy", "copy.deepcopy", "copy.replace", "dataclasses.replace",
    "attr.evolve", "attrs.evolve", "pickle.dumps",
))  # fmt: skip


def copied(call: Term) -> Term | None:
    """What a call copies, reading all of its attributes: `x` of `copy.copy(x)`, `dataclasses.replace(x, n=1)`."""
    args = call.terms("args")
    return args[0] if args and dotted(call.term("func")) in _COPYING else None


def written_places(function: Term) -> frozenset[int]:
    """The identities of the attributes and names that are given a value, or taken away, and not read there."""
    statements = (one for one in function.walk() if one.type not in ("AugAssign", "Call"))
    return frozenset(id(place) for one in statements for place in bound_targets(one))


def formatted_attributes(call: Term) -> Iterator[str]:
    """The attributes that the replacement fields of `"...".format(...)` name: `eggs` of `{0.eggs}`."""
    function = call.term("func")
    text = function.term("value").parts.get("value") if function.type == "Attribute" else None
    if isinstance(text, str) and function.parts["attr"] == "format":
        try:
            fields = [*string.Formatter().parse(text)]
            fields += [inner for _, _, spec, _ in fields for inner in string.Formatter().parse(spec or "")]
        except ValueError:
            return
        yield from (match for _, name, _, _ in fields for match in re.findall(r"\.(\w+)", name or ""))


def has_positional_attributes(pattern: str) -> bool:
    """Whether a `case` pattern asks for attributes by position, which `__match_args__` names: `Point(0, y)`."""
    try:
        tree = ast.parse(f"match _:\n case {pattern}: pass")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return any(
        bool(node.patterns) and not (isinstance(node.cls, ast.Name) and node.cls.id in _BINDING_PATTERNS)
        for node in ast.walk(tree)
        if isinstance(node, ast.MatchClass)
    )


def truth_tests(function: Term) -> Iterator[Term]:
    """The expressions whose truth is asked."""
    for term in function.walk():
        match term.type:
            case "If" | "While" | "IfExp" | "Assert":
                yield term.term("test")
            case "BooleanOperation":
                yield from term.terms("values")
            case "UnaryOperation" if term.parts["operator"] == "not":
                yield term.term("operand")
            case "CompFor":
                yield from term.terms("ifs")
            case "MatchCase" if isinstance(guard := term.parts["guard"], Term):
                yield guard
            case _:
                pass


def with_reflected_items(term: Term) -> Term:
    """Code with `x.n` in place of `vars(x)["n"]` and `x.__dict__["n"]`."""
    term = term.rebuilt(with_reflected_items, keeps_lines=True)
    if term.type != "Subscript":
        return term
    value, (item, *others) = term.term("value"), term.terms("slice")
    name = literal_text(item)
    if others or name is None or not name.isidentifier():
        return term
    if value.type == "Call" and value.term("func").parts.get("id") == "vars" and len(value.terms("args")) == 1:
        return Term("Attribute", {"value": value.terms("args")[0], "attr": name}, term.region)
    if value.type == "Attribute" and value.parts["attr"] == "__dict__":
        return Term("Attribute", {"value": value.term("value"), "attr": name}, term.region)
    return term
