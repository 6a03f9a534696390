"""The metrics and labels that a PromQL expression uses, by Prometheus' own grammar (promql-parser)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import promql_parser as promql

_LONGEST = 20_000  # characters
_DEEPEST = 200  # brackets inside one another
_INTERVAL = re.compile(r"(?<=[\[:])\s*(?:\$\w+|\$\{\w+(?::\w+)?\}|\[\[\w+\]\])\s*(?=[\]:])")
_VARIABLE = re.compile(r"\$\{(\w+)(?::[^}]*)?\}|\$(\w+)|\[\[(\w+)\]\]")
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`")
_TEMPLATE = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_HOLE = "__variable__"


@dataclass(frozen=True, slots=True)
class Selected:
    """A metric that an expression selects, and the labels that it uses of it."""

    name: str
    """A name; the regular expression of a `__name__=~` matcher where `is_pattern`."""
    labels: tuple[str, ...]
    is_pattern: bool = False


class UnreadableError(Exception):
    """An expression that is no PromQL."""


def selected(text: str) -> list[Selected]:
    """What an expression selects; dashboards' variables stand for any value. Raises UnreadableError."""
    if len(text) > _LONGEST or _depth(text) > _DEEPEST:
        raise UnreadableError("it is too long, or too deeply nested")
    plain = _INTERVAL.sub("5m", _TEMPLATE.sub(_HOLE, text))
    problem = ""
    for hole in (_HOLE, "1", "5m", ""):
        try:
            tree = promql.parse(_filled(plain, hole))
        except ValueError as error:
            problem = problem or str(error).partition("\n")[0]
            continue
        return list(dict.fromkeys(_walk(tree, ())))
    raise UnreadableError(problem)


def _depth(text: str) -> int:
    deepest = depth = 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        deepest = max(deepest, depth)
    return deepest


def _filled(text: str, hole: str) -> str:
    """With something in the place of each variable that is not in a string."""
    found = []
    end = 0
    for string in _STRING.finditer(text):
        found += [_VARIABLE.sub(hole, text[end : string.start()]), string[0]]
        end = string.end()
    return "".join([*found, _VARIABLE.sub(hole, text[end:])])


def _walk(tree: object, around: tuple[str, ...]) -> Iterator[Selected]:
    match tree:
        case promql.AggregateExpr():
            kept = tree.modifier is not None and tree.modifier.type == promql.AggModifierType.By
            own = tuple(one for one in tree.modifier.labels if one != _HOLE) if tree.modifier and kept else ()
            yield from _walk(tree.expr, (*around, *own))
            if isinstance(tree.param, promql.Expr):
                yield from _walk(tree.param, ())
        case promql.VectorSelector():
            yield from _selector(tree, around)
        case promql.MatrixSelector():
            yield from _selector(tree.vector_selector, around)
        case promql.BinaryExpr():
            for side in (tree.lhs, tree.rhs):
                yield from _walk(side, around)
        case promql.Call():
            # A function may make labels of its own, so what is grouped by around it need not be the metric's.
            makes = tree.func.name in ("label_replace", "label_join")
            for argument in tree.args:
                yield from _walk(argument, () if makes else around)
        case promql.ParenExpr() | promql.UnaryExpr() | promql.SubqueryExpr():
            yield from _walk(tree.expr, around)
        case _:
            return


def _selector(one: promql.VectorSelector, around: tuple[str, ...]) -> Iterator[Selected]:
    labels = tuple(dict.fromkeys((*(m.name for m in one.matchers.matchers if m.name != "__name__"), *around)))
    if one.name is not None:
        if _HOLE not in one.name:
            yield Selected(one.name, labels)
        return
    for matcher in one.matchers.matchers:
        if matcher.name == "__name__":
            is_pattern = matcher.op == promql.MatchOp.Re
            if is_pattern or matcher.op == promql.MatchOp.Equal:
                yield Selected(matcher.value, labels, is_pattern)
