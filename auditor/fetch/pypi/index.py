"""The releases of a project, and which file of one to read."""

import hashlib
import logging
import re
import warnings
from bisect import bisect
from typing import TYPE_CHECKING

import msgspec
from packaging.utils import canonicalize_name, canonicalize_version
from packaging.version import Version

from auditor.fetch import FetchError, MissingError, NotCachedError, damage
from auditor.fetch.pypi.client import Client
from auditor.limits import PAGE_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pypi_simple import DistributionPackage

    from auditor.cache import Blobs

logging.getLogger("bs4").setLevel(logging.ERROR)  # what it warns of is said where it matters
LATEST = "latest"
_MALFORMED = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What pypi-simple and the parsers below it raise of a page that is not what it should be."""


class Release(msgspec.Struct, frozen=True):
    """One file of one version, as the registry lists it."""

    version: str
    filename: str
    url: str
    size: int | None
    """Bytes, where the registry says."""
    digests: dict[str, str]
    yanked: bool
    uploaded: str = ""
    """The day that it came (YYYY-MM-DD, UTC); empty where the registry does not say."""

    @property
    def is_wheel(self) -> bool:
        return self.filename.endswith(".whl")


class Index:
    """The releases of one project in one registry, or those of them in the cache.

    `address` is None for the registry that pip asks by default, `client` when nothing may be asked.
    """

    def __init__(self, address: str | None, project: str, blobs: "Blobs", client: Client | None) -> None:
        self._address = address
        self._project = canonicalize_name(project)
        self._blobs = blobs
        self._client = client
        self._key = f"pypi/index/{hashlib.sha256((address or '').encode()).hexdigest()}/{self._project}"

    def find(self, spec: str) -> Release:
        """The release that a version or `latest` names. Raises FetchError, which names the nearest for an unknown one.

        A version is looked up in the cache first, since a release never changes; `latest` only where nothing may be
        asked.
        """
        key = LATEST if spec == LATEST else canonicalize_version(parsed(spec))
        if (spec != LATEST or self._client is None) and (kept := self._cached(key)):
            self._keep_latest(kept)
            return kept
        if self._client is None:
            raise NotCachedError(f"it is not in the cache{damage(self._blobs, {f'{self._key}/{key}'})}")
        release = _chosen(_releases(self._client, self._address, self._project), spec)
        self._keep(release)
        return release

    def versions(self, oldest: str, newest: str, *, pre: bool = False) -> tuple[str, ...]:
        """The versions from one to another (empty: no bound), oldest first, without pre-releases and what was yanked.

        With `pre`, pre-releases too. Opening one of them will not ask for the list again. Raises FetchError.
        """
        if self._client is None:
            raise NotCachedError("the list of releases is not in the cache; name them")
        first, last = (parsed(bound) if bound else None for bound in (oldest, newest))
        found = _releases(self._client, self._address, self._project)
        releases = [
            release
            for version, release in sorted(found.items())
            if not (release.yanked or (version.is_prerelease and not pre))
            and (first is None or first <= version)
            and (last is None or version <= last)
        ]
        for release in releases:
            self._put(release.version, release)
        return tuple(release.version for release in releases)

    def nearest(self, date: str) -> Release:
        """The release that was newest on a day (YYYY-MM-DD); the first where there was none yet. Raises FetchError."""
        if self._client is None:
            raise NotCachedError("the list of releases is not in the cache; name a release")
        found = _releases(self._client, self._address, self._project).values()
        dated = [release for release in found if release.uploaded and not release.yanked]
        if not dated:
            raise MissingError("the registry does not say when its releases came; name one")
        before = [release for release in dated if release.uploaded <= date]
        version = newest(before) or min(Version(release.version) for release in dated)
        chosen = next(release for release in dated if Version(release.version) == version)
        self._keep(chosen)
        return chosen

    def sdist(self, version: str) -> Release | None:
        """The sdist of a release, which holds what the repository does, more or less. Raises FetchError."""
        if self._client is None:
            return None
        for package in _packages(self._client, self._address, self._project):
            is_sdist = package.package_type == "sdist" and package.filename.endswith((".tar.gz", ".zip"))
            if is_sdist and package.version and parsed(package.version) == parsed(version):
                return _of_file(parsed(version), package)
        return None

    def _cached(self, version: str) -> Release | None:
        data = self._blobs.get(f"{self._key}/{version}")
        try:
            return None if data is None else msgspec.json.decode(data, type=Release)
        except msgspec.DecodeError:  # from another version of kvaudit
            return None

    def _keep(self, release: Release) -> None:
        self._put(release.version, release)
        self._keep_latest(release)

    def _keep_latest(self, release: Release) -> None:
        """Among releases that were opened; one that was only listed may have nothing in the cache."""
        best = self._cached(LATEST)
        if best != release and newest([release, best] if best else [release]) == Version(release.version):
            self._put(LATEST, release)

    def _put(self, version: str, release: Release) -> None:
        key = version if version == LATEST else canonicalize_version(version)
        self._blobs.put(f"{self._key}/{key}", msgspec.json.encode(release))


def parsed(version: str) -> Version:
    """Raises MissingError for what is no version."""
    try:
        return Version(version)
    except ValueError as error:  # packaging's own, or Python's of a number with thousands of digits
        raise MissingError(f"this is no version; name one such as 1.2.3, or {LATEST}") from error


def newest(releases: "Iterable[Release]") -> Version | None:
    """What `latest` is: as with pip, a pre-release only where there is nothing else, and nothing that was yanked."""
    versions = [Version(release.version) for release in releases if not release.yanked]
    return max(versions, key=lambda version: (not version.is_prerelease, version), default=None)


def _chosen(releases: "Mapping[Version, Release]", spec: str) -> Release:
    if not releases:
        raise MissingError("the registry lists no wheel and no sdist of this project")
    version = newest(releases.values()) if spec == LATEST else parsed(spec)
    if version is None:
        raise MissingError("every release has been yanked; name a version")
    if version not in releases:
        near = ", ".join(map(str, _nearest(version, sorted(releases))))
        raise MissingError(f"the registry has no such release; the nearest are {near}")
    return releases[version]


def _releases(client: Client, address: str | None, project: str) -> dict[Version, Release]:
    found: dict[Version, list[DistributionPackage]] = {}
    for package in _packages(client, address, project):
        if package.package_type == "wheel" or package.filename.endswith((".tar.gz", ".zip")):
            try:
                f"{package.filename} {package.url}".encode()
                found.setdefault(Version(package.version or ""), []).append(package)
            except ValueError:  # half of a character; no version, or one with a number of thousands of digits
                continue
    return {version: _release(version, packages) for version, packages in found.items()}


def _release(version: Version, packages: "list[DistributionPackage]") -> Release:
    """Any platform's wheel has the same sources, so the smallest serves."""
    best = min(
        packages,
        key=lambda package: (
            package.is_yanked,
            package.package_type != "wheel",
            package.size is None,
            package.size or 0,
            package.filename,
        ),
    )
    return _of_file(version, best)


