"""Terms from libcst: the thorough way, for syntax newer than the running Python's. The one module that knows libcst.

It makes the same terms as `from_ast`, at some ten times the cost.
"""

import ast
import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from auditor.code.syntax import normal_forms, trial
from auditor.code.syntax.blocks import reachable
from auditor.code.syntax.term import Part, Term
from auditor.model import Region

_OPERATORS = {
    "Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "FloorDivide": "//", "Modulo": "%", "Power": "**",
    "MatrixMultiply": "@", "BitAnd": "&", "BitOr": "|", "BitXor": "^", "LeftShift": "<<", "RightShift": ">>",
    "And": "and", "Or": "or", "Not": "not", "Minus": "-", "Plus": "+", "BitInvert": "~",
    "Equal": "==", "NotEqual": "!=", "LessThan": "<", "LessThanEqual": "<=", "GreaterThan": ">",
    "GreaterThanEqual": ">=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip


def parse(text: str) -> tuple[Term, ...]:
    """The statements of a whole file. Raises ValueError when libcst cannot parse it, or may not."""
    trial.check(text, "libcst")
    try:
        module = cst.parse_module(text)
        positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
        if not text.isascii():
            module.visit(_Folding())
        return _Lowering(positions).suite(module.body)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except (cst.ParserSyntaxError, SyntaxError, LookupError, OverflowError, UnicodeError) as error:
        raise ValueError(str(error)) from None


class _Folding(cst.CSTVisitor):
    """Folds identifiers in place, as Python reads them (PEP 3131): places are known by the identity of nodes."""

    def visit_Name(self, node: cst.Name) -> None:  # noqa: N802 # libcst's name
        object.__setattr__(node, "value", unicodedata.normalize("NFKC", node.value))


class _Lowering:
    """Lowers the nodes of one module."""

    def __init__(self, positions: Mapping[cst.CSTNode, CodeRange]) -> None:
        self._positions = positions

    def region(self, node: cst.CSTNode) -> Region:
        place = self._positions[node]
        decorators = [self.region(d) for d in getattr(node, "decorators", ())]
        return Region(min([place.start.line, *(d.start for d in decorators)]), place.end.line)

    def all(self, nodes: Iterable[cst.CSTNode]) -> tuple[Term, ...]:
        return tuple(self.lower(node) for node in nodes)

    def optional(self, node: cst.CSTNode | None) -> Term | None:
        return None if node is None else self.lower(node)

    def suite(self, nodes: Sequence[cst.CSTNode]) -> tuple[Term, ...]:
        """The statements of a block, those that share a line one by one."""
        flat = (n for node in nodes for n in (node.body if isinstance(node, cst.SimpleStatementLine) else [node]))
        return reachable(self.all(flat))

    def block(self, node: cst.BaseSuite | cst.Else | cst.Finally | cst.If | None) -> tuple[Term, ...]:
        match node:
            case None:
                return ()
            case cst.If():
                return (self.lower(node),)
            case cst.Else() | cst.Finally():
                return self.suite(node.body.body)
            case _:
                return self.suite(node.body)

    def lower(self, node: cst.CSTNode) -> Term:
        if isinstance(node, cst.BaseCompoundStatement):
            return self.compound(node)
        if isinstance(node, cst.BaseSmallStatement):
            return self.statement(node)
        return self.expression(node)

    def expression(self, node: cst.CSTNode) -> Term:
        region = self.region(node)
        match node:
            case cst.Name():
                return normal_forms.name(node.value, region)
            case cst.Integer() | cst.Float() | cst.Imaginary():
                return normal_forms.literal(ast.literal_eval(node.value), region)
            case cst.Ellipsis():
                return normal_forms.literal(..., region)
            case cst.SimpleString() | cst.ConcatenatedString() | cst.FormattedString():
                return normal_forms.string(self.pieces(node), region)
            case cst.Attribute():
                return Term("Attribute", {"value": self.lower(node.value), "attr": node.attr.value}, region)
            case cst.Call():
                return Term("Call", {"func": self.lower(node.func), **self.arguments(node.args)}, region)
            case cst.BinaryOperation():
                sides: dict[str, Part] = {"left": self.lower(node.left), "operator": _operator(node.operator)}
                return Term("BinaryOperation", sides | {"right": self.lower(node.right)}, region)
            case cst.BooleanOperation():
                return normal_forms.boolean(_operator(node.operator), self.all([node.left, node.right]), region)
            case cst.UnaryOperation():
                return normal_forms.unary(_operator(node.operator), self.lower(node.expression), region)
            case cst.Comparison():
                operators = [_operator(target.operator) for target in node.comparisons]
                comparators = self.all(target.comparator for target in node.comparisons)
                return normal_forms.comparison(self.lower(node.left), operators, comparators, region)
            case cst.IfExp():
                parts: dict[str, Part] = {"test": self.lower(node.test), "body": self.lower(node.body)}
                return Term("IfExp", parts | {"orelse": self.lower(node.orelse)}, region)
            case cst.Subscript():
                items = self.all(element.slice for element in node.slice)
                if len(items) == 1 and (isinstance(node.slice[0].comma, cst.Comma) or items[0].type == "Starred"):
                    items = (Term("Tuple", {"elements": items}, region),)
                elif len(items) == 1 and items[0].type == "Tuple" and len(items[0].terms("elements")) > 1:
                    items = items[0].terms("elements")
                return Term("Subscript", {"value": self.lower(node.value), "slice": items}, region)
            case cst.Index():
                return self.starred(node.value, region) if node.star else self.lower(node.value)
            case cst.Slice():
                bounds = {"lower": node.lower, "upper": node.upper, "step": node.step}
                return Term("Slice", {key: self.optional(bound) for key, bound in bounds.items()}, region)
            case cst.Tuple() | cst.List() | cst.Set():
                return Term(type(node).__name__, {"elements": self.all(node.elements)}, region)
            case cst.Element():
                return self.lower(node.value)
            case cst.StarredElement():
                return self.starred(node.value, region)
            case cst.Dict():
                return Term("Dict", {"elements": self.all(node.elements)}, region)
            case cst.DictElement():
                return Term("DictElement", {"key": self.lower(node.key), "value": self.lower(node.value)}, region)
            case cst.StarredDictElement():
                return Term("StarredDictElement", {"value": self.lower(node.value)}, region)
            case cst.Lambda():
                return Term(
                    "Lambda", {"params": tuple(self.parameters(node.params)), "body": self.lower(node.body)}, region
                )
            case cst.DictComp():
                pair: dict[str, Part] = {"key": self.lower(node.key), "value": self.lower(node.value)}
                return Term("DictComp", pair | {"for_in": tuple(self.loops(node.for_in))}, region)
            case cst.ListComp() | cst.SetComp() | cst.GeneratorExp():
                elt: dict[str, Part] = {"elt": self.lower(node.elt), "for_in": tuple(self.loops(node.for_in))}
                return Term(type(node).__name__, elt, region)
            case cst.Await():
                return Term("Await", {"value": self.lower(node.expression)}, region)
            case cst.Yield(value=cst.From(item=item)):
                return Term("YieldFrom", {"value": self.lower(item)}, region)
            case cst.Yield():
                return Term("Yield", {"value": self.optional(node.value)}, region)
            case cst.NamedExpr():
                return Term("NamedExpr", {"target": self.lower(node.target), "value": self.lower(node.value)}, region)
            case _:
                return Term(type(node).__name__, {"code": _code(node)}, region)

    def starred(self, value: cst.CSTNode, region: Region) -> Term:
        return Term("Starred", {"value": self.lower(value)}, region)

    def statement(self, node: cst.BaseSmallStatement) -> Term:
        region = self.region(node)
        match node:
            case cst.Expr():
                return Term("Expr", {"value": self.lower(node.value)}, region)
            case cst.Assign():
                targets = self.all(target.target for target in node.targets)
                return Term("Assign", {"targets": targets, "value": self.lower(node.value)}, region)
            case cst.AnnAssign():
                parts: dict[str, Part] = {"targets": (self.lower(node.target),)}
                annotation = self.lower(node.annotation.annotation)
                if node.value is None:
                    return Term("Declare", parts, region, annotation)
                return Term("Assign", parts | {"value": self.lower(node.value)}, region, annotation)
            case cst.AugAssign():
                parts = {"target": self.lower(node.target), "operator": _operator(node.operator)}
                return Term("AugAssign", parts | {"value": self.lower(node.value)}, region)
            case cst.Return():
                return Term("Return", {"value": self.optional(node.value)}, region)
            case cst.Raise():
                cause = node.cause.item if node.cause else None
                return Term("Raise", {"exc": self.optional(node.exc), "cause": self.optional(cause)}, region)
            case cst.Assert():
                return Term("Assert", {"test": self.lower(node.test), "msg": self.optional(node.msg)}, region)
            case cst.Del():
                target = node.target
                targets = self.all(target.elements if isinstance(target, cst.Tuple) else [target])
                return Term("Delete", {"targets": targets}, region)
            case cst.Global() | cst.Nonlocal():
                return Term(type(node).__name__, {"names": tuple(item.name.value for item in node.names)}, region)
            case cst.Import():
                return Term("Import", {"names": self.aliases(node.names)}, region)
            case cst.ImportFrom():
                parts = {"module": _code(node.module) if node.module else None, "names": self.aliases(node.names)}
                return Term("ImportFrom", parts | {"level": len(node.relative)}, region)
            case cst.Pass() | cst.Break() | cst.Continue():
                return Term(type(node).__name__, {}, region)
            case _:
                return Term(type(node).__name__, {"code": _code(node)}, region)

    def compound(self, node: cst.BaseCompoundStatement) -> Term:
        region = self.region(node)
        match node:
            case cst.If() | cst.While():
                parts: dict[str, Part] = {"test": self.lower(node.test), "body": self.block(node.body)}
                return Term(type(node).__name__, parts | {"orelse": self.block(node.orelse)}, region)
            case cst.For():
                parts = {
                    "target": self.lower(node.target),
                    "iter": self.lower(node.iter),
                    "body": self.block(node.body),
                }
                is_async = node.asynchronous is not None
                return Term("For", parts | {"orelse": self.block(node.orelse), "is_async": is_async}, region)
            case cst.With():
                items = tuple(
                    Term(
                        "WithItem",
                        {"item": self.lower(i.item), "asname": self.optional(i.asname.name if i.asname else None)},
                        self.region(i),
                    )
                    for i in node.items
                )
                is_async = node.asynchronous is not None
                return Term("With", {"items": items, "body": self.block(node.body), "is_async": is_async}, region)
            case cst.Try() | cst.TryStar():
                parts = {"body": self.block(node.body), "handlers": tuple(map(self.handler, node.handlers))}
                parts |= {"orelse": self.block(node.orelse), "finalbody": self.block(node.finalbody)}
                return Term(type(node).__name__, parts, region)
            case cst.FunctionDef():
                parts = {"name": node.name.value, "params": tuple(self.parameters(node.params))}
                parts |= {"decorators": self.all(d.decorator for d in node.decorators)}
                parts |= {
                    "is_async": node.asynchronous is not None,
                    "body": normal_forms.without_docstring(self.block(node.body)),
                }
                returns = self.lower(node.returns.annotation) if node.returns else None
                return Term("FunctionDef", parts, region, returns)
            case cst.ClassDef():
                given = self.arguments([*node.bases, *node.keywords])
                parts = {"name": node.name.value, "bases": given["args"], "keywords": given["keywords"]}
                parts |= {"decorators": self.all(d.decorator for d in node.decorators)}
                return Term("ClassDef", parts | {"body": normal_forms.without_docstring(self.block(node.body))}, region)
            case cst.Match():
                cases = tuple(
                    Term(
                        "MatchCase",
                        {"pattern": _pattern(c.pattern), "guard": self.optional(c.guard), "body": self.block(c.body)},
                        self.region(c),
                    )
                    for c in node.cases
                )
                return Term("Match", {"subject": self.lower(node.subject), "cases": cases}, region)
            case _:
                return Term(type(node).__name__, {"code": _code(node)}, region)

    def with_item(self, node: cst.WithItem) -> Term:
        bound = node.asname.name if node.asname else None
        return Term("WithItem", {"item": self.lower(node.item), "asname": self.optional(bound)}, self.region(node.item))

    def match_case(self, node: cst.MatchCase) -> Term:
        parts: dict[str, Part] = {"pattern": _pattern(node.pattern), "guard": self.optional(node.guard)}
        return Term("MatchCase", parts | {"body": self.block(node.body)}, self.region(node.pattern))

    def handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler) -> Term:
        bound = _code(node.name.name) if node.name else None
        parts: dict[str, Part] = {"type": self.optional(node.type), "name": bound, "body": self.block(node.body)}
        return Term("ExceptHandler", parts, self.region(node))

    def aliases(self, names: Sequence[cst.ImportAlias] | cst.ImportStar) -> tuple[Term, ...]:
        if isinstance(names, cst.ImportStar):
            return (Term("Alias", {"name": "*", "asname": None}),)
        return tuple(
            Term("Alias", {"name": _code(n.name), "asname": _code(n.asname.name) if n.asname else None}, self.region(n))
            for n in names
        )

    def arguments(self, args: Sequence[cst.Arg]) -> dict[str, Part]:
        positional = [
            self.starred(arg.value, self.region(arg)) if arg.star else self.lower(arg.value)
            for arg in args
            if arg.keyword is None and arg.star != "**"
        ]
        named = (
            (arg.keyword.value if arg.keyword else "**", self.lower(arg.value))
            for arg in args
            if arg.keyword or arg.star == "**"
        )
        return normal_forms.arguments(positional, named)

    def parameters(self, node: cst.Parameters) -> Iterator[Term]:
        kinds: list[tuple[str, Sequence[object]]] = [
            ("positional", [*node.posonly_params, *node.params]),
            ("*", [node.star_arg]),
            ("keyword", node.kwonly_params),
            ("**", [node.star_kwarg]),
        ]
        for kind, params in kinds:
            for param in params:
                if isinstance(param, cst.Param):
                    default, region = self.optional(param.default), self.region(param)
                    annotation = self.lower(param.annotation.annotation) if param.annotation else None
                    yield normal_forms.parameter(kind, param.name.value, default, region, annotation)

    def loops(self, node: cst.CompFor) -> Iterator[Term]:
        loop: cst.CompFor | None = node
        while loop is not None:
            parts: dict[str, Part] = {"target": self.lower(loop.target), "iter": self.lower(loop.iter)}
            parts |= {
                "ifs": self.all(condition.test for condition in loop.ifs),
                "is_async": loop.asynchronous is not None,
            }
            yield Term("CompFor", parts, self.region(loop.target))
            loop = loop.inner_for_in

    def pieces(self, node: cst.CSTNode) -> Iterator[Term]:
        """The parts of a string."""
        match node:
            case cst.ConcatenatedString():
                yield from self.pieces(node.left)
                yield from self.pieces(node.right)
            case cst.SimpleString():
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        yield normal_forms.literal(node.evaluated_value)
                    except SyntaxError as error:  # "\N{no such name}"
                        raise ValueError(f"{node.value} is no string: {error.msg}") from None
            case cst.FormattedString():
                for part in node.parts:
                    yield from self.piece(part, node.prefix)
            case _:
                yield Term(type(node).__name__, {"code": _code(node)})

    def piece(self, part: cst.BaseFormattedStringContent, prefix: str) -> Iterator[Term]:
        if isinstance(part, cst.FormattedStringText):
            yield normal_forms.literal(_unescaped(part.value, prefix))
        elif isinstance(part, cst.FormattedStringExpression):
            conversion = part.conversion
            if part.equal is not None:  # f"{x=}" also writes its own code
                yield normal_forms.literal(_self_documenting_text(part, part.equal))
                conversion = conversion or (None if part.format_spec else "r")
            spec = part.format_spec
            pieces = [piece for inner in spec for piece in self.piece(inner, prefix)] if spec else None
            format_ = None if pieces is None else normal_forms.string(pieces, None)
            yield normal_forms.formatted(self.lower(part.expression), conversion, format_)


def _operator(node: cst.CSTNode) -> str:
    return _OPERATORS[type(node).__name__.removesuffix("Assign")]


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def _self_documenting_text(part: cst.FormattedStringExpression, equal: cst.AssignEqual) -> str:
    return "".join(map(_code, (part.whitespace_before_expression, part.expression, equal)))


def _pattern(node: cst.MatchPattern) -> str:
    """A match pattern as `ast` would write it, where it can."""
    code = _code(node)
    try:
        (statement,) = ast.parse(f"match x:\n case {code}:\n  pass").body
        return ast.unparse(statement.cases[0].pattern) if isinstance(statement, ast.Match) else code
    except SyntaxError:
        return code


def _unescaped(text: str, prefix: str) -> str:
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
