"""Edits of upstream's code, as data: what is done to which definition, without any of its text.

A step has `at` (path::symbol, or a path; the claim's own where it is left out) and does one thing there: `replace` (a
regular expression that is found exactly `times` times) by `with`; `begin` a function with some statements; `append`
code to the file; `create` the file; `remove` the definition, or the file. An edit is one step, or several under
`steps`, and the kind that the claim then `becomes`, where it is not the usual one.
"""

import ast
import re
from collections.abc import Callable, Mapping
from textwrap import indent

import msgspec

from auditor.code.project.symbols import Symbol, index


class Step(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    at: str = ""
    replace: str | None = None
    by: str = msgspec.field(default="", name="with")
    times: int = 1
    begin: str | None = None
    append: str | None = None
    create: str | None = None
    remove: bool = False


class Edit(Step, frozen=True):
    steps: tuple[Step, ...] = ()
    becomes: str = ""

    @property
    def all(self) -> tuple[Step, ...]:
        return self.steps or (self,)


class StaleEditError(Exception):
    """An edit that does not apply any more."""


def edited(edit: Edit, at: str, text: Callable[[str], str]) -> Mapping[str, str | None]:
    """The files that an edit changes, as they are then (None: gone). Raises StaleEditError."""
    found: dict[str, str | None] = {}
    for step in edit.all:
        path, _, symbol = (step.at or at).partition("::")
        if step.create is not None or (step.remove and not symbol):
            found[path] = step.create
        else:
            found[path] = _edited(step, path, symbol, found.get(path) or text(path))
    return found


def _edited(step: Step, path: str, symbol: str, text: str) -> str:
    lines, where = text.split("\n"), f"{path}::{symbol}"
    if step.append is not None:
        return f"{text.rstrip()}\n\n\n{step.append}"
    found = _defined(text, path, symbol) if symbol else None
    start, end = (found.region.start - 1, found.region.end) if found else (0, len(lines))
    own = "\n".join(lines[start:end])
    if step.begin is not None:
        if not isinstance(node := found and found.node, ast.FunctionDef | ast.AsyncFunctionDef):
            raise StaleEditError(f"{where} is no function")
        first = node.body[1] if ast.get_docstring(node) is not None and node.body[1:] else node.body[0]
        return "\n".join(
            [*lines[: first.lineno - 1], indent(step.begin, " " * first.col_offset), *lines[first.lineno - 1 :]]
        )
    if step.remove:
        return "\n".join([*lines[:start], *lines[end:]])
    new, times = re.subn(step.replace or "", step.by, own, flags=re.MULTILINE)
    if times != step.times:
        raise StaleEditError(f"{where}: {step.replace!r} is there {times} times, not {step.times}")
    if new == own:
        raise StaleEditError(f"{where}: {step.replace!r} is replaced by the same")
    return "\n".join([*lines[:start], new, *lines[end:]])


def _defined(text: str, path: str, symbol: str) -> Symbol:
    found = [one for one in index(text, path).find(symbol) if not any("setter" in d for d in one.decorators)]
    if len(found) != 1:
        raise StaleEditError(f"{path}: {symbol} is defined {len(found)} times")
    return found[0]