def _of_file(version: Version, package: "DistributionPackage") -> Release:
    day = f"{package.upload_time:%Y-%m-%d}" if package.upload_time else ""
    return Release(str(version), package.filename, package.url, package.size, package.digests, package.is_yanked, day)


def _packages(client: Client, address: str | None, project: str) -> "list[DistributionPackage]":
    from pypi_simple import (
        ACCEPT_JSON_PREFERRED,
        PYPI_SIMPLE_ENDPOINT,
        ProjectPage,
        UnexpectedRepoVersionWarning,
        UnsupportedRepoVersionError,
    )

    url = f"{(address or PYPI_SIMPLE_ENDPOINT).rstrip('/')}/{project}/"
    try:
        answer = client.page(url, ACCEPT_JSON_PREFERRED)
    except MissingError as error:
        raise MissingError("the registry has no such project") from error
    if max(map(answer.content.count, (b"<", b"{"))) > PAGE_TAGS.value:
        raise FetchError(f"the registry's page has {PAGE_TAGS.exceeded()}")
    if "json" not in answer.headers.get("Content-Type", ""):
        answer._content = _tags_alone(answer.content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnexpectedRepoVersionWarning)
            return ProjectPage.from_response(answer, project).packages
    except (*_MALFORMED, UnsupportedRepoVersionError) as error:
        raise FetchError(f"the registry's page of the project cannot be read ({type(error).__name__})") from error


_TAG = re.compile(rb"""<(?:a|base|meta)\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*+>[^<]*""", re.IGNORECASE)


def _tags_alone(page: bytes) -> bytes:
    """The links of a page, and what says how to read them, without all else: HTML's parser takes the square of the
    length of a page that is made for it.
    """
    return b"".join(b"%b</a>\n" % found[0] if found[0][1:2] in b"aA" else found[0] for found in _TAG.finditer(page))


def _nearest(version: Version, versions: list[Version]) -> list[Version]:
    """Two below and one above, or what there is of them."""
    at = bisect(versions, version)
    return versions[max(0, at - 2) : at + 1]
