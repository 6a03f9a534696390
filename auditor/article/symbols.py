"""Symbols that a text cites without a file, such as `Class.method()`: which file defines them.

A class is looked for in the files that the text cites, then in those that are called as it is (`RadixCache` in
`radix_cache.py`), and nowhere else: reading a whole revision for a name takes longer than all the rest.
"""

import ast
from typing import TYPE_CHECKING

from auditor.article.resolved import Resolved
from auditor.model import Location, Region
from auditor.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from auditor.article.trees import CodeFile, Tree
    from auditor.articles import Mention

UNKNOWN = Text("symbols of which no file is cited or called so", "未引用其所在文件、也没有同名文件的符号")
_MOST = 12  # files that are called as a class is, in one target
_PLAIN = frozenset({"object", "ABC", "Protocol", "Generic", "NamedTuple", "Enum", "IntEnum", "StrEnum"})


class Symbols:
    """The definitions that symbols without a file may mean."""

    def __init__(self, trees: "Sequence[Tree]", cited: "Iterable[tuple[Tree, str]]") -> None:
        self._trees, self._cited = trees, list(dict.fromkeys(cited))

    def resolved(self, mention: "Mention", context: "Tree | None") -> Resolved:
        """The one file that defines the symbol, or its class; else why that is not known."""
        symbol = mention.symbol or ""
        owner = symbol.partition(".")[0]
        trees = [context] if context is not None else self._trees
        near = [pair for pair in self._cited if pair[0] in trees]
        for places in (near, list(self._called(owner, trees))):
            classes = [(tree, path, file) for tree, path in places if (file := tree.file(path)) and file.defined(owner)]
            found = [(tree, path) for tree, path, file in classes if file.defined(symbol)]
            if len(found) == 1:
                return Resolved(mention, *found[0])
            if len(classes) == 1:
                return Resolved(mention, *classes[0][:2], is_guess=True)
            if classes:
                return Resolved(mention, reason=UNKNOWN)
        return Resolved(mention, reason=UNKNOWN)

    def _called(self, owner: str, trees: "Sequence[Tree]") -> "Iterable[tuple[Tree, str]]":
        """The files that are called as a class is."""
        bare = owner.lower().lstrip("_")
        for tree in trees:
            paths = tree.by_bare_name.get(bare, ())
            if len(paths) <= _MOST:
                tree.prefetch(paths)
                yield from ((tree, path) for path in paths)


def is_gone(symbol: str, file: "CodeFile") -> bool:
    """Whether a file defines no such symbol for certain: nothing in it has the name, and no base elsewhere may."""
    owner, _, name = symbol.rpartition(".")
    if file.index is None or (name or symbol) in file.where:
        return False
    classes = [one for one in file.index.symbols if one.name == owner.rpartition(".")[2] or one.name == owner]
    return not owner or (bool(classes) and all(_is_alone(one.node, file) for one in classes))


def attribute(symbol: str, file: "CodeFile") -> Location | None:
    """Where a class that a file defines first has a name that is no definition, as an attribute that a method sets."""
    owner, _, name = symbol.rpartition(".")
    for cls, region in file.defined(owner) if owner else ():
        for line in file.where.get(name, ()):
            if region.start <= line <= region.end:
                return Location(file.path, Region(line, line), cls)
    return None


def _is_alone(node: object, file: "CodeFile") -> bool:
    """Whether a class has only bases that are in its own file, or say nothing."""
    if not isinstance(node, ast.ClassDef) or node.keywords:
        return False
    bases = (base.value if isinstance(base, ast.Subscript) else base for base in node.bases)
    names = [ast.unparse(base).rpartition(".")[2] for base in bases]
    own = {one.name: one for one in file.index.symbols} if file.index else {}
    return all(name in _PLAIN or (name in own and _is_alone(own[name].node, file)) for name in names)
