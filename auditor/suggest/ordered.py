"""The suggester `ordered`."""

import ast
from collections.abc import Iterator
from itertools import pairwise

from auditor.checks.order import Order
from auditor.code.matching.notation import Pattern
from auditor.code.phrases import ticked
from auditor.model import Text
from auditor.suggest import Suggester, Suggestion
from auditor.suggest.lines import Lines

_BEFORE = Text("{} does {} before {}.", "{} 先执行 {}，再执行 {}。")
_MOST = 3


class Ordered(Suggester):
    """Which of two calls comes first."""

    rank = 4

    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        for at, function in lines.functions:
            calls = [node for node in lines.statements(function) if isinstance(node, ast.Expr | ast.Assign)]
            steps = [_call(node.value) for node in calls if isinstance(node.value, ast.Call)]
            for first, then in list(pairwise(steps))[:_MOST]:
                if first != then:
                    statement = _BEFORE.filled(ticked(at.symbol), ticked(first), ticked(then))
                    yield Suggestion(Order(at=at, first=Pattern(first), then=Pattern(then)), statement)


def _call(node: ast.Call) -> str:
    return f"{ast.unparse(node.func)}({'...' if node.args or node.keywords else ''})"
