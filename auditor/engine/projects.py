"""A project found by its name in the registry, or in a folder: what a pack must say of it."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from email.parser import Parser
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

from auditor import files
from auditor.errors import ConfigError, SourceError
from auditor.fetch.folder import listed
from auditor.fetch.layout import packages as default_packages
from auditor.fetch.layout import prefix_in, top_level
from auditor.model import Target
from auditor.sources import Access
from auditor.sources.git import Git
from auditor.sources.pypi import Listed, Pypi

_HOSTS = re.compile(r"https?://(?:www\.)?((?:github|gitlab|codeberg|bitbucket)\.(?:com|org)/[^/\s]+/[^/\s#?]+)")
_LABELS = ("repository", "source", "source code", "source-code", "github", "code", "homepage", "home", "home-page")
_ASIDE = re.compile(r"(tests?|testing|docs?|examples?|benchmarks?|scripts|tools|setup\.py|conftest\.py|noxfile\.py)")
_LAYOUTS = ("src/", "lib/", "python/", "")


@dataclass(frozen=True, slots=True)
class Project:
    """A target, and what about it could not be found out: for a person to see to."""

    target: Target
    unsure: tuple[str, ...] = ()


def find(name: str, access: Access, *, date: str | None = None, release: str | None = None) -> Project:
    """A project of the registry at one of its releases: the named one, the newest on a day, or the latest.

    Raises SourceError where the registry has no such project or release.
    """
    asked = Target(canonicalize_name(name), project=name)
    listed = Pypi().listed(asked, release, date, access)
    packages = own(top_level(listed.names))
    if not packages:
        raise SourceError(f"{name} {listed.version}: {listed.filename} holds no Python; kvaudit reads Python only")
    target = replace(asked, near_pin=listed.version, repository=_repository(listed.metadata))
    if packages != default_packages(target):
        target = replace(target, packages=packages)
    return _placed(target, listed, packages, access)


def find_in(folder: Path) -> Project:
    """The project whose checkout, or unpacked sdist, a folder is. Raises ConfigError for one without Python."""
    about = _about(folder)
    name = str(about.get("name") or folder.resolve().name)
    target = Target(canonicalize_name(name) or "code", repository=_first_url(about.get("urls") or {}))
    names = list(listed(folder).files)
    for prefix in _LAYOUTS:
        packages = own(top_level(one.removeprefix(prefix) for one in names if one.startswith(prefix)))
        if packages:
            break
    else:
        raise ConfigError(f"{folder}: there is no Python in it")
    target = replace(target, prefix=prefix, project=str(about["name"]) if "name" in about else None)
    if target.project is None or packages != (target.project.replace("-", "_"),):
        target = replace(target, packages=packages)
    if not (folder / ".git").exists():
        return Project(target)
    commit = Git().open(replace(target, repository=str(folder)), "HEAD", Access(None))
    return Project(replace(target, commit=commit.revision.commit, date=commit.date[:10]))


def own(packages: Iterable[str]) -> tuple[str, ...]:
    """The packages without those of tests and documentation, unless there is nothing else."""
    found = tuple(packages)
    return tuple(one for one in found if not _ASIDE.fullmatch(one.split("/")[0])) or found


def tag_pattern(version: str, names: Iterable[str]) -> str | None:
    """How a repository's tags name releases, as one names this one: `v{version}`; None where none does."""
    ends = [name for name in names if re.search(rf"(?<![\d.]){re.escape(version)}$", name)]
    shortest = min(ends, key=lambda name: (len(name), name), default=None)
    return None if shortest is None else shortest[: -len(version)] + "{version}"


def _placed(target: Target, listed: Listed, packages: tuple[str, ...], access: Access) -> Project:
    """The target with where its packages are in its repository: as git says, or else the release's sdist."""
    unsure = []
    if target.repository is None:
        unsure.append("the registry names no repository; write it as `repository`, so that pages can link to lines")
    elif not access.offline:
        target = replace(target, tag="")
        try:
            return Project(_in_git(target, packages, access))
        except (SourceError, LookupError) as error:
            reason = re.split(r"; |: Could", str(error))[0].removeprefix(f"{target.name} its tags: ")
            unsure.append(f"no commit is pinned, so releases alone are audited until you write `commit`: {reason}")
    prefix = prefix_in(listed.sdist, packages)
    if prefix is None:
        unsure.append("it has no sdist to show the repository's layout; `prefix` is what stands before its packages")
    return Project(replace(target, prefix=prefix or ""), tuple(unsure))


def _in_git(target: Target, packages: tuple[str, ...], access: Access) -> Target:
    version = target.near_pin or ""
    pattern = tag_pattern(version, Git().names(target, access))
    if pattern is None:
        raise LookupError(f"no tag of {target.repository} names {version}")
    # Where the packages are is what is asked, so the target must not say it yet.
    names, commit, date = Git().listing(target, pattern.format(version=version), access)
    prefix = prefix_in(names, packages)
    if prefix is None:
        where = f"{target.repository} at {pattern.format(version=version)}"
        raise LookupError(f"{where} holds none of {', '.join(packages)}")
    return replace(target, commit=commit, date=date, prefix=prefix, tag=pattern)


def _repository(metadata: str) -> str | None:
    """The repository among the links of a distribution, those with a telling label first."""
    message = Parser().parsestr(metadata, headersonly=True)
    pairs = [str(line).partition(",")[::2] for line in message.get_all("Project-URL", [])]
    return _first_url({**dict(pairs), "home-page": str(message.get("Home-page", ""))})


def _first_url(urls: Mapping[str, str]) -> str | None:
    by_label = {str(label).strip().lower(): str(url).strip() for label, url in urls.items()}
    ordered = [by_label[label] for label in _LABELS if label in by_label] + list(by_label.values())
    for url in ordered:
        if found := _HOSTS.match(url):
            return "https://" + found[1].removesuffix(".git").rstrip("/")
    return None


def _about(folder: Path) -> dict[str, Any]:
    """What pyproject.toml says of its project; nothing where there is none, or none that can be read."""
    try:
        table = tomllib.loads(files.read(folder / "pyproject.toml").decode())
    except (OSError, ValueError, RecursionError):
        return {}
    project = table.get("project")
    return project if isinstance(project, dict) else {}
