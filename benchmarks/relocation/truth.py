"""Where lines are in a newer file, by plain `ast` and difflib: nothing of kvaudit is used here.

`same` lines are proven: the definition around them is the same tree in both files, but for docstrings, so its nodes
pair one to one. `named` are the whole of a definition that differs and kept its name. In a definition that differs,
`aligned` lines are those that difflib pairs, with their neighbours or because they read like no other; the rest is for
a person to judge.
"""

import ast
import difflib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
How = Literal["same", "named", "aligned", "unknown"]


@dataclass(frozen=True, slots=True)
class Truth:
    """The lines in the newer file on which the first and the last line of some code are, and how that is known."""

    how: How
    why: str = ""
    first: tuple[int, int] | None = None
    """The first line that begins a node: in the older file, and in the newer."""
    last: tuple[int, int] | None = None


@lru_cache(512)
def parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def definitions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Definition]]:
    """Every definition with its qualified name, those in branches too."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition):
            yield prefix + node.name, node
            yield from definitions(node, f"{prefix}{node.name}.")
        else:
            yield from definitions(node, prefix)


def start(node: ast.AST) -> int:
    """The first line of a node, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([getattr(node, "lineno", 1), *(one.lineno for one in decorators)])


def end(node: ast.AST) -> int:
    return int(getattr(node, "end_lineno", 1) or 1)


def written(node: ast.AST) -> str:
    """Equal for nodes that differ in layout, comments and docstrings only."""
    return ast.dump(_bare(node))


def truth(old: str, new: str, first: int, last: int) -> Truth:
    """Where lines `first` to `last` of an older file are in a newer one."""
    trees = parsed(old), parsed(new)
    here = [(name, node) for name, node in definitions(trees[0]) if start(node) <= first and last <= end(node)]
    if not here:
        return _statement(trees[0].body, trees[1].body, first, last) or _aligned(
            old, new, (1, 10**9), (1, 10**9), first, last
        )
    name, inner = min(here, key=lambda pair: end(pair[1]) - start(pair[1]))
    there = [node for other, node in definitions(trees[1]) if other == name]
    if len(there) != 1 or sum(other == name for other, _ in definitions(trees[0])) != 1:
        return Truth("unknown", f"{name} is defined {len(there)} times in the newer file")
    if written(inner) == written(there[0]):
        return _paired(inner, there[0], first, last)
    if (first, last) in ((start(inner), end(inner)), (inner.lineno, end(inner))):
        begins = (start(inner), start(there[0])) if first == start(inner) else (inner.lineno, there[0].lineno)
        return Truth("named", "", begins, (end(inner), end(there[0])))
    if isinstance(inner, ast.ClassDef) and isinstance(there[0], ast.ClassDef):
        found = _statement(inner.body, there[0].body, first, last)
        if found is not None:
            return found
    spans = (start(inner), end(inner)), (start(there[0]), end(there[0]))
    return _aligned(old, new, *spans, first, last)


def _statement(here: list[ast.stmt], there: list[ast.stmt], first: int, last: int) -> Truth | None:
    """The truth of lines in one statement of a body, by the name that it gives a value to."""
    holding = [node for node in here if start(node) <= first and end(node) >= last]
    if len(holding) != 1 or not isinstance(holding[0], ast.Assign | ast.AnnAssign):
        return None
    same = [node for node in there if ast.dump(node) == ast.dump(holding[0])]
    if len(same) != 1 or sum(ast.dump(node) == ast.dump(holding[0]) for node in here) != 1:
        return None
    return _paired(holding[0], same[0], first, last)


def _paired(old: ast.AST, new: ast.AST, first: int, last: int) -> Truth:
    """Lines of a tree that is the same in both, by its nodes."""
    nodes = list(zip(_nodes(old), _nodes(new), strict=True))
    firsts = sorted((start(one), start(other)) for one, other in nodes if first <= start(one) <= last)
    lasts = sorted((end(one), end(other)) for one, other in nodes if first <= end(one) <= last)
    if not firsts or not lasts:
        return Truth("unknown", "no node begins there")
    return Truth("same", "", firsts[0], lasts[-1])


def _aligned(old: str, new: str, here: tuple[int, int], there: tuple[int, int], first: int, last: int) -> Truth:
    olds = [line.strip() for line in old.split("\n")][here[0] - 1 : here[1]]
    news = [line.strip() for line in new.split("\n")][there[0] - 1 : there[1]]
    pairs: dict[int, int] = {}
    for block in difflib.SequenceMatcher(None, olds, news, autojunk=False).get_matching_blocks():
        for n in range(block.size):
            line = olds[block.a + n]
            is_alone = olds.count(line) == news.count(line) == 1
            if line and (block.size >= 3 or is_alone):
                pairs[here[0] + block.a + n] = there[0] + block.b + n
    known = [(line, pairs[line]) for line in range(first, last + 1) if line in pairs]
    if not known:
        return Truth("unknown", "no line of it is aligned")
    if known[0][0] > first + 2 or known[-1][0] < last - 2:
        return Truth("unknown", "its first or last line is not aligned", known[0], known[-1])
    return Truth("aligned", "", known[0], known[-1])


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that have lines, but for docstrings, always in the same order."""
    for node in ast.walk(_bare(tree)):
        if hasattr(node, "lineno"):
            yield node


def _bare(node: ast.AST) -> ast.AST:
    """A tree without docstrings. The nodes are those of the tree itself."""
    fields: dict[str, object] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            kept = [_bare(item) if isinstance(item, ast.AST) else item for item in value if not _is_text(item)]
            fields[name] = kept if kept or not value else [ast.Pass()]
        else:
            fields[name] = _bare(value) if isinstance(value, ast.AST) else value
    return ast.copy_location(type(node)(**fields), node)


def _is_text(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
