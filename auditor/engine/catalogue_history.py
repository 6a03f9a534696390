"""In which releases each metric and option exists: a file of the ledger for each target, facts only."""

from pathlib import Path
from typing import Any

import msgspec

from auditor import files
from auditor.catalogue.comparing import recorded
from auditor.catalogues import Catalogue, History, Recorded
from auditor.errors import ConfigError

SCHEMA = "kvaudit-catalogue/1"


class _Entry(msgspec.Struct, omit_defaults=True):
    revisions: list[str]
    type: str = ""
    labels: list[str] = []
    named: list[str] = []
    digest: str = ""
    defaults: dict[str, str] = {}
    """Revision -> default, where it is another than before."""


class _File(msgspec.Struct):
    schema: str
    target: str
    revisions: list[str]
    metrics: dict[str, _Entry]
    options: dict[str, _Entry]


def path_of(ledger: Path, pack: str, target: str) -> Path:
    """Where a target's history is in a ledger."""
    return ledger / pack / f"{target}.catalogue.json"


def history(ledger: Path, pack: str, target: str) -> History | None:
    """The recorded history of a target; None where there is none. Raises ConfigError."""
    found = _read(path_of(ledger, pack, target))
    if found is None:
        return None
    return History(
        target,
        tuple(found.revisions),
        {name: _recorded(name, entry, found.revisions) for name, entry in found.metrics.items()},
        {name: _recorded(name, entry, found.revisions) for name, entry in found.options.items()},
    )


def _read(path: Path) -> _File | None:
    try:
        found = msgspec.json.decode(files.read(path), type=_File)
        for entry in (*found.metrics.values(), *found.options.values()):
            entry.revisions = _expanded(entry.revisions, found.revisions)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise ConfigError(f"{path} is no recorded catalogue: {error}; record it again") from None
    return found


def _recorded(name: str, entry: _Entry, revisions: list[str]) -> Recorded:
    spans = _spans(entry.revisions, revisions)
    defaults = tuple((value, since) for since, value in entry.defaults.items())
    return Recorded(name, tuple(spans), entry.type, tuple(entry.labels), tuple(entry.named), entry.digest, defaults)


def _spans(own: list[str], revisions: list[str]) -> list[tuple[str, str]]:
    """Stretches of recorded revisions in a row, as the first and the last of each."""
    spans: list[tuple[str, str]] = []
    before = False
    for one in revisions:
        if one in own:
            spans = [*spans[:-1], (spans[-1][0], one)] if before else [*spans, (one, one)]
        before = one in own
    return spans


def _expanded(stretches: list[str], revisions: list[str]) -> list[str]:
    found: list[str] = []
    for one in stretches:
        first, _, last = one.partition("..")
        if first not in revisions or (last or first) not in revisions:
            raise msgspec.ValidationError(f"{one} are no recorded revisions")
        found += revisions[revisions.index(first) : revisions.index(last or first) + 1]
    return found


def record(ledger: Path, pack: str, catalogue: Catalogue) -> Path:
    """Add what a release offers to the history of its target; a release that is there is written anew."""
    from packaging.version import Version

    path = path_of(ledger, pack, catalogue.target)
    found = _read(path) or _File(SCHEMA, catalogue.target, [], {}, {})
    name = catalogue.revision.name
    revisions = sorted({*found.revisions, name}, key=Version)
    latest = revisions[-1] == name
    for entries in (found.metrics, found.options):
        for entry in entries.values():
            entry.revisions = [one for one in entry.revisions if one != name]
    for metric in catalogue.metrics:
        entry = found.metrics.setdefault(metric.family, _Entry([]))
        _enter(entry, name, revisions)
        if latest or not entry.type or entry.revisions[-1] == name:
            kept = recorded(metric, name)
            entry.type, entry.labels = kept.type, list(kept.labels)
            entry.named, entry.digest = list(kept.named), kept.digest
    for option in catalogue.options:
        for spelling in option.flags or (option.field,):
            entry = found.options.setdefault(spelling, _Entry([]))
            _enter(entry, name, revisions)
            default = "(required)" if option.is_required else repr(option.default)[:200]
            known = {**entry.defaults, name: default}
            entry.defaults = _changes({one: known[one] for one in revisions if one in known}, entry.revisions)
    for entries in (found.metrics, found.options):
        for gone in [one for one, entry in entries.items() if not entry.revisions]:
            del entries[gone]
    found.revisions = revisions
    found.metrics, found.options = dict(sorted(found.metrics.items())), dict(sorted(found.options.items()))
    path.parent.mkdir(parents=True, exist_ok=True)
    files.replace(path, _encoded(found))
    return path


def _encoded(found: _File) -> bytes:
    """One line for each name; the releases of each as stretches."""
    lines = [f'{{"schema": "{SCHEMA}", "target": {_json(found.target)}, "revisions": {_json(found.revisions)}']
    for kind, entries in (("metrics", found.metrics), ("options", found.options)):
        rows = []
        for name, entry in entries.items():
            stretches = ["..".join(dict.fromkeys(span)) for span in _spans(entry.revisions, found.revisions)]
            whole = msgspec.to_builtins(entry) | {"revisions": stretches}
            rows.append(f"{_json(name)}: {_json(whole)}")
        lines.append(f'"{kind}": {{\n' + ",\n".join(rows) + "}")
    return (",\n".join(lines) + "}\n").encode()


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _enter(entry: _Entry, name: str, revisions: list[str]) -> None:
    entry.revisions = [one for one in revisions if one in {*entry.revisions, name}]


def _changes(known: dict[str, str], there: list[str]) -> dict[str, str]:
    """Each default with the first revision that has it."""
    found: dict[str, str] = {}
    last: str | None = None
    for one in there:
        value = known.get(one, last)
        if value is not None and value != last:
            found[one] = value
        last = value
    return found


def history_of(history: History, name: str) -> dict[str, Any] | None:
    """What is recorded of a name: of a metric with or without its suffix, of an option with or without dashes."""
    spellings = (name, *(name.removesuffix(one) for one in ("_total", "_bucket", "_sum", "_count")), f"--{name}")
    for kind, entries in (("metric", history.metrics), ("option", history.options)):
        for one in dict.fromkeys((*spellings, f"--{name.replace('_', '-')}")):
            if one in entries:
                entry = entries[one]
                return {
                    "target": history.target,
                    "kind": kind,
                    "name": one,
                    "releases": [list(span) for span in entry.spans],
                    "isPresent": entry.last == history.revisions[-1],
                    "defaults": [{"value": value, "since": since} for value, since in entry.defaults],
                }
    return None
