"""Pieces of source text by their syntax, and texts with such pieces replaced."""

import ast
from collections.abc import Iterator

from auditor.model import Region


class Source:
    """A file's text with its syntax tree."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self._lines = [line.encode() for line in text.split("\n")]

    def within(self, regions: list[Region]) -> Iterator[ast.AST]:
        """The nodes whose lines are in one of the regions, docstrings and annotations left out."""
        skipped = {
            id(inner) for node in ast.walk(self.tree) for part in _without_effect(node) for inner in ast.walk(part)
        }
        for node in ast.walk(self.tree):
            line, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
            if line is None or end is None or id(node) in skipped:
                continue
            if any(region.start <= line and end <= region.end for region in regions):
                yield node

    def code(self, node: ast.AST) -> str:
        """The text of a node."""
        return ast.get_source_segment(self.text, node) or ""

    def replaced(self, node: ast.AST, code: str) -> str:
        """The text with other code in place of a node's."""
        first, last = node.lineno - 1, node.end_lineno - 1  # type: ignore[attr-defined]
        before = self._lines[first][: node.col_offset]  # type: ignore[attr-defined]
        after = self._lines[last][node.end_col_offset :]  # type: ignore[attr-defined]
        return b"\n".join([*self._lines[:first], before + code.encode() + after, *self._lines[last + 1 :]]).decode()

    def blocks(self) -> Iterator[list[ast.stmt]]:
        """Every sequence of statements."""
        for node in ast.walk(self.tree):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    yield block

    def lines(self, node: ast.stmt) -> tuple[int, int]:
        """The lines of a statement with its decorators, 0-based, end exclusive."""
        start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        return start - 1, node.end_lineno or node.lineno

    def spliced(self, start: int, end: int, new: list[str]) -> str:
        """The text with other lines in place of the lines from `start` to `end` (0-based, exclusive)."""
        lines = self.text.split("\n")
        return "\n".join([*lines[:start], *new, *lines[end:]])


def _without_effect(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("annotation", "returns"):
        if isinstance(part := getattr(node, name, None), ast.AST):
            yield part
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        yield node


def is_other_code(before: str, after: str) -> bool:
    """Whether an edited text parses, and to something else."""
    try:
        return ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))
    except SyntaxError:
        return False
