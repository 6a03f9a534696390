"""Log messages as code writes them: literal text with gaps where values are put in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.code.flow.symbolic_execution import calls, described
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term, dotted, encode

GAP = "\0"
"""Stands for a value in a message's text."""

_LEVELS = {
    "debug": "debug", "info": "info", "warning": "warning", "warn": "warning", "error": "error", "exception": "error",
    "critical": "critical", "fatal": "critical",
}  # fmt: skip
_LOGGER = re.compile(r"(.*_)?(log|logs|logging|.*logger)\d*", re.IGNORECASE)
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
        level = _level(computed.statement.term("value")) or ""
        args = computed.value.terms("args")
        if computed.value.term("func").parts.get("attr") == "log":
            args = args[1:]
        for text, conditions in _texts(args[0], is_format=len(args) > 1) if args else ():
            yield Message(text, level, described((*computed.written, *conditions)), computed.statement)


def _level(call: Term) -> str | None:
    """The level of a logging call, `""` where it is computed; None for another call."""
    func = call.term("func")
    if func.type != "Attribute":
        return None
    method = func.text("attr")
    for suffix in _SUFFIXES:
        method = method.removesuffix(suffix)
    owner = func.term("value")
    owner = owner.term("func") if owner.type == "Call" else owner  # logging.getLogger(...).info
    if not _LOGGER.fullmatch(str(owner.parts.get("id") or owner.parts.get("attr") or "")):
        return None
    if method == "log":
        given = call.terms("args")
        return _LEVELS.get((dotted(given[0]) or "").rpartition(".")[2].lower(), "") if given else None
    return _LEVELS.get(method)


def _texts(term: Term, *, is_format: bool = False) -> list[tuple[str, tuple[Term, ...]]]:
    """The texts an expression can be, each with the conditions for it; a gap for what is not text.

    In a format `%s` is a gap.
    """
    match term.type:
        case "Literal" if isinstance(value := term.parts["value"], str):
            if not is_format:
                return [(value, ())]
            return [(_PLACEHOLDER.sub(lambda found: "%" if found.group() == "%%" else GAP, value), ())]
        case "FString":
            parts = (str(p.parts["value"]) if p.type == "Literal" else GAP for p in term.terms("parts"))
            return [("".join(parts), ())]
        case "IfExp":
            test = term.term("test")
            branches = ((test, term.term("body")), (negation(test), term.term("orelse")))
            return [
                (text, (guard, *more))
                for guard, branch in branches
                for text, more in _texts(branch, is_format=is_format)
            ][:_MOST]
        case "BinaryOperation" if term.parts["operator"] == "+":
            left, right = (_texts(term.term(side), is_format=is_format) for side in ("left", "right"))
            joined = [(a + b, (*one, *other)) for a, one in left for b, other in right if _agree(one, other)]
            return joined[:_MOST]
        case "BinaryOperation" if term.parts["operator"] == "%":
            return _texts(term.term("left"), is_format=True)
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
