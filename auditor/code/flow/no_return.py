"""Calls after which nothing runs: those that end the process, and those of functions that never return.

A function never returns that is annotated so (`NoReturn`, `Never`), or all of whose paths raise; one that raises
`NotImplementedError` is there to be overridden, and one that is decorated may be something else.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from auditor.code.flow.path_conditions import PathConditions, path_conditions
from auditor.code.program.callees import called_function
from auditor.code.syntax.blocks import abrupt_completions, ends_process
from auditor.code.syntax.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition

_NEVER = ("NoReturn", "Never")
_DEPTH = 2
"""Functions that end in a call of another one."""


def conditions_in(definition: "Definition", body: Term | None = None) -> PathConditions:
    """The path conditions of a definition, with the calls that never return taken into account. Raises Undecidable."""
    return path_conditions(body or definition.function, no_return_calls(definition))


def no_return_calls(around: "Definition", depth: int = _DEPTH) -> frozenset[int]:
    """The identities of the calls, standing as statements of a definition, of functions that never return."""
    return _calls(around.terms, around, depth)


@lru_cache(maxsize=256)
def _calls(_: tuple[Term, ...], around: "Definition", depth: int) -> frozenset[int]:
    """Those of a definition as it is written, or rewritten: its terms tell the one from the other."""
    found = set()
    for statement in around.code.by_type.get("Expr", ()):
        value = statement.term("value")
        call = value.term("value") if value.type == "Await" else value
        if call.type == "Call" and not ends_process(call) and (dotted(call.term("func")) or "") and depth:
            callee = called_function(call, around)
            if callee is None or callee == around or not _never_returns(callee, depth):
                continue
            if value is not call or not callee.term.parts["is_async"]:  # else it is not run
                found.add(id(call))
    return frozenset(found)


def _never_returns(function: "Definition", depth: int) -> bool:
    term = function.term
    if term.type != "FunctionDef" or term.terms("decorators"):
        return False
    if term.annotation is not None and (dotted(term.annotation) or "").rpartition(".")[2] in _NEVER:
        return True
    body = term.terms("body")
    if not body or body[-1].type not in _LAST or "Return" in abrupt_completions(body):
        return False
    if any(one.type in ("Yield", "YieldFrom") or one.parts.get("id") == "NotImplementedError" for one in term.walk()):
        return False
    return not path_conditions(term, no_return_calls(function, depth - 1)).exits


_LAST = ("Raise", "Expr", "If", "With", "Try", "Match", "While")
"""Statements with which a function may end that never returns."""
