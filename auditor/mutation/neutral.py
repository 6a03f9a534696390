"""Edits that change how code is written, and nothing that it does."""

import ast
import copy
import re
from collections.abc import Iterator

from auditor.mutation import Edit, refactorings
from auditor.mutation.places import Function, Source, lines, own


def of_file(path: str, source: Source, functions: list[Function], spelt: frozenset[str]) -> Iterator[Edit]:
    """Edits that move what a file holds, lay it out anew, or rename what no claim spells."""
    yield from refactorings.renamed_attributes(path, source, functions, spelt)
    yield Edit("layout", path, 1, ast.unparse(source.tree) + "\n")
    at = _first_definition(source)
    inserted = ["def inserted(x):", "    return x", "", ""]
    yield Edit("inserted function", path, at + 1, source.spliced(at, at, inserted))
    starts = {lines(node)[0]: node.col_offset for node in source.blocks}
    remarked = (row for number, line in enumerate(source.rows) for row in (*_remark(source, number, starts), line))
    yield Edit("comments", path, 1, "\n".join(remarked))
    for function in functions:
        cls = source.parents.get(function)
        if isinstance(cls, ast.ClassDef) and cls.body[-1] is not function:
            start, end = lines(function)
            last = cls.end_lineno or end
            moved = [*source.rows[end:last], "", *source.rows[start:end]]
            yield Edit("moved function", path, function.lineno, source.spliced(start, last, moved))
            break


def words(claim: str) -> frozenset[str]:
    """The names that the text of a claim spells; renamed, these are what it must notice."""
    return frozenset(re.findall(r"\w+", claim))


