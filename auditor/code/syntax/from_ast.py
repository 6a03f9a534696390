"""Terms from `ast`: the fast way, for the syntax of the running Python."""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from auditor.code.syntax import normal_forms
from auditor.code.syntax.blocks import BLOCKS, reachable
from auditor.code.syntax.term import Part, Term
from auditor.model import Region

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
    ast.And: "and", ast.Or: "or", ast.Not: "not", ast.USub: "-", ast.UAdd: "+", ast.Invert: "~",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


def lower_all(nodes: Iterable[ast.AST]) -> tuple[Term, ...]:
    return tuple(lower(node) for node in nodes)


def lower(node: ast.AST) -> Term:
    """The term of a statement or an expression."""
    region = _region(node)
    match node:
        case ast.Name():
            return normal_forms.name(node.id, region)
        case ast.Constant(value=value):
            if value is None or isinstance(value, bool):
                return normal_forms.name(repr(value), region)
            return normal_forms.literal(value, region)
        case ast.Attribute():
            return Term("Attribute", {"value": lower(node.value), "attr": node.attr}, region)
        case ast.Call():
            given = normal_forms.arguments(lower_all(node.args), _keywords(node.keywords))
            return Term("Call", {"func": lower(node.func), **given}, region)
        case ast.BinOp():
            sides: dict[str, Part] = {"left": lower(node.left), "operator": _OPERATORS[type(node.op)]}
            return Term("BinaryOperation", sides | {"right": lower(node.right)}, region)
        case ast.BoolOp():
            return normal_forms.boolean(_OPERATORS[type(node.op)], lower_all(node.values), region)
        case ast.UnaryOp():
            return normal_forms.unary(_OPERATORS[type(node.op)], lower(node.operand), region)
        case ast.Compare():
            operators = [_OPERATORS[type(operator)] for operator in node.ops]
            return normal_forms.comparison(lower(node.left), operators, lower_all(node.comparators), region)
        case ast.JoinedStr():
            return normal_forms.string(_pieces(node), region)
        case ast.Subscript(slice=ast.Tuple(elts=[_, _, *_] as items)):  # `x[a,]` is not `x[a]`
            return Term("Subscript", {"value": lower(node.value), "slice": lower_all(items)}, region)
        case ast.Subscript():
            return Term("Subscript", {"value": lower(node.value), "slice": (lower(node.slice),)}, region)
        case ast.Tuple() | ast.List() | ast.Set():
            return Term(type(node).__name__, {"elements": lower_all(node.elts)}, region)
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            return Term("Dict", {"elements": tuple(_pair(key, value) for key, value in pairs)}, region)
        case ast.Lambda():
            return Term("Lambda", {"params": tuple(_parameters(node.args)), "body": lower(node.body)}, region)
        case ast.DictComp():
            pair: dict[str, Part] = {"key": lower(node.key), "value": lower(node.value)}
            return Term("DictComp", pair | {"for_in": lower_all(node.generators)}, region)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            return Term(type(node).__name__, {"elt": lower(node.elt), "for_in": lower_all(node.generators)}, region)
        case ast.comprehension():
            loop: dict[str, Part] = {"target": lower(node.target), "iter": lower(node.iter), "ifs": lower_all(node.ifs)}
            return Term("CompFor", loop | {"is_async": bool(node.is_async)}, _region(node.target))
        case ast.stmt():
            return _statement(node, region)
        case ast.ExceptHandler():
            caught: dict[str, Part] = {"type": _optional(node.type), "name": node.name}
            return Term("ExceptHandler", caught | {"body": _block(node.body)}, region)
        case ast.match_case():
            case: dict[str, Part] = {"pattern": ast.unparse(node.pattern), "guard": _optional(node.guard)}
            return Term("MatchCase", case | {"body": _block(node.body)}, _region(node.pattern))
        case ast.withitem():
            item: dict[str, Part] = {"item": lower(node.context_expr), "asname": _optional(node.optional_vars)}
            return Term("WithItem", item, _region(node.context_expr))
        case ast.alias():
            return Term("Alias", {"name": node.name, "asname": node.asname}, region)
        case _:
            return Term(type(node).__name__, dict(_parts(node)), region)


