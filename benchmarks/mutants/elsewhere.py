"""Edits that change what code does, out of sight of the lines that a claim looks at: helpers and overrides."""

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from auditor.claims import Entry
from auditor.code.project.codebase import Codebase
from auditor.mutation import Edit
from auditor.mutation.places import Function, Source, statements

_PLACE_ONLY = "/index/"
"""Claims that say where something is, not what it does."""


def helpers(entry: Entry, path: str, source: Source, nodes: set[ast.AST]) -> Iterator[Edit]:
    """Methods of the class that the code looked at calls on `self`, each made to do nothing."""
    if _PLACE_ONLY in entry.claim.id:
        return
    for call in sorted((n for n in nodes if isinstance(n, ast.Call)), key=lambda n: (n.lineno, n.col_offset)):
        match call.func:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                pass
            case _:
                continue
        cls = _class(call, source)
        method = (
            next((one for one in cls.body if isinstance(one, Function) and one.name == name), None) if cls else None
        )
        if method is not None and len(statements(method)) > 0:
            first = statements(method)[0]
            new = [" " * first.col_offset + "return None"]
            yield Edit("changed helper", path, method.lineno, source.spliced(first.lineno - 1, first.lineno - 1, new))


def overrides(entry: Entry, codebase: Codebase) -> Iterator[Edit]:
    """The method looked at, overridden by nothing in a subclass that is there."""
    if _PLACE_ONLY in entry.claim.id:
        return
    doing = (check for check in entry.checks if check.id != "symbol")
    places = {(at.path, at.symbol) for check in doing for at in check.subjects() if at.symbol}
    for path, symbol in sorted(places):
        owner, _, method = symbol.rpartition(".")
        if not owner or method.startswith("__"):
            continue
        folder = str(PurePosixPath(path).parent)
        for other in codebase.python_under(folder + "/"):
            text = codebase.text(other)
            found = re.search(rf"^class (\w+)\([^)]*\b{owner}\b[^)]*\):\n", text, re.MULTILINE)
            if found is None:
                continue
            if re.search(rf"^    def {method}\b", text[found.end() :].partition("\nclass ")[0], re.MULTILINE):
                continue
            added = f"    def {method}(self, *args, **kwargs):\n        return None\n\n"
            line = text[: found.end()].count("\n")
            yield Edit("added override", other, line, text[: found.end()] + added + text[found.end() :])
            break


def _class(node: ast.AST, source: Source) -> ast.ClassDef | None:
    inner: ast.AST | None = node
    while inner is not None and not isinstance(inner, ast.ClassDef):
        inner = source.parents.get(inner)
    return inner


def names(entry: Entry, codebase: Codebase) -> Iterator[Edit]:
    """The definitions that a claim says are there, each under another name."""
    for check in entry.checks:
        at = getattr(check, "at", None)
        if check.id != "symbol" or at is None or at.symbol is None or not at.path.endswith(".py"):
            continue
        for definition in codebase.definitions(at.path, at.symbol):
            last = at.symbol.rpartition(".")[2]
            rows = codebase.text(at.path).split("\n")
            for number in range(definition.region.start - 1, definition.region.end):
                renamed = re.sub(rf"\b(def |class |){last}\b", rf"\1{last}_renamed", rows[number], count=1)
                if renamed != rows[number]:
                    text = "\n".join([*rows[:number], renamed, *rows[number + 1 :]])
                    yield Edit("renamed definition", at.path, number + 1, text)
                    break
