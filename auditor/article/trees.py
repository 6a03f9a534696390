"""A target at a revision, as citations see it: its files by the end of their paths, and the lines and names of each."""

import ast
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from auditor.article.quotes import Stream
from auditor.code import Undecidable
from auditor.code.project.codebase import Codebase
from auditor.model import Region

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from auditor.code.project.symbols import Index
    from auditor.model import Snapshot, Target

_WORD = re.compile(r"[A-Za-z_]\w*|(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_AHEAD = re.compile(r"^(?:~?/|\.{1,3}/|…/|<[\w-]+>/|\$\{?\w+\}?/)+")
_ELIDED = re.compile(r"^[^…]*?/(?:\.{3}|…)/(?:[^…]*/(?:\.{3}|…)/)?")
_C_LIKE = (".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hpp", ".java")
_GENERIC = frozenset({"__init__.py", "README.md", "setup.py", "utils.py", "config.py", "main.py", "test.py", "base.py"})


_LONG = 12
"""Lines of a statement of which one does not stand for all."""


@dataclass(eq=False)
class CodeFile:
    """The lines of a file, and what is defined in it."""

    path: str
    text: str
    index: "Index | None" = None
    """None for what is not Python, or cannot be parsed."""

    @cached_property
    def lines(self) -> list[str]:
        lines = self.text.split("\n")
        return lines[:-1] if lines and not lines[-1] else lines

    @cached_property
    def where(self) -> dict[str, list[int]]:
        """The lines on which each word stands."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(self.lines, 1):
            for word in dict.fromkeys(_WORD.findall(line)):
                found[word].append(number)
        return dict(found)

    @cached_property
    def stream(self) -> Stream:
        """Its tokens, to compare quoted code with."""
        return Stream(self.lines)

    def enclosing(self, region: Region) -> "tuple[str, Region] | None":
        """The innermost class or function that holds a region: its name and lines, with its decorators."""
        symbol = self.index.enclosing(region) if self.index else None
        return (symbol.name, symbol.region) if symbol else None

    def whole(self, region: Region) -> Region:
        """Lines with the statements that they begin and end in; the header of a definition stands for all of it."""
        if self.begins(region.start) and region.start == region.end:
            holder = self.enclosing(region)
            return holder[1] if holder else region
        first = self._statements.get(region.start, region)
        last = self._statements.get(region.end, region)
        return Region(min(first.start, region.start), max(last.end, region.end))

    @cached_property
    def _statements(self) -> dict[int, Region]:
        """The innermost statement on each line of a definition, as far as it takes several; a compound one's header.

        Of one that is long, such as a table, the entry or the argument on the line.
        """
        found: dict[int, Region] = {}
        outer = [one.node for one in self.index.symbols if "." not in one.name] if self.index else []
        for part in (part for node in outer if isinstance(node, ast.AST) for part in ast.walk(node)):
            for start, end in _spans(part):
                if start < end and (isinstance(part, ast.stmt) or end - start < _LONG):
                    region = Region(start, end)
                    is_long = end - start >= _LONG and not hasattr(part, "body")
                    found.update((line, Region(line, line) if is_long else region) for line in range(start, end + 1))
        return found

    def begins(self, line: int) -> bool:
        """Whether a class or function begins on a line: with its decorators, or with its own header."""
        return line in self._beginnings

    @cached_property
    def _beginnings(self) -> frozenset[int]:
        own = [one.region.start for one in self.index.symbols if one.type != "field"] if self.index else []
        return frozenset([*own, *(number for start in own for number in self._headers(start))])

    def _headers(self, start: int) -> "Iterable[int]":
        for number in range(start, min(len(self.lines), start + 30) + 1):
            if self.lines[number - 1].lstrip().startswith(("def ", "class ", "async def ")):
                return [number]
        return []

    def defined(self, name: str) -> list[tuple[str, Region]]:
        """What is defined under a name, or under a qualified name's last parts."""
        if self.index is not None:
            return [
                (symbol.name, symbol.region)
                for symbol in self.index.symbols
                if symbol.name == name or symbol.name.endswith(f".{name}")
            ]
        last = name.rpartition(".")[2]
        definition = re.compile(
            rf"^\s*(?:(?:pub(?:\([a-z]+\))?|export|static|async|unsafe|inline|public|private|def|abstract|final)\s+)*"
            rf"(?:fn|func|function|class|struct|enum|trait|impl|type|interface|mod|const|let|var|def|#define|namespace)\s+"
            rf"(?:\([^)]{{0,80}}\)\s*)?{re.escape(last)}\b"
        )
        lines = [number for number in self.where.get(last, ()) if definition.match(self.lines[number - 1])]
        if not lines and self.path.endswith(_C_LIKE):
            function = re.compile(rf"[A-Za-z_][^;=()]*(?<![\w.>]){re.escape(last)}\s*\([^;]*$")
            lines = [number for number in self.where.get(last, ()) if function.match(self.lines[number - 1])]
        return [(last, Region(number, number)) for number in lines]


@dataclass(eq=False)
class Tree:
    """One target at one revision."""

    target: "Target"
    snapshot: "Snapshot"
    codebase: Codebase
    is_estimated: bool = False
    """Whether no one said that this revision is meant."""
    _files: dict[str, CodeFile | None] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.target.name

    @property
    def revision(self) -> str:
        """What was read, as a person calls it."""
        revision = self.snapshot.revision
        commit = revision.commit
        at = f" at {commit[:10]}" if commit and not commit.startswith(revision.name) else ""
        return f"{self.name} {revision.name}{at} ({revision.source})"

    @cached_property
    def files(self) -> frozenset[str]:
        return self.codebase.files

    @cached_property
    def folders(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self.files:
            folder = path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return frozenset(found)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files):
            found[path.rpartition("/")[2]].append(path)
        return dict(found)

    @cached_property
    def by_bare_name(self) -> dict[str, list[str]]:
        """The Python files by their names without underscores, as classes in them are called."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files):
            if path.endswith(".py"):
                found[path.rpartition("/")[2].removesuffix(".py").replace("_", "")].append(path)
        return dict(found)

    @cached_property
    def _folders_by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.folders):
            found[path.rpartition("/")[2]].append(path)
        return dict(found)

    def candidates(self, path: str, *, is_folder: bool = False) -> list[str]:
        """The files that a printed path may mean: itself, else those that end so, else those that its end names.

        Of a path that begins somewhere else (`~/checkout/pkg/a.py`, or a wheel's path for a repository's), parts
        are dropped in front, as long as a folder is left.
        """
        path = _AHEAD.sub("", _ELIDED.sub("", path)).rstrip("/")
        known = self.folders if is_folder else self.files
        by_name = self._folders_by_name if is_folder else self._by_name
        if path in known:
            return [path]
        parts = path.split("/")
        if not parts[-1] or ".." in parts:
            return []
        same = by_name.get(parts[-1], [])
        for dropped in range(max(1, len(parts) - 1)):
            end = "/".join(parts[dropped:])
            found = [one for one in same if one == end or one.endswith(f"/{end}")]
            if dropped and end in known:
                return [end]
            if dropped and self.is_own(path):
                continue  # it says where it is, and is not there
            if found and (dropped == 0 or len(parts) - dropped >= 2):
                if dropped == 0 or len(found) == 1:
                    return found
                return found if len(parts) - dropped > 2 else []
        return []

    def is_namesake(self, path: str) -> bool:
        """Whether one file alone has the name of a printed path that begins in a folder of this target.

        It may have been moved.
        """
        first, _, _ = _AHEAD.sub("", path).partition("/")
        is_alone = len(self._by_name.get(path.rpartition("/")[2], ())) == 1
        return is_alone and not is_generic(path) and first in self._folders_by_name

    def has_top(self, path: str) -> bool:
        """Whether a printed path begins in a folder at the root of a whole repository."""
        first, slash, _ = _AHEAD.sub("", path).partition("/")
        return bool(slash) and first in self.folders and self.snapshot.revision.source in ("git", "directory")

    def is_shipped(self, path: str) -> bool:
        """Whether the source holds such paths at all; of a wheel, only those below the folders that are in it."""
        if not self.codebase.is_shipped(path):
            return False
        if self.target.is_whole and self.snapshot.revision.source in ("pypi", "installed"):
            return path.partition("/")[0] in {one.partition("/")[0] for one in self.files if "/" in one}
        return True

    def is_own(self, path: str) -> bool:
        """Whether a printed path begins as this target's files do, so that it would be one of them."""
        path = _AHEAD.sub("", path)
        if _ELIDED.match(path):
            return False
        first, slash, _ = path.partition("/")
        return bool(slash) and any(
            folder == first or folder.endswith(f"/{first}") or path.startswith(f"{folder}/") for folder in self.packages
        )

    @cached_property
    def packages(self) -> frozenset[str]:
        """The folders that are Python packages and lie in none."""
        packages = {path.rpartition("/")[0] for path in self.files if path.endswith("/__init__.py")}
        top = {one for one in packages if one.rpartition("/")[0] not in packages}
        named = {self.target.name, self.target.project or ""}
        return frozenset(one for one in top if one.rpartition("/")[2].replace("_", "-") in named or "/" not in one)

    def file(self, path: str) -> CodeFile | None:
        """A file of the revision; None where it cannot be read as text."""
        if path not in self._files:
            try:
                text = self.codebase.text(path)
            except Undecidable:
                self._files[path] = None
                return None
            index = None
            if path.endswith((".py", ".pyi")):
                try:
                    index = self.codebase.index(path)
                except (Undecidable, RecursionError):
                    index = None
            self._files[path] = CodeFile(path, text, index)
        return self._files[path]

    def prefetch(self, paths: "Iterable[str]") -> None:
        """Fetch files together."""
        wanted = frozenset(path for path in paths if path in self.files)
        if wanted:
            self.snapshot.prefetch(wanted)


def is_generic(path: str) -> bool:
    """Whether a name is that of many files, so that it alone says little."""
    return path.rpartition("/")[2] in _GENERIC


def _spans(part: ast.AST) -> "Iterator[tuple[int, int]]":
    """The lines of a statement, without its blocks, of an argument by keyword, of each entry of a dictionary."""
    match part:
        case ast.stmt():
            body = getattr(part, "body", None)
            yield part.lineno, (body[0].lineno - 1 if body else part.end_lineno) or part.lineno
        case ast.keyword():
            yield part.lineno, part.end_lineno or part.lineno
        case ast.Dict():
            for key, value in zip(part.keys, part.values, strict=True):
                yield (key or value).lineno, value.end_lineno or value.lineno
        case _:
            pass
