"""Write the full ids of abbreviated pinned commits into a pack."""

from pathlib import Path

import click

from auditor import files
from auditor.cli import options as shared
from auditor.cli import packs, revisions, streams
from auditor.engine.opening import Spec
from auditor.errors import ConfigError
from auditor.sources import Access


@click.command()
@click.argument("pack", required=False)
@revisions.repo
@shared.cache_dir
def command(pack: str | None, repo: tuple[str, ...], cache_dir: str | None) -> None:
    """Write the full ids of abbreviated pinned commits into the pack.yaml of a pack.

    Nothing else of the file is changed.
    """
    loaded = packs.load(pack)
    pinned = [target for target in loaded.targets if target.commit]
    access = Access(shared.cache_folder(cache_dir))
    full = {spec.target: _full(spec, access) for spec in revisions.specs(loaded.id, pinned, {}, repo)}
    file = packs.pack_folder(pack) / "pack.yaml"
    text = _locked(file, {target.name: commit for target, commit in full.items()})
    try:
        files.replace(file, text.encode())
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}") from None
    for target, commit in full.items():
        streams.tell(f"{target.name}: {commit}{'' if commit == target.commit else f', which was {target.commit}'}")


def _full(spec: Spec, access: Access) -> str:
    commit = spec.open(access).revision.commit
    if commit is None or not commit.startswith(spec.spec):
        raise ConfigError(f"{spec.target.name}: {spec.spec} is the name of {commit}; pin a commit by its id")
    return commit


def _locked(file: Path, full: dict[str, str]) -> str:
    """The text of the pack with these commits where its own are."""
    from auditor.claims.document import Document, Node

    lines = files.read(file).decode().splitlines(keepends=True)
    node = Document(file).read() or Node({})
    for name, commit in full.items():
        place = node
        for key in ("targets", name, "commit"):
            place = place.value[key] if isinstance(place.value, dict) else place
        line, start = lines[place.line - 1], place.column - 1
        lines[place.line - 1] = line[:start] + line[start:].replace(str(place.value), commit, 1)
    return "".join(lines)
