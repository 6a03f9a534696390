"""Reads commits from a repository."""

import datetime
import hashlib
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from auditor.errors import ConfigError, SourceError, UnreadableError
from auditor.fetch import FetchError, MissingError, NotCachedError, RefusedError, UnreachableError
from auditor.fetch.git.history import Step
from auditor.fetch.git.links import followed
from auditor.fetch.git.local import Local
from auditor.fetch.git.process import GitError, check_version
from auditor.fetch.git.repository import LINK, REGULAR, Entry, Repository
from auditor.fetch.git.upstream import FULL, Upstream
from auditor.fetch.layout import omissions, package_roots, prefix_of
from auditor.limits import FILE_BYTES
from auditor.model import Omission, Revision
from auditor.sources import Access, Option, Source

if TYPE_CHECKING:
    from auditor.model import Target

PINNED = ""
"""Stands for the commit that a pack pins."""
_LFS = b"version https://git-lfs.github.com/spec/"


class Git(Source):
    """A commit: a full or abbreviated id, a tag, a branch, HEAD, or steps back from one such as HEAD~3.

    From a URL, a bare partial clone in the cache holds the trees of each commit that was audited, and of its files
    those that were wanted, which come in one request. From a clone, worktree or mirror on this machine, what is
    committed is read, and nothing of it is changed. Files are read from the object database: nothing is checked out.
    """

    option = Option(
        name="commit",
        metavar="[TARGET=]REF",
        help="A commit, tag, branch or HEAD.  [default: pinned]",
        prefix="git",
        example="git:v0.31.0",
        words=("pinned", "the commit that the pack pins; where it pins none, near-pin"),
        rank=0,
    )

    @classmethod
    def named(cls, word: str) -> str | None:
        return PINNED if word == "pinned" else None

    @classmethod
    def resolved_spec(cls, target: "Target", spec: str) -> str:
        if spec == "latest":
            raise ConfigError("latest is a release of the registry; through git, name its tag, or HEAD")
        is_pinned = spec in (PINNED, "pinned")
        if target.near_pin is not None and (spec == "near-pin" or (is_pinned and target.commit is None)):
            tag = target.tag_of(target.near_pin)
            if tag is None:
                raise ConfigError(
                    f"the pack does not say how {target.name} names its tags; write `tag`, or name a commit"
                )
            return tag
        if not is_pinned:
            return spec
        if target.commit is None:
            raise ConfigError(f"the pack pins no commit of {target.name}; give one: --commit {target.name}=REF")
        return target.commit

    def open(self, target: "Target", spec: str, access: Access) -> "Commit":
        place = _place(target, spec)
        with _named(target, spec, place):
            clone = _clone(target, spec, place, access)
            return Commit(target, Revision("git", spec, _resolved(clone, spec, target)), clone, place)

    def names(self, target: "Target", access: Access) -> list[str]:
        """The branches and tags of a target's repository. Raises SourceError."""
        place = _place(target)
        with _named(target, "its tags", place):
            return _clone(target, "", place, access).names()

    def listing(self, target: "Target", spec: str, access: Access) -> tuple[list[str], str, str]:
        """The paths in a commit, its full id, and its day (YYYY-MM-DD, UTC). Raises SourceError."""
        place = _place(target, spec)
        with _named(target, spec, place):
            clone = _clone(target, spec, place, access)
            commit = _resolved(clone, spec, target)
            seconds = clone.repository.time(commit)
            day = f"{datetime.datetime.fromtimestamp(seconds, datetime.UTC):%Y-%m-%d}"
            return list(clone.repository.entries(commit)), commit, day

    def history(self, target: "Target", older: str, newer: str, access: Access) -> "History":
        """The commits that one commit has and another lacks. Raises SourceError."""
        spec = f"{older}..{newer}"
        place = _place(target, older, newer)
        with _named(target, spec, place):
            clone = _clone(target, spec, place, access)
            oldest, newest = (_resolved(clone, name, target) for name in (older, newer))
            return History(target, clone, place, (oldest, newest), clone.steps(oldest, newest))


class Clone(Protocol):
    """Where commits come from."""

    repository: Repository

    def commit(self, name: str, date: str | None) -> str: ...

    def supply(self, commit: str, oids: set[str]) -> None: ...

    def names(self) -> list[str]: ...

    def steps(self, oldest: str, newest: str) -> tuple[Step, ...]: ...


