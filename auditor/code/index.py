"""The symbols of one file: what is defined, and on which lines.

`ast` reads a whole file several times faster than libcst, but only the syntax of the running Python; a file that is
newer is read with libcst, and the index says so.
"""

import ast
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from auditor.code import Undecidable
from auditor.model import Region

SymbolType = Literal["class", "function", "field", "constant"]

_BLOCKS = ("body", "orelse", "finalbody")


@dataclass(frozen=True, slots=True)
class Symbol:
    """One definition. `name` is qualified within its file; `region` includes decorators."""

    name: str
    type: SymbolType
    region: Region
    decorators: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Index:
    """The definitions of a file in the order of their lines, and the names it imports."""

    symbols: tuple[Symbol, ...]
    imports: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    """Local name -> module (dots in front: relative), and the name in it (None: the module itself)."""
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


def index(text: str, path: str) -> Index:
    """The index of a file's text. Raises Undecidable when no parser reads it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # upstream's invalid escapes are not our concern
            module = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        return _newer(text, path, error)
    except (RecursionError, MemoryError):
        raise Undecidable(f"{path} is nested too deeply to be parsed") from None
    symbols: list[Symbol] = []
    imports: dict[str, tuple[str, str | None]] = {}
    bases: dict[str, tuple[str, ...]] = {}
    _collect(module.body, "", "constant", symbols, imports, bases)
    return Index(tuple(symbols), imports, bases)


def _newer(text: str, path: str, error: Exception) -> Index:
    from auditor.code.syntax import UnreadableSyntax, outline

    try:
        found = outline(text)
    except UnreadableSyntax:
        line = getattr(error, "lineno", None)
        where = f"{path}:{line}" if line else path
        raise Undecidable(f"{where} cannot be parsed: {getattr(error, 'msg', error)}") from None
    return Index(tuple(Symbol(name, type_, region) for name, type_, region in found), is_newer_syntax=True)


def _collect(
    statements: Iterable[ast.stmt],
    prefix: str,
    value_type: Literal["field", "constant"] | None,
    symbols: list[Symbol],
    imports: dict[str, tuple[str, str | None]],
    bases: dict[str, tuple[str, ...]],
) -> None:
    """Add what `statements` define. `value_type` is what an assignment here defines: nothing in a function."""
    for node in statements:
        match node:
            case ast.ClassDef():
                name = prefix + node.name
                symbols.append(Symbol(name, "class", _region(node), _decorators(node)))
                bases[name] = tuple(ast.unparse(base) for base in node.bases)
                _collect(node.body, f"{name}.", "field", symbols, imports, bases)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                name = prefix + node.name
                symbols.append(Symbol(name, "function", _region(node), _decorators(node)))
                _collect(node.body, f"{name}.", None, symbols, imports, bases)
            case ast.Assign() | ast.AnnAssign() if value_type:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                symbols += [Symbol(prefix + name, value_type, _region(node)) for name in _names(targets)]
            case ast.Import():
                for alias in node.names:
                    local = alias.asname or alias.name.partition(".")[0]
                    imports[local] = (alias.name if alias.asname else local, None)
            case ast.ImportFrom():
                module = "." * node.level + (node.module or "")
                for alias in node.names:
                    imports[alias.asname or alias.name] = (module, alias.name)
            case _:
                for block in _blocks(node):
                    _collect(block, prefix, value_type, symbols, imports, bases)


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in _BLOCKS:
        yield getattr(node, name, [])
    for handler in getattr(node, "handlers", []):
        yield handler.body
    for case in getattr(node, "cases", []):
        yield case.body


def _region(node: ast.stmt) -> Region:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    start = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return Region(start, node.end_lineno or node.lineno)


def _decorators(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
    return tuple(ast.unparse(decorator) for decorator in node.decorator_list)


def _names(targets: Iterable[ast.expr]) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, ast.Tuple | ast.List):
            yield from _names(target.elts)
