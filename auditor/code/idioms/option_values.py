"""The values and types of options, as a report shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from auditor.code.interpretation.symbolic import reified
from auditor.code.interpretation.values import (
    MISSING,
    ClassValue,
    External,
    FunctionValue,
    Hint,
    Instance,
    Items,
    OneOf,
    Table,
    Unknown,
    Value,
    concrete,
    is_member,
)
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.unparse import unparse

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class OptionValue:
    """A default. Where it is not static, `value` is the expression, or the alternatives."""

    value: Json
    is_static: bool = True
    is_required: bool = False
    alternatives: tuple[tuple[Json, str], ...] = ()
    """Values and their conditions, where one of several is the default."""


def option_value(value: Value) -> OptionValue:
    """A value as data."""
    if value == MISSING:
        return OptionValue(None, is_required=True)
    if isinstance(value, OneOf):
        ways = tuple(
            (option_value(item.value).value, " and ".join(dict.fromkeys(map(unparse, item.when))))
            for item in value.options
        )
        distinct = {repr(one) for one, _ in ways}
        if len(distinct) == 1:
            return option_value(value.options[0].value)
        return OptionValue(" | ".join(str(one) for one, _ in ways)[:_LONGEST], is_static=False, alternatives=ways)
    try:
        return OptionValue(_json(value))
    except ValueError:
        return OptionValue(_short(unparse(reified(value, name("...")))), is_static=False)


def _json(value: Value) -> Json:
    """Raises ValueError for what is not known."""
    if isinstance(value, Instance) and not is_member(value):
        if isinstance(value.cls, ClassValue) and value.term is None:
            is_dict = any(_is_dict(base) for one in value.cls.lineage for base in one.bases)
            is_typed = any(base.last == "TypedDict" for base in value.cls.outside)
            return {} if is_dict or is_typed else f"{value.cls.name}()"
        raise ValueError("not known")
    if isinstance(value, ClassValue):
        return value.name
    if isinstance(value, FunctionValue) and value.name != "<lambda>":
        return value.name
    if isinstance(value, External):
        return value.name
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, Items) and value.kind != "set" and not value.is_open:
        return [_json(one) for one in value.values]
    if isinstance(value, Table) and not value.is_open:
        return {str(key): _json(item.value) for key, item in value.entries.items()}
    return _plain(concrete(value))


def _is_dict(base: Value) -> bool:
    return base is dict or (isinstance(base, Hint) and base.origin is dict)


def _plain(value: object) -> Json:
    if isinstance(value, set | frozenset | list | tuple):
        items = [_plain(one) for one in value]
        return sorted(items, key=repr) if isinstance(value, set | frozenset) else items
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return repr(value)[:_LONGEST]


def type_text(keywords: Mapping[str, Value], action: Value) -> str | None:
    """What converts the text that is given: the name of a type or a function."""
    outside = action.outside if isinstance(action, ClassValue) else (action,)
    if any(isinstance(one, External) and one.last == "BooleanOptionalAction" for one in outside):
        return "bool"
    if isinstance(action, str) and action in ("store_true", "store_false"):
        return "bool"
    converter = keywords.get("type")
    inner = _converter(converter)
    if keywords.get("nargs") not in (None, "?") and inner:
        return f"list[{inner}]"
    return inner


def _converter(value: Value) -> str | None:
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, FunctionValue):
        # A function that wraps another, as one which takes "None" does, is named after what it wraps.
        for wrapped in ("return_type", "type_func", "cls"):
            around = value.frame.names.get(wrapped) if value.name.startswith("_") else None
            if isinstance(around, type | FunctionValue):
                return f"{_converter(around)} | None"
        return value.name
    if isinstance(value, External):
        return value.name
    if isinstance(value, ClassValue):
        return value.name
    if isinstance(value, Hint | Unknown | OneOf):
        return _short(unparse(reified(value, name("..."))))
    return None


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
