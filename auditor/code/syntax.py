"""From source text to terms, by libcst. No other module knows libcst.

Lowering drops how code is written: whitespace, comments, parentheses, trailing commas, annotations, docstrings, the
quotes and digits of a literal, the order of keyword arguments, `b > a` for `a < b`.
"""

import ast
import dataclasses
import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from auditor.code.term import Part, Term, negation
from auditor.model import Region

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auditor.code.index import SymbolType


class UnreadableSyntax(ValueError):
    """libcst cannot parse the text."""


class Syntax:
    """Some parsed lines of a file.

    `first_line` is the number, in the file, of the text's first line. The text may be indented, as the lines of a
    method are.
    """

    def __init__(self, text: str, first_line: int = 1) -> None:
        """Raises UnreadableSyntax."""
        if text[:1].isspace():
            # Rather than dedent, which would change strings of several lines, give the lines something to be in.
            text = f"if 1:\n{text}"
            first_line -= 1
        try:
            self._module = cst.parse_module(text)
        except (cst.ParserSyntaxError, RecursionError, UnicodeError) as error:
            raise UnreadableSyntax(str(error)) from None
        self._first_line = first_line
        self._positions: dict[cst.CSTNode, Region] | None = None
        try:
            self.statements = _suite(self._module.body)
        except RecursionError:
            raise UnreadableSyntax("nested too deeply") from None

    def region(self, term: Term) -> Region:
        """The lines of a term in the file."""
        if self._positions is None:
            wrapper = MetadataWrapper(self._module, unsafe_skip_copy=True)
            self._positions = {
                node: Region(place.start.line, place.end.line)
                for node, place in wrapper.resolve(PositionProvider).items()
            }
        if not isinstance(term.node, cst.CSTNode):
            raise TypeError("a term that was not parsed has no region")
        region = self._positions[term.node]
        shift = self._first_line - 1
        return Region(region.start + shift, region.end + shift)


def parse(text: str) -> tuple[Term, ...]:
    """The statements of a text. Raises UnreadableSyntax."""
    return Syntax(text).statements


def parse_expression(text: str) -> Term:
    """The term of one expression. Raises UnreadableSyntax."""
    try:
        return lower(cst.parse_expression(text.strip()))
    except (cst.ParserSyntaxError, RecursionError) as error:
        raise UnreadableSyntax(str(error)) from None


def source(term: Term) -> str | None:
    """The code of a term as it is written, on one line; None for a term that was not parsed."""
    if not isinstance(term.node, cst.CSTNode):
        return None
    return " ".join(cst.Module([]).code_for_node(term.node).split())


def annotation(term: Term) -> Term | None:
    """The annotation of an assignment or a parameter, which lowering drops."""
    found = getattr(term.node, "annotation", None)
    return lower(found.annotation) if isinstance(found, cst.Annotation) else None


def outline(text: str) -> list[tuple[str, "SymbolType", Region]]:
    """What a whole file defines: qualified name, type and lines. Slow; for files that `ast` cannot read.

    Raises UnreadableSyntax.
    """
    syntax = Syntax(text)
    return list(_outline(syntax, syntax.statements, "", "constant"))


def _outline(
    syntax: Syntax, statements: Sequence[Term], prefix: str, value_type: "SymbolType | None"
) -> "Iterator[tuple[str, SymbolType, Region]]":
    for term in statements:
        match term.type:
            case "ClassDef" | "FunctionDef":
                name = prefix + term.text("name")
                is_class = term.type == "ClassDef"
                yield name, "class" if is_class else "function", syntax.region(term)
                yield from _outline(syntax, term.terms("body"), f"{name}.", "field" if is_class else None)
            case "Assign" | "Declare" if value_type:
                for target in term.terms("targets"):
                    if target.type == "Name":
                        yield prefix + target.text("id"), value_type, syntax.region(term)
            case _:
                for block in ("body", "orelse", "finalbody"):
                    if isinstance(term.parts.get(block), tuple):
                        yield from _outline(syntax, term.terms(block), prefix, value_type)


