"""What gives a field or a constant its value, and what changes that later."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.phrases import quoted
from auditor.code.syntax.blocks import walk_scope
from auditor.code.syntax.targets import assigned_pairs, bound_targets
from auditor.code.syntax.term import Term, dotted
from auditor.model import Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


def initializer(definition: "Definition") -> Term:
    """The expression that gives a field or constant its value. Raises Undecidable when there is none."""
    if (changed := _changed_later(definition)) is not None:
        later = Text("{}: {} is changed later, by {}", "{}：{} 之后又被 {} 改变")
        raise Undecidable(later.filled(definition.location, quoted(definition.name), quoted(changed)))
    term = definition.term
    if definition.name in definition.codebase.index(definition.path).imports:
        raise Undecidable(
            Text(
                "{}: {} is also imported; which is meant cannot be told",
                "{}：{} 同时也是导入的名称，无法判断指的是哪一个",
            ).filled(definition.location, quoted(definition.name))
        )
    if term.type == "Assign":
        last = definition.name.rpartition(".")[2]
        pairs = [pair for target in term.terms("targets") for pair in assigned_pairs(target, term.term("value"))]
        value = next(
            (value for place, value in pairs if last in (place.parts.get("id"), place.parts.get("attr"))), None
        )
        if value is None:
            unpacked = Text("{}: the value of {} is unpacked", "{}：{} 的值来自解包")
            raise Undecidable(unpacked.filled(definition.location, quoted(definition.name)))
        return value
    # `x: Annotated[int, Field(default=3)]` has its default in the annotation.
    for found in _annotated(term):
        return found
    raise Undecidable(
        Text("{}: {} has no default", "{}：{} 没有默认值").filled(definition.location, quoted(definition.name))
    )


def _changed_later(definition: "Definition") -> str | None:
    """What changes the items of a list, dict or set, or a name through `globals()`, as far as text shows."""
    text, own = definition.codebase.text(definition.path), definition.name.rpartition(".")[2]
    value = definition.term.parts.get("value")
    found = re.search(rf"globals\(\)(?:\[|\.update\(|\.__setitem__\()[^\n]*\b{own}\b", text)
    if found is None and isinstance(value, Term) and value.type in ("List", "Dict", "Set"):
        found = re.search(rf"(?<!\w){own}(?:(?:\[[^\]\n]*\])+[ \t]*[-+*/|&]?=(?!=)|\.(?:{_CHANGING})\()", text)
    return found[0] if found else None


_CHANGING = "update|append|extend|insert|remove|pop|popitem|clear|setdefault|add|discard|sort|reverse|__setitem__"


def _annotated(term: Term) -> Iterator[Term]:
    for inner in term.annotation.walk() if term.annotation else ():
        if inner.type == "Call" and (dotted(inner.term("func")) or "").rpartition(".")[2] == "Field":
            yield inner


def reassignments(definition: "Definition") -> "Iterator[tuple[Definition, Term]]":
    """What sets a field of each new instance once more: statements of its class's constructors and validators."""
    cls, field = definition.cls, definition.name.rpartition(".")[2]
    if cls is None or definition.symbol is None or definition.symbol.type != "field":
        return
    for symbol in definition.codebase.index(definition.path).symbols:
        owner, _, name = symbol.name.rpartition(".")
        is_hook = name in _HOOKS or any("validator" in one for one in symbol.decorators)
        if owner == cls and symbol.type == "function" and is_hook:
            for method in definition.codebase.definitions(definition.path, symbol.name):
                for term in walk_scope(method.function.terms("body")):
                    if any(dotted(place) == f"self.{field}" for place in bound_targets(term)):
                        yield method, term


_HOOKS = ("__init__", "__post_init__", "__post_init_post_parse__", "model_post_init")
