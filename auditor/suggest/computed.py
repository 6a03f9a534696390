"""The suggester `computed`."""

import ast
from collections.abc import Iterator

from auditor.checks.formula import Formula
from auditor.code.matching.notation import Formula as Expression
from auditor.code.phrases import ticked
from auditor.model import Text
from auditor.suggest import Suggester, Suggestion
from auditor.suggest.lines import Lines

_IS = Text("{} computes {} as {}.", "{0} 按 {2} 计算 {1}。")
_RETURNS = Text("{} returns {}.", "{} 返回 {}。")


class Computed(Suggester):
    """Formulas: what a function assigns, or returns, by arithmetic."""

    rank = 3

    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        for at, function in lines.functions:
            for node in lines.statements(function):
                match node:
                    case ast.Assign(targets=[target], value=value) if _is_arithmetic(value):
                        name, equals = Expression(ast.unparse(target)), Expression(ast.unparse(value))
                        statement = _IS.filled(ticked(at.symbol), ticked(name), ticked(equals))
                        yield Suggestion(Formula(at=at, equals=equals, variable=name), statement)
                    case ast.Return(value=ast.expr() as value) if _is_arithmetic(value):
                        equals = Expression(ast.unparse(value))
                        statement = _RETURNS.filled(ticked(at.symbol), ticked(equals))
                        yield Suggestion(Formula(at=at, equals=equals), statement)


def _is_arithmetic(node: ast.expr) -> bool:
    return any(isinstance(one, ast.BinOp) and not isinstance(one.op, ast.Mod) for one in ast.walk(node)) and not any(
        isinstance(one, ast.Constant) and isinstance(one.value, str) for one in ast.walk(node)
    )
