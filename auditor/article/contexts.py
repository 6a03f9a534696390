"""Which target a passage of a text is about: the one that it, its heading, or what stands before names."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.article.trees import Tree
from auditor.articles import Mention

if TYPE_CHECKING:
    from auditor.article.passages import Document

_FARTHEST = 80  # passages that the name of a target reaches


class Contexts:
    """The targets that the passages of a document are about."""

    def __init__(self, document: "Document", trees: Sequence[Tree]) -> None:
        self._document, self._trees = document, trees
        self._names = {tree.name: _alias(tree) for tree in trees}
        self._named: dict[tuple[int, str], list[int]] = {}
        """Where a passage names a target."""
        self._contexts = self._of_passages()

    def of(self, passage: int) -> Tree | None:
        """The target that a passage is about, if one is."""
        return self._contexts[passage]

    def before(self, mention: Mention) -> Tree | None:
        """The target that the passage names last before a citation."""
        passage = self._document.passages[mention.passage]
        begin, _ = mention.extent
        last: tuple[int, Tree] | None = None
        for tree in self._trees:
            key = (mention.passage, tree.name)
            if key not in self._named:
                found = self._names[tree.name].finditer(passage.text)
                self._named[key] = [passage.mapped.extent(one.start(), one.end())[0] for one in found]
            number = bisect_left(self._named[key], begin) - 1
            if number >= 0 and (last is None or self._named[key][number] > last[0]):
                last = (self._named[key][number], tree)
        return last[1] if last else None

    def _of_passages(self) -> list[Tree | None]:
        """The target that a passage is about: named in its heading, or the one that was named last."""
        found: list[Tree | None] = []
        current: Tree | None = None
        since = 0
        stack: dict[int, Tree | None] = {}
        for passage in self._document.passages:
            named = [tree for tree in self._trees if self._names[tree.name].search(passage.text[:5_000])]
            if passage.type == "heading":
                stack = {level: tree for level, tree in stack.items() if level < passage.level}
                stack[passage.level] = named[0] if len(named) == 1 else None
                above = [tree for _, tree in sorted(stack.items()) if tree]
                current = above[-1] if above else (None if len(named) > 1 else current)
                since = 0
            elif len(named) == 1:
                if passage.type != "code":
                    current, since = named[0], 0
            elif named:
                above = [tree for _, tree in sorted(stack.items()) if tree]
                current = above[-1] if above else None
            since += 1
            found.append(current if since < _FARTHEST else None)
        if len(self._trees) == 1:
            return [self._trees[0]] * len(found)
        return found


def _alias(tree: Tree) -> "re.Pattern[str]":
    """The names of a target, as words of a text: not as part of a path or a metric."""
    names = {tree.name, tree.target.project or tree.name, (tree.target.repository or "").rpartition("/")[2]}
    names = {one.removesuffix(".git") for one in names if len(one) > 2}
    words = "|".join(sorted(map(re.escape, names))) or re.escape(tree.name)
    return re.compile(rf"(?<![A-Za-z0-9_/.@-])(?:{words})(?![A-Za-z0-9_/.:-]|\s?=)", re.IGNORECASE)