class Commit:
    """A commit, opened. `client` knows what reading it has cost so far."""

    roots = ("",)
    is_fixed = True

    def __init__(
        self,
        target: "Target",
        revision: Revision,
        clone: Clone,
        place: str,
        known: "tuple[dict[str, Entry], dict[str, bytes | int]] | None" = None,
    ) -> None:
        """`known` are its files and their contents. Raises SourceError where there is no package of the target."""
        self.client = clone if isinstance(clone, Upstream) else None
        self.revision = revision
        self._target = target
        self._clone = clone
        self._place = place
        self._commit = revision.commit or revision.name
        self._tree, self._blobs = known or (clone.repository.entries(self._commit), {})
        if known is None and prefix_of(target, self._tree) is None:
            roots = " or ".join(package_roots(target))
            raise SourceError(
                f"{target.name} {revision.name}: there is no {roots} in this commit; check the repository"
            )
        rename = _renaming(target, self._tree) if known is None else str
        self._entries = {rename(path): one for path, one in self._tree.items()}
        self._rename = rename

    def other(self, name: str) -> "Commit":
        """Another commit of the same repository. Raises SourceError."""
        with _named(self._target, name, self._place):
            commit = _resolved(self._clone, name, self._target)
        return Commit(self._target, Revision("git", name, commit), self._clone, self._place)

    def files(self) -> frozenset[str]:
        return self._files

    def read(self, path: str) -> bytes:
        mode, oid = self._entries.get(path, ("", ""))
        if mode not in REGULAR:
            oid = self._oids.get(path, "")
        if not oid:
            raise FileNotFoundError(path)
        self._load({oid})
        data, what = self._blobs[oid], f"{self._target.name} {self.revision.name}: {path}"
        if isinstance(data, int):
            raise UnreadableError(
                f"{what}: {data:,} bytes are more than the {FILE_BYTES.value:,} that a source file may have"
            )
        if data.startswith(_LFS):
            raise UnreadableError(f"{what} is in git-lfs, and only a pointer to it in the repository; use --path")
        return data

    @property
    def digests(self) -> dict[str, str]:
        return self._oids

    @cached_property
    def date(self) -> str:
        """When it was committed, in UTC: `2026-09-25T08:00:00Z`. Raises SourceError."""
        with _named(self._target, self.revision.name, self._place):
            seconds = self._clone.repository.time(self._commit)
        return f"{datetime.datetime.fromtimestamp(seconds, datetime.UTC):%Y-%m-%dT%H:%M:%SZ}"

    def prefetch(self, paths: frozenset[str]) -> None:
        """Raises SourceError when the repository cannot be read."""
        known = (self._entries.get(path, ("", "")) for path in paths)
        self._load({oid for mode, oid in known if mode in REGULAR} | self._links)

    @cached_property
    def omissions(self) -> tuple[Omission, ...]:
        """Raises SourceError when the repository cannot be read."""
        return self._followed[1]

    @cached_property
    def _files(self) -> frozenset[str]:
        return frozenset(self._oids)

    @cached_property
    def _links(self) -> set[str]:
        return {oid for mode, oid in self._tree.values() if mode == LINK}

    @property
    def _oids(self) -> dict[str, str]:
        return self._followed[0]

    @cached_property
    def _followed(self) -> tuple[dict[str, str], tuple[Omission, ...]]:
        """The files, those behind links too, and what cannot be read."""
        self._load(self._links)
        oids, omitted = followed(self._tree, self._blobs)
        renamed = {self._rename(path): oid for path, oid in oids.items()}
        return renamed, tuple(omissions(self._target, self._tree, omitted))

    def _load(self, oids: set[str]) -> None:
        if wanted := oids - self._blobs.keys():
            with _named(self._target, self.revision.name, self._place):
                self._clone.supply(self._commit, wanted)
                self._blobs.update(self._clone.repository.blobs(wanted))


