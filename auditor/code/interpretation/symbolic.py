"""Abstract values as terms again: what conditions and reasons show."""

from collections.abc import Sequence

from auditor.code.interpretation.values import (
    ClassValue,
    External,
    FunctionValue,
    Instance,
    Items,
    Unknown,
    Value,
    is_member,
)
from auditor.code.syntax.normal_forms import literal, name
from auditor.code.syntax.term import Term, encode

_LARGEST = 60  # nodes of a condition that a person would read


def reified(value: Value, original: Term) -> Term:
    """A term for a value: its own expression where it is symbolic; the original one where none is short."""
    if isinstance(value, Unknown):
        return value.term if is_readable(value.term) else original
    if value is None or isinstance(value, bool):
        return name(repr(value))
    if isinstance(value, str | int | float | bytes):
        return literal(value)
    if isinstance(value, External):
        first, *others = value.name.split(".") if value.is_attribute else [value.last]
        found = name(first)
        for attr in others:
            found = Term("Attribute", {"value": found, "attr": attr})
        return found
    if isinstance(value, ClassValue):
        return name(value.name.rpartition(".")[2])
    if isinstance(value, FunctionValue) and value.term.type == "FunctionDef":
        return name(value.name)
    if isinstance(value, Instance):
        if is_member(value) and isinstance(value.cls, ClassValue):
            return Term("Attribute", {"value": name(value.cls.name), "attr": str(value.names.get("name"))})
        if value.term is not None:
            return value.term
    if isinstance(value, Items) and len(value.items) < 6 and not value.is_open:
        kind = value.kind.capitalize()
        return Term(kind, {"elements": tuple(reified(one, original) for one in value.values)})
    return original


def is_readable(term: Term) -> bool:
    """Whether a term is small enough for a condition that a person reads."""
    return sum(1 for _ in zip(term.walk(), range(_LARGEST), strict=False)) < _LARGEST


def joined(operator: str, tests: Sequence[Term]) -> Term:
    """Tests as one: flat, and each once."""
    flat: list[Term] = []
    for one in tests:
        is_same = one.type == "BooleanOperation" and one.parts["operator"] == operator
        flat += one.terms("values") if is_same else (one,)
    flat = list({encode(one): one for one in flat}.values())
    if not flat:
        return name("True" if operator == "and" else "False")
    return flat[0] if len(flat) == 1 else Term("BooleanOperation", {"operator": operator, "values": tuple(flat)})


def unknown(value: Value, original: Term) -> Unknown:
    """A symbolic value, for something that is known but has no value here."""
    return value if isinstance(value, Unknown) else Unknown(reified(value, original))