def of_function(path: str, source: Source, function: Function, nodes: set[ast.AST]) -> Iterator[Edit]:
    """Edits within a function, at the nodes that are looked at."""

    def edit(operator: str, node: ast.AST, text: str) -> Edit:
        return Edit(operator, path, getattr(node, "lineno", function.lineno), text)

    texts = _texts(function)
    inside = {inner for inner in ast.walk(function) if inner in nodes}
    used = {inner.id for node in inside for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    for local in sorted(_locals(function) & used):
        yield edit("renamed local", function, source.rewritten(function, _renamed(function, local)))
    for node in sorted(inside, key=lambda one: (one.lineno, one.col_offset)):  # type: ignore[attr-defined]
        for operator, code in _expression(node, source, texts):
            yield edit(operator, node, source.replaced(node, code))
        yield from refactorings.of_node(path, source, function, node)
        if isinstance(node, ast.stmt) and not isinstance(node, Function):
            for operator, others in _statement(node, source):
                yield edit(operator, node, source.rewritten(node, *others))
            if (taken := _extractable(node)) is not None:
                yield from refactorings.into_function(path, source, function, taken)


def _remark(source: Source, number: int, starts: dict[int, int]) -> Iterator[str]:
    line = source.rows[number]
    if number in starts and not line[: starts[number]].strip() and not re.match(r" *(elif|else)\b", line):
        yield " " * starts[number] + "# a remark"


def _first_definition(source: Source) -> int:
    """The line of the first definition, 0-based: docstring and imports stay where they are."""
    places = (lines(node)[0] for node in source.tree.body if isinstance(node, ast.ClassDef | Function))
    return min(places, default=len(source.rows))


def _expression(node: ast.AST, source: Source, texts: set[str]) -> Iterator[tuple[str, str]]:
    match node:
        case ast.BinOp(op=ast.Add() | ast.Mult()) if _is_number(node, texts):
            symbol = "+" if isinstance(node.op, ast.Add) else "*"
            yield "commuted", f"(({source.code(node.right)}) {symbol} ({source.code(node.left)}))"
        case ast.Call(args=args, keywords=keywords) if len(keywords) > 1 and all(k.arg for k in keywords):
            given = [source.code(arg) for arg in args] + [f"{k.arg}={source.code(k.value)}" for k in reversed(keywords)]
            yield "keyword order", f"{source.code(node.func)}({', '.join(given)})"
        case ast.Constant(value=int() as value) if not isinstance(value, bool) and value > 9:
            yield "equivalent literal", hex(value)
            yield "equivalent literal", f"({value // 2} * 2 + {value % 2})"
        case ast.Compare(ops=[ast.Lt() | ast.Gt() as operator], left=left, comparators=[right]):
            symbol = ">" if isinstance(operator, ast.Lt) else "<"
            yield "mirrored comparison", f"({source.code(right)} {symbol} {source.code(left)})"
        case _:
            pass


def _statement(node: ast.stmt, source: Source) -> Iterator[tuple[str, tuple[ast.stmt, ...]]]:
    is_elif = isinstance(node, ast.If) and source.rows[node.lineno - 1][node.col_offset :].startswith("elif")
    match node:
        case ast.If(test=test, body=body, orelse=[_, *_] as orelse) if not is_elif:
            yield "swapped with negation", (ast.If(ast.UnaryOp(ast.Not(), test), orelse, body),)
        case ast.AugAssign(target=target, op=op, value=value):
            read = copy.deepcopy(target)
            read.ctx = ast.Load()
            yield "assignment spelt out", (ast.Assign([target], ast.BinOp(read, op, value)),)
        case _:
            pass
    match node:
        case ast.Assign(targets=[ast.Name() as target], value=value):
            yield "annotation", (ast.AnnAssign(target, ast.Name("object"), value, 1),)
        case _:
            pass
    taken = None if is_elif else _extractable(node)
    if taken is not None:
        name = ast.Name("extracted", ast.Store())
        other = _replaced(node, taken, ast.Name("extracted", ast.Load()))
        yield "extracted variable", (ast.Assign([name], taken), other)


def _extractable(node: ast.stmt) -> ast.expr | None:
    """An expression that is worked out first of all when a statement runs, and once."""
    value: ast.expr | None = None
    match node:
        case ast.If(test=test):
            value = test
        case ast.Return(value=ast.expr() as value):
            pass
        case ast.Assign(value=ast.Call(args=[first, *_])) | ast.Expr(value=ast.Call(args=[first, *_])):
            value = first
        case ast.Assign(value=value) | ast.AugAssign(value=value):
            pass
        case _:
            return None
    is_plain = isinstance(value, ast.Name | ast.Constant | ast.Starred | ast.GeneratorExp | ast.Tuple | None)
    return (
        None
        if is_plain or any(isinstance(n, ast.NamedExpr | ast.Await | ast.Yield) for n in ast.walk(value))
        else value
    )


def _replaced(node: ast.stmt, old: ast.expr, new: ast.expr) -> ast.stmt:
    class Replace(ast.NodeTransformer):
        def visit(self, inner: ast.AST) -> ast.AST:
            return new if inner is old else self.generic_visit(_shallow(inner))

    changed = Replace().visit(node)
    assert isinstance(changed, ast.stmt)
    return changed


def _shallow(node: ast.AST) -> ast.AST:
    """A copy whose lists may be changed."""
    other = copy.copy(node)
    for name, part in ast.iter_fields(node):
        if isinstance(part, list):
            setattr(other, name, list(part))
    return other


def _is_number(node: ast.AST, texts: set[str]) -> bool:
    """Whether a sum is one of numbers, as far as the function shows: not of texts or lists, whose order matters."""
    sequences = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)
    inside = list(ast.walk(node))
    return not any(isinstance(n, sequences) or _is_text(n) or getattr(n, "id", None) in texts for n in inside)


def _texts(function: Function) -> set[str]:
    """The locals that are assigned a text."""
    assigned = (n for n in own(function) if isinstance(n, ast.Assign | ast.AugAssign))
    return {
        target.id
        for one in assigned
        if isinstance(one.value, ast.JoinedStr) or _is_text(one.value)
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        if isinstance(target, ast.Name)
    }


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _locals(function: Function) -> set[str]:
    """Plain locals: assigned by name, not parameters, not shared with an outer or an inner function."""
    args = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    stored = {n.id for n in own(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    shared = {name for n in ast.walk(function) if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
    inner = {
        a.arg for n in own(function) for f in ast.iter_child_nodes(n) if isinstance(f, Function | ast.Lambda)
        for a in ast.walk(f.args) if isinstance(a, ast.arg)
    }  # fmt: skip
    return stored - args - shared - inner


def _renamed(function: Function, local: str) -> Function:
    class Rename(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:  # ast's name
            return ast.Name(f"{local}_2" if node.id == local else node.id, node.ctx)

    return Rename().visit(copy.deepcopy(function))  # type: ignore[no-any-return]
