"""What text an expression can be: literals, with gaps for what is no text, joined by `+`, `%`, f-strings and `format`.

An abstract interpretation of string expressions. A gap stands for any text.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term, encode

GAP = "\0"
"""Stands in a text for a value that is not known."""

Lookup = Callable[[Term], Sequence[Term]]
"""The expressions that a name, an attribute or a call may stand for; none where that is not known."""

_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[-+ #0]*[\d*]*(?:\.[\d*]+)?[hlL]?[diouxXeEfFgGcrsa]|%%")
_FIELD = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
_MOST = 64  # texts that one expression may have
_DEPTH = 8


@dataclass(frozen=True, slots=True)
class StringValue:
    """One text that an expression can be, and the conditions inside the expression under which it is this one."""

    text: str
    conditions: tuple[Term, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether no part of it is unknown."""
        return GAP not in self.text


def _nothing(_: Term) -> Sequence[Term]:
    return ()


def string_values(
    term: Term, lookup: Lookup = _nothing, *, is_format: bool = False, depth: int = _DEPTH
) -> tuple[StringValue, ...]:
    """The texts that an expression can be, at most 64 of them; with `is_format`, `%s` or `{}` in a literal is a gap."""

    def of(inner: Term, *, is_format: bool = is_format) -> tuple[StringValue, ...]:
        return string_values(inner, lookup, is_format=is_format, depth=depth - 1)

    if depth <= 0:
        return (StringValue(GAP),)
    match term.type:
        case "Literal" if isinstance(value := term.parts["value"], str):
            placeholder = _PLACEHOLDER if _PLACEHOLDER.search(value) else _FIELD  # `{}` is loguru's
            return (StringValue(_with_gaps(placeholder, value) if is_format else value),)
        case "FString":
            return _joined([_of_field(part, of) for part in term.terms("parts")])
        case "IfExp":
            test = term.term("test")
            branches = ((test, term.term("body")), (negation(test), term.term("orelse")))
            values = [
                StringValue(one.text, (guard, *one.conditions)) for guard, branch in branches for one in of(branch)
            ]
            return tuple(values[:_MOST])
        case "BinaryOperation" if term.parts["operator"] == "+":
            return _joined([of(term.term("left")), of(term.term("right"))])
        case "BinaryOperation" if term.parts["operator"] == "%":
            return of(term.term("left"), is_format=True)
        case "Call" if term.term("func").parts.get("attr") == "format":
            template = of(term.term("func").term("value"))
            return tuple(StringValue(_with_gaps(_FIELD, one.text), one.conditions) for one in template)
        case "Call" if term.term("func").parts.get("id") == "str" and len(term.terms("args")) == 1:
            return of(term.terms("args")[0])
        case "NamedExpr":
            return of(term.term("value"))
        case _:
            found = [one for value in lookup(term) for one in of(value)]
            return tuple(dict.fromkeys(found[:_MOST])) or (StringValue(GAP),)


def _of_field(part: Term, of: Callable[[Term], tuple[StringValue, ...]]) -> tuple[StringValue, ...]:
    """A part of an f-string: a literal, or a field, which is a gap where it is formatted."""
    if part.type == "Literal":
        return (StringValue(str(part.parts["value"])),)
    is_plain = part.parts["conversion"] in (None, "s") and part.parts["spec"] is None
    return of(part.term("expression")) if is_plain else (StringValue(GAP),)


def _joined(parts: Iterable[Sequence[StringValue]]) -> tuple[StringValue, ...]:
    """The texts one after the other, in all ways whose conditions can hold together."""
    found = [StringValue("")]
    for values in parts:
        found = [
            StringValue(one.text + other.text, (*one.conditions, *other.conditions))
            for one, other in product(found, values)
            if _is_consistent(one.conditions, other.conditions)
        ][:_MOST]
    return tuple(found)


def _is_consistent(one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether no condition is the negation of another."""
    opposite = {encode(negation(guard)) for guard in one}
    return not any(encode(guard) in opposite for guard in other)


def _with_gaps(placeholder: re.Pattern[str], template: str) -> str:
    escaped = {"%%": "%", "{{": "{", "}}": "}"}
    return placeholder.sub(lambda found: escaped.get(found.group(), GAP), template)


def readable(text: str) -> str:
    """A text for people: `...` for a gap."""
    return text.replace(GAP, "...")


def is_match(wanted: str, text: str) -> bool:
    """Whether a text is the wanted one, in which `...` stands for anything; white space is one blank.

    Wanted as source writes it, with `%s` or `{name}`, each placeholder stands for a gap.
    """
    return any(re.fullmatch(one, " ".join(text.split()), re.DOTALL) for one in _expressions(wanted))


def _expressions(wanted: str) -> Iterator[str]:
    for placeholder in (None, _PLACEHOLDER, _FIELD):
        pieces = []
        for piece in wanted.split("..."):
            template = _with_gaps(placeholder, piece) if placeholder else piece
            pieces.append(re.escape(" ".join(template.split())).replace(r"\ ", " "))
        yield r"\s*.*?\s*".join(pieces)


def may_match(wanted: str, text: str) -> bool:
    """Whether a text can be the wanted one, whatever its gaps are; none of them is empty."""
    wanted, text = (" ".join(one.split()) for one in (wanted.replace("...", _ANY), text))

    @cache
    def agree(left: int, right: int) -> bool:
        if left == len(wanted) or right == len(text):
            return right == len(text) and not wanted[left:].replace(_ANY, "").strip()
        if wanted[left] == _ANY:
            return agree(left + 1, right) or agree(left, right + 1)
        if text[right] == GAP:
            return agree(left + 1, right) or agree(left + 1, right + 1)
        return wanted[left] == text[right] and agree(left + 1, right + 1)

    try:
        return agree(0, 0)
    except RecursionError:
        return True


_ANY = "\1"  # whatever is left out