def _statement(node: ast.stmt, region: Region | None) -> Term:
    match node:
        case ast.Assign():
            return Term("Assign", {"targets": lower_all(node.targets), "value": lower(node.value)}, region)
        case ast.AnnAssign(value=None):
            return Term("Declare", {"targets": (lower(node.target),)}, region, lower(node.annotation))
        case ast.AnnAssign(value=ast.expr() as value):
            parts: dict[str, Part] = {"targets": (lower(node.target),), "value": lower(value)}
            return Term("Assign", parts, region, lower(node.annotation))
        case ast.AugAssign():
            parts = {"target": lower(node.target), "operator": _OPERATORS[type(node.op)], "value": lower(node.value)}
            return Term("AugAssign", parts, region)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            parts = {"name": node.name, "params": tuple(_parameters(node.args))}
            parts |= {"decorators": lower_all(node.decorator_list), "is_async": isinstance(node, ast.AsyncFunctionDef)}
            return Term(
                "FunctionDef",
                parts | {"body": normal_forms.without_docstring(_block(node.body))},
                region,
                _optional(node.returns),
            )
        case ast.ClassDef():
            given = normal_forms.arguments(lower_all(node.bases), _keywords(node.keywords))
            parts = {"name": node.name, "bases": given["args"], "keywords": given["keywords"]}
            parts |= {"decorators": lower_all(node.decorator_list)}
            return Term("ClassDef", parts | {"body": normal_forms.without_docstring(_block(node.body))}, region)
        case ast.For() | ast.AsyncFor():
            parts = {"target": lower(node.target), "iter": lower(node.iter), "body": _block(node.body)}
            return Term(
                "For", parts | {"orelse": _block(node.orelse), "is_async": isinstance(node, ast.AsyncFor)}, region
            )
        case ast.With() | ast.AsyncWith():
            parts = {"items": lower_all(node.items), "body": _block(node.body)}
            return Term("With", parts | {"is_async": isinstance(node, ast.AsyncWith)}, region)
        case ast.Delete():
            targets = [inner for t in node.targets for inner in (t.elts if isinstance(t, ast.Tuple) else [t])]
            return Term("Delete", {"targets": lower_all(targets)}, region)
        case ast.ImportFrom():
            parts = {"module": node.module, "names": lower_all(node.names), "level": node.level}
            return Term("ImportFrom", parts, region)
        case _:
            return Term(type(node).__name__, dict(_parts(node)), region)


def _block(nodes: Iterable[ast.stmt]) -> tuple[Term, ...]:
    return reachable(lower_all(nodes))


def _parts(node: ast.AST) -> Iterator[tuple[str, Part]]:
    """The parts of a node that lowering takes as they are."""
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.expr_context) or field in ("type_comment", "type_params"):
            continue
        if isinstance(value, ast.AST):
            yield field, lower(value)
        elif field in BLOCKS and isinstance(value, list):
            yield field, _block(value)
        elif isinstance(value, list):
            yield field, tuple(lower(item) if isinstance(item, ast.AST) else item for item in value)
        else:
            yield field, value


def _region(node: ast.AST) -> Region | None:
    start: int | None = getattr(node, "lineno", None)
    if start is None:
        return None
    decorators: list[ast.expr] | None = getattr(node, "decorator_list", None)
    if decorators:
        start = min(start, decorators[0].lineno)
    return _lines(start, getattr(node, "end_lineno", None) or start)


_lines = lru_cache(maxsize=1 << 16)(Region)
"""Regions of the same lines are one, which saves more memory than time."""


def _optional(node: ast.AST | None) -> Term | None:
    return None if node is None else lower(node)


def _pair(key: ast.expr | None, value: ast.expr) -> Term:
    if key is None:
        return Term("StarredDictElement", {"value": lower(value)}, _region(value))
    return Term("DictElement", {"key": lower(key), "value": lower(value)}, _region(key))


def _keywords(keywords: Iterable[ast.keyword]) -> Iterator[tuple[str, Term]]:
    return ((keyword.arg or "**", lower(keyword.value)) for keyword in keywords)


def _parameters(args: ast.arguments) -> Iterator[Term]:
    positional = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(positional) - len(args.defaults)) + [*args.defaults]
    for arg, default in zip(positional, defaults, strict=True):
        yield normal_forms.parameter("positional", arg.arg, _optional(default), _region(arg), _optional(arg.annotation))
    if args.vararg:
        yield normal_forms.parameter("*", args.vararg.arg, None, _region(args.vararg))
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield normal_forms.parameter("keyword", arg.arg, _optional(default), _region(arg), _optional(arg.annotation))
    if args.kwarg:
        yield normal_forms.parameter("**", args.kwarg.arg, None, _region(args.kwarg))


def _pieces(node: ast.JoinedStr) -> Iterator[Term]:
    for value in node.values:
        if isinstance(value, ast.FormattedValue):
            conversion = None if value.conversion == -1 else chr(value.conversion)
            yield normal_forms.formatted(lower(value.value), conversion, _optional(value.format_spec))
        else:
            yield lower(value)
