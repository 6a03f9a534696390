"""The suggester `values`."""

import ast
from collections.abc import Iterator

from auditor.checks.default_value import DefaultValue
from auditor.code import Undecidable
from auditor.code.matching.notation import Constant, Formula
from auditor.code.phrases import ticked
from auditor.code.values.constants import possible_values, scope_of
from auditor.code.values.initializers import initializer
from auditor.model import Anchor, Text
from auditor.suggest import Suggester, Suggestion
from auditor.suggest.lines import Lines

_IS = Text("{} is {} unless set.", "{} 不设置时为 {}。")
_PARAMETER = Text("The parameter {} of {} is {} unless given.", "{1} 的参数 {0} 默认为 {2}。")
_SETS = Text("{} sets {} to {}.", "{} 把 {} 设为 {}。")


class Values(Suggester):
    """Defaults: of fields, constants and parameters, and literals that a function assigns."""

    rank = 1

    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        for symbol in lines.symbols:
            if symbol.type in ("field", "constant"):
                at = Anchor(lines.path, symbol.name)
                if (value := _value(lines, at)) is not None:
                    statement = _IS.filled(ticked(symbol.name), ticked(value.text))
                    yield Suggestion(DefaultValue(at=at, equals=value), statement)
        for at, function in lines.functions:
            for name, node in lines.parameters(function):
                if (value := literal(node)) is not None:
                    statement = _PARAMETER.filled(ticked(name), ticked(at.symbol), ticked(value.text))
                    yield Suggestion(DefaultValue(at=at, equals=value, parameter=name), statement)
            for statement_ in lines.statements(function):
                yield from _assigned(at, statement_)


def _assigned(at: Anchor, node: ast.stmt) -> Iterator[Suggestion]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    value = literal(node.value) if isinstance(node, ast.Assign | ast.AnnAssign) and node.value else None
    if len(targets) == 1 and value is not None:
        name = ast.unparse(targets[0])
        statement = _SETS.filled(ticked(at.symbol), ticked(name), ticked(value.text))
        yield Suggestion(DefaultValue(at=at, equals=value, variable=Formula(name)), statement)


def literal(node: ast.expr) -> Constant | None:
    """An expression as a constant; None for one that is none, or for too long a one to be in a sentence."""
    try:
        found = Constant(ast.unparse(node))
    except ValueError:
        return None
    return found if len(found.text) <= _LONGEST else None


_LONGEST = 60


def _value(lines: Lines, at: Anchor) -> Constant | None:
    """The one value of a field or constant."""
    try:
        definition = lines.codebase.locate(at)
        found = {repr(one.value) for one in possible_values(initializer(definition), scope_of(definition))}
        return Constant(found.pop()) if len(found) == 1 else None
    except (Undecidable, ValueError):
        return None
