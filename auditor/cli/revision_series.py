"""Many revisions of a target, as commands are told them, audited one after another."""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from packaging.version import Version

from auditor.cli import cache_options, history_options
from auditor.cli.source_options import NEAR_PIN
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from auditor.claims import Entry, Pack
    from auditor.model import Log, Run, Target
    from auditor.sources import Access
    from auditor.sources.git import Commit
    from auditor.sources.pypi import Published

_PARALLEL = 8  # revisions opened at a time, which is waiting
LEDGER = Path("reports")


@dataclass(frozen=True, slots=True)
class Audited:
    """One revision of several. `date` is when a commit was made, in UTC; None for a release."""

    run: "Run"
    date: str | None


def options(command: Callable[..., object]) -> Callable[..., object]:
    """The options of every command about many revisions."""
    folder = click.Path(file_okay=False, path_type=Path)
    for option in (
        click.option("-v", "--verbose", is_flag=True, help="Say what was read, and what it cost."),
        click.option("-q", "--quiet", is_flag=True, help="Write nothing to stderr but errors."),
        cache_options.cache_dir,
        click.option("--offline", is_flag=True, help="Use only what is in the cache, or a clone."),
        click.option("--repo", multiple=True, metavar="TARGET=PLACE", help="Read git from this URL, clone or mirror."),
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


def of_targets(targets: "Sequence[Target]", given: Sequence[str], option: str) -> dict[str, list[str]]:
    """What `SPEC` says of all of these targets and `TARGET=SPEC` of one, by their names. Raises ConfigError.

    Where every one names its target, the targets that none names are left out.
    """
    names = [target.name for target in targets]
    if given and not names:
        raise ConfigError(f"{option} {given[0]}: none of the targets can be read so")
    found: dict[str, list[str]] = {}
    for value in given:
        name, equals, spec = value.partition("=")
        if equals and name not in names:
            raise ConfigError(f"{option} {value}: there is no target {name}; there are {', '.join(sorted(names))}")
        for one in [name] if equals else names:
            found.setdefault(one, []).append(spec if equals else value)
    return found


def versions(target: "Target", given: str, access: "Access", option: str) -> Sequence[str]:
    """The releases that `A..B`, `A..`, a list such as `1.0,1.1` or a name such as `latest` means, oldest first.

    Raises ConfigError, SourceError.
    """
    from auditor.sources.pypi import Pypi

    if ".." not in given:
        return [_named(target, version.strip()) for version in given.split(",")]
    oldest, _, newest = given.partition("..")
    found = Pypi().versions(target, oldest, newest, access)
    if not found:
        raise ConfigError(f"{option} {given}: {target.project} has no release between these")
    return found


def _named(target: "Target", version: str) -> str:
    if version != NEAR_PIN:
        return version
    if target.near_pin is None:
        raise ConfigError(f"the pack names no release near the pin of {target.name}; name one")
    return target.near_pin


def audited(
    target: "Target",
    entries: "Sequence[Entry]",
    releases: Iterable[str],
    commits: Iterable[str],
    options: "Mapping[str, Any]",
) -> list[Audited]:
    """The audits of releases, oldest first, and then of commits, oldest first. Raises SourceError."""
    from auditor.cache import Store
    from auditor.engine.series import Series

    started = time.monotonic()
    access = cache_options.access(dict(options))
    of_registry, of_git = _opened(target, releases, commits, options["repo"], access)
    snapshots: list[Published | Commit] = [*of_registry, *of_git]
    series = Series(
        target,
        entries,
        Store(access.cache) if access.cache else None,
        cache_options.releases(target, access),
    )
    with history_options.without_cycles():
        runs = series.runs(snapshots)
    if options["verbose"]:
        clients = {id(one.client): one.client for one in snapshots if one.client}.values()
        asked, received = sum(one.requests for one in clients), sum(one.received for one in clients)
        click.echo(
            f"kvaudit: {target.name}: {len(runs)} revisions, {series.read:,} different files read, "
            f"{series.decided:,} of {len(runs) * len(entries):,} results made anew, {asked} requests, "
            f"{received:,} bytes, {time.monotonic() - started:.1f} s",
            err=True,
        )
    dates: list[str | None] = [*(None for _ in of_registry), *(one.date for one in of_git)]
    return [Audited(run, date) for run, date in zip(runs, dates, strict=True)]


def _opened(
    target: "Target", releases: Iterable[str], commits: Iterable[str], repositories: Sequence[str], access: "Access"
) -> "tuple[list[Published], list[Commit]]":
    from auditor.sources.git import Git
    from auditor.sources.pypi import Pypi

    places = dict(place.partition("=")[::2] for place in repositories)
    reached = replace(target, repository=places.get(target.name, target.repository))
    with ThreadPoolExecutor(_PARALLEL) as pool:
        published = list(pool.map(lambda version: Pypi().open(target, version, access), dict.fromkeys(releases)))
    committed = [Git().open(reached, ref, access) for ref in dict.fromkeys(commits)]
    by_version = {Version(one.revision.name): one for one in published}
    by_age = {(one.date, one.revision.commit or ""): one for one in committed}
    return [by_version[version] for version in sorted(by_version)], [by_age[age] for age in sorted(by_age)]


def check_places(repositories: Sequence[str], targets: "Sequence[Target]") -> None:
    """Raises ConfigError for a `--repo` that names no target."""
    names = [target.name for target in targets]
    for value in repositories:
        name, equals, place = value.partition("=")
        if not equals or not place or name not in names:
            raise ConfigError(f"--repo {value}: say of what target: TARGET=PLACE; there are {', '.join(sorted(names))}")
