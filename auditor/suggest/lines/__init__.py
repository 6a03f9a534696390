"""Some lines of a file as a claim's writer sees them: the definitions they are in, and the statements on them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from auditor.model import Anchor, Region

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase
    from auditor.code.project.symbols import Symbol

Function = ast.FunctionDef | ast.AsyncFunctionDef
_COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


@dataclass(frozen=True)
class Lines:
    """Lines of a file. Raises Undecidable, when they are looked at, for a file that cannot be parsed."""

    codebase: "Codebase"
    path: str
    region: Region

    @cached_property
    def symbols(self) -> "tuple[Symbol, ...]":
        """The definitions that the lines are in, or that begin on them: the innermost, in the order of the file."""
        touched = [s for s in self.codebase.index(self.path).symbols if s.region.overlaps(self.region)]
        outer = {one.name.rpartition(".")[0] for one in touched}
        return tuple(one for one in touched if one.name not in outer or self._is_header(one))

    @property
    def anchor(self) -> Anchor:
        """The innermost class or function around the lines; the file where there is none."""
        around = self.codebase.index(self.path).enclosing(self.region)
        return Anchor(self.path, around.name if around else None)

    @cached_property
    def functions(self) -> tuple[tuple[Anchor, Function], ...]:
        """The functions that the lines are in, or hold."""
        found = [(s.name, s.node) for s in self.symbols if s.type == "function"]
        around = self.codebase.index(self.path).enclosing(self.region)
        if around is not None and around.type == "function" and around.name not in dict(found):
            found.append((around.name, around.node))
        return tuple((Anchor(self.path, name), node) for name, node in found if isinstance(node, Function))

    def statements(self, function: Function) -> Iterator[ast.stmt]:
        """The statements of a function on the lines: of `if` and its like, what is in them, not in nested functions."""
        yield from self._within(function.body)

    def conditions(self, function: Function) -> Iterator[tuple[ast.stmt, ast.expr]]:
        """The first statement of each `if` branch on the lines, with the condition of it."""
        for node in ast.walk(function):
            if isinstance(node, ast.If) and self._is_here(node.body[0]):
                yield node.body[0], node.test

    def parameters(self, function: Function) -> Iterator[tuple[str, ast.expr]]:
        """The parameters that have a default, on the lines."""
        args = function.args
        positional = [*args.posonlyargs, *args.args]
        pairs = [*zip(reversed(positional), reversed(args.defaults), strict=False)][::-1]
        pairs += [(arg, value) for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value]
        yield from ((arg.arg, value) for arg, value in pairs if self._is_here(value))

    def keywords(self, node: ast.AST) -> Iterator[tuple[ast.Call, ast.keyword]]:
        """What calls are given by name on the lines, where that begins and ends there; not what is given in that."""
        inner: set[ast.AST] = set()
        for call in (one for one in ast.walk(node) if isinstance(one, ast.Call)):
            for argument in call.keywords if call not in inner else ():
                region = Region(argument.value.lineno, argument.value.end_lineno or argument.value.lineno)
                if argument.arg is not None and self.region.contains(region):
                    inner |= set(ast.walk(argument.value))
                    yield call, argument

    def _within(self, body: list[ast.stmt]) -> Iterator[ast.stmt]:
        for node in body:
            if isinstance(node, _COMPOUND):
                for name in ("body", "orelse", "finalbody"):
                    yield from self._within(getattr(node, name, []))
                for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                    yield from self._within(inner.body)
            elif not isinstance(node, Function | ast.ClassDef) and self._is_here(node):
                yield node

    def _is_here(self, node: ast.stmt | ast.expr) -> bool:
        return Region(node.lineno, node.end_lineno or node.lineno).overlaps(self.region)

    def _is_header(self, symbol: "Symbol") -> bool:
        """Whether the lines hold the first of a definition."""
        return self.region.start <= symbol.region.start <= self.region.end
