"""An audit as the command line asks for it: which claims, which snapshots, what is kept and what is said of it."""

import gc
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from auditor import __version__
from auditor.cli import cache_options, progress_bars, second_process
from auditor.errors import ConfigError
from auditor.model import Kind, Log, Notification
from auditor.sources import Access, silent, sources
from auditor.sources.installed import NotInstalledError

if TYPE_CHECKING:
    from auditor.cache import Store
    from auditor.claims import Entry, Pack
    from auditor.cli.source_options import Spec
    from auditor.model import Run, Snapshot, Target
    from auditor.sources import Progress

Chosen = dict[str, list["Entry"]]
"""The claims to audit, by target."""


def reading(command: Callable[..., object]) -> Callable[..., object]:
    """The options that say where each target is read."""
    for option in (
        click.option("--path", multiple=True, metavar="TARGET=DIR", help="A checkout, or an unpacked wheel or sdist."),
        click.option(
            "--installed",
            multiple=True,
            is_flag=False,
            flag_value="",
            metavar="[[TARGET=]PYTHON]",
            help="What is installed here, or in the environment of another interpreter.",
        ),
        click.option(
            "--release", multiple=True, metavar="[TARGET=]VERSION", help="A release: a version, latest or near-pin."
        ),
        click.option("--repo", multiple=True, metavar="TARGET=PLACE", help="Read git from this URL, clone or mirror."),
        click.option(
            "--commit", multiple=True, metavar="[TARGET=]REF", help="A commit, tag, branch or HEAD.  [default: pinned]"
        ),
    ):
        command = option(command)
    return command


def narrowing(command: Callable[..., object]) -> Callable[..., object]:
    """The options that say which claims are meant."""
    for option in (
        click.option(
            "--ignore", multiple=True, metavar="ID_OR_RULE", help="All but claims whose id or rule begins so."
        ),
        click.option("--select", multiple=True, metavar="ID_OR_RULE", help="Only claims whose id or rule begins so."),
        click.option("--target", multiple=True, metavar="NAME", help="Only these targets."),
    ):
        command = option(command)
    return command


def reaching(command: Callable[..., object]) -> Callable[..., object]:
    """The options that say how the world is reached, and what is told of it."""
    number = click.IntRange(1, 64)
    for option in (
        click.option("-v", "--verbose", is_flag=True, help="Say what was read, and what it cost."),
        click.option("-q", "--quiet", is_flag=True, help="Write nothing to stderr but errors."),
        click.option("-j", "--jobs", type=number, help="Targets fetched at a time.  [default: all]"),
        cache_options.cache_dir,
        click.option("--no-cache", is_flag=True, help="Neither use nor keep anything in the cache."),
        click.option("--offline", is_flag=True, help="Use only what is in the cache."),
        click.option("--exit-zero", is_flag=True, help="Exit 0 though claims are not as recorded."),
    ):
        command = option(command)
    return command


def given(options: dict[str, Any]) -> dict[str, Sequence[str]]:
    """What the options of `reading` say, by source. Raises ConfigError."""
    names = {"git": "commit", "pypi": "release", "installed": "installed", "directory": "path"}
    for value in options["path"]:
        if "=" not in value:
            raise ConfigError(f"--path {value}: say whose code it is: --path TARGET={value}")
    return {source: options[name] for source, name in names.items()}


def chosen(pack: "Pack", options: dict[str, Any]) -> Chosen:
    """The claims that are meant. Raises ConfigError for a name or prefix that nothing has."""
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
    return any(name.startswith(prefix) for name in (entry.claim.id, entry.claim.rule, *entry.rules))


def audited(pack: "Pack", specs: "Sequence[Spec]", chosen: Chosen, options: dict[str, Any]) -> Log:
    """The log of what each target is read at. Raises ConfigError when no claim is left, SourceError."""
    from auditor.engine import audit

    snapshots, access = _opened(specs, chosen, options)
    blobs = store(options)
    runs = []

    def run(spec: "Spec", progress: "Progress") -> "Run":
        entries, releases = chosen[spec.target.name], cache_options.releases(spec.target, access)
        return _noted(audit(spec.target, entries, snapshots[spec], blobs, releases, progress), snapshots[spec])

    with ExitStack() as stack:
        # What one process keeps the other finds, so the second audit of a target is only a matter of reading.
        waits = {
            spec: stack.enter_context(second_process.started(partial(run, spec, silent)))
            for spec in _ahead(snapshots, chosen, blobs, options)
        }
        progress = stack.enter_context(progress_bars.watched(quiet=options["quiet"]))
        for spec in sorted(snapshots, key=lambda spec: spec in waits):
            if spec in waits:
                waits[spec]()
            runs.append(run(spec, progress))
    _say_costs(snapshots, options)
    return _log(pack, chosen, runs)


def _ahead(
    snapshots: "dict[Spec, Snapshot]", chosen: Chosen, blobs: "Store | None", options: dict[str, Any]
) -> "list[Spec]":
    """The targets to audit in a process of their own: all but the first of which hardly any results are kept."""
    from auditor.engine.memo import Memo

    if (
        blobs is None
        or options["jobs"] == 1
        or options["verbose"]
        or len(snapshots) < 2
        or not second_process.is_possible()
    ):
        return []
    long = []
    for spec, snapshot in snapshots.items():
        memo, entries = Memo(blobs, snapshot, spec.target), chosen[spec.target.name][:_SAMPLE]
        if sum(not memo.knows(entry) for entry in entries) > _SAMPLE // 2:
            long.append(spec)
    return long[1:]


