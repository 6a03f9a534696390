"""Options that commands share: which claims are meant, how the world is reached, where the cache is."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from auditor.sources import Access

if TYPE_CHECKING:
    from auditor.cache import Store

F = TypeVar("F", bound=Callable[..., object])


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
        cache_dir,
        click.option("--no-cache", is_flag=True, help="Neither use nor keep anything in the cache."),
        click.option("--offline", is_flag=True, help="Use only what is in the cache."),
        click.option("--exit-zero", is_flag=True, help="Exit 0 though claims are not as recorded."),
    ):
        command = option(command)
    return command


def cache_dir(command: F) -> F:
    """The option that names the cache's folder."""
    folder = click.Path(file_okay=False)
    option = click.option("--cache-dir", type=folder, envvar="KVAUDIT_VERIFY_CACHE_DIR", help="The cache's folder.")
    return option(command)


def cache_folder(named: str | Path | None) -> Path:
    """The cache's folder: the one that is named, else the platform's."""
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("kvaudit")


def access(options: dict[str, Any]) -> Access:
    """How the world is reached, as the options say; nothing of progress is told."""
    return Access(None if options.get("no_cache") else cache_folder(options["cache_dir"]), options["offline"])


def store(options: dict[str, Any]) -> "Store | None":
    """What is kept between runs; None where nothing is to be."""
    from auditor.cache import Store

    return None if options.get("no_cache") else Store(cache_folder(options["cache_dir"]))
