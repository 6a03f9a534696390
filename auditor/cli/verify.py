"""Audit the claims of a pack against its targets."""

import gc
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor import __version__
from auditor.cli import _output, _packs, _specs
from auditor.config import Configured
from auditor.errors import ConfigError
from auditor.model import Kind, Log, Notification
from auditor.sources import Access, Progress, silent, sources
from auditor.sources.installed import NotInstalledError

if TYPE_CHECKING:
    from collections.abc import Callable

    from auditor.claims import Entry, Pack
    from auditor.cli._specs import Spec
    from auditor.model import Result, Run, Snapshot, Target


@click.command(cls=Configured)
@click.argument("pack", required=False)
@click.option(
    "--commit", multiple=True, metavar="[TARGET=]REF", help="A commit, tag, branch or HEAD.  [default: pinned]"
)
@click.option("--repo", multiple=True, metavar="TARGET=PLACE", help="Read git from this URL, clone or mirror.")
@click.option("--release", multiple=True, metavar="[TARGET=]VERSION", help="A release: a version, latest or near-pin.")
@click.option(
    "--installed",
    multiple=True,
    is_flag=False,
    flag_value="",
    metavar="[[TARGET=]PYTHON]",
    help="What is installed here, or in the environment of another interpreter.",
)
@click.option("--path", multiple=True, metavar="TARGET=DIR", help="A checkout, or an unpacked wheel or sdist.")
@click.option("--target", multiple=True, metavar="NAME", help="Only these targets.")
@click.option("--select", multiple=True, metavar="ID_OR_RULE", help="Only claims whose id or rule begins so.")
@click.option("--ignore", multiple=True, metavar="ID_OR_RULE", help="All but claims whose id or rule begins so.")
@_output.report_options
@click.option("--strict", is_flag=True, help="Fail on review, open and displaced citations too.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 though claims are not as recorded.")
@click.option("--offline", is_flag=True, help="Use only what is in the cache.")
@click.option("--no-cache", is_flag=True, help="Neither use nor keep anything in the cache.")
@click.option("--cache-dir", type=click.Path(file_okay=False), help="The cache's folder.")
@click.option("-j", "--jobs", type=click.IntRange(1, 64), help="Targets fetched at a time.  [default: all]")
@click.option("-q", "--quiet", is_flag=True, help="Write nothing to stderr but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Say what was read, and what it cost.")
def command(pack: str | None, **options: Any) -> int:
    """Audit the claims of a pack against its targets.

    PACK is a folder with a pack.yaml, or the name of a pack that comes with kvaudit.
    """
    paired = _output.pairs(options["format"], options["output"])
    loaded = _packs.load(pack)
    chosen = _chosen(loaded, options)
    targets = [target for target in loaded.targets if target.name in chosen]
    opened = list(_specs.specs(loaded.id, targets, _given(options), options["repo"]))
    if not any(chosen[spec.target.name] for spec in opened):
        raise ConfigError("nothing to audit: no claim is selected; see `kvaudit claim list`")
    log = _audit(loaded, opened, chosen, options)
    _output.write(log, paired, options["color"])
    return _status(log, options)


def _given(options: dict[str, Any]) -> dict[str, Sequence[str]]:
    names = {"git": "commit", "pypi": "release", "installed": "installed", "directory": "path"}
    for value in options["path"]:
        if "=" not in value:
            raise ConfigError(f"--path {value}: say whose code it is: --path TARGET={value}")
    return {source: options[name] for source, name in names.items()}


def _chosen(pack: "Pack", options: dict[str, Any]) -> "dict[str, list[Entry]]":
    """The claims to audit, by target. Raises ConfigError for a name or prefix that nothing has."""
    names = [target.name for target in pack.targets]
    for name in options["target"]:
        if name not in names:
            raise ConfigError(f"--target {name}: there is no such target; there are {', '.join(names)}")
    everything = [entry for name in names for entry in pack.entries.get(name, ())]
    for option in ("select", "ignore"):
        for prefix in options[option]:
            if not any(_is_named(entry, prefix) for entry in everything):
                raise ConfigError(f"--{option} {prefix}: no claim's id or rule begins so; see `kvaudit claim list`")
    return {
        name: [entry for entry in pack.entries.get(name, ()) if _is_chosen(entry, options)]
        for name in options["target"] or names
    }


def _is_chosen(entry: "Entry", options: dict[str, Any]) -> bool:
    is_selected = not options["select"] or any(_is_named(entry, prefix) for prefix in options["select"])
    return is_selected and not any(_is_named(entry, prefix) for prefix in options["ignore"])


def _is_named(entry: "Entry", prefix: str) -> bool:
    rules = (entry.claim.rule, *(check.id for check in entry.checks))
    return entry.claim.id.startswith(prefix) or any(rule.startswith(prefix) for rule in rules)