_SAMPLE = 20
"""Claims that tell whether the results of a target are kept; fewer are not worth a process."""


def audited_since(pack: "Pack", pairs: "Sequence[tuple[Spec, Spec]]", chosen: Chosen, options: dict[str, Any]) -> Log:
    """The log of the newer of each pair, compared with the older. Raises ConfigError, SourceError."""
    from auditor.engine.since import audit_since

    snapshots, access = _opened([spec for pair in pairs for spec in pair], chosen, options)
    blobs = store(options)
    runs = []
    with progress_bars.watched(quiet=options["quiet"]) as progress:
        for old, new in pairs:
            if old in snapshots and new in snapshots:
                entries, releases = chosen[new.target.name], cache_options.releases(new.target, access)
                both = snapshots[old], snapshots[new]
                runs.append(_noted(audit_since(new.target, entries, *both, blobs, releases, progress), both[1]))
    _say_costs(snapshots, options)
    return _log(pack, chosen, runs)


def both(
    pairs: "Sequence[tuple[Spec, Spec]]", chosen: Chosen, options: dict[str, Any]
) -> "list[tuple[Target, Snapshot, Snapshot, Callable[[str], Snapshot]]]":
    """The snapshots of each pair, and what opens other releases. Raises ConfigError, SourceError."""
    snapshots, access = _opened([spec for pair in pairs for spec in pair], chosen, options)
    there = [pair for pair in pairs if all(spec in snapshots for spec in pair)]
    found = [
        (new.target, snapshots[old], snapshots[new], cache_options.releases(new.target, access)) for old, new in there
    ]
    _say_costs(snapshots, options)
    return found


def _log(pack: "Pack", chosen: Chosen, runs: "Iterable[Run]") -> Log:
    used = {entry.claim.rule for entries in chosen.values() for entry in entries}
    rules = tuple(rule for rule in pack.rules if rule.id in used)
    return Log(pack.id, pack.title, __version__, tuple(sorted(runs, key=lambda run: run.target.name)), rules)


def _opened(specs: "Sequence[Spec]", chosen: Chosen, options: dict[str, Any]) -> "tuple[dict[Spec, Snapshot], Access]":
    """The snapshots of the targets of which claims are chosen, what they will most likely need fetched."""
    from auditor.engine import files

    def opened(spec: "Spec") -> "Snapshot | NotInstalledError":
        try:
            snapshot = sources()[spec.source]().open(spec.reached, spec.spec, access)
        except NotInstalledError as error:
            return error
        snapshot.prefetch(files(chosen[spec.target.name]))
        return snapshot

    wanted = list(dict.fromkeys(spec for spec in specs if chosen.get(spec.target.name)))
    if not wanted:
        raise ConfigError("nothing to audit: no claim is selected; see `kvaudit claim list`")
    gc.disable()  # syntax trees are many small objects without cycles; looking for cycles costs 40 % of an audit
    with progress_bars.watched(quiet=options["quiet"], is_bytes=True) as progress:
        access = replace(cache_options.access(options), progress=progress)
        with ThreadPoolExecutor(options["jobs"] or len(wanted)) as pool:  # fetching is waiting
            found = dict(zip(wanted, pool.map(opened, wanted), strict=True))
    return _there(found), access


def store(options: dict[str, Any]) -> "Store | None":
    """What is kept between runs; None where nothing is to be."""
    from auditor.cache import Store

    return None if options.get("no_cache") else Store(cache_options.folder(options["cache_dir"]))


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


def _say_costs(snapshots: "dict[Spec, Snapshot]", options: dict[str, Any]) -> None:
    for spec, snapshot in snapshots.items() if options["verbose"] else ():
        client = getattr(snapshot, "client", None)
        cost = f", {client.requests} requests, {client.received:,} bytes" if client else ""
        cost += "".join(f"; {remark}" for remark in getattr(client, "remarks", ()))
        named = f"{spec.target.name}: {snapshot.revision.name} from {snapshot.revision.source}"
        click.echo(f"kvaudit: {named}{cost}", err=True)


def is_bug(log: Log) -> bool:
    """Whether kvaudit failed at a claim, which is said. Raises ConfigError when nothing was checked."""
    bugs = [notification for run in log.runs for notification in run.notifications if notification.is_bug]
    if bugs:
        click.echo(f"kvaudit: {bugs[0].claim}: {bugs[0].message}; this is a bug in kvaudit, please report it", err=True)
        return True
    unread = []
    for run in log.runs:
        if run.revision.source != "pack" and all(result.kind is Kind.OPEN for result in run.results):
            unread.append(f"{run.target.name} {run.revision.name}")
        earlier = [(result.earlier or result.outcome).kind for result in run.results if result.baseline]
        if run.baseline and run.baseline.source != "pack" and all(kind is Kind.OPEN for kind in earlier):
            unread.append(f"{run.target.name} {run.baseline.name}")
    if unread:
        names = ", ".join(unread)
        raise ConfigError(f"nothing was checked: no claim could be decided on {names}; the report says why")
    return False


def named(claims: Sequence[str], what: str) -> str:
    """How many claims are what, and the first of them."""
    more = f" and {len(claims) - 5} more" if len(claims) > 5 else ""
    return f"{len(claims)} claim{'' if len(claims) == 1 else 's'} {what}: {', '.join(claims[:5])}{more}"
