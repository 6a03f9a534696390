"""Begin a pack for projects of the registry, or for a checkout."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor import files
from auditor.cli import options as shared
from auditor.cli import progress_bars, streams
from auditor.errors import ConfigError, SourceError
from auditor.fetch.layout import packages

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase
    from auditor.engine.projects import Project
    from auditor.model import Snapshot, Target
    from auditor.sources import Access


_BACK = 12  # releases back, to see what has been there for some time


@dataclass(frozen=True, slots=True)
class _Begun:
    """A target, its file of claims, and what is left for a person."""

    project: "Project"
    claims: str
    where: str
    """How the commands that come next name the code: `--path x=DIR`, or nothing."""


@click.command()
@click.argument("projects", nargs=-1, metavar="[PROJECT...]")
@click.option("--into", type=click.Path(path_type=Path), default=Path("claims"), help="The pack's folder.  [claims]")
@click.option("--date", metavar="YYYY-MM-DD", help="Pin the release that was newest on that day.")
@click.option("--release", metavar="VERSION", help="Pin this release.  [default: latest]")
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", help="Of the first claim.  [en]")
@shared.reaching
def command(projects: tuple[str, ...], into: Path, **options: Any) -> int:
    """Begin a pack for projects of the registry, or for a checkout.

    PROJECT is a name in the package registry (`scikit-learn`, `httpx==0.28.1`), or a folder with a checkout; without
    any, this folder. Its packages, repository, tags and release are found, and a first claim is written that holds:
    replace it.

    Without a settings file here, one is written that names the pack, so that `kvaudit verify` means it.
    """
    if (into / "pack.yaml").exists():
        raise ConfigError(f"{into} is a pack already; name another folder: --into DIR")
    if options["date"] and options["release"]:
        raise ConfigError("give --date or --release, not both: each names the release to pin")
    names = projects or (".",)
    with progress_bars.watched(quiet=options["quiet"], is_bytes=True):
        begun = [_begun(name, shared.access(options), options) for name in names]
    _write(into, begun)
    for one in begun:
        for note in one.project.unsure:
            streams.say(f"kvaudit: {one.project.target.name}: {note}")
    pack = "" if _is_named(into) else f" {into}"
    if not options["quiet"]:
        _tell(into, begun, pack)
    return 0


def _begun(name: str, access: "Access", options: dict[str, Any]) -> _Begun:
    from auditor.claims.yaml_text import claim_text
    from auditor.code.project.codebase import Codebase
    from auditor.engine.first_claim import first_claim
    from auditor.engine.projects import find, find_in

    is_folder = name == "." or "/" in name or (Path(name).is_dir() and not (Path(name) / "__init__.py").is_file())
    named, _, version = (part.strip() for part in name.partition("=="))
    if version and (options["date"] or options["release"]):
        raise ConfigError(f"{name} names a release; leave --date and --release out")
    release = version or options["release"]
    project = find_in(Path(name)) if is_folder else find(named, access, date=options["date"], release=release)
    target = project.target
    older = None if is_folder else _older(target, access)
    found = first_claim(Codebase(_snapshot(project, name, access, is_folder=is_folder), target), older)
    text = "claims: []\n"
    if found is not None:
        cited, suggestion = found
        slug = f"{target.name}/first/{suggestion.check.id}"
        text = "claims:\n" + claim_text(slug, suggestion.statement, [cited], suggestion.check, [options["language"]])
    where = f" --path {target.name}={name}" if is_folder and target.near_pin is None else ""
    return _Begun(project, f"# The claims about {target.name}; `kvaudit claim new` suggests more.\n{text}", where)


def _snapshot(project: "Project", name: str, access: "Access", *, is_folder: bool) -> "Snapshot":
    from auditor.sources import sources

    target = project.target
    if is_folder:
        return sources()["directory"]().open(target, name, access)
    try:
        return sources()["pypi"]().open(target, target.near_pin or "latest", access)
    except SourceError as error:
        raise SourceError(f"{error} (found by `kvaudit init`: {', '.join(target.packages) or target.name})") from error


def _older(target: "Target", access: "Access") -> "Codebase | None":
    """The code of a somewhat older release; None where there is none, or it cannot be read."""
    from auditor.code.project.codebase import Codebase
    from auditor.sources.pypi import Pypi

    with suppress(SourceError):
        versions = Pypi().versions(target, "", target.near_pin or "", access)[:-1]
        if versions:
            return Codebase(Pypi().open(target, versions[-min(len(versions), _BACK)], access), target)
    return None


def _write(into: Path, begun: list[_Begun]) -> None:
    from auditor.claims.pack_text import head_text

    targets = [one.project.target for one in begun]
    if len({target.name for target in targets}) < len(targets):
        raise ConfigError("two of these are the same project")
    into.mkdir(parents=True, exist_ok=True)
    names = ", ".join(target.name for target in targets)
    head = head_text("-".join(target.name for target in targets), f"Claims about {names}", targets)
    files.replace(into / "pack.yaml", head.encode())
    for one in begun:
        files.replace(into / f"{one.project.target.name}.yaml", one.claims.encode())


def _is_named(into: Path) -> bool:
    """Whether commands mean the pack from now on: it is named in a new settings file, unless there is one."""
    settings = Path("kvaudit.toml")
    if settings.exists() or into.is_absolute():
        return False
    files.replace(settings, f'pack = "{into.as_posix()}"\n'.encode())
    return True


def _tell(into: Path, begun: list[_Begun], pack: str) -> None:
    for one in begun:
        target = one.project.target
        code = ", ".join(target.prefix + name for name in packages(target))
        streams.tell(f"{target.name} {target.near_pin or target.commit or 'as it is here'}: {code}")
    names = ", ".join(f"{one.project.target.name}.yaml" for one in begun)
    streams.tell(f"{into}/pack.yaml and {names} are written. Next:")
    streams.tell(f"  kvaudit verify{pack}{''.join(one.where for one in begun)}")
