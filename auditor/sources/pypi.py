"""Reads releases from the package registry."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from auditor.cache import Blobs, Memory, Store
from auditor.errors import ConfigError, SourceError, UnreadableError
from auditor.fetch import FetchError, MissingError, NotCachedError, RefusedError, RefusedFileError, UnreachableError
from auditor.fetch.layout import omissions, package_roots, repository_paths, top_level
from auditor.fetch.pypi.client import Client
from auditor.fetch.pypi.settings import pip_settings
from auditor.model import Revision
from auditor.sources import Access, Option, Source

if TYPE_CHECKING:
    from auditor.fetch.pypi.index import Index, Release
    from auditor.fetch.pypi.remote import Distribution
    from auditor.model import Target


LATEST = "latest"
NEAR_PIN = "near-pin"
"""The release that a pack names as nearest to its pinned commit."""


class Pypi(Source):
    """A release in the package registry: a version, or `latest`.

    The registry and its certificates are those of pip's settings. Of a wheel only the files that are wanted are read,
    by byte ranges, and checked against the wheel's RECORD. Where the registry gives no ranges, or the release is an
    sdist, the whole file is, and checked against the registry's hash. Nothing is installed.
    """

    option = Option(
        name="release",
        metavar="[TARGET=]VERSION",
        help="A release: a version, latest or near-pin.",
        prefix="pypi",
        example="pypi:0.31.0",
        words=(
            "0.31.0, latest, near-pin",
            "a release: what begins with a digit, has a dot and is a version, is one; near-pin is the pack's",
        ),
        rank=1,
    )

    @classmethod
    def named(cls, word: str) -> str | None:
        return word if word in (LATEST, NEAR_PIN) or _is_version(word) else None

    @classmethod
    def resolved_spec(cls, target: "Target", spec: str) -> str:
        if spec == "pinned":
            raise ConfigError("pinned is a commit: --commit pinned; the release nearest it is near-pin")
        if spec != NEAR_PIN:
            return spec
        if target.near_pin is None:
            message = f"the pack names no release near the pin of {target.name}; give one: {target.name}=VERSION"
            raise ConfigError(message)
        return target.near_pin

    def open(self, target: "Target", spec: str, access: Access) -> "Published":
        # This takes longer to import than a cached release takes to open, and most commands do not need it.
        from auditor.fetch.pypi.remote import Distribution

        blobs: Blobs = Store(access.cache) if access.cache else Memory()
        with _named(target, spec):
            index, client = _index(target, blobs, access)
            release = index.find(spec)
            allowed = None if access.offline else client
        label = f"{target.project} {release.version}"
        with _named(target, release.version):
            files = Distribution(release, blobs, allowed, lambda done, total: access.progress(label, done, total))
        return Published(target, release, files, client)

    def listed(self, target: "Target", release: str | None, date: str | None, access: Access) -> "Listed":
        """What a release holds, without a pack to say what of it is meant. Raises SourceError."""
        from auditor.fetch.pypi.remote import Distribution

        blobs: Blobs = Store(access.cache) if access.cache else Memory()
        with _named(target, release or date or LATEST):
            index, client = _index(target, blobs, access)
            found = index.nearest(date) if date and release is None else index.find(release or LATEST)
            allowed = None if access.offline else client
            files = Distribution(found, blobs, allowed, _silent)
            about = next((name for name in files.sizes if _ABOUT.fullmatch(name)), None)
            metadata = ""
            if about is not None:
                with suppress(FetchError):  # a mirror that changes it; it is only asked for hints
                    metadata = files.read(about).decode("utf-8", "replace")
            names: tuple[str, ...] = ()
            if not found.is_wheel:
                names = tuple(files.sizes)
            elif (sdist := index.sdist(found.version)) is not None and (sdist.size or 0) <= _SDIST_LIMIT:
                names = tuple(Distribution(sdist, blobs, allowed, _silent).sizes)
        return Listed(found.version, found.filename, tuple(files.sizes), metadata, names)

    def versions(
        self, target: "Target", oldest: str, newest: str, access: Access, *, pre: bool = False
    ) -> tuple[str, ...]:
        """The releases from one version to another (empty: no bound), oldest first. Raises SourceError.

        What was yanked is left out, and what is a pre-release but for `pre`.
        """
        blobs: Blobs = Store(access.cache) if access.cache else Memory()
        with _named(target, f"{oldest}..{newest}"):
            index, _ = _index(target, blobs, access)
            return index.versions(oldest, newest, pre=pre)


def _is_version(word: str) -> bool:
    """Whether a word is a version and nothing else: not a commit of digits only, not the tag `v1.0`."""
    from packaging.version import Version

    try:
        Version(word)
    except ValueError:
        return False
    return word[0].isdigit() and "." in word


@dataclass(frozen=True, slots=True)
class Listed:
    """The files of a release and of its sdist, by name, and what it says of itself."""

    version: str
    filename: str
    names: tuple[str, ...]
    metadata: str
    sdist: tuple[str, ...]
    """Empty where there is none, or it is too large to be fetched for its list of files."""


def _silent(done: int, total: int) -> None:
    """Progress that nobody watches."""
    del done, total


_ABOUT = re.compile(r"[^/]+\.dist-info/METADATA|PKG-INFO")
_SDIST_LIMIT = 8 * 1024 * 1024  # bytes


def _index(target: "Target", blobs: Blobs, access: Access) -> "tuple[Index, Client]":
    from auditor.fetch.pypi.index import Index

    if target.project is None:
        raise SourceError(f"{target.name}: its pack names no project in the registry; use another source")
    settings = pip_settings()
    client = Client(settings)
    return Index(settings.index, target.project, blobs, None if access.offline else client), client


class Published:
    """A release, opened. `client` knows what reading it has cost so far."""

    is_fixed = True

    def __init__(self, target: "Target", release: "Release", files: "Distribution", client: Client) -> None:
        """Raises SourceError for a release without the target's package."""
        self.client = client
        self.revision = Revision("pypi", release.version)
        self.roots = package_roots(target)
        self._target = target
        self._distribution = files
        self._names = repository_paths(target, files.sizes)
        self._files = frozenset(self._names)
        self.omissions = tuple(omissions(target, files.sizes.keys(), files.omissions))
        if not self._names:
            what = f"{target.project} {release.version}: {release.filename} does not hold {' or '.join(self.roots)}"
            there = ", ".join(top_level(files.sizes)[:_MOST]) or "no Python"
            raise SourceError(f"{what}; it holds {there}: name them as `packages` of {target.name} in pack.yaml")

    def files(self) -> frozenset[str]:
        return self._files

    @cached_property
    def digests(self) -> dict[str, str]:
        """Raises SourceError."""
        with _named(self._target, self.revision.name):
            known = self._distribution.digests
        return {path: known[name] for path, name in self._names.items() if name in known}

    def read(self, path: str) -> bytes:
        if path not in self._names:
            raise FileNotFoundError(path)
        with _named(self._target, self.revision.name):
            return self._distribution.read(self._names[path])

    def prefetch(self, paths: frozenset[str]) -> None:
        """Raises SourceError when the registry fails."""
        with _named(self._target, self.revision.name):
            self._distribution.prefetch({self._names[path] for path in paths & self._names.keys()})


_MOST = 8  # packages that a message names


@contextmanager
def _named(target: "Target", version: str) -> Iterator[None]:
    """Say of what release an error is, and what to do."""
    try:
        yield
    except RefusedFileError as error:
        raise UnreadableError(f"{target.project} {version}: {error}") from error
    except FetchError as error:
        if isinstance(error, NotCachedError):
            advice = "; run once without --offline"
        elif isinstance(error, UnreachableError):
            advice = f"; try again, use --offline if it was read before, or --path {target.name}=DIR"
        elif isinstance(error, MissingError | RefusedError):
            advice = ""
        else:
            advice = f"; try again, or unpack it yourself and use --path {target.name}=DIR"
        raise SourceError(f"{target.project} {version}: {error}{advice}") from error
