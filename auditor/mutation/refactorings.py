"""Refactorings of a function that keep what it does: its expressions inverted, bounded otherwise, exchanged, moved."""

import ast
import re
from collections.abc import Iterator

from auditor.mutation import Edit
from auditor.mutation.places import Function, Source, lines, own

_SHIFTED = {ast.Lt: ("<=", -1), ast.LtE: ("<", 1), ast.Gt: (">=", 1), ast.GtE: (">", -1)}
_SCOPES = ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_BOUND = ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom | _SCOPES
"""What cannot be moved into another function as it stands, or not by its free names alone."""


def of_node(path: str, source: Source, function: Function, node: ast.AST) -> Iterator[Edit]:
    """Refactorings at one node of a function."""

    def edit(operator: str, text: str) -> Edit:
        return Edit(operator, path, node.lineno, text)  # type: ignore[attr-defined]

    match node:
        case ast.IfExp(test=test, body=body, orelse=orelse):
            code = f"(({source.code(orelse)}) if not ({source.code(test)}) else ({source.code(body)}))"
            yield edit("inverted conditional", source.replaced(node, code))
        case ast.Compare(ops=[operator], left=left, comparators=[ast.Constant(value=int() as bound)]):
            if type(operator) in _SHIFTED and not isinstance(bound, bool) and _is_integer(left, function):
                symbol, step = _SHIFTED[type(operator)]
                yield edit("integer bound", source.replaced(node, f"{source.code(left)} {symbol} {bound + step}"))
        case ast.Call(args=[*_, last]) if not any(isinstance(arg, ast.Starred) for arg in node.args):
            if (keyword := _parameter(node, function, source)) is not None:
                yield edit("passed by keyword", source.replaced(last, f"{keyword}={source.code(last)}"))
        case ast.Assign():
            block, number = source.blocks.get(node, ([], 0))
            after = block[number + 1] if number + 1 < len(block) else None
            if isinstance(after, ast.Assign) and _are_independent(node, after):
                (start, end), (second, last_line) = lines(node), lines(after)
                swapped = [*source.rows[second:last_line], *source.rows[start:end]]
                yield edit("exchanged statements", source.spliced(start, last_line, swapped))
        case _:
            pass


def into_function(path: str, source: Source, function: Function, expression: ast.expr) -> Iterator[Edit]:
    """An expression moved into a new function of the module, what is local to it passed on."""
    if any(isinstance(inner, _BOUND) or _is_bound_to_place(inner) for inner in ast.walk(expression)):
        return
    around: ast.AST = function
    while isinstance(parent := source.parents[around], Function | ast.ClassDef):
        if isinstance(parent, Function):
            return  # free names may be those of the function around
        around = parent
    if not isinstance(parent, ast.Module):
        return
    free = {inner.id for inner in ast.walk(expression) if isinstance(inner, ast.Name)}
    parameters = ", ".join(sorted(free & _own_names(function)))
    moved = source.replaced(expression, f"_moved_into_function({parameters})").split("\n")
    body = ast.unparse(expression)
    definition = ["", "", f"def _moved_into_function({parameters}):", f"    return {body}", ""]
    yield Edit("moved into function", path, expression.lineno, "\n".join([*moved, *definition]))


def renamed_attributes(path: str, source: Source, functions: list[Function], spelt: frozenset[str]) -> Iterator[Edit]:
    """A private attribute of an object renamed in the whole file, one for a file; not those that a claim spells."""
    inside = {node for function in functions for node in ast.walk(function)}
    stored = {
        node.attr: node.lineno
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_of_self(node)
    }
    read = {node.attr for node in inside if isinstance(node, ast.Attribute) and _is_of_self(node)}
    defined = {node.name for node in ast.walk(source.tree) if isinstance(node, Function | ast.ClassDef)}
    for attribute in sorted(stored.keys() & read - defined - spelt):
        is_private = attribute.startswith("_") and not attribute.startswith("__")
        if is_private and not re.search(rf"""["']{attribute}["']""", source.text):
            text = re.sub(rf"(?<=\.){attribute}\b", f"{attribute}_2", source.text)
            yield Edit("renamed attribute", path, stored[attribute], text)
            return


def _is_of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _is_integer(node: ast.expr, function: Function) -> bool:
    """Whether a value is surely an integer: a length, or a parameter annotated so that is not assigned to."""
    match node:
        case ast.Call(func=ast.Name(id="len")):
            return True
        case ast.Name(id=name):
            stored = {n.id for n in own(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            args = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            annotated = {a.arg for a in args if isinstance(a.annotation, ast.Name) and a.annotation.id == "int"}
            return name in annotated - stored
        case _:
            return False


def _parameter(call: ast.Call, function: Function, source: Source) -> str | None:
    """The parameter that the last positional argument goes to, where the file says which function is called."""
    match call.func:
        case ast.Name(id=name) if name not in _own_names(function):
            scope, skipped = source.tree.body, 0
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            cls = source.parents.get(function)
            if not isinstance(cls, ast.ClassDef):
                return None
            scope, skipped = cls.body, 1
        case _:
            return None
    called = [one for one in scope if isinstance(one, Function) and one.name == name]
    if len(called) != 1 or called[0].decorator_list or called[0].args.posonlyargs:
        return None
    parameters = called[0].args.args[skipped:]
    return parameters[len(call.args) - 1].arg if len(call.args) <= len(parameters) else None


def _are_independent(one: ast.Assign, other: ast.Assign) -> bool:
    """Whether two neighbours call nothing, and neither assigns to what the other has."""
    plain = ast.Name | ast.Attribute | ast.Constant | ast.expr_context | ast.BinOp | ast.operator | ast.Assign
    if not all(isinstance(node, plain) for statement in (one, other) for node in ast.walk(statement)):
        return False
    first, second = ({ast.unparse(n) for n in ast.walk(s) if isinstance(n, ast.expr)} for s in (one, other))
    written = [{ast.unparse(target) for target in statement.targets} for statement in (one, other)]
    return not (written[0] & second or written[1] & first)


def _is_bound_to_place(node: ast.AST) -> bool:
    """Whether a name means something else in another function: `super()`, `locals()`, names mangled in a class."""
    if isinstance(node, ast.Name):
        return node.id in ("super", "locals", "vars", "eval", "__class__", "dir")
    return isinstance(node, ast.Attribute) and node.attr.startswith("__") and not node.attr.endswith("__")


def _own_names(function: Function) -> set[str]:
    """The parameters of a function and all that it assigns, imports or defines."""
    names = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.ExceptHandler(name=str(name)):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {(alias.asname or alias.name).split(".")[0] for alias in aliases}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                if node is not function:
                    names.add(name)
            case _:
                pass
    return names
