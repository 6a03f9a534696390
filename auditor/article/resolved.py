"""What a citation means, and why that is not known."""

from dataclasses import dataclass

from auditor.article.trees import Tree
from auditor.articles import Mention
from auditor.model import AnchorState
from auditor.text import Text


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a citation means; `path` None where that is not known."""

    mention: Mention
    tree: Tree | None = None
    path: str | None = None
    reason: Text | None = None
    candidates: tuple[tuple[Tree, str], ...] = ()
    state: AnchorState | None = None
    """`lost`: the target has such files, and not this one; `unavailable`: the source does not ship such."""
    is_guess: bool = False
    """Whether the file was chosen among several by what is near."""
    is_listed_otherwise: bool = False
    """Whether the list has another file in the place of the one that the rest of the text says."""
    is_weak: bool = False
    """Whether another file may well be meant."""


NO_TARGET = Text("no target that is read has such a file", "所读取的目标中没有这样的文件")
SEVERAL = Text("it may be any of {} files: {}", "可能是 {} 个文件中的任一个：{}")
NO_LINES = Text("no file that is named before has so many lines", "前面提到的文件都没有这么多行")
NOT_BEFORE = Text("no file is named before these lines", "这些行号之前没有提到文件")
OTHER = Text("it is in {}, which is not read", "它位于未读取的 {}")
AT_COMMIT = Text("it is pinned at {}, which is not what is read", "它固定在 {}，与读取的版本不同")
