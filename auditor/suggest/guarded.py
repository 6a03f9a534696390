"""The suggester `guarded`."""

import ast
from collections.abc import Iterator

from auditor.checks.guard import Guard
from auditor.checks.returns import Returns
from auditor.code.matching.notation import Pattern
from auditor.code.phrases import ticked
from auditor.model import Text
from auditor.suggest import Suggester, Suggestion
from auditor.suggest.lines import Lines

_RETURNS = Text("{} returns {} if {}.", "当 {2} 时，{0} 返回 {1}。")
_RUNS = Text("{} does {} only if {}.", "{0} 只在 {2} 时执行 {1}。")


class Guarded(Suggester):
    """What a function does, or returns, only under a condition."""

    rank = 3

    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        for at, function in lines.functions:
            for first, test in lines.conditions(function):
                when = Pattern(ast.unparse(test))
                match first:
                    case ast.Return(value=ast.expr() as value):
                        what = Pattern(ast.unparse(value))
                        statement = _RETURNS.filled(ticked(at.symbol), ticked(what), ticked(when))
                        yield Suggestion(Returns(at=at, value=what, when=when), statement)
                    case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Raise():
                        code = Pattern(_abbreviated(first))
                        statement = _RUNS.filled(ticked(at.symbol), ticked(code), ticked(when))
                        yield Suggestion(Guard(at=at, code=code, when=when), statement)
                    case _:
                        pass


def _abbreviated(node: ast.stmt) -> str:
    """A statement; of what is raised, its class alone, since the text of it is no part of the condition."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return f"raise {ast.unparse(node.exc.func)}(...)"
    return ast.unparse(node)
