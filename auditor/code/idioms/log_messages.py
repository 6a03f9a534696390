"""Log messages as code writes them: which calls log, at which level, which texts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.activations import Activation, called_function
from auditor.code.flow.program_points import Condition, ProgramPoint
from auditor.code.flow.pure_calls import is_pure
from auditor.code.flow.string_values import GAP, is_match, string_values
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.unparse import unparse
from auditor.code.values.algebra import substitute

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition
    from auditor.model import Location

_LEVELS = {
    "debug": "debug", "info": "info", "warning": "warning", "warn": "warning", "error": "error", "exception": "error",
    "critical": "critical", "fatal": "critical",
}  # fmt: skip
_LOGGER = re.compile(r"(.*_)?(log|logs|logging|.*logger)\d*", re.IGNORECASE)
_SUFFIXES = ("_once", "_rank0")


@dataclass(frozen=True, slots=True)
class Message:
    """One text that a logging call can write."""

    text: str
    level: str
    """`""` where it is computed."""
    point: ProgramPoint
    """Of the call, the conditions inside its arguments included."""
    call: Term


def messages(activation: Activation) -> Iterator[Message]:
    """The messages that a function logs, one for each text that a conditional expression in it makes."""
    for call in activation.function.code.by_type.get("Call", ()):
        if call.term("func").type not in ("Name", "Attribute"):
            continue
        try:
            point = activation.point(call)
        except Undecidable:
            continue  # in a decorator, say
        for func, chosen in _callees(call.term("func"), point) if point is not None else ():
            level = log_level(Term("Call", {**call.parts, "func": func}))
            if level is None or point is None:
                continue
            args = call.terms("args")[func.parts.get("attr") == "log" :]
            if not args:
                continue
            text = substitute(activation.term(args[0]), point.values)
            for value in string_values(text, is_format=len(args) > 1):
                tests = tuple(Condition(test, test, {}) for test in (*chosen, *value.conditions))
                inside = replace(point, statement=call, conditions=(*point.conditions, *tests))
                yield Message(value.text, level, inside, call)


def _callees(func: Term, point: ProgramPoint | None) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    """What a callee may be, with the conditions for it: `say = log.warning if x else log.info`."""
    term = substitute(func, point.values) if point and func.type == "Name" else func
    if term.type == "IfExp":
        test = term.term("test")
        yield term.term("body"), (test,)
        yield term.term("orelse"), (negation(test),)
    else:
        yield term, ()


def log_level(call: Term) -> str | None:
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
        args = call.terms("args")
        return _LEVELS.get((dotted(args[0]) or "").rpartition(".")[2].lower(), "") if args else None
    return _LEVELS.get(method)


def mentions(definition: "Definition", wanted: str) -> "tuple[str, Location] | None":
    """A call of a function or own method that a text is handed to, and where it is; None where there is none."""
    for call in definition.code.by_type.get("Call", ()):
        callee = dotted(call.term("func")) or ""
        is_method = callee.startswith(("self.", "cls.")) and callee.count(".") == 1
        is_own = is_method or called_function(call, definition) is not None
        if is_own and log_level(call) is None and not is_pure(call):
            args = (*call.terms("args"), *(keyword.term("value") for keyword in call.terms("keywords")))
            texts = [value.text for one in args for value in string_values(one)]
            if any(text.strip(GAP) and is_match(wanted, text) for text in texts):
                return unparse(call.term("func")), definition.location_of(call)
    return None
