"""A pattern tried on a whole target, before it goes into a claim."""

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.matching.search import search, unify
from auditor.code.project.decoding import decode
from auditor.code.project.symbols import index
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.term import Term
from auditor.code.syntax.term_index import TermIndex
from auditor.code.syntax.unparse import unparse
from auditor.engine.corpus import corpus
from auditor.model import Location, Region, Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from auditor.cache import Blobs
    from auditor.code.matching.notation import Pattern
    from auditor.code.matching.search import Bindings
    from auditor.engine.corpus import Corpus
    from auditor.model import Snapshot, Target


@dataclass(frozen=True, slots=True)
class PatternMatch:
    """A place where a pattern matches. `bound` are its metavariables, as source; `lines` what is written there."""

    location: Location
    bound: dict[str, str]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that may hold a match and cannot be read, and why."""

    path: str
    reason: Text


def query(
    pattern: "Pattern", target: "Target", snapshot: "Snapshot", within: Sequence[str] = (), blobs: "Blobs | None" = None
) -> Iterator[PatternMatch | Unread]:
    """Every match in the Python of a snapshot, or in some files and folders of it, in the order of paths and lines.

    Raises SourceError, and Undecidable for a pattern that takes too long.
    """
    text = corpus(snapshot, f"{target}\0{snapshot.revision}", blobs)
    words = sorted(pattern.words)
    for path, data in _candidates(text, words):
        if within and not any(path == one or path.startswith(one.rstrip("/") + "/") for one in within):
            continue
        try:
            yield from _in_file(pattern, words, path, decode(data, path))
        except Undecidable as reason:
            yield Unread(path, reason.reason)


def _candidates(text: "Corpus", words: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    if words:
        return text.holding([word.encode() for word in words])
    return ((path, text.read(path)) for path in text.paths)


def _in_file(pattern: "Pattern", words: Sequence[str], path: str, content: str) -> Iterator[PatternMatch]:
    rows = content.split("\n")
    for terms, bindings, enclosing in _matches(pattern, words, path, content, rows):
        regions = [term.region for term in terms if term.region]
        if regions:
            region = Region(regions[0].start, max(one.end for one in regions))
            bound = {name: _source(part) for name, part in bindings.items()}
            lines = tuple(rows[region.start - 1 : region.end])
            yield PatternMatch(Location(path, region, enclosing(region)), bound, lines)


def _matches(
    pattern: "Pattern", words: Sequence[str], path: str, content: str, rows: list[str]
) -> "Iterator[tuple[tuple[Term, ...], Bindings, Callable[[Region], str | None]]]":
    """What `search` finds in the whole file, and what tells which definition some lines are in.

    Of a pattern that is one statement or expression, what cannot match is not lowered.
    """
    (root, *others) = pattern.terms
    root = root.term("value") if pattern.is_expression else root
    types = _NODES.get(root.type)
    tree = None if others or types is None else _parsed(content)
    if tree is None or types is None:  # neighbouring statements may be any, and newer syntax is for libcst
        found = index(content, path)

        def enclosing(region: Region) -> str | None:
            around = found.enclosing(region)
            return around.name if around else None

        yield from ((match.terms, match.bindings, enclosing) for match in search(pattern, TermIndex(found.terms())))
        return
    for node in _nodes(tree.body, types, words, rows):
        term = lower(node)
        for bindings in unify(root, term, {}, pattern):
            yield (term,), bindings, lambda region: _enclosing(tree, region)
            break


def _parsed(content: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # upstream's invalid escapes are not our concern
            return ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _enclosing(tree: ast.Module, region: Region) -> str | None:
    """The innermost class or function around some lines."""
    names: list[str] = []
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            if hasattr(node, "lineno") and not _region(node).contains(region):
                continue
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.append(node.name)
                pending.clear()
            pending += ast.iter_child_nodes(node)
    return ".".join(names) or None


def _nodes(
    body: Sequence[ast.stmt], types: tuple[type[ast.AST], ...], words: Sequence[str], rows: list[str]
) -> Iterator[ast.AST]:
    """The nodes of some types whose lines hold all of some words, in source order."""
    found = [node for top in body for node in ast.walk(top) if isinstance(node, types)]
    found.sort(key=lambda node: (node.lineno, node.col_offset))  # type: ignore[attr-defined]
    for node in found:
        region = _region(node)
        if all(any(word in row for row in rows[region.start - 1 : region.end]) for word in words):
            yield node


def _region(node: ast.AST) -> Region:
    start: int = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])  # type: ignore[attr-defined]
    return Region(start, getattr(node, "end_lineno", None) or start)


_NODES: dict[str, tuple[type[ast.AST], ...]] = {
    "Call": (ast.Call,), "Attribute": (ast.Attribute,), "Subscript": (ast.Subscript,), "Raise": (ast.Raise,),
    "Return": (ast.Return,), "Assert": (ast.Assert,), "If": (ast.If,), "While": (ast.While,),
    "For": (ast.For, ast.AsyncFor), "With": (ast.With, ast.AsyncWith), "ClassDef": (ast.ClassDef,),
    "FunctionDef": (ast.FunctionDef, ast.AsyncFunctionDef), "Assign": (ast.Assign, ast.AnnAssign),
    "AugAssign": (ast.AugAssign, ast.Assign, ast.AnnAssign), "Comparison": (ast.Compare, ast.UnaryOp),
    "BinaryOperation": (ast.BinOp,), "BooleanOperation": (ast.BoolOp,), "IfExp": (ast.IfExp,), "Lambda": (ast.Lambda,),
    "Await": (ast.Await,), "Dict": (ast.Dict,),
}  # fmt: skip
"""The nodes whose terms have a type, as lowering has it; of types that are not here, everything is lowered."""


def _source(part: object) -> str:
    if isinstance(part, Term):
        return unparse(part)
    return ", ".join(map(_source, part)) if isinstance(part, tuple) else str(part)