OPERATORS = {
    "Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "FloorDivide": "//", "Modulo": "%", "Power": "**",
    "MatrixMultiply": "@", "BitAnd": "&", "BitOr": "|", "BitXor": "^", "LeftShift": "<<", "RightShift": ">>",
    "And": "and", "Or": "or", "Not": "not", "Minus": "-", "Plus": "+", "BitInvert": "~",
    "Equal": "==", "NotEqual": "!=", "LessThan": "<", "LessThanEqual": "<=", "GreaterThan": ">",
    "GreaterThanEqual": ">=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip

_MIRRORED = {">": "<", ">=": "<="}

_LAYOUT = (
    cst.BaseParenthesizableWhitespace, cst.Comma, cst.Semicolon, cst.Dot, cst.Colon, cst.AssignEqual, cst.Comment,
    cst.Newline, cst.TrailingWhitespace, cst.EmptyLine, cst.LeftParen, cst.RightParen, cst.LeftSquareBracket,
    cst.RightSquareBracket, cst.LeftCurlyBrace, cst.RightCurlyBrace, cst.MaybeSentinel, cst.Annotation,
    cst.ParamSlash, cst.BitOr,
)  # fmt: skip


def lower(node: cst.CSTNode) -> Term:
    """The term of a node."""
    match node:
        case cst.Name(value=value):
            return Term("Name", {"id": value}, node)
        case cst.Integer() | cst.Float() | cst.Imaginary():
            return Term("Literal", {"value": ast.literal_eval(node.value)}, node)
        case cst.Ellipsis():
            return Term("Literal", {"value": ...}, node)
        case cst.SimpleString() | cst.ConcatenatedString() | cst.FormattedString():
            return _string(node)
        case cst.Attribute():
            return Term("Attribute", {"value": lower(node.value), "attr": node.attr.value}, node)
        case cst.Call():
            return _call(node, lower(node.func), node.args)
        case cst.BinaryOperation():
            operands: dict[str, Part] = {"left": lower(node.left), "operator": _operator(node.operator)}
            return Term("BinaryOperation", operands | {"right": lower(node.right)}, node)
        case cst.BooleanOperation():
            return _boolean(node)
        case cst.UnaryOperation():
            operator, operand = _operator(node.operator), lower(node.expression)
            number = operand.parts.get("value") if operand.type == "Literal" else None
            if operator == "not":
                return dataclasses.replace(negation(operand), node=node)
            if operator == "-" and isinstance(number, int | float):
                return Term("Literal", {"value": -number}, node)
            return Term("UnaryOperation", {"operator": operator, "operand": operand}, node)
        case cst.Comparison():
            return _comparison(node)
        case cst.AnnAssign(value=None):
            return Term("Declare", {"targets": (lower(node.target),)}, node)
        case cst.AnnAssign(value=cst.BaseExpression() as value):
            return Term("Assign", {"targets": (lower(node.target),), "value": lower(value)}, node)
        case cst.AugAssign():
            operator = _operator(node.operator)
            return Term(
                "AugAssign", {"target": lower(node.target), "operator": operator, "value": lower(node.value)}, node
            )
        case cst.ClassDef():
            call = _call(node, Term("Name", {"id": node.name.value}), [*node.bases, *node.keywords])
            parts: dict[str, Part] = {"name": node.name.value, "bases": call.parts["args"]}
            parts |= {"keywords": call.parts["keywords"], "decorators": _all(node.decorators)}
            return Term("ClassDef", parts | {"body": _suite(node.body.body, docstring=True)}, node)
        case cst.FunctionDef():
            parts = {"name": node.name.value, "params": _parameters(node.params)}
            parts |= {"decorators": _all(node.decorators), "is_async": node.asynchronous is not None}
            return Term("FunctionDef", parts | {"body": _suite(node.body.body, docstring=True)}, node)
        case cst.Lambda():
            return Term("Lambda", {"params": _parameters(node.params), "body": lower(node.body)}, node)
        case cst.AssignTarget(target=inner) | cst.Element(value=inner) | cst.Index(value=inner, star=None):
            return lower(inner)
        case cst.SubscriptElement(slice=inner) | cst.Decorator(decorator=inner) | cst.CompIf(test=inner):
            return lower(inner)
        case cst.AsName(name=inner) | cst.NameItem(name=inner):
            return lower(inner)
        case _:
            return Term(type(node).__name__, _parts(node), node)


def _parts(node: cst.CSTNode) -> dict[str, Part]:
    """The parts of a node that lowering treats as it is written."""
    parts: dict[str, Part] = {}
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if isinstance(value, cst.BaseSuite):
            parts[field.name] = _suite(value.body)
        elif isinstance(value, cst.Else | cst.Finally):
            parts[field.name] = _suite(value.body.body)
        elif field.name in ("orelse", "finalbody") and not isinstance(node, cst.IfExp):
            parts[field.name] = () if value is None else (lower(value),)
        elif isinstance(value, cst.Asynchronous):
            parts["is_async"] = True
        elif isinstance(value, cst.CSTNode) and not isinstance(value, _LAYOUT):
            parts[field.name] = lower(value)
        elif isinstance(value, list | tuple) and not field.name.startswith(
            ("lpar", "rpar", "leading", "lines", "header")
        ):
            parts[field.name] = _all(value)
        elif isinstance(value, str) and "whitespace" not in field.name and field.name not in ("indent", "start", "end"):
            parts[field.name] = value
    return parts


def _all(nodes: Sequence[cst.CSTNode]) -> tuple[Term, ...]:
    return tuple(lower(node) for node in nodes if not isinstance(node, _LAYOUT))


def _suite(nodes: Sequence[cst.CSTNode], *, docstring: bool = False) -> tuple[Term, ...]:
    """The statements of a block, those that share a line one by one."""
    statements: list[Term] = []
    for node in nodes:
        statements += _all(node.body) if isinstance(node, cst.SimpleStatementLine) else [lower(node)]
    if docstring and statements and statements[0].type == "Expr":
        value = statements[0].term("value")
        if value.type == "Literal" and isinstance(value.parts["value"], str):
            del statements[0]
    return tuple(statements)


def _operator(node: cst.CSTNode) -> str:
    return OPERATORS[type(node).__name__.removesuffix("Assign")]


def _call(node: cst.CSTNode, func: Term, args: Sequence[cst.Arg]) -> Term:
    positional: list[Part] = []
    keywords: list[tuple[str, Term]] = []
    for arg in args:
        value = lower(arg.value)
        if arg.keyword is not None:
            keywords.append((arg.keyword.value, Term("Keyword", {"name": arg.keyword.value, "value": value}, arg)))
        elif arg.star == "**":
            keywords.append(("", Term("Keyword", {"name": "**", "value": value}, arg)))
        else:
            positional.append(Term("Starred", {"value": value}, arg) if arg.star else value)
    ordered = tuple(term for _, term in sorted(keywords, key=lambda pair: pair[0]))
    return Term("Call", {"func": func, "args": tuple(positional), "keywords": ordered}, node)


def _boolean(node: cst.BooleanOperation) -> Term:
    operator = _operator(node.operator)
    values: list[Term] = []
    for side in (lower(node.left), lower(node.right)):
        same = side.type == "BooleanOperation" and side.parts["operator"] == operator
        values += side.terms("values") if same else [side]
    return Term("BooleanOperation", {"operator": operator, "values": tuple(values)}, node)


def _comparison(node: cst.Comparison) -> Term:
    left: Part = lower(node.left)
    operators: tuple[str, ...] = tuple(_operator(target.operator) for target in node.comparisons)
    comparators: tuple[Part, ...] = tuple(lower(target.comparator) for target in node.comparisons)
    if len(operators) == 1 and operators[0] in _MIRRORED:
        left, comparators, operators = comparators[0], (left,), (_MIRRORED[operators[0]],)
    return Term("Comparison", {"left": left, "operators": operators, "comparators": comparators}, node)


def _parameters(node: cst.Parameters) -> tuple[Term, ...]:
    kinds: list[tuple[str, Sequence[object]]] = [
        ("positional", [*node.posonly_params, *node.params]),
        ("*", [node.star_arg]),
        ("keyword", node.kwonly_params),
        ("**", [node.star_kwarg]),
    ]
    return tuple(
        Term(
            "Param",
            {
                "kind": kind,
                "name": param.name.value,
                "default": lower(param.default) if param.default else None,
            },
            param,
        )
        for kind, params in kinds
        for param in params
        if isinstance(param, cst.Param)
    )


def _string(node: cst.SimpleString | cst.ConcatenatedString | cst.FormattedString) -> Term:
    """A literal, or an `FString` whose parts are literals and `Field`s; neighbours are joined."""
    parts: list[Term] = []
    for part in _string_parts(node):
        value = part.parts.get("value")
        before = parts[-1].parts.get("value") if parts else None
        joined: str | bytes | None = None
        match before, value:
            case str(), str():
                joined = before + value
            case bytes(), bytes():
                joined = before + value
            case _:
                pass
        if joined is not None:
            parts[-1] = Term("Literal", {"value": joined}, node)
        else:
            parts.append(part)
    if all(part.type == "Literal" for part in parts) and len(parts) <= 1:
        return Term("Literal", {"value": parts[0].parts["value"] if parts else ""}, node)
    return Term("FString", {"parts": tuple(parts)}, node)


def _string_parts(node: cst.CSTNode) -> "Iterator[Term]":
    match node:
        case cst.ConcatenatedString():
            yield from _string_parts(node.left)
            yield from _string_parts(node.right)
        case cst.SimpleString():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield Term("Literal", {"value": node.evaluated_value}, node)
        case cst.FormattedString():
            for part in node.parts:
                if isinstance(part, cst.FormattedStringText):
                    yield Term("Literal", {"value": _unescape(part.value, node.prefix)}, part)
                elif isinstance(part, cst.FormattedStringExpression):
                    spec = tuple(inner for item in part.format_spec or () for inner in _spec(item))
                    field: dict[str, Part] = {"expression": lower(part.expression), "conversion": part.conversion}
                    yield Term("Field", field | {"spec": spec}, part)
        case _:
            yield Term("Field", {"expression": lower(node), "conversion": None, "spec": ()}, node)


def _spec(node: cst.BaseFormattedStringContent) -> "Iterator[Term]":
    if isinstance(node, cst.FormattedStringExpression):
        yield lower(node.expression)
    elif isinstance(node, cst.FormattedStringText):
        yield Term("Literal", {"value": node.value}, node)


def _unescape(text: str, prefix: str) -> str:
    """The characters that the text between the fields of an f-string stands for."""
    text = text.replace("{{", "{").replace("}}", "}")
    if "r" in prefix.lower() or "\\" not in text:
        return text
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = ast.literal_eval('"' + re.sub(r'(?<!\\)"', r"\"", text).replace("\n", "\\n") + '"')
        except (SyntaxError, ValueError):
            return text
    return str(value)
