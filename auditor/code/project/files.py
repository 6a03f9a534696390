"""The files of a snapshot: decoded and indexed once, with a note of what each answer depended on."""

import re
from bisect import bisect_left
from contextlib import contextmanager
from functools import cached_property
from itertools import islice, takewhile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from auditor.code import Undecidable
from auditor.code.project import lookup_errors
from auditor.code.project.decoding import decode
from auditor.code.project.dependencies import Dependencies
from auditor.code.project.symbols import Index, index
from auditor.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from auditor.model import Omission, Revision, Snapshot, Target


T = TypeVar("T")


class SourceFiles:
    """The files of a snapshot of a target, as far as they have been read. Not thread-safe."""

    def __init__(self, snapshot: "Snapshot", target: "Target") -> None:
        self._snapshot = snapshot
        self._target = target
        self._texts: dict[str, str] = {}
        self._indexes: dict[str, Index] = {}
        self._unparsed: dict[str, Undecidable] = {}
        self._derived: dict[tuple[str, Any], Any] = {}
        self._memo: dict[Hashable, tuple[Any, Dependencies]] = {}
        self.dependencies = Dependencies()
        """What answers depended on since `begin`."""

    @property
    def target(self) -> "Target":
        """What this is the code of."""
        return self._target

    @property
    def revision(self) -> "Revision":
        """What was read of it."""
        return self._snapshot.revision

    @property
    def read_paths(self) -> frozenset[str]:
        """The paths of the files that have been read."""
        return frozenset(self._texts)

    def _adopt_files(self, before: "SourceFiles", but: frozenset[str]) -> None:
        self._texts.update((path, text) for path, text in before._texts.items() if path not in but)
        self._indexes.update((path, found) for path, found in before._indexes.items() if path not in but)
        self._derived.update((key, made) for key, made in before._derived.items() if key[0] not in but)

    def begin(self) -> None:
        """Start anew to note what answers depend on; what was noted is left as it is."""
        self.dependencies = Dependencies()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know of how the answers since `begin` came about."""
        read = (path for path in sorted(self.dependencies.paths) if path in self._indexes)
        newer = (path for path in read if self._indexes[path].is_newer_syntax)
        return (
            *(f"{path} uses syntax newer than the running Python; it was read with libcst alone" for path in newer),
            *(f"{one.path} was not read: {one.reason.en}" for one in self.omissions),
        )

    @property
    def omissions(self) -> "tuple[Omission, ...]":
        """What was not read of the places that answers since `begin` searched."""
        places = self.dependencies.folders
        return tuple(one for one in self._snapshot.omissions if any(map(one.touches, places)))

    def _require_complete(self, place: str) -> None:
        """Raises Undecidable where something at a place was not read, so that nobody knows what is not there."""
        for one in self._snapshot.omissions:
            if one.touches(place):
                raise lookup_errors.omitted(one)

    @property
    def files(self) -> frozenset[str]:
        self.dependencies.listings.add("")
        return self._snapshot.files()

    def holds(self, path: str) -> bool:
        """Whether there is such a file, or anything in such a folder; with a slash at the end, only the latter."""
        folder = path.rstrip("/") + "/"
        self.dependencies.listings |= {path, folder}
        files = self._snapshot.files()
        return path in files or folder in self._folders

    @cached_property
    def _folders(self) -> frozenset[str]:
        """All folders that hold anything, with a slash at the end."""
        found: set[str] = set()
        for file in self._snapshot.files():
            folder = file.rpartition("/")[0]
            while folder and f"{folder}/" not in found:
                found.add(f"{folder}/")
                folder = folder.rpartition("/")[0]
        return frozenset(found)

    def is_there(self, path: str) -> bool:
        """Whether there is such a file."""
        self.dependencies.listings.add(path)
        return path in self._snapshot.files()

    def is_shipped(self, path: str) -> bool:
        """Whether this kind of source holds such paths at all."""
        return any(path.startswith(root) or root.startswith(path.rstrip("/") + "/") for root in self._snapshot.roots)

    def text(self, path: str) -> str:
        """The characters of a file, lines ended by a newline. Raises Absent or Undecidable."""
        self.dependencies.files.add(path)
        return self._content(path)

    def _content(self, path: str) -> str:
        if path not in self._texts:
            try:
                data = self._snapshot.read(path)
            except UnreadableError as error:
                raise lookup_errors.unreadable_file(path, error) from None
            except FileNotFoundError:
                self._require_complete(path)
                is_shipped = self.is_shipped(path)
                raise lookup_errors.no_file(path, self._snapshot.revision, is_shipped=is_shipped) from None
            self._texts[path] = decode(data, path)
        return self._texts[path]

    def derived(self, path: str, make: "Callable[[str], T]") -> "T":
        """What a function makes of a file's text, made once. Raises Absent or Undecidable."""
        text = self.text(path)
        key = (path, make)
        if key not in self._derived:
            self._derived[key] = make(text)
        found: T = self._derived[key]
        return found

    def memoized(self, key: "Hashable", make: "Callable[[], T]") -> "T":
        """What `make` gives, made once; each answer it is part of depends on all that it was made from."""
        if key not in self._memo:
            with self._noting() as own:
                self._memo[key] = (make(), own)
        made, own = self._memo[key]
        self.dependencies |= own
        found: T = made
        return found

    def mentions(self, word: str, folder: str) -> bool:
        """Whether some Python file under a folder has an identifier in its text. Raises Undecidable."""
        self._require_complete(folder)
        whole = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")

        def search() -> bool:
            texts = (self.text(path) for path in self.python_under(folder))
            return any(word in text and whole.search(text) for text in texts)

        return self.memoized(("mentions", word, folder), search)

    @contextmanager
    def _noting(self) -> "Iterator[Dependencies]":
        """Note by itself what the answers within depend on; the answers around them depend on it too."""
        around, own = self.dependencies, Dependencies()
        self.dependencies = own
        try:
            yield own
        finally:
            self.dependencies = around
            self.dependencies |= own

    def index(self, path: str) -> Index:
        """The symbols of a file. Raises Absent or Undecidable."""
        self.dependencies.files.add(path)
        if path in self._unparsed:
            raise self._unparsed[path]
        if path not in self._indexes:
            text = self.text(path)
            try:
                self._indexes[path] = index(text, path)
            except Undecidable as reason:
                self._unparsed[path] = reason
                raise
        return self._indexes[path]

    def unreadable(self, path: str) -> Undecidable | None:
        """Why a file has no text, or was not parsed when its index was asked for; None where neither is so."""
        try:
            self.text(path)
        except Undecidable as reason:
            return reason
        return self._unparsed.get(path)

    @cached_property
    def _python(self) -> list[str]:
        """All Python files, sorted."""
        return sorted(path for path in self._snapshot.files() if path.endswith(".py"))

    def _python_below(self, folder: str) -> list[str]:
        first = bisect_left(self._python, folder)
        return list(takewhile(lambda path: path.startswith(folder), islice(self._python, first, None)))

    def python_under(self, folder: str, without: tuple[str, ...] = ()) -> list[str]:
        """The Python files under a folder, but for those that begin so, sorted, and fetched together."""
        self.dependencies.listings.add(folder)
        paths = [path for path in self._python_below(folder) if not path.startswith(without)]
        self._snapshot.prefetch(frozenset(paths) - self.read_paths)
        return paths

    def python_listing(self, folder: str) -> list[str]:
        """The Python files under a folder, sorted, which are not fetched."""
        self.dependencies.listings.add(folder)
        return self._python_below(folder)

    def prefetch(self, paths: "Iterable[str]") -> None:
        """Fetch files together that are going to be read."""
        self._snapshot.prefetch(frozenset(paths) - self.read_paths)

    def python_files(self, scope: "Iterable[str]") -> list[str]:
        """The Python files of some folders and files, sorted, and fetched together.

        Raises Absent for one that holds none.
        """
        found: set[str] = set()
        for place in scope:
            folder = place.rstrip("/") + "/"
            self.dependencies.listings |= {place, folder}
            own = self._python_below(folder)
            if place.endswith(".py") and place in self._snapshot.files():
                own.append(place)
            if not own:
                self._require_complete(place)
                raise lookup_errors.no_python(place, self._snapshot.revision)
            found.update(own)
        self._snapshot.prefetch(frozenset(found) - self.read_paths)
        return sorted(found)

    def package_of(self, path: str) -> str:
        """The folder of the package that a file belongs to, where a symbol that left its file is looked for."""
        prefix = self._target.prefix
        if not path.startswith(prefix):
            return prefix
        return prefix + path.removeprefix(prefix).partition("/")[0] + "/"

    def module(self, dotted: str, importer: str) -> str | None:
        """The path of a module as a file imports it (dots in front: relative); None for one that is not here."""
        level = len(dotted) - len(dotted.lstrip("."))
        parts = [part for part in dotted.lstrip(".").split(".") if part]
        if level:
            parts = [*PurePosixPath(importer).parts[:-level], *parts]
            base = "/".join(parts)
        else:
            base = self._target.prefix + "/".join(parts)
        for path in (f"{base}.py", f"{base}/__init__.py"):
            if self.is_there(path):
                return path
        return None
