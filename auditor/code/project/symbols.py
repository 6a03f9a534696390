"""The symbols of one file: what is defined, and on which lines.

`ast` reads a whole file some ten times faster than libcst, but only the syntax of the running Python; a file that is
newer is read with libcst, and the index says so.
"""

import ast
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from auditor.code import Undecidable
from auditor.code.phrases import quoted
from auditor.code.syntax import trial
from auditor.code.syntax.blocks import BLOCKS, CLAUSES, blocks, reachable
from auditor.code.syntax.from_ast import lower_all
from auditor.code.syntax.targets import ANY_ATTRIBUTE, bound_targets, rebindings
from auditor.code.syntax.term import Part, Term
from auditor.code.syntax.unparse import unparse
from auditor.limits import CODE_BYTES
from auditor.model import Region, Text

SymbolType = Literal["class", "function", "field", "constant"]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Symbol:
    """One definition. `name` is qualified within its file; `region` includes decorators."""

    name: str
    type: SymbolType
    region: Region
    decorators: tuple[str, ...]
    node: ast.stmt | Term = field(repr=False, compare=False)

    def term(self) -> Term:
        """The definition, lowered. Raises Undecidable."""
        return self.node if isinstance(self.node, Term) else _lowered([self.node])[0]


@dataclass(frozen=True, slots=True)
class Index:
    """The definitions of a file in the order of their lines, and the names it imports."""

    symbols: tuple[Symbol, ...]
    body: Sequence[ast.stmt] | tuple[Term, ...] = field(repr=False)
    imports: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    """Local name -> module (dots in front: relative), and the name in it (None: the module itself)."""
    every_import: list[tuple[str, str, str | None]] = field(default_factory=list)
    """The same as triples, with all that one name is imported as: in a branch, a function or under TYPE_CHECKING."""
    bases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Class -> its base classes as written."""
    is_newer_syntax: bool = False
    """Whether the running Python cannot parse the file, and libcst did."""

    def find(self, name: str) -> tuple[Symbol, ...]:
        return tuple(symbol for symbol in self.symbols if symbol.name == name)

    def enclosing(self, region: Region) -> Symbol | None:
        """The innermost class or function that holds the region."""
        holding = [s for s in self.symbols if s.type in ("class", "function") and s.region.contains(region)]
        return min(holding, key=lambda s: s.region.end - s.region.start, default=None)

    @property
    def statements(self) -> "Iterator[Statement]":
        """The statements of the file, each to be lowered alone."""
        return (Statement(_region_of(node), node) for node in self.body)

    def terms(self) -> tuple[Term, ...]:
        """The statements of the file, lowered. Raises Undecidable."""
        if isinstance(self.body, tuple):
            return self.body
        return reachable(_lowered(self.body))


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a file."""

    region: Region
    node: ast.stmt | Term = field(repr=False, compare=False)

    def without(self, is_left_out: Callable[[Region], bool]) -> "Statement":
        """The same class without some of its functions, which are found by their lines; another statement, as it is."""
        node = self.node
        if isinstance(node, ast.ClassDef):
            kept = [one for one in node.body if not (isinstance(one, _FUNCTIONS) and is_left_out(_region(one)))]
            fewer = ast.ClassDef(node.name, node.bases, node.keywords, kept, node.decorator_list)
            return Statement(self.region, ast.copy_location(fewer, node))
        if isinstance(node, Term) and node.type == "ClassDef":
            body = [one for one in node.terms("body") if one.type != "FunctionDef" or not is_left_out(_region_of(one))]
            return Statement(self.region, replace(node, parts={**node.parts, "body": tuple(body)}))
        return self

    def terms(self) -> tuple[Term, ...]:
        """The statement, lowered; nothing where it is never reached. Raises Undecidable."""
        return reachable((self.node,) if isinstance(self.node, Term) else _lowered([self.node]))


def index(text: str, path: str) -> Index:
    """The index of a file's text. Raises Undecidable when no parser reads it, or none may."""
    if len(text) > CODE_BYTES.value:
        what = f"{path} has {CODE_BYTES.exceeded()}"
        raise Undecidable(Text(what, f"{path} 超过 {CODE_BYTES.value:,} 个字符；可用 {CODE_BYTES.variable} 放宽"))
    try:
        return _index(text, path)
    except (RecursionError, MemoryError):
        raise Undecidable(Text(f"{path} is nested too deeply to be parsed", f"{path} 嵌套过深，无法解析")) from None


