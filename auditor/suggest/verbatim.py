"""The suggester `verbatim`."""

import ast
from collections.abc import Iterator

from auditor.checks.pattern import Pattern
from auditor.code.matching.notation import Pattern as Code
from auditor.code.phrases import ticked
from auditor.model import Text
from auditor.suggest import Suggester, Suggestion
from auditor.suggest.lines import Lines

_WRITES = Text("{} does {}.", "{} 执行 {}。")
_MOST = 5


class Verbatim(Suggester):
    """Statements as they are written: what a claim says when nothing says more."""

    rank = 6

    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        for at, function in lines.functions:
            for node in list(lines.statements(function))[:_MOST]:
                if not isinstance(node, ast.Pass | ast.Import | ast.ImportFrom) and not _is_text(node):
                    code = Code(ast.unparse(node))
                    yield Suggestion(Pattern(at=at, code=code), _WRITES.filled(ticked(at.symbol), ticked(code)))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
