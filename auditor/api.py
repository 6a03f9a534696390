"""What other programs may rely on: load a pack, audit a target at a revision, render the run. See docs/library.md."""

from dataclasses import dataclass
from pathlib import Path

from auditor import __version__
from auditor.claims import Pack, load
from auditor.engine import audit as _audit
from auditor.errors import AuditError, ConfigError
from auditor.formats import formats
from auditor.model import Kind, Log, Outcome, Result, Run, Target
from auditor.sources import Access, sources

__all__ = [
    "AuditError", "Kind", "Outcome", "Pack", "Result", "Revision", "Run", "audit", "commit", "directory", "installed",
    "load_pack", "release", "report",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Revision:
    """What is read: `source` is a source's id, `spec` what it opens."""

    source: str
    spec: str


def release(version: str) -> Revision:
    """A release in the package registry: `0.31.0`, or `latest`."""
    return Revision("pypi", version)


def commit(name: str) -> Revision:
    """A commit, tag or branch of the target's repository."""
    return Revision("git", name)


def directory(path: str | Path) -> Revision:
    """A checkout, or an unpacked wheel or sdist."""
    return Revision("directory", str(path))


def installed(python: str | Path = "") -> Revision:
    """What is installed here, or in the environment of another interpreter; nothing of it is imported."""
    return Revision("installed", str(python))


def load_pack(folder: str | Path) -> Pack:
    """The pack in a folder. Raises AuditError with every problem, each at its file and line."""
    return load(Path(folder))


def audit(
    pack: Pack, target: str, revision: Revision, *, cache: str | Path | None = None, offline: bool = False
) -> Run:
    """Every claim about a target, at one revision of it: exactly one result each, sorted by claim id.

    `cache` is a folder that keeps what was fetched; None keeps nothing. Raises AuditError.
    """
    known: dict[str, Target] = {one.name: one for one in pack.targets}
    if target not in known:
        raise ConfigError(f"{pack.id} has no target {target}; there are {', '.join(known)}")
    if revision.source not in sources():
        raise ConfigError(f"there is no source {revision.source}; there are {', '.join(sources())}")
    access = Access(Path(cache) if cache else None, offline)
    snapshot = sources()[revision.source]().open(known[target], revision.spec, access)
    return _audit(known[target], pack.entries.get(target, ()), snapshot)


def report(run: Run, pack: Pack, format: str = "text") -> str:  # noqa: A002 # what it is called everywhere else
    """The run in a format: text, html, json, sarif, junit, markdown, github. Raises AuditError for another."""
    if format not in formats():
        raise ConfigError(f"there is no format {format}; there are {', '.join(formats())}")
    return formats()[format]().render(Log(pack.id, pack.title, __version__, (run,), pack.rules))