def _index(text: str, path: str) -> Index:
    try:
        if text.count("{") > _FIELDS:
            _try(text, path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # upstream's invalid escapes are not our concern
            module = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        return _newer(text, path, error)
    symbols: list[Symbol] = []
    again: list[Symbol] = []
    found = Index((), module.body)
    _collect(module.body, "", "constant", symbols, again, found)
    return Index(_in_order(symbols, again), module.body, found.imports, found.every_import, found.bases)


def _try(text: str, path: str) -> None:
    """Raises Undecidable for a text whose parsing takes too much."""
    try:
        trial.check(text, "ast")
    except trial.TooCostlyError as reason:
        raise Undecidable(Text("{} is not parsed: {}", "{} 未被解析：{}").filled(path, quoted(reason))) from None


_FIELDS = 5_000  # braces beyond which an f-string may take long


def _lowered(nodes: Iterable[ast.stmt]) -> tuple[Term, ...]:
    try:
        return lower_all(nodes)
    except RecursionError:
        raise Undecidable(Text("the code is nested too deeply to be read", "代码嵌套过深，无法读取")) from None


def _newer(text: str, path: str, error: Exception) -> Index:
    from auditor.code.syntax import from_libcst

    try:
        body = from_libcst.parse(text)
    except trial.TooCostlyError as reason:
        raise Undecidable(Text("{} is not parsed: {}", "{} 未被解析：{}").filled(path, quoted(reason))) from None
    except ValueError:
        line = getattr(error, "lineno", None)
        where = f"{path}:{line}" if line else path
        why = quoted(getattr(error, "msg", error))
        raise Undecidable(Text("{} cannot be parsed: {}", "{} 无法解析：{}").filled(where, why)) from None
    found = Index((), body)
    again: list[Symbol] = []
    symbols = list(_outline(body, "", "constant", again, found))
    everything = _in_order(symbols, again)
    return Index(everything, body, found.imports, found.every_import, found.bases, is_newer_syntax=True)


def _in_order(symbols: Sequence[Symbol], again: Sequence[Symbol]) -> tuple[Symbol, ...]:
    """The definitions, and where what is defined is given another value or taken away: `Pool.get = other`, `del n`."""
    defined = {symbol.name for symbol in symbols}
    values = [symbol for symbol in again if symbol.name in defined]
    for symbol in again:
        owner, _, name = symbol.name.rpartition(".")
        if owner and name == ANY_ATTRIBUTE:
            values += [replace(symbol, name=one) for one in sorted(defined) if one.rpartition(".")[0] == owner]
    return tuple(sorted((*symbols, *values), key=lambda symbol: symbol.region.start))


def _outline(
    statements: Iterable[Term],
    prefix: str,
    value_type: Literal["field", "constant"] | None,
    again: list[Symbol],
    found: Index,
) -> Iterator[Symbol]:
    """What terms define, as `_collect` does of nodes."""
    for term in statements:
        region = term.region or Region(1, 1)
        names = rebindings(term, prefix, is_value=value_type is not None)
        again += [Symbol(name, value_type or "constant", region, (), term) for name in names]
        match term.type:
            case "ClassDef" | "FunctionDef":
                name = prefix + term.text("name")
                is_class = term.type == "ClassDef"
                decorators = tuple(unparse(decorator) for decorator in term.terms("decorators"))
                yield Symbol(name, "class" if is_class else "function", region, decorators, term)
                if is_class:
                    found.bases[name] = tuple(unparse(base) for base in term.terms("bases"))
                yield from _outline(term.terms("body"), f"{name}.", "field" if is_class else None, again, found)
            case "Assign" | "Declare" | "AugAssign" if value_type:
                for place in bound_targets(term):
                    if place.type == "Name":
                        yield Symbol(prefix + place.text("id"), value_type, region, (), term)
            case "Import" | "ImportFrom":
                module = None
                if term.type == "ImportFrom":
                    module = "." * int(str(term.parts["level"])) + str(term.parts["module"] or "")
                for alias in term.terms("names"):
                    _import(module, alias.text("name"), alias.parts["asname"], found)
            case _:
                for block in blocks(term):
                    yield from _outline(block, prefix, value_type, again, found)


def _import(module: str | None, name: str, local: Part, found: Index) -> None:
    """Note a name that is imported; `module` is None for a module itself."""
    if module is not None:
        alias = str(local or name)
        meant: tuple[str, str | None] = (module, name)
    elif local:
        alias, meant = str(local), (name, None)
    else:
        alias = name.partition(".")[0]
        meant = (alias, None)
    found.imports[alias] = meant
    found.every_import.append((alias, *meant))


def _collect(
    statements: Iterable[ast.stmt],
    prefix: str,
    value_type: Literal["field", "constant"] | None,
    symbols: list[Symbol],
    again: list[Symbol],
    found: Index,
) -> None:
    """Add what `statements` define. `value_type` is what an assignment here defines: nothing in a function."""
    for node in statements:
        if _may_rebind(node, is_value=value_type is not None):
            names = rebindings(_shallow(node), prefix, is_value=value_type is not None)
            again += [Symbol(name, value_type or "constant", _region(node), (), node) for name in names]
        match node:
            case ast.ClassDef():
                name = prefix + node.name
                symbols.append(Symbol(name, "class", _region(node), _decorators(node), node))
                found.bases[name] = tuple(ast.unparse(base) for base in node.bases)
                _collect(node.body, f"{name}.", "field", symbols, again, found)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                name = prefix + node.name
                symbols.append(Symbol(name, "function", _region(node), _decorators(node), node))
                _collect(node.body, f"{name}.", None, symbols, again, found)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if value_type:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                symbols += [Symbol(prefix + name, value_type, _region(node), (), node) for name in _names(targets)]
            case ast.Import():
                for alias in node.names:
                    _import(None, alias.name, alias.asname, found)
            case ast.ImportFrom():
                for alias in node.names:
                    _import("." * node.level + (node.module or ""), alias.name, alias.asname, found)
            case _:
                for block in _node_blocks(node):
                    _collect(block, prefix, value_type, symbols, again, found)


def _node_blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in BLOCKS:
        yield getattr(node, name, [])
    for name in CLAUSES:
        for clause in getattr(node, name, []):
            yield clause.body


def _shallow(node: ast.stmt) -> Term:
    """A statement as a term, without the statements in it, which are looked at by themselves."""
    if isinstance(node, ast.For | ast.AsyncFor):
        node = ast.copy_location(ast.For(node.target, ast.Constant(None), [], []), node)
    elif isinstance(node, ast.With | ast.AsyncWith):
        node = ast.copy_location(ast.With(node.items, []), node)
    elif isinstance(node, ast.Assign):
        node = ast.copy_location(ast.Assign(node.targets, ast.Constant(None)), node)
    return lower_all([node])[0]


def _may_rebind(node: ast.stmt, *, is_value: bool) -> bool:
    """Whether a statement is worth a look; most assign to names, and that is a definition."""
    match node:
        case ast.Global():
            return True
        case ast.Assign():
            return is_value and not all(isinstance(target, ast.Name) for target in node.targets)
        case ast.AugAssign():
            return is_value and not isinstance(node.target, ast.Name)
        case ast.Expr():
            return is_value and isinstance(node.value, ast.Call | ast.NamedExpr)
        case ast.Delete() | ast.For() | ast.AsyncFor() | ast.With() | ast.AsyncWith() | ast.Import() | ast.ImportFrom():
            return is_value
        case _:
            return False


def _region(node: ast.stmt) -> Region:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    start = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return Region(start, node.end_lineno or node.lineno)


def _region_of(node: ast.stmt | Term) -> Region:
    return (node.region or Region(1, 1)) if isinstance(node, Term) else _region(node)


def _decorators(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
    return tuple(ast.unparse(decorator) for decorator in node.decorator_list)


def _names(targets: Iterable[ast.expr]) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, ast.Tuple | ast.List):
            yield from _names(target.elts)
        elif isinstance(target, ast.Starred):
            yield from _names([target.value])
