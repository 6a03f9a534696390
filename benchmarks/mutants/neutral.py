"""Edits that change how code is written, and nothing that it does."""

import ast
import re
from collections.abc import Iterator

from auditor.model import Region
from benchmarks.mutants import Edit
from benchmarks.mutants.places import Source


def edits(text: str, regions: list[Region]) -> Iterator[Edit]:
    source = Source(text)
    first = min(region.start for region in regions)
    yield Edit("layout", first, ast.unparse(source.tree) + "\n")
    yield Edit("inserted function", first, f"{_above(text)}\n\ndef inserted(x):\n    return x\n\n\n{_below(text)}")
    yield Edit("comments", first, "\n".join(_commented(source, regions)))
    for node in source.within(regions):
        for operator, code in _expressions(node, source):
            yield Edit(operator, node.lineno, source.replaced(node, code))  # type: ignore[attr-defined]
    yield from _functions(source, regions)


def _above(text: str) -> str:
    """The lines up to the first definition: docstring and imports stay where they are."""
    return "\n".join(text.split("\n")[: _first_definition(text)])


def _below(text: str) -> str:
    return "\n".join(text.split("\n")[_first_definition(text) :])


def _first_definition(text: str) -> int:
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
    return len(text.split("\n"))


def _commented(source: Source, regions: list[Region]) -> Iterator[str]:
    """The lines with a comment line above every statement in the regions."""
    starts = {source.lines(node)[0]: node.col_offset for block in source.blocks() for node in block}
    for number, line in enumerate(source.text.split("\n")):
        is_wanted = number in starts and any(region.start <= number + 1 <= region.end for region in regions)
        if is_wanted and line[: starts[number]].strip() == "" and not _is_elif(line):
            yield " " * starts[number] + "# a remark"
        yield line


def _is_elif(line: str) -> bool:
    return line.lstrip().startswith("elif")


def _expressions(node: ast.AST, source: Source) -> Iterator[tuple[str, str]]:
    match node:
        case ast.BinOp(op=ast.Add() | ast.Mult()) if _is_number(node.left) and _is_number(node.right):
            symbol = "+" if isinstance(node.op, ast.Add) else "*"
            yield "commuted", f"(({source.code(node.right)}) {symbol} ({source.code(node.left)}))"
        case ast.Call(args=args, keywords=keywords) if len(keywords) > 1 and all(k.arg for k in keywords):
            given = [source.code(arg) for arg in args] + [f"{k.arg}={source.code(k.value)}" for k in reversed(keywords)]
            yield "keyword order", f"{source.code(node.func)}({', '.join(given)})"
        case ast.Constant(value=int() as value) if not isinstance(value, bool) and value > 9:
            yield "equivalent literal", hex(value)
        case ast.Compare(ops=[ast.Lt() | ast.Gt() as operator], left=left, comparators=[right]):
            symbol = ">" if isinstance(operator, ast.Lt) else "<"
            yield "mirrored comparison", f"({source.code(right)} {symbol} {source.code(left)})"
        case _:
            pass


def _is_number(node: ast.AST) -> bool:
    """Whether a sum of such a side is surely one of numbers, not of texts or lists."""
    return not any(isinstance(n, ast.JoinedStr | ast.List | ast.Tuple) or _is_text(n) for n in ast.walk(node))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _functions(source: Source, regions: list[Region]) -> Iterator[Edit]:
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        start, end = source.lines(node)
        if not any(region.overlaps(Region(start + 1, end)) for region in regions):
            continue
        lines = source.text.split("\n")
        for name in sorted(_locals(node))[:1]:
            body = "\n".join(lines[start:end])
            renamed = re.sub(rf"(?<![\w.'\"]){name}\b(?!\s*=[^=]|['\"])", f"{name}_2", body)
            renamed = re.sub(rf"(?m)^(\s*){name}(\s*(?::[^=\n]*)?(?:[-+*/]?=)[^=])", rf"\g<1>{name}_2\g<2>", renamed)
            edited = "\n".join([*lines[:start], renamed, *lines[end:]])
            if _is_only_renamed(source.text, edited, name):
                yield Edit("renamed local", node.lineno, edited)
        for statement in ast.walk(node):
            if (
                isinstance(statement, ast.Return)
                and statement.value is not None
                and not isinstance(statement.value, ast.Name)
            ):
                indent = " " * statement.col_offset
                code = source.replaced(
                    statement, f"extracted = ({source.code(statement.value)})\n{indent}return extracted"
                )
                yield Edit("extracted variable", statement.lineno, code)
                break


def _locals(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Plain locals: assigned by name, not parameters, not declared global."""
    args = {arg.arg for arg in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]}
    stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    shared = {name for n in ast.walk(node) if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
    keywords = {k.arg for n in ast.walk(node) if isinstance(n, ast.Call) for k in n.keywords}
    return stored - args - shared - keywords


def _is_only_renamed(before: str, after: str, name: str) -> bool:
    """Whether renaming back gives the tree there was, so that text, keywords and attributes were left alone."""

    class Back(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:  # ast's name
            return ast.Name(name, node.ctx) if node.id == f"{name}_2" else node

    try:
        tree = ast.parse(after)
    except SyntaxError:
        return False
    return ast.dump(Back().visit(tree)) == ast.dump(ast.parse(before)) and ast.dump(ast.parse(after)) != ast.dump(
        ast.parse(before)
    )
