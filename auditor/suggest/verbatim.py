"""The suggester `verbatim`."""

import ast
from collections.abc import Iterator

from auditor.checks.pattern import Pattern
from auditor.code.matching.notation import Pattern as Code
from auditor.code.phrases import ticked
from auditor.model import Anchor, Text
from auditor.suggest import Suggester, Suggestion
from auditor.suggest.lines import Lines

_IS = Text("{} is {}.", "{} 是 {}。")
_GIVES = Text("In {}, {} is given.", "在 {} 中给出了 {}。")
_WRITES = Text("{} does {}.", "{} 执行 {}。")
_MOST = 5
_EMPTY = (ast.Pass, ast.Import, ast.ImportFrom, ast.Break, ast.Continue)
_LONGEST = 120  # characters of a constant's statement


class Verbatim(Suggester):
    """Statements as they are written: what a claim says when nothing says more."""

    rank = 6

    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        yield from _constructed(lines)
        for at, function in lines.functions:
            for node in list(lines.statements(function))[:_MOST]:
                if not isinstance(node, _EMPTY) and not _is_text(node) and ast.unparse(node) != "return":
                    code = Code(ast.unparse(node))
                    yield Suggestion(Pattern(at=at, code=code), _WRITES.filled(ticked(at.symbol), ticked(code)))


def _constructed(lines: Lines) -> Iterator[Suggestion]:
    """Constants that are built by a call, and what calls in one are given by name on the lines."""
    for symbol in lines.symbols:
        value = getattr(symbol.node, "value", None)
        if symbol.type not in ("field", "constant") or not isinstance(symbol.node, ast.Assign | ast.AnnAssign):
            continue
        at, code = Anchor(lines.path, symbol.name), ast.unparse(symbol.node)
        if isinstance(value, ast.Call) and len(code) <= _LONGEST:
            yield Suggestion(
                Pattern(at=at, code=Code(code)), _IS.filled(ticked(symbol.name), ticked(ast.unparse(value)))
            )
            continue
        for call, argument in lines.keywords(symbol.node):
            given = f"{argument.arg}={ast.unparse(argument.value)}"
            if len(given) <= _LONGEST:
                within = Code(f"{ast.unparse(call.func)}(..., {given}, ...)")
                yield Suggestion(Pattern(at=at, code=within), _GIVES.filled(ticked(symbol.name), ticked(given)))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
