"""A snapshot as code: files decoded, indexed and parsed once, and definitions found wherever they are."""

import difflib
import hashlib
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar
from unicodedata import normalize

from auditor.code import Absent, Undecidable
from auditor.code.project import lookup_errors
from auditor.code.project.decoding import may_define
from auditor.code.project.dependencies import Dependencies
from auditor.code.project.files import SourceFiles
from auditor.code.project.names import referents
from auditor.code.project.symbols import Symbol
from auditor.code.syntax.term import Term, encode
from auditor.code.syntax.term_index import TermIndex
from auditor.errors import SourceError
from auditor.model import Location, Region

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from auditor.model import Anchor, Snapshot, Target


T = TypeVar("T")


@dataclass(frozen=True)
class Definition:
    """A symbol's code (or a whole file's: `symbol` is None)."""

    codebase: "Codebase"
    path: str
    symbol: "Symbol | None"
    region: Region

    @property
    def name(self) -> str:
        return self.symbol.name if self.symbol else self.path

    @property
    def cls(self) -> str | None:
        """The innermost class around the symbol."""
        parts = self.symbol.name.split(".")[:-1] if self.symbol else []
        outer = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
        classes = {s.name for s in self.codebase.index(self.path).symbols if s.type == "class"}
        return next((name for name in outer if name in classes), None)

    @property
    def location(self) -> Location:
        return Location(self.path, self.region if self.symbol else None, self.symbol.name if self.symbol else None)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The definition itself, as one term; of a file, its statements. Raises Undecidable."""
        if self.symbol is None:
            return self.codebase.index(self.path).terms()
        return (self.symbol.term(),)

    @cached_property
    def text(self) -> str:
        """Its lines, as they are written."""
        return "\n".join(self.codebase.text(self.path).split("\n")[self.region.start - 1 : self.region.end])

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its text, comments included: every identifier in it, and more."""
        return frozenset(_WORD.findall(self.text if self.text.isascii() else normalize("NFKC", self.text)))

    @cached_property
    def code(self) -> TermIndex:
        return TermIndex(self.terms)

    def rewritten(self, terms: tuple[Term, ...], words: frozenset[str] = frozenset()) -> "Definition":
        """The same definition, written otherwise, with some more words."""
        other = Definition(self.codebase, self.path, self.symbol, self.region)
        other.__dict__.update(terms=terms, text=self.text, words=self.words | words, fingerprint=self.fingerprint)
        return other

    def taken_over(self, codebase: "Codebase") -> "Definition":
        """The same definition in a code base in which its file is the same."""
        other = Definition(codebase, self.path, self.symbol, self.region)
        other.__dict__.update((name, self.__dict__[name]) for name in _LASTING if name in self.__dict__)
        return other

    @property
    def term(self) -> Term:
        return self.terms[0]

    @property
    def function(self) -> Term:
        """The definition as one term. Raises Undecidable when it is no function."""
        if self.term.type != "FunctionDef":
            raise lookup_errors.no_function(self.location, self.name)
        return self.term

    def location_of(self, *terms: Term) -> Location:
        """Where terms of this definition are, from the first line of the first to the last of the last."""
        regions = [term.region or self.region for term in terms]
        region = Region(regions[0].start, max(one.end for one in regions))
        enclosing = self.codebase.index(self.path).enclosing(region)
        return Location(self.path, region, enclosing.name if enclosing else None)

    @cached_property
    def fingerprint(self) -> str:
        """Identity of the code without layout, comments, annotations and docstrings: 16 hex digits."""
        return hashlib.sha256(encode(self.terms).encode("utf-8", "surrogatepass")).hexdigest()[:16]


_WORD = re.compile(r"\w+")
_LASTING = ("terms", "text", "words", "code", "fingerprint")
"""What is worked out of a definition's own text."""


