"""Many revisions of a target, as commands are told them, audited one after another."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.cli import options as shared
from auditor.cli import progress_bars, revisions, streams
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.claims import Entry, Pack
    from auditor.engine.revisions import Audited
    from auditor.model import Log, Run, Target
    from auditor.sources import Access

LEDGER = Path("reports")


def options(command: Callable[..., object]) -> Callable[..., object]:
    """The options of every command about many revisions."""
    folder = click.Path(file_okay=False, path_type=Path)
    for option in (
        click.option("-v", "--verbose", is_flag=True, help="Say what was read, and what it cost."),
        click.option("-q", "--quiet", is_flag=True, help="Write nothing to stderr but errors."),
        shared.cache_dir,
        click.option("--offline", is_flag=True, help="Use only what is in the cache, or a clone."),
        revisions.repo,
        click.option("--ledger", type=folder, default=LEDGER, show_default=True, help="The ledger's folder."),
        click.argument("pack", required=False),
    ):
        command = option(command)
    return command


def targets(pack: "Pack", names: Sequence[str]) -> "list[Target]":
    """The targets that are meant, of those that have revisions. Raises ConfigError."""
    known = {target.name: target for target in pack.targets if target.project or target.repository}
    for name in names:
        if name not in known:
            raise ConfigError(f"--target {name}: there is no such target; there are {', '.join(known)}")
    return [known[name] for name in known if name in names or not names]


def released(targets: "Iterable[Target]") -> "list[Target]":
    """Those that are in a package registry."""
    return [target for target in targets if target.project]


def committed(targets: "Iterable[Target]") -> "list[Target]":
    """Those that are in a repository."""
    return [target for target in targets if target.repository]


def log(pack: "Pack", runs: "Iterable[Run]") -> "Log":
    """What is shown of some runs."""
    from auditor import __version__
    from auditor.model import Log

    return Log(pack.id, pack.title, __version__, tuple(runs))


def versions(target: "Target", given: str, access: "Access", option: str) -> Sequence[str]:
    """The releases that `A..B`, `A..`, a list such as `1.0,1.1` or a name such as `latest` means, oldest first.

    Raises ConfigError, SourceError.
    """
    from auditor.sources.pypi import Pypi

    if ".." not in given:
        return [Pypi.resolved_spec(target, version.strip()) for version in given.split(",")]
    oldest, newest = (Pypi.resolved_spec(target, end.strip()) for end in given.split("..", 1))
    newest = "" if newest == "latest" else newest
    found = Pypi().versions(target, oldest, newest, access)
    if not found:
        raise ConfigError(f"{option} {given}: {target.project} has no release between these")
    return found


def audited(
    target: "Target",
    entries: "Sequence[Entry]",
    releases: Iterable[str],
    commits: Iterable[str],
    options: "Mapping[str, Any]",
) -> "list[Audited]":
    """The audits of releases, oldest first, and then of commits, oldest first. Raises SourceError."""
    from auditor.engine.revisions import audit_revisions
    from auditor.sources.git import Git

    started = time.monotonic()
    place = revisions.place_of(target.name, options["repo"])
    commits = [Git.resolved_spec(target, commit) for commit in commits]
    with progress_bars.watched(quiet=options.get("quiet", False)) as told:
        found, cost = audit_revisions(target, entries, releases, commits, shared.access(dict(options)), place, told)
    if options["verbose"]:
        streams.say(
            f"kvaudit: {target.name}: {len(found)} revisions, {cost.files:,} different files read, "
            f"{cost.decided:,} of {len(found) * len(entries):,} results made anew, {cost.requests} requests, "
            f"{cost.received:,} bytes, {time.monotonic() - started:.1f} s"
        )
    return found
