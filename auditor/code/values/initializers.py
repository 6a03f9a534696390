"""What gives a field or a constant its value, and what changes that later."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.phrases import quoted
from auditor.code.syntax.targets import assigned_pairs
from auditor.code.syntax.term import Term, dotted
from auditor.model import Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition


def initializer(definition: "Definition") -> Term:
    """The expression that gives a field or constant its value. Raises Undecidable when there is none."""
    if (changed := _changed_later(definition)) is not None:
        later = Text("{}: {} is changed later, by {} at line {}", "{0}：{1} 之后又在第 {3} 行被 {2} 改变")
        line, code = changed
        raise Undecidable(later.filled(definition.location, quoted(definition.name), quoted(code), line))
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


def _changed_later(definition: "Definition") -> tuple[int, str] | None:
    """The line that changes the items of a container, or a name through `globals()`, as far as text shows."""
    text, own = definition.codebase.text(definition.path), definition.name.rpartition(".")[2]
    value = definition.term.parts.get("value")
    found = re.search(rf"globals\(\)(?:\[|\.update\(|\.__setitem__\()[^\n]*\b{own}\b", text)
    if found is None and isinstance(value, Term) and value.type not in _IMMUTABLE:
        found = re.search(
            rf"(?<!\w){own}(?:(?:\[[^\]\n]*\])+[ \t]*[-+*/|&]?=(?!=)|\.(?:{_CHANGING})\()|\bdel {own}\[", text
        )
    if found is None:
        return None
    line = text.count("\n", 0, found.start()) + 1
    code = text.split("\n", line)[line - 1].strip()
    return line, code if len(code) <= _LONGEST else f"{code[:_LONGEST]}..."


_LONGEST = 80  # characters of a line in a sentence


def changed_defaults(function: "Definition") -> str | None:
    """What gives the parameters of a function other defaults later, as far as the text of its file shows."""
    own = function.name.rpartition(".")[2]
    found = re.search(rf"\b{own}\.__(?:kw)?defaults__[^\n]*=(?!=)", function.codebase.text(function.path))
    return found[0] if found else None


_IMMUTABLE = ("Literal", "FString", "Tuple", "Lambda")
_CHANGING = "update|append|extend|insert|remove|pop|popitem|clear|setdefault|add|discard|sort|reverse|__setitem__"


def _annotated(term: Term) -> Iterator[Term]:
    for inner in term.annotation.walk() if term.annotation else ():
        called = (dotted(inner.term("func")) or "").rpartition(".")[2] if inner.type == "Call" else ""
        if called == "Field":
            yield inner
        elif called == "Arg":  # `Annotated[int, Arg(fallback=3)]`
            named = {keyword.text("name"): keyword.term("value") for keyword in inner.terms("keywords")}
            yield from (named[word] for word in ("default", "fallback") if word in named)
