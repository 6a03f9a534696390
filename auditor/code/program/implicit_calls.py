"""The methods that syntax calls without naming them, and the attributes that reflection reads by an item's name."""

from collections.abc import Iterator, Mapping

from auditor.code.syntax.term import Term

_IMPLICIT: Mapping[str, tuple[str, ...]] = {
    "Subscript": ("__getitem__",), "For": ("__iter__", "__next__"), "CompFor": ("__iter__", "__next__"),
    "WithItem": ("__enter__", "__exit__", "__aenter__", "__aexit__"),
}  # fmt: skip
_OPERATIONS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "<": "lt", "<=": "le",
    "==": "eq", "!=": "ne", "in": "contains", "not in": "contains", "|": "or", "&": "and",
}  # fmt: skip
CONVERSIONS = {"len": "__len__", "bool": "__bool__", "int": "__int__", "float": "__float__", "str": "__str__",
                "iter": "__iter__", "next": "__next__", "abs": "__abs__", "hash": "__hash__"}  # fmt: skip
"""Built-in functions, and the method that each calls on its argument."""
NOT_CALLING = ("isinstance", "issubclass", "cast", "super", "getattr", "hasattr", "setattr", "delattr", "type", "id",
                "vars", "repr", "print")  # fmt: skip
"""Functions that do not call a class that they are handed."""


def implicit_methods(term: Term) -> Iterator[tuple[Term, tuple[str, ...]]]:
    """Each operand of an operation, a loop, an item or a `with`, and the methods that may be called on it."""
    if term.type in ("BinaryOperation", "Comparison"):
        symbols = term.operators if term.type == "Comparison" else (term.text("operator"),)
        sides = (*term.terms("comparators"), term.term("left")) if term.type == "Comparison" else (
            term.term("left"), term.term("right")
        )  # fmt: skip
        stems = [_OPERATIONS[symbol] for symbol in symbols if symbol in _OPERATIONS]
        methods = tuple(f"__{prefix}{stem}__" for stem in stems for prefix in ("", "r"))
        yield from ((side, methods) for side in sides)
    else:
        part = {"Subscript": "value", "WithItem": "item"}.get(term.type, "iter")
        yield term.term(part), _IMPLICIT[term.type]


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
            case _:
                pass


def with_reflected_items(term: Term) -> Term:
    """Code with `x.n` in place of `vars(x)["n"]` and `x.__dict__["n"]`."""
    term = term.rebuilt(with_reflected_items, keeps_lines=True)
    if term.type != "Subscript":
        return term
    value, (item, *others) = term.term("value"), term.terms("slice")
    name = item.parts.get("value") if item.type == "Literal" else None
    if others or not isinstance(name, str) or not name.isidentifier():
        return term
    if value.type == "Call" and value.term("func").parts.get("id") == "vars" and len(value.terms("args")) == 1:
        return Term("Attribute", {"value": value.terms("args")[0], "attr": name}, term.region)
    if value.type == "Attribute" and value.parts["attr"] == "__dict__":
        return Term("Attribute", {"value": value.term("value"), "attr": name}, term.region)
    return term
