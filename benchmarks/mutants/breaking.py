"""Edits that change what code does."""

import ast
from collections.abc import Iterator

from auditor.model import Region
from benchmarks.mutants import Edit
from benchmarks.mutants.places import Source

_COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
    ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_ARITHMETIC = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*"}
_LOGS = {"debug", "info", "warning", "error", "exception", "critical"}


def edits(text: str, regions: list[Region]) -> Iterator[Edit]:
    """Every edit of the nodes in the regions; some may not parse, or change nothing."""
    source = Source(text)
    for node in source.within(regions):
        for operator, code in _expressions(node, source):
            yield Edit(operator, node.lineno, source.replaced(node, code))  # type: ignore[attr-defined]
    yield from _statements(source, regions)


def _expressions(node: ast.AST, source: Source) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Constant(value=bool() as value):
            yield "constant", repr(not value)
        case ast.Constant(value=int() | float() as value):
            yield "constant", repr(value + 1)
        case ast.Constant(value=str() as value) if ":" in value and " " not in value and len(value) > 4:
            yield "renamed metric", repr(value + "_renamed")
        case ast.Call(func=ast.Attribute(attr=attr), args=[message, *_]) if attr in _LOGS:
            code = source.code(node)
            inner = source.code(message)
            yield "changed message", code.replace(inner, repr("Something else happened."), 1)
        case ast.Compare(ops=[operator], left=left, comparators=[right]) if type(operator) in _COMPARISONS:
            yield "comparison", f"{source.code(left)} {_COMPARISONS[type(operator)]} {source.code(right)}"
        case ast.BinOp() if type(node.op) in _ARITHMETIC:
            yield "arithmetic", f"({source.code(node.left)} {_ARITHMETIC[type(node.op)]} {source.code(node.right)})"
        case ast.BoolOp():
            word = " or " if isinstance(node.op, ast.And) else " and "
            yield "and/or", f"({word.join(f'({source.code(value)})' for value in node.values)})"
        case ast.UnaryOp(op=ast.Not()):
            yield "negation", f"({source.code(node.operand)})"
        case ast.IfExp():
            test, body, orelse = (source.code(part) for part in (node.test, node.body, node.orelse))
            yield "swapped branches", f"({orelse} if {test} else {body})"
        case ast.Attribute(ctx=ast.Load()):
            yield "renamed attribute", f"{source.code(node.value)}.{node.attr}_renamed"
        case _:
            pass


def _statements(source: Source, regions: list[Region]) -> Iterator[Edit]:
    for block in source.blocks():
        for number, node in enumerate(block):
            start, end = source.lines(node)
            if not any(region.start <= start + 1 and end <= region.end for region in regions):
                continue
            line, indent = node.lineno, " " * node.col_offset
            if isinstance(node, ast.If | ast.While):
                yield Edit("negation", line, source.replaced(node.test, f"not ({source.code(node.test)})"))
            if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
                code = source.code(node)
                old, new = ("+=", "-=") if isinstance(node.op, ast.Add) else ("-=", "+=")
                yield Edit("arithmetic", line, source.replaced(node, code.replace(old, new, 1)))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = next((s for s in node.body if not isinstance(s, ast.Expr)), node.body[0])
                at = source.lines(first)[0]
                yield Edit("early return", line, source.spliced(at, at, [" " * first.col_offset + "return None"]))
                continue
            if isinstance(node, ast.ClassDef):
                continue
            lines = source.text.split("\n")[start:end]
            if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Return | ast.Raise | ast.If | ast.Break):
                yield Edit("deleted statement", line, source.spliced(start, end, [f"{indent}pass"]))
            if isinstance(node, ast.AugAssign):
                yield Edit("duplicated statement", line, source.spliced(end, end, lines))
            if number + 1 < len(block) and _depend(node, block[number + 1]):
                after = source.lines(block[number + 1])
                other = source.text.split("\n")[after[0] : after[1]]
                yield Edit("swapped statements", line, source.spliced(start, after[1], other + lines))


def _depend(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether the second statement reads a name or attribute that the first one writes."""
    written = {ast.dump(_loaded(t)) for t in ast.walk(one) if isinstance(getattr(t, "ctx", None), ast.Store)}
    read = {ast.dump(n) for n in ast.walk(other) if isinstance(getattr(n, "ctx", None), ast.Load)}
    return bool(written & read)


def _loaded(node: ast.AST) -> ast.AST:
    parsed = ast.parse(ast.unparse(node), mode="eval")
    return parsed.body