class History:
    """The commits between two, each before its parents. All their files are kept in `blobs`, once."""

    def __init__(
        self, target: "Target", clone: Clone, place: str, ends: tuple[str, str], found: tuple[Step, ...]
    ) -> None:
        self.oldest, self.newest = ends
        self.steps = found
        self.blobs: dict[str, bytes | int] = {}
        self._target = target
        self._clone = clone
        self._place = place

    def entries(self, commit: str) -> dict[str, Entry]:
        """The files and links of a commit. Raises SourceError."""
        with _named(self._target, commit[:10], self._place):
            return self._clone.repository.entries(commit)

    def snapshot(self, commit: str, entries: dict[str, Entry]) -> Commit:
        revision = Revision("git", commit[:10], commit)
        return Commit(self._target, revision, self._clone, self._place, (entries, self.blobs))

    def load(self, oids: set[str]) -> None:
        """Read files together. Raises SourceError."""
        with _named(self._target, self.newest[:10], self._place):
            self._clone.supply(self.newest, oids)
            self.blobs.update(self._clone.repository.blobs(oids))


def _renaming(target: "Target", entries: Collection[str]) -> Callable[[str], str]:
    """What gives the path that a pack uses for one in a commit in which its packages lie elsewhere.

    `requests/api.py` is `src/requests/api.py`.
    """
    prefix = prefix_of(target, entries)
    if prefix is None or prefix == target.prefix:
        return str
    old = tuple(prefix + root.removeprefix(target.prefix) for root in package_roots(target))
    return lambda path: target.prefix + path.removeprefix(prefix) if path.startswith(old) else path


def _place(target: "Target", *specs: str) -> str:
    """Where the repository is. Raises SourceError, also for a name that git would take for an option."""
    place = target.repository
    if place is None:
        raise SourceError(f"{target.name}: its pack names no repository; give one: --repo {target.name}=URL_OR_PATH")
    for given in (place, *specs):
        if given.startswith("-") or not given.isprintable():
            raise SourceError(f"{target.name}: {given!r} is not a repository or the name of a commit")
    return place


def _clone(target: "Target", spec: str, place: str, access: Access) -> Clone:
    check_version()
    return _upstream(place, f"{target.name} {spec}", access) if _is_url(place) else Local(Path(place))


def _resolved(clone: Clone, spec: str, target: "Target") -> str:
    try:
        return clone.commit(spec, target.date)
    except MissingError as error:
        where = re.sub(r"//[^/@\s]*@", "//", target.repository or "the repository")
        more = "" if ";" in str(error) else f"{_near(spec, clone)} (looked for in {where})"
        raise MissingError(f"{error}{more}") from error


def _is_url(place: str) -> bool:
    """Whether this is a URL, or the `host:path` of ssh."""
    return "://" in place or (re.match(r"[\w.@-]{2,}:", place) is not None and not Path(place).exists())


def _upstream(url: str, label: str, access: Access) -> Upstream:
    folder = access.cache / "clones" if access.cache else Path(tempfile.mkdtemp(prefix="kvaudit-"))
    clone = Upstream(
        url,
        folder / f"{hashlib.sha256(url.encode()).hexdigest()[:16]}.git",
        is_offline=access.offline,
        told=lambda done: access.progress(label, done, 0),
    )
    if access.cache is None:
        weakref.finalize(clone, shutil.rmtree, folder, ignore_errors=True)
    return clone


def _near(spec: str, clone: Clone) -> str:
    """The names that were probably meant."""
    try:
        names = clone.names()
    except FetchError:
        return ""
    near = [] if FULL.fullmatch(spec) else get_close_matches(spec, names, 3, 0.6)
    if near:
        return f"; the nearest are {', '.join(near)}"
    return f"; there are {len(names)} branches and tags, such as {', '.join(names[-3:])}" if names else ""


@contextmanager
def _named(target: "Target", spec: str, place: str) -> Iterator[None]:
    """Say of what commit an error is, and what to do."""
    clone = f"give a clone: --repo {target.name}=PATH"
    try:
        yield
    except FetchError as error:
        if isinstance(error, NotCachedError):
            advice = "; run once without --offline"
        elif isinstance(error, UnreachableError):
            nearest = ", or audit the nearest release: kvaudit verify --release near-pin" if target.near_pin else ""
            advice = f"; try again, {clone}{nearest}"
        elif isinstance(error, RefusedError) and _is_url(place):
            advice = f"; {clone}"
        elif isinstance(error, GitError):
            advice = f"; see what `git fsck` says of {place}" if not _is_url(place) else "; try kvaudit cache --clear"
        else:
            advice = ""
        reason = re.sub(r"//[^/@\s]*@", "//", f"{error}{advice}")  # a password is nobody's business
        raise SourceError(f"{target.name} {spec}: {reason}") from error
