"""The calls that change nothing: one list, for whatever asks whether a call may have given something another value."""

from auditor.code.syntax.term import Term, dotted

_PURE = frozenset((
    "abs", "all", "any", "bool", "dict", "divmod", "enumerate", "float", "frozenset", "getattr", "hasattr", "id", "int",
    "isinstance", "issubclass", "iter", "len", "list", "max", "min", "print", "range", "repr", "reversed", "round",
    "set", "sorted", "str", "sum", "tuple", "type", "zip",
))  # fmt: skip


def is_pure(call: Term) -> bool:
    """Whether a call is of a built-in function that changes neither its arguments nor any attribute.

    A function that is handed to it (`key=`) may. That a special method such as `__len__` changes something is not
    thought of.
    """
    function = dotted(call.term("func"))
    if any(one.text("name") in ("key", "**") for one in call.terms("keywords")):
        return False
    return function in _PURE and (function not in _PURE_OF_ONE or len(call.terms("args")) == 1)


_PURE_OF_ONE = ("iter", "type")
"""Those that with more arguments call the first one, or make a class."""
