"""Command-line arguments as code declares them to argparse."""

from collections.abc import Callable, Iterator, Mapping

from auditor.code import Undecidable
from auditor.code.phrases import quoted
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.unparse import unparse
from auditor.model import Text


def defaults(function: Term, flag: str) -> Iterator[tuple[Term, Term | None]]:
    """The defaults of an argument: one for each time that it is declared, or its default set. Raises Undecidable.

    Each with the `type` that argparse gives a default to where it is a string; None where it has none.
    """
    calls = [term for term in function.walk() if term.type == "Call" and term.term("func").type == "Attribute"]
    declared = [call for call in calls if call.term("func").text("attr") == "add_argument" and flag in _flags(call)]
    if not declared:
        raise Undecidable(
            Text("{} declares no argument {}", "{} 没有声明参数 {}").filled(quoted(function.text("name")), quoted(flag))
        )
    types = [_keywords(call).get("type") for call in declared]
    yield from zip(map(_default, declared), types, strict=True)
    destinations = {_destination(call) for call in declared}
    for call in calls:
        if call.term("func").text("attr") == "set_defaults":
            found = (k.term("value") for k in call.terms("keywords") if k.text("name") in destinations)
            yield from ((value, types[0]) for value in found)


def converted(value: object, type_: Term | None) -> object:
    """What argparse makes of a default: a string is given to the argument's `type`. Raises Undecidable."""
    if type_ is None or not isinstance(value, str):
        return value
    conversion = _CONVERSIONS.get(dotted(type_) or "")
    try:
        if conversion is not None:
            return conversion(value)
        reason: object = unparse(type_)
    except ValueError as error:
        reason = error
    raise Undecidable(
        Text("the default {} is converted by {}", "默认值 {} 由 {} 转换").filled(quoted(repr(value)), quoted(reason))
    )


_CONVERSIONS: Mapping[str, Callable[[str], object]] = {"int": int, "float": float, "str": str, "bool": bool}


def _default(call: Term) -> Term:
    given = _keywords(call)
    if "default" in given:
        return given["default"]
    if "**" in given:
        raise Undecidable(
            Text("the default of {} may be in {}", "{} 的默认值可能在 {} 里").filled(
                quoted(" ".join(_flags(call))), quoted(unparse(given["**"]))
            )
        )
    action = given["action"].parts.get("value") if "action" in given else None
    return name({"store_true": "False", "store_false": "True"}.get(str(action), "None"), call.region)


def _destination(call: Term) -> str:
    """The attribute that the argument's value is kept in."""
    given, flags = _keywords(call), _flags(call)
    if "dest" in given:
        return str(given["dest"].parts.get("value"))
    return next((flag for flag in flags if flag.startswith("--")), flags[0]).lstrip("-").replace("-", "_")


def _flags(call: Term) -> list[str]:
    return [flag for arg in call.terms("args") if isinstance(flag := arg.parts.get("value"), str)]


def _keywords(call: Term) -> dict[str, Term]:
    return {keyword.text("name"): keyword.term("value") for keyword in call.terms("keywords")}
