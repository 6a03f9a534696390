"""An audit as the command line asks for it: which claims, with bars on stderr, and what is said there of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from auditor import __version__
from auditor.cli import options as shared
from auditor.cli import packs, progress_bars, streams
from auditor.errors import ConfigError, SourceError
from auditor.model import Kind, Log, Notification
from auditor.sources import NotThereError

if TYPE_CHECKING:
    from collections.abc import Callable

    from auditor.claims import Entry, Pack
    from auditor.engine.opening import Spec
    from auditor.engine.targets import Setting
    from auditor.model import Run, Snapshot, Target

Chosen = dict[str, list["Entry"]]
"""The claims to audit, by target."""
Pair = tuple["Spec", "Spec"]


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
    """The log of what each target is read at. Raises ConfigError when no claim is left, SourceError when no target can
    be read; one that cannot while others can is named in the log, and said."""
    from auditor.engine.targets import audit_targets

    found, setting = _opened(pack, specs, chosen, options)
    with progress_bars.watched(quiet=options["quiet"]) as progress:
        runs = audit_targets(_snapshots(found), setting, progress)
    failed = {spec: one for spec, one in found.items() if isinstance(one, SourceError)}
    return _log(pack, chosen, {**failed, **runs}, options, found)


def audited_since(pack: "Pack", pairs: Sequence[Pair], chosen: Chosen, options: dict[str, Any]) -> Log:
    """The log of the newer of each pair, compared with the older. Raises as `audited` does."""
    from auditor.engine.targets import audit_pairs

    found, setting = _opened(pack, [spec for pair in pairs for spec in pair], chosen, options)
    snapshots = _snapshots(found)
    whole = [pair for pair in pairs if all(spec in snapshots for spec in pair)]
    with progress_bars.watched(quiet=options["quiet"]) as progress:
        runs = audit_pairs(whole, snapshots, setting, progress)
    compared = {new: runs[new] for _, new in whole}
    failed = {spec: one for spec, one in found.items() if isinstance(one, SourceError)}
    return _log(pack, chosen, {**failed, **compared}, options, found)


def both(
    pack: "Pack", pairs: Sequence[Pair], chosen: Chosen, options: dict[str, Any]
) -> "list[tuple[Target, Snapshot, Snapshot, Callable[[str], Snapshot]]]":
    """The snapshots of each pair, and what opens other releases. Raises ConfigError, SourceError."""
    from auditor.engine.opening import releases

    found, setting = _opened(pack, [spec for pair in pairs for spec in pair], chosen, options)
    for one in found.values():
        if isinstance(one, SourceError):
            raise one
    snapshots = _snapshots(found)
    _say_costs(snapshots, options)
    return [
        (new.target, snapshots[old], snapshots[new], releases(new.target, setting.access))
        for old, new in pairs
        if old in snapshots and new in snapshots
    ]


def _opened(
    pack: "Pack", specs: "Sequence[Spec]", chosen: Chosen, options: dict[str, Any]
) -> "tuple[Mapping[Spec, Snapshot | SourceError], Setting]":
    """The targets of which claims are chosen, what they will most likely need fetched; or why there is none."""
    from auditor.engine import files
    from auditor.engine.opening import opened
    from auditor.engine.targets import Setting

    wanted = list(dict.fromkeys(spec for spec in specs if chosen.get(spec.target.name)))
    if not wanted:
        raise ConfigError("nothing to audit: no claim is selected; see `kvaudit claim list`")
    with progress_bars.watched(quiet=options["quiet"], is_bytes=True) as progress:
        access = replace(shared.access(options), progress=progress)
        named = {name: files(entries) for name, entries in chosen.items()}
        found = opened(wanted, named, access, options["jobs"])
    is_parallel = options["jobs"] != 1 and not options["verbose"]
    return found, Setting(pack.folder, chosen, access, shared.store(options), is_parallel)


def _snapshots(found: "Mapping[Spec, Snapshot | SourceError]") -> "dict[Spec, Snapshot]":
    """Those that were opened. Raises the first error where there is none, but for claims about no code."""
    snapshots = {spec: one for spec, one in found.items() if not isinstance(one, SourceError)}
    if all(spec.source == "pack" for spec in snapshots):
        for one in found.values():
            if isinstance(one, SourceError):
                raise one
    return snapshots


def _log(
    pack: "Pack",
    chosen: Chosen,
    found: "Mapping[Spec, Run | SourceError]",
    options: dict[str, Any],
    opened: "Mapping[Spec, Snapshot | SourceError]",
) -> Log:
    """What is shown of some targets; of one that could not be read, the others say so. Raises SourceError for all."""
    runs = [one for one in found.values() if not isinstance(one, SourceError)]
    failed = {spec: one for spec, one in found.items() if isinstance(one, SourceError)}
    if not runs:
        raise next(iter(failed.values()))
    unread = []
    for spec, error in failed.items():
        streams.say(f"kvaudit: {error}")
        if spec.is_asked_for or not isinstance(error, NotThereError):
            unread.append(spec.target.name)
    for line, name in packs.without_claims(pack, () if options["select"] else chosen):
        streams.say(f"kvaudit: {line}")
        unread.append(name)
    for name in dict.fromkeys(unread):
        note = Notification(f"{name} could not be audited, so none of its claims was checked")
        runs = [replace(run, notifications=(*run.notifications, note)) for run in runs]
    _say_costs(_snapshots(opened), options)
    used = {entry.claim.rule for entries in chosen.values() for entry in entries}
    rules = tuple(rule for rule in pack.rules if rule.id in used)
    runs.sort(key=lambda run: run.target.name)
    return Log(pack.id, pack.title, __version__, tuple(runs), rules, tuple(dict.fromkeys(unread)))


def _say_costs(snapshots: "Mapping[Spec, Snapshot]", options: dict[str, Any]) -> None:
    for spec, snapshot in snapshots.items() if options["verbose"] else ():
        client = getattr(snapshot, "client", None)
        cost = f", {client.requests} requests, {client.received:,} bytes" if client else ""
        cost += "".join(f"; {remark}" for remark in getattr(client, "remarks", ()))
        named = f"{spec.target.name}: {snapshot.revision.name} from {snapshot.revision.source}"
        streams.say(f"kvaudit: {named}{cost}")


def is_bug(runs: "Iterable[Run]") -> bool:
    """Whether kvaudit failed at a claim, which is said."""
    bugs = [notification for run in runs for notification in run.notifications if notification.is_bug]
    if bugs:
        streams.say(f"kvaudit: {bugs[0].claim}: {bugs[0].message}; this is a bug in kvaudit, please report it")
    return bool(bugs)


def refuse_unchecked(runs: "Iterable[Run]") -> None:
    """Raises ConfigError where no claim could be decided: of a comparison, at the older revision.

    That nothing can be decided any more, as it could there, is an answer.
    """
    unchecked = []
    for run in runs:
        revision = run.baseline or run.revision
        if run.baseline:
            kinds = [(result.earlier or result.outcome).kind for result in run.results if result.baseline]
        else:
            kinds = [result.kind for result in run.results if not result.is_suppressed]
        if revision.source != "pack" and kinds and all(kind is Kind.OPEN for kind in kinds):
            unchecked.append(f"{run.target.name} {revision.name}")
    if unchecked:
        names = ", ".join(unchecked)
        raise ConfigError(f"nothing was checked: no claim could be decided on {names}; the report says why")


def named(claims: Sequence[str], what: str) -> str:
    """How many claims are what, and the first of them."""
    more = f" and {len(claims) - 5} more" if len(claims) > 5 else ""
    return f"{len(claims)} claim{'' if len(claims) == 1 else 's'} {what}: {', '.join(claims[:5])}{more}"
