"""Log messages as code writes them: literal text with gaps where values are put in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.code.computed import calls, described
from auditor.code.term import Term, encode, negation

GAP = "\0"
"""Stands for a value in a message's text."""

_LEVELS = {
    "debug": "debug", "info": "info", "warning": "warning", "warn": "warning", "error": "error", "exception": "error",
    "critical": "critical", "fatal": "critical",
}  # fmt: skip
_SUFFIXES = ("_once", "_rank0")
_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[-+ #0]*[\d*]*(?:\.[\d*]+)?[hlL]?[diouxXeEfFgGcrsa]|%%")
_MOST = 64  # alternatives that one message may have


@dataclass(frozen=True, slots=True)
class Message:
    """One text that a logging call can write."""

    text: str
    level: str
    guard: str | None
    call: Term


def messages(function: Term) -> Iterator[Message]:
    """The messages that a function logs, one for each text that a conditional expression in it makes."""
    for computed in calls(function, lambda call: _level(call) is not None):
        level = _level(computed.value)
        args = computed.value.terms("args")
        message = args[1:2] if computed.value.term("func").parts.get("attr") == "log" else args[:1]
        for text, conditions in _texts(message[0]) if message and level else ():
            yield Message(text, level or "", described((*computed.guards, *conditions)), computed.statement)


def _level(call: Term) -> str | None:
    """The level of a logging call, `""` where it is computed; None for another call."""
    func = call.term("func")
    if func.type != "Attribute":
        return None
    method = func.text("attr")
    for suffix in _SUFFIXES:
        method = method.removesuffix(suffix)
    is_logger = "log" in (func.term("value").parts.get("id") or func.term("value").parts.get("attr") or "")  # type: ignore[operator] # a name
    if method == "log" and is_logger:
        return ""
    return _LEVELS.get(method) if is_logger else None


def _texts(term: Term) -> list[tuple[str, tuple[Term, ...]]]:
    """The texts an expression can be, each with the conditions for it; a gap for what is not text."""
    match term.type:
        case "Literal" if isinstance(value := term.parts["value"], str):
            return [(_PLACEHOLDER.sub(lambda found: "%" if found.group() == "%%" else GAP, value), ())]
        case "FString":
            parts = (str(p.parts["value"]) if p.type == "Literal" else GAP for p in term.terms("parts"))
            return [("".join(parts), ())]
        case "IfExp":
            test = term.term("test")
            branches = ((test, term.term("body")), (negation(test), term.term("orelse")))
            return [(text, (guard, *more)) for guard, branch in branches for text, more in _texts(branch)][:_MOST]
        case "BinaryOperation" if term.parts["operator"] == "+":
            left, right = _texts(term.term("left")), _texts(term.term("right"))
            joined = [(a + b, (*one, *other)) for a, one in left for b, other in right if _agree(one, other)]
            return joined[:_MOST]
        case "BinaryOperation" if term.parts["operator"] == "%":
            return _texts(term.term("left"))
        case "Call" if term.term("func").parts.get("attr") == "format":
            return [
                (re.sub(r"\{[^{}]*\}", GAP, text), guards) for text, guards in _texts(term.term("func").term("value"))
            ]
        case _:
            return [(GAP, ())]


def _agree(one: tuple[Term, ...], other: tuple[Term, ...]) -> bool:
    """Whether two lists of conditions can hold together."""
    opposite = {encode(negation(guard)) for guard in one}
    return not any(encode(guard) in opposite for guard in other)


def is_written(wanted: str, text: str) -> bool:
    """Whether a message's text is the wanted one, in which `...` stands for anything; white space is one blank."""
    pieces = (re.escape(" ".join(piece.split())) for piece in wanted.split("..."))
    expression = r"\s*.*?\s*".join(piece.replace(r"\ ", " ") for piece in pieces)
    return re.fullmatch(expression, " ".join(text.split()), re.DOTALL) is not None
