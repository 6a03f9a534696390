"""Bars on stderr."""

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auditor import sources


@contextmanager
def bars() -> "Iterator[sources.Progress]":
    """A bar for each thing that is fetched, gone when all is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total or None)
            progress.update(tasks[what], completed=done, total=total or None)

        yield show
