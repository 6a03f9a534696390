"""Nodes of a file and where their text is."""

import ast
from collections.abc import Iterator
from functools import cached_property
from textwrap import indent

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source:
    """A file's text and tree."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.rows = text.split("\n")
        self._lines = [line.encode() for line in self.rows]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {inner: node for node in ast.walk(self.tree) for inner in ast.iter_child_nodes(node)}

    @cached_property
    def blocks(self) -> dict[ast.stmt, tuple[list[ast.stmt], int]]:
        """The sequence that each statement is in, and its place there."""
        found: dict[ast.stmt, tuple[list[ast.stmt], int]] = {}
        for node in ast.walk(self.tree):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list):
                    found |= {one: (block, number) for number, one in enumerate(block) if isinstance(one, ast.stmt)}
        return found

    def function(self, node: ast.AST) -> Function | None:
        """The innermost function around a node, or it itself."""
        inner: ast.AST | None = node
        while inner is not None and not isinstance(inner, Function):
            inner = self.parents.get(inner)
        return inner

    def code(self, node: ast.AST) -> str:
        """The text of a node."""
        return ast.get_source_segment(self.text, node) or ""

    def replaced(self, node: ast.AST, code: str) -> str:
        """The text with other code in place of a node's."""
        first, last = node.lineno - 1, node.end_lineno - 1  # type: ignore[attr-defined]
        before = self._lines[first][: node.col_offset]  # type: ignore[attr-defined]
        after = self._lines[last][node.end_col_offset :]  # type: ignore[attr-defined]
        return b"\n".join([*self._lines[:first], before + code.encode() + after, *self._lines[last + 1 :]]).decode()

    def rewritten(self, node: ast.stmt, *others: ast.stmt) -> str:
        """The text with other statements in place of one, laid out anew."""
        code = "\n".join(ast.unparse(ast.fix_missing_locations(other)) for other in others)
        start, end = lines(node)
        return self.spliced(start, end, indent(code, " " * node.col_offset).split("\n"))

    def spliced(self, start: int, end: int, new: list[str]) -> str:
        """The text with other lines in place of the lines from `start` to `end` (0-based, exclusive)."""
        return "\n".join([*self.rows[:start], *new, *self.rows[end:]])


def lines(node: ast.stmt) -> tuple[int, int]:
    """The lines of a statement with its decorators, 0-based, end exclusive."""
    start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    return start - 1, node.end_lineno or node.lineno


def statements(function: Function) -> list[ast.stmt]:
    """The body without the docstring."""
    body = function.body
    return body[1:] if ast.get_docstring(function, clean=False) is not None and body[1:] else body


def is_other_code(before: str, after: str) -> bool:
    """Whether an edited text parses, and to something else."""
    try:
        return ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))
    except SyntaxError:
        return False


def own(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function, nested functions and classes left out."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop(0)
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            yield node
            pending[:0] = ast.iter_child_nodes(node)