def _audit(pack: "Pack", opened: "Sequence[Spec]", chosen: "dict[str, list[Entry]]", options: dict[str, Any]) -> Log:
    from auditor.cache import Store
    from auditor.engine import audit, files

    def opened_snapshot(spec: "Spec") -> "Snapshot | NotInstalledError":
        try:
            snapshot = sources()[spec.source]().open(spec.reached, spec.spec, access)
        except NotInstalledError as error:
            return error
        snapshot.prefetch(files(chosen[spec.target.name]))
        return snapshot

    gc.disable()  # syntax trees are many small objects without cycles; looking for cycles costs 40 % of an audit
    wanted = [spec for spec in opened if chosen[spec.target.name]]
    with _progress(quiet=options["quiet"]) as progress:
        access = Access(_cache(options), options["offline"], progress)
        with ThreadPoolExecutor(options["jobs"] or max(1, len(wanted))) as pool:  # fetching is waiting
            found = dict(zip(wanted, pool.map(opened_snapshot, wanted), strict=True))
    blobs = Store(access.cache) if access.cache else None
    snapshots = _there(found)
    runs = [
        _noted(audit(spec.target, chosen[spec.target.name], snapshot, blobs, _releases(spec.target, access)), snapshot)
        for spec, snapshot in snapshots.items()
    ]
    if options["verbose"]:
        for spec, snapshot in snapshots.items():
            _say_cost(snapshot, spec.target.name)
    return Log(pack.id, pack.title, __version__, tuple(sorted(runs, key=lambda run: run.target.name)))


def _releases(target: "Target", access: Access) -> "Callable[[str], Snapshot]":
    """Opens other releases of a target, for claims about its history."""
    return lambda version: sources()["pypi"]().open(target, version, replace(access, progress=silent))


def _there(found: "dict[Spec, Snapshot | NotInstalledError]") -> "dict[Spec, Snapshot]":
    """What an environment has of the targets. Raises NotInstalledError for a target that was named, or for the last."""
    snapshots = {spec: one for spec, one in found.items() if not isinstance(one, NotInstalledError)}
    missing = {spec: one for spec, one in found.items() if isinstance(one, NotInstalledError)}
    for spec, error in missing.items():
        if spec.is_asked_for or all(spec.source == "pack" for spec in snapshots):
            raise error
        click.echo(f"kvaudit: {error}", err=True)
    return snapshots


def _noted(run: "Run", snapshot: "Snapshot") -> "Run":
    """The run, with what its source has to say of the revision."""
    notes = tuple(Notification(note) for note in getattr(snapshot, "notes", ()))
    return replace(run, notifications=(*run.notifications, *notes))


def _say_cost(snapshot: "Snapshot", name: str) -> None:
    client = getattr(snapshot, "client", None)
    cost = f", {client.requests} requests, {client.received:,} bytes" if client else ""
    cost += "".join(f"; {remark}" for remark in getattr(client, "remarks", ()))
    click.echo(f"kvaudit: {name}: {snapshot.revision.name} from {snapshot.revision.source}{cost}", err=True)


def _cache(options: dict[str, Any]) -> Path | None:
    if options["no_cache"]:
        return None
    if options["cache_dir"]:
        return Path(options["cache_dir"])
    from platformdirs import user_cache_path

    return user_cache_path("kvaudit")


def _progress(*, quiet: bool) -> "AbstractContextManager[Progress]":
    """Bars on stderr while something is fetched; nothing where no person looks."""
    if quiet or os.environ.get("CI") or not sys.stderr.isatty():
        return nullcontext(silent)
    from auditor.cli._progress import bars

    return bars()


def _status(log: Log, options: dict[str, Any]) -> int:
    """The exit status, and the line that says why it is not 0. Raises ConfigError when nothing was checked."""
    results = [result for run in log.runs for result in run.results]
    bugs = [notification for run in log.runs for notification in run.notifications if notification.is_bug]
    if bugs:
        click.echo(f"kvaudit: {bugs[0].claim}: {bugs[0].message}; this is a bug in kvaudit, please report it", err=True)
        return 3
    read = (run for run in log.runs if run.revision.source != "pack")
    unread = [run for run in read if all(result.kind is Kind.OPEN for result in run.results)]
    if unread:
        names = ", ".join(f"{run.target.name} {run.revision.name}" for run in unread)
        raise ConfigError(f"nothing was checked: no claim could be decided on {names}; the report says why")
    wrong = [result for result in results if not result.is_as_recorded(strict=options["strict"])]
    if not wrong:
        return 0
    if not options["quiet"]:
        named = ", ".join(f"{result.claim.id} ({_why(result)})" for result in wrong[:5])
        more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        is_one = len(wrong) == 1
        click.echo(f"kvaudit: {len(wrong)} claim{'' if is_one else 's'} not as recorded: {named}{more}", err=True)
    return 0 if options["exit_zero"] else 1


def _why(result: "Result") -> str:
    if result.claim.accepted and not result.is_suppressed:
        return f"accepted as {result.claim.accepted.kind}, but it is {result.kind}"
    return "a citation is lost" if result.lost and result.kind is not Kind.FAIL else result.kind
