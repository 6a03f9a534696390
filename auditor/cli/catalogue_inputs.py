"""The catalogues and files that `metrics`, `options` and `upgrade` are asked about."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from auditor.cli import options as shared
from auditor.cli import packs, progress_bars, revisions, streams
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.catalogues import Catalogue, Comparison, History
    from auditor.claims import Pack
    from auditor.engine.opening import Spec
    from auditor.model import Target
    from auditor.usages import ReadFile

Part = Literal["metrics", "options"]
_SUFFIXES = (".json", ".yaml", ".yml", ".tpl", ".md", ".markdown", ".rst", ".txt", ".adoc", ".html", ".sh", ".rules",
             ".bash", ".service", ".dockerfile", ".env", ".j2")  # fmt: skip
_NAMES = ("dockerfile", "containerfile")
"""How files without a suffix begin that may start an engine."""
_MOST_FILES = 2_000


def choosing(command: Callable[..., object]) -> Callable[..., object]:
    """The options that say whose catalogue is meant, and where the ledger is."""
    folder = click.Path(file_okay=False, path_type=Path)
    for option in (
        click.option("--ledger", type=folder, metavar="DIR", help="Where recorded catalogues are.  [default: reports]"),
        click.option("--target", multiple=True, metavar="NAME", help="Only these targets."),
        click.option("--pack", metavar="PACK", help="Whose targets are read.  [default: the one that is shipped]"),
    ):
        command = option(command)
    return command


def targets(pack: "Pack", options: dict[str, Any], parts: Sequence[Part]) -> "list[Target]":
    """The targets that have such a catalogue. Raises ConfigError where none has."""
    names = [target.name for target in pack.targets]
    for name in options["target"]:
        if name not in names:
            raise ConfigError(f"--target {name}: there is no such target; there are {', '.join(names)}")
    found = [
        target
        for target in pack.targets
        if target.name in (options["target"] or names) and any(getattr(target, part) for part in parts)
    ]
    if not found:
        raise ConfigError(
            f"{pack.folder / 'pack.yaml'} says of no target where its {' or '.join(parts)} begin: add "
            f"{' or '.join(f'`{part}`' for part in parts)} to it; of claims alone, `kvaudit drift OLD NEW` tells"
        )
    return found


def specs(pack: "Pack", chosen: "Sequence[Target]", options: dict[str, Any]) -> "list[Spec]":
    """What is read: as options say, else the releases nearest the pins. Raises ConfigError."""
    given = revisions.specs_by_source(options)
    if not any(given.values()) and not options["repo"]:
        given = {"pypi": [f"{one.name}=near-pin" for one in chosen if one.near_pin]}
    return [one for one in revisions.specs(pack.id, chosen, given, options["repo"]) if one.source != "pack"]


def catalogues(wanted: "Sequence[Spec]", options: dict[str, Any], parts: Sequence[Part]) -> "list[Catalogue]":
    """The catalogue of each revision, in the order that is asked for. Raises SourceError."""
    from auditor.engine.catalogues import catalogue

    found = []
    with progress_bars.watched(quiet=options["quiet"], is_bytes=True) as progress:
        access = replace(shared.access(options), progress=progress)
        for spec in wanted:
            snapshot = spec.open(access)
            found.append(catalogue(spec.target, snapshot, shared.store(options), parts))
            client = getattr(snapshot, "client", None)
            if options["verbose"] and client is not None:
                read = f"{client.requests} requests, {client.received:,} bytes"
                streams.say(f"kvaudit: {spec.target.name} {snapshot.revision.name}: {read}")
    return found


def compared(
    pack: "Pack", chosen: "Sequence[Target]", new: "Sequence[Catalogue]", options: dict[str, Any], parts: Sequence[Part]
) -> "list[Comparison]":
    """What became of each target since the revision that `--against` names. Raises ConfigError."""
    from auditor.catalogue.comparing import compared as differences

    if not options["against"]:
        return []
    own = [target for target in chosen if target.name in {one.target for one in new}]
    older = revisions.of_words(pack.id, own, options["against"], options["repo"])
    before = {one.target: one for one in catalogues(list(older.values()), options, parts)}
    missing = [one.target for one in new if one.target not in before]
    if missing:
        raise ConfigError(f"--against names no revision of {missing[0]}; say {missing[0]}=REVISION too")
    return [differences(before[one.target], one) for one in new]


def ledger(options: dict[str, Any]) -> Path:
    """The folder of recorded catalogues: the one that is named, else that beside the shipped packs, else `reports`."""
    if options["ledger"] is not None:
        return Path(options["ledger"])
    beside = packs.shipped().parent / "reports"
    return beside if beside.is_dir() else Path("reports")


def histories(pack: "Pack", names: Iterable[str], options: dict[str, Any]) -> "dict[str, History]":
    """What is recorded of targets, by their names. Raises ConfigError."""
    from auditor.engine.catalogue_history import history

    found = {name: history(ledger(options), pack.id, name) for name in names}
    return {name: one for name, one in found.items() if one is not None}


def read_files(named: Sequence[str], found: "Sequence[Catalogue]") -> "list[ReadFile]":
    """The files that are named, and of folders those that may use metrics or options. Raises ConfigError."""
    from auditor.usage.documents import LARGEST
    from auditor.usage.reading import read
    from auditor.usage.report import vocabulary

    words = vocabulary(found)
    files: list[ReadFile] = []
    for path in _paths(named):
        try:
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
        except OSError as error:
            raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
        if len(data) > LARGEST:
            raise ConfigError(f"{path} is larger than {LARGEST:,} bytes")
        files.append(read(path.as_posix(), data.decode("utf-8", "replace").replace("\r\n", "\n"), words))
    return files


def _paths(named: Sequence[str]) -> list[Path]:
    found: dict[Path, None] = {}
    for name in named:
        path = Path(name)
        if path.is_dir():
            inside = (
                one
                for one in sorted(path.rglob("*"))
                if one.suffix.lower() in _SUFFIXES or one.name.lower().startswith(_NAMES)
            )
            found |= dict.fromkeys(one for one in inside if one.is_file() and not one.is_symlink())
        elif path.is_file():
            found[path] = None
        else:
            raise ConfigError(f"{name}: there is no such file or folder")
    if named and not found:
        raise ConfigError(f"{', '.join(named)}: there is no file in it that could use metrics or options")
    if len(found) > _MOST_FILES:
        raise ConfigError(f"{len(found):,} files are more than the {_MOST_FILES:,} that are read at a time")
    return list(found)
