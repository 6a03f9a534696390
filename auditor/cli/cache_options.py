"""Where the cache is, and how commands reach what they read."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from auditor.sources import Access, silent, sources

if TYPE_CHECKING:
    from auditor.model import Snapshot, Target

F = TypeVar("F", bound=Callable[..., object])


def cache_dir(command: F) -> F:
    """The option that names the cache's folder."""
    folder = click.Path(file_okay=False)
    option = click.option("--cache-dir", type=folder, envvar="KVAUDIT_VERIFY_CACHE_DIR", help="The cache's folder.")
    return option(command)


def folder(given: str | Path | None) -> Path:
    """The cache's folder: the one that is named, else the platform's."""
    if given:
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("kvaudit")


def access(options: dict[str, Any]) -> Access:
    """How the world is reached, as the options say; nothing of progress is told."""
    return Access(None if options.get("no_cache") else folder(options["cache_dir"]), options["offline"])


def releases(target: "Target", access: Access) -> "Callable[[str], Snapshot]":
    """Opens other releases of a target, for claims about them."""
    return lambda version: sources()["pypi"]().open(target, version, replace(access, progress=silent))
