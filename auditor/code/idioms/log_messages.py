"""Log messages as code writes them: which calls log, at which level, which texts."""

import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.flow.activations import Activation
from auditor.code.flow.program_points import Condition, ProgramPoint
from auditor.code.flow.pure_calls import is_pure
from auditor.code.flow.string_values import GAP, is_match, string_values
from auditor.code.program.class_hierarchy import Hierarchy
from auditor.code.project.names import referents
from auditor.code.syntax.normal_forms import attribute_chain, negation
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.unparse import unparse
from auditor.code.values.algebra import substitute

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition
    from auditor.model import Location

_LEVELS = {
    "trace": "debug", "debug": "debug", "info": "info", "success": "info", "warning": "warning", "warn": "warning",
    "error": "error", "exception": "error", "critical": "critical", "fatal": "critical",
}  # fmt: skip
_LOGGER = re.compile(r"(.*_)?(log|logs|logging|.*logger)\d*", re.IGNORECASE)
_OPTIONS = ("extra", "exc_info", "stack_info", "stacklevel", "category", "source", "scope")
_SUFFIXES = ("_once", "_rank0")
_BOUND = ("bind", "opt", "patch", "new", "unbind", "getChild")
"""Methods of a logger that give a logger: loguru's and structlog's, and that of `logging`."""


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
        for func, chosen in _callees(call.term("func"), point, activation) if point is not None else ():
            level = log_level(Term("Call", {**call.parts, "func": func}))
            if level is None or point is None:
                continue
            args = call.terms("args")[func.parts.get("attr") == "log" :]
            if not args:
                continue
            text = substitute(activation.term(args[0]), point.values)
            for value in string_values(text, is_format=len(args) > 1 or _has_values(call)):
                tests = tuple(Condition(test, test, {}) for test in (*chosen, *value.conditions))
                inside = replace(point, statement=call, conditions=(*point.conditions, *tests))
                yield Message(value.text, level, inside, call)


def _has_values(call: Term) -> bool:
    """Whether a call has keywords that loguru puts into the text."""
    return any(one.text("name") not in _OPTIONS for one in call.terms("keywords"))


def _callees(func: Term, point: ProgramPoint | None, activation: Activation) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    """What a callee may be, with the conditions for it: `say = log.warning if x else log.info`."""
    root = func.term("value") if func.type == "Attribute" else func
    term = substitute(func, point.values) if point and root.type == "Name" else func
    if log_level(Term("Call", {"func": func, "args": (), "keywords": ()})) is not None:
        term = func  # it has the name of a logger, whatever was assigned to that
    elif log_level(Term("Call", {"func": term, "args": (), "keywords": ()})) is None:
        term = _by_full_name(term, activation.function)
    if term.type == "IfExp":
        test = term.term("test")
        yield term.term("body"), (test,)
        yield term.term("orelse"), (negation(test),)
    else:
        yield term, ()


def _by_full_name(func: Term, function: "Definition") -> Term:
    """A callee with what it is imported from, or what its module made of `getLogger`, written out."""
    chain = dotted(func)
    if chain is None or chain.startswith(("self.", "cls.")):
        return func
    outside = [one.name for one in referents(function.codebase, chain, function.path) if one.type == "outside"]
    if len(outside) == 1 and outside[0] and outside[0].startswith("logging."):
        return attribute_chain(outside[0])
    if func.type != "Attribute":
        return func
    owner = referents(function.codebase, dotted(func.term("value")) or "", function.path)
    for target in owner if len(owner) == 1 else ():
        for made in function.codebase.definitions(target.path, target.name) if target.type == "value" else ():
            value = made.term.parts.get("value")
            if isinstance(value, Term) and value.type == "Call":
                return Term("Attribute", {**func.parts, "value": value}, func.region)
    return func


def log_level(call: Term) -> str | None:
    """The level of a logging call, `""` where it is computed; None for another call."""
    func = call.term("func")
    if func.type != "Attribute":
        return None
    method = func.text("attr")
    for suffix in _SUFFIXES:
        method = method.removesuffix(suffix)
    owner = func.term("value")
    while owner.type == "Call" and owner.term("func").parts.get("attr") in _BOUND:  # logger.bind(...).info
        owner = owner.term("func").term("value")
    owner = owner.term("func") if owner.type == "Call" else owner  # logging.getLogger(...).info
    if not _LOGGER.fullmatch(str(owner.parts.get("id") or owner.parts.get("attr") or "")):
        return None
    if method == "log":
        args = call.terms("args")
        return _LEVELS.get((dotted(args[0]) or "").rpartition(".")[2].lower(), "") if args else None
    return _LEVELS.get(method)


def mentions(definition: "Definition", wanted: str) -> "tuple[str, Location] | None":
    """A call that a text is handed to and that may log it, and where it is; None where there is none.

    Functions that are built in, exceptions, and the methods of texts and collections log nothing.
    """
    for call in definition.code.by_type.get("Call", ()):
        if log_level(call) is None and not is_pure(call) and not _is_silent(call, definition):
            args = (*call.terms("args"), *(keyword.term("value") for keyword in call.terms("keywords")))
            texts = [value.text for one in args for value in string_values(one)]
            if any(text.strip(GAP) and is_match(wanted, text) for text in texts):
                return unparse(call.term("func")), definition.location_of(call)
    return None


def _is_silent(call: Term, definition: "Definition") -> bool:
    """Whether a call logs nothing for certain: of a built-in function, of an exception, of a text's own method."""
    func = call.term("func")
    if func.type == "Attribute":
        return func.text("attr") in _SILENT_METHODS
    chain = dotted(func) or ""
    if referents(definition.codebase, chain, definition.path):
        return "BaseException" in Hierarchy(definition.codebase, ()).ancestry(chain, definition.path).names
    return hasattr(builtins, chain)


_SILENT_METHODS = frozenset(name for type_ in (str, list, dict, set) for name in dir(type_))
