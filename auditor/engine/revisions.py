"""Several revisions of one target, opened together and audited from the oldest to the newest."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from packaging.version import Version

from auditor.engine.collector import without_cycles
from auditor.engine.opening import releases as other_releases
from auditor.engine.series import Series
from auditor.sources import silent

if TYPE_CHECKING:
    from auditor.claims import Entry
    from auditor.model import Run, Target
    from auditor.sources import Access, Progress
    from auditor.sources.git import Commit
    from auditor.sources.pypi import Published

_PARALLEL = 8  # revisions opened at a time, which is waiting


@dataclass(frozen=True, slots=True)
class Audited:
    """One revision of several. `date` is when a commit was made, in UTC; None for a release."""

    run: "Run"
    date: str | None


@dataclass(frozen=True, slots=True)
class Cost:
    """What it took: files read (of the same path and bytes once), results made anew, requests and bytes received."""

    files: int
    decided: int
    requests: int
    received: int


def audit_revisions(
    target: "Target",
    entries: "Sequence[Entry]",
    releases: Iterable[str],
    commits: Iterable[str],
    access: "Access",
    repository: str | None = None,
    told: "Progress" = silent,
) -> tuple[list[Audited], Cost]:
    """The audits of releases, oldest first, and then of commits, oldest first. Raises SourceError."""
    from auditor.cache import Store

    published, committed = _opened(target, releases, commits, access, repository)
    snapshots: list[Published | Commit] = [*published, *committed]
    blobs = Store(access.cache) if access.cache else None
    series = Series(target, entries, blobs, other_releases(target, access))
    with without_cycles():
        runs = series.runs(snapshots, told)
    clients = {id(one.client): one.client for one in snapshots if one.client}
    cost = Cost(
        series.read,
        series.decided,
        sum(one.requests for one in clients.values()),
        sum(one.received for one in clients.values()),
    )
    dates: list[str | None] = [*(None for _ in published), *(one.date for one in committed)]
    return [Audited(run, date) for run, date in zip(runs, dates, strict=True)], cost


def _opened(
    target: "Target", releases: Iterable[str], commits: Iterable[str], access: "Access", repository: str | None
) -> "tuple[list[Published], list[Commit]]":
    from auditor.sources.git import Git
    from auditor.sources.pypi import Pypi

    reached = replace(target, repository=repository or target.repository)
    with ThreadPoolExecutor(_PARALLEL) as pool:
        published = list(pool.map(lambda version: Pypi().open(target, version, access), dict.fromkeys(releases)))
    committed = [Git().open(reached, ref, access) for ref in dict.fromkeys(commits)]
    by_version = {Version(one.revision.name): one for one in published}
    by_age = {(one.date, one.revision.commit or ""): one for one in committed}
    return [by_version[version] for version in sorted(by_version)], [by_age[age] for age in sorted(by_age)]
