"""Edits that change what code does.

Left out, because they change nothing or what they change is not of the claim: statements doubled that may run twice
without effect (only `+=`, and calls that add or take, are doubled); neighbours swapped that do not depend on each
other; and what stands in messages of assertions, annotations and docstrings.
"""

import ast
from collections.abc import Iterator

from auditor.mutation import Edit
from auditor.mutation.places import Function, Source, lines, statements

_COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
    ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_ARITHMETIC = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*"}
_LOGS = {"debug", "info", "warning", "error", "exception", "critical"}
_CUMULATIVE = {"append", "appendleft", "insert", "remove", "pop", "popleft", "popleft_n", "append_n", "prepend_n",
               "prepend_request", "inc", "reserve", "free", "alloc", "get_new_blocks", "heappop"}  # fmt: skip
_DELETED = ast.Assign | ast.AugAssign | ast.Expr | ast.Return | ast.Raise | ast.If | ast.Break | ast.For


def edits(path: str, source: Source, nodes: set[ast.AST]) -> Iterator[Edit]:
    """Every edit of some nodes; some may not parse, or change nothing."""
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):  # type: ignore[attr-defined]
        for operator, code in _expressions(node, source):
            yield Edit(operator, path, node.lineno, source.replaced(node, code))  # type: ignore[attr-defined]
        if isinstance(node, ast.stmt):
            for operator, text in _statement(node, source, nodes):
                yield Edit(operator, path, node.lineno, text)
    functions = {source.function(node) for node in nodes if not isinstance(node, Function)} - {None}
    for function in functions:
        assert function is not None
        first = statements(function)[0]
        text = source.spliced(first.lineno - 1, first.lineno - 1, [" " * first.col_offset + "return None"])
        yield Edit("early return", path, function.lineno, text)


def _expressions(node: ast.AST, source: Source) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Constant(value=bool() as value):
            yield "constant", repr(not value)
        case ast.Constant(value=int() | float() as value):
            yield "constant", repr(value + 1)
        case ast.Constant(value=str() as value) if ":" in value and " " not in value and len(value) > 4:
            yield "renamed metric", repr(value + "_renamed")
        case ast.Call(func=ast.Attribute(attr=attr), args=[message, *_]) if attr in _LOGS:
            inner = source.code(message)
            yield "changed message", source.code(node).replace(inner, repr("Something else happened."), 1)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in ("Gauge", "Counter", "Histogram"):
            other = "Gauge" if name == "Counter" else "Counter"
            yield "other metric type", source.code(node).replace(name, other, 1)
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


def _statement(node: ast.stmt, source: Source, nodes: set[ast.AST]) -> Iterator[tuple[str, str]]:
    start, end = lines(node)
    pass_ = [" " * node.col_offset + "pass"]
    if isinstance(node, ast.If | ast.While) and (node.test in nodes or any(n in nodes for n in ast.walk(node.test))):
        yield "negation", source.replaced(node.test, f"not ({source.code(node.test)})")
        if isinstance(node, ast.If) and node.orelse and not _is_elif(node, source):
            yield "swapped branches", source.rewritten(node, ast.If(node.test, node.orelse, node.body))
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
        op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        yield "arithmetic", source.rewritten(node, ast.AugAssign(node.target, op, node.value))
    if isinstance(node, _DELETED) and not _is_elif(node, source):
        yield "deleted statement", source.spliced(start, end, pass_)
    if _is_cumulative(node):
        yield "duplicated statement", source.spliced(end, end, source.rows[start:end])
    block, number = source.blocks.get(node, ([], 0))
    if number + 1 < len(block) and (after := block[number + 1]) in nodes and _depend(node, after):
        after_start, after_end = lines(after)
        swapped = [*source.rows[after_start:after_end], *source.rows[start:end]]
        yield "swapped statements", source.spliced(start, after_end, swapped)


def _is_elif(node: ast.stmt, source: Source) -> bool:
    return isinstance(node, ast.If) and source.rows[node.lineno - 1][node.col_offset :].startswith("elif")


def _is_cumulative(node: ast.stmt) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    called = getattr(call.func, "attr", "") if isinstance(call, ast.Call) else ""
    return isinstance(node, ast.AugAssign) or called in _CUMULATIVE


def _depend(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether the second statement reads a name or attribute that the first one writes."""
    written = {ast.unparse(t) for t in ast.walk(one) if isinstance(getattr(t, "ctx", None), ast.Store)}
    read = {ast.unparse(n) for n in ast.walk(other) if isinstance(getattr(n, "ctx", None), ast.Load)}
    return bool(written & read) and not isinstance(other, Function | ast.ClassDef)