class Codebase(SourceFiles):
    """What checks read. Not thread-safe."""

    def __init__(
        self,
        snapshot: "Snapshot",
        target: "Target",
        releases: "Callable[[str], Snapshot] | None" = None,
        earlier: "Codebase | None" = None,
    ) -> None:
        """`releases` opens another release of the target by its version, and raises SourceError.

        `earlier` is another revision, which tells a definition that moved since from a namesake that was there then.
        """
        super().__init__(snapshot, target)
        self._earlier = earlier
        self._pinned: list[Codebase | None] = []
        self._open = releases
        self._releases: dict[str, Codebase] = {}
        self._definitions: dict[tuple[str, str | None], tuple[Definition, ...]] = {}
        self._searched: dict[tuple[str, str], tuple[tuple[Definition, ...], frozenset[str]]] = {}

    def adopt(self, before: "Codebase", *, but: frozenset[str]) -> None:
        """Take over what is known of another snapshot's files that are the same here: all but some."""
        self._adopt_files(before, but)
        for (path, symbol), definitions in before._definitions.items():
            if path not in but:
                self._definitions[path, symbol] = tuple(one.taken_over(self) for one in definitions)

    def successor(
        self, snapshot: "Snapshot", changed: frozenset[str], reread: "Mapping[str, Codebase] | None" = None
    ) -> "Codebase":
        """The code of a snapshot that differs from this one in some files only; the others are not read again.

        Of changed files, what `reread` has is taken over from there. This one is used up: its definitions, which refer
        to it, would else outlive it.
        """
        found = Codebase(snapshot, self._target, self._open, self._earlier)
        found._releases = self._releases
        found._pinned = self._pinned
        found._adopt_files(self, changed)
        for path, other in (reread or {}).items():
            found.adopt(other, but=other.read_paths - {path})
        new_files = {path for path in changed & snapshot.files() if path.endswith(".py")}
        scopes = tuple({self.package_of(path) for path, _ in self._searched})
        snapshot.prefetch(frozenset(path for path in new_files if path.startswith(scopes)) - found.read_paths)
        for (path, symbol), (definitions, searched) in self._searched.items():
            new = {one for one in new_files if one.startswith(self.package_of(path))}
            with suppress(Undecidable):  # then it is for the next search to say so
                if not definitions and not any(may_define(found._content(one), symbol) for one in new):
                    found._searched[path, symbol] = ((), searched - changed | new)
        for made in (self._texts, self._indexes, self._derived, self._definitions, self._searched):
            made.clear()  # syntax trees are large, and this may be a key of somebody's cache
        return found

    def other_releases(self, versions: "Sequence[str]", paths: frozenset[str]) -> "dict[str, Codebase]":
        """Other releases of the target, opened together; `paths` are the files that will be read.

        Raises Undecidable for the first that cannot be read.
        """
        self.dependencies.releases.update(versions)
        missing = [version for version in versions if version not in self._releases]
        try:
            with ThreadPoolExecutor(max(1, len(missing))) as pool:  # opening is waiting
                opened = list(pool.map(lambda version: self._opened(version, paths), missing))
        except Undecidable:
            self.dependencies.is_lasting = False
            raise
        self._releases |= dict(zip(missing, opened, strict=True))
        return {version: self._releases[version] for version in versions}

    def _opened(self, version: str, paths: frozenset[str]) -> "Codebase":
        try:
            if self._open is None:
                raise SourceError("no registry is at hand here")
            snapshot = self._open(version)
            snapshot.prefetch(paths)
        except SourceError as error:
            raise lookup_errors.unreadable(self._target.name, version, error) from None
        return Codebase(snapshot, self._target, self._open)

    def whole(self, path: str) -> Definition:
        """A file as one definition. Raises Absent or Undecidable."""
        (definition,) = self.definitions(path)
        return definition

    def definitions(self, path: str, symbol: str | None = None) -> tuple[Definition, ...]:
        """Every definition of a symbol in a file, in source order; of a file, the file. Empty when there is none."""
        self.dependencies.files.add(path)
        key = (path, symbol)
        if key not in self._definitions:
            if symbol is None:
                lines = self.text(path).count("\n") + 1
                self._definitions[key] = (Definition(self, path, None, Region(1, lines)),)
            else:
                found = (s for s in self.index(path).find(symbol) if not _is_stub(s))
                self._definitions[key] = tuple(Definition(self, path, s, s.region) for s in found)
        return self._definitions[key]

    def setters(self, path: str, symbol: str) -> tuple[Definition, ...]:
        """The setters of a property, which are not among its definitions."""
        self.dependencies.files.add(path)
        found = (s for s in self.index(path).find(symbol) if any(d.endswith(".setter") for d in s.decorators))
        return tuple(Definition(self, path, s, s.region) for s in found)

    def locate(self, anchor: "Anchor") -> Definition:
        """The one definition that an anchor names: in its file, else in the one other file that has it.

        Raises Absent when it is nowhere, Undecidable when several places could be meant.
        """
        missing: Absent | None = None
        found: tuple[Definition, ...] = ()
        try:
            found = self.definitions(anchor.path, anchor.symbol)
        except Absent as error:
            missing = error
        if not found and (spelling := self.other_spelling(anchor.path)) is not None:
            found = self.definitions(spelling, anchor.symbol)
        if not found and (inherited := self.inherited(anchor)) is not None:
            return inherited
        if not found and anchor.symbol is not None and not self._has_owner(anchor):
            found = tuple(one for one in self._moved(anchor.path, anchor.symbol) if not self._is_namesake(one, anchor))
        found = self._without_aliases(found)
        if len(found) == 1:
            return found[0]
        if found:
            raise lookup_errors.several(anchor.symbol, [definition.location for definition in found])
        if missing is not None and anchor.symbol is None:
            raise missing
        if anchor.symbol is not None:
            self._require_complete(self.package_of(anchor.path))
        near = self._nearest(anchor.path, anchor.symbol or "")
        raise lookup_errors.no_symbol(anchor, self.package_of(anchor.path), near, missing)

    def _has_owner(self, anchor: "Anchor") -> bool:
        """Whether the class of a member is where the anchor says: what a namesake has elsewhere is not its member."""
        owner = (anchor.symbol or "").rpartition(".")[0]
        with suppress(Absent):
            return bool(owner) and any(s.type == "class" for s in self.index(anchor.path).find(owner))
        return False

    def inherited(self, anchor: "Anchor") -> Definition | None:
        """The member that a class does not define itself and has from a base; None where it does, or has none."""
        owner, _, name = (anchor.symbol or "").rpartition(".")
        with suppress(Absent):
            if owner and self.definitions(anchor.path, owner) and not self.definitions(anchor.path, anchor.symbol):
                found = self._inherited(anchor.path, owner, name, frozenset())
                return found[0] if len(found) == 1 else None
        return None

    def _inherited(self, path: str, cls: str, name: str, seen: frozenset[str]) -> tuple[Definition, ...]:
        for base in self.index(path).bases.get(cls, ()):
            for target in sorted(referents(self, base.partition("[")[0], path), key=str):
                key = f"{target.path}::{target.name}"
                if target.type == "class" and target.name is not None and key not in seen:
                    found = self.definitions(target.path, f"{target.name}.{name}")
                    found = found or self._inherited(target.path, target.name, name, seen | {key})
                    if found:
                        return found
        return ()

    def _without_aliases(self, found: tuple[Definition, ...]) -> tuple[Definition, ...]:
        """Of several definitions of a name, those in files that do not import it too: such a one is for typing."""
        if len(found) < 2:
            return found
        proper = tuple(one for one in found if one.name.partition(".")[0] not in self.index(one.path).imports)
        return proper or found

    def other_spelling(self, path: str) -> str | None:
        """The file that is the same module: a package's `__init__.py` for a module's file, and the other way round."""
        folder, _, name = path.rpartition("/")
        other = f"{folder}.py" if name == "__init__.py" else f"{path.removesuffix('.py')}/__init__.py"
        return other if folder and path.endswith(".py") and self.is_there(other) else None

    def _is_namesake(self, found: Definition, anchor: "Anchor") -> bool:
        """Whether a definition elsewhere was there already in a revision in which the anchor's own file had it."""
        for other in self._other_revisions():
            with suppress(Undecidable):
                if other.definitions(anchor.path, anchor.symbol):
                    return other.holds(found.path) and bool(other.definitions(found.path, anchor.symbol))
        return False

    def is_known(self, anchor: "Anchor") -> bool:
        """Whether an anchor is defined, here or in another revision that is at hand."""
        for code in (self, *self._other_revisions()):
            try:
                code.locate(anchor)
            except Absent:
                continue
            except Undecidable:
                pass
            return True
        return False

    def had_line(self, path: str, line: int) -> bool:
        """Whether a file has so many lines, here or in another revision that is at hand."""
        for code in (self, *self._other_revisions()):
            with suppress(Undecidable):
                if line <= len(code.text(path).splitlines()):
                    return True
        return False

    def _other_revisions(self) -> "Iterator[Codebase]":
        """Revisions that claims may have been written of: an earlier one, which no kept answer may rest on, and the
        one that is pinned."""
        self.dependencies.is_compared = True
        if self._earlier is not None:
            self.dependencies.is_lasting = False
            yield self._earlier
        if (pinned := self.pinned()) is not None:
            yield pinned

    @property
    def date(self) -> str | None:
        """When this revision was committed, in UTC: `2026-09-25T08:00:00Z`; None where that is not known."""
        with suppress(SourceError):
            return getattr(self._snapshot, "date", None)
        return None

    def pinned(self) -> "Codebase | None":
        """The code that the pack is pinned to, from where this is read; None where that cannot be had."""
        if not self._pinned:
            self._pinned.append(None)
            version, commit, source = self._target.near_pin, self._target.commit, self._snapshot.revision.source
            open_other = getattr(self._snapshot, "other", None)
            if open_other is not None and commit is not None:
                with suppress(SourceError):  # a fork need not have it
                    self._pinned[0] = Codebase(open_other(commit), self._target)
            if self._pinned[0] is None and source in ("pypi", "git") and version is not None and self._open is not None:
                with suppress(SourceError):
                    self._pinned[0] = Codebase(self._open(version), self._target)
        return self._pinned[0]

    def _moved(self, path: str, symbol: str) -> tuple[Definition, ...]:
        """`_elsewhere`, asked once for all claims about a symbol; each depends on every file that was looked at."""
        key = (path, symbol)
        if key not in self._searched:
            around, own = self.dependencies, Dependencies()
            self.dependencies = own
            try:
                self._searched[key] = (self._elsewhere(path, symbol), frozenset(own.files))
            finally:
                self.dependencies = around
        found, searched = self._searched[key]
        self.dependencies |= Dependencies(
            {definition.path for definition in found}, searches={(symbol, self.package_of(path)): searched}
        )
        return found

    def _elsewhere(self, path: str, symbol: str) -> tuple[Definition, ...]:
        """A symbol's definitions in other files: those of the nearest folder that has any."""
        scope = self.package_of(path)
        folder = str(PurePosixPath(path).parent) + "/"
        seen: set[str] = {path}
        while folder.startswith(scope):
            found: list[Definition] = []
            for candidate in self.python_under(folder):
                if candidate in seen:
                    continue
                seen.add(candidate)
                if may_define(self.text(candidate), symbol):
                    found += self.definitions(candidate, symbol)
            if found:
                return tuple(found)
            folder = str(PurePosixPath(folder).parent) + "/"
        return ()

    def _nearest(self, path: str, symbol: str) -> str | None:
        try:
            names = [s.name for s in self.index(path).symbols]
        except Undecidable:
            return None
        near = difflib.get_close_matches(symbol, names, n=1, cutoff=0.7)
        return near[0] if near else None


def _is_stub(symbol: Symbol) -> bool:
    """Whether a definition is an overload, or the setter or deleter beside a property's getter."""
    return any(d.rpartition(".")[2] in ("overload", "setter", "deleter") for d in symbol.decorators)
