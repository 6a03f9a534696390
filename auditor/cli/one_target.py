"""The code of one target, for commands that help a person to write a claim about it."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from auditor.cli import options as shared
from auditor.cli import progress_bars, revisions
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.claims import Pack
    from auditor.engine.opening import Spec
    from auditor.model import Snapshot


def opened(pack: "Pack", name: str, options: dict[str, Any]) -> "tuple[Spec, Snapshot]":
    """The target at the revision that the options of `reading` say, by default as `verify` reads it.

    Raises ConfigError, SourceError.
    """
    named = [target for target in pack.targets if target.name == name]
    if not named:
        known = ", ".join(target.name for target in pack.targets)
        raise ConfigError(f"{pack.id} has no target {name}; there are {known}")
    found = list(revisions.specs(pack.id, named, revisions.specs_by_source(options), options["repo"]))
    if not found:
        raise ConfigError(f"no revision of {name} is named; say {name}=REVISION")
    with progress_bars.watched(quiet=options["quiet"], is_bytes=True) as progress:
        return found[0], found[0].open(replace(shared.access(options), progress=progress))
