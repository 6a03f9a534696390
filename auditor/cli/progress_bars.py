"""Bars on stderr for what takes more than a second."""

import os
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from auditor.sources import silent
from auditor.text import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.live import Live
    from rich.table import Table

    from auditor.sources import Progress

PATIENCE = 1.0
"""Seconds before a bar is worth looking at."""


@contextmanager
def watched(*, quiet: bool, is_bytes: bool = False, patience: float = PATIENCE) -> "Iterator[Progress]":
    """What to tell of progress, in bytes or in items. Nothing is shown where no person looks: in a pipe, or in CI."""
    if quiet or os.environ.get("CI") or not sys.stderr.isatty():
        yield silent
        return
    bars = Bars(is_bytes)
    timer = threading.Timer(patience, bars.show)
    timer.daemon = True
    timer.start()
    try:
        yield bars.update
    finally:
        timer.cancel()
        bars.end()


class Bars:
    """A bar for each thing that is told of, drawn by a thread of its own, so that telling costs nothing."""

    def __init__(self, is_bytes: bool) -> None:
        self._is_bytes = is_bytes
        self._told: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()
        self._live: Live | None = None
        self._is_over = False

    def update(self, what: str, done: int, total: int) -> None:
        self._told[what] = done, total

    def show(self) -> None:
        from rich.console import Console
        from rich.live import Live

        with self._lock:
            if not self._is_over:
                drawn = Live(get_renderable=self._drawn, console=Console(stderr=True), transient=True)
                drawn.start()
                self._live = drawn

    def end(self) -> None:
        with self._lock:
            self._is_over = True
            if self._live:
                self._live.stop()

    def _drawn(self) -> "Table":
        from rich.filesize import decimal
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        shown = decimal if self._is_bytes else str
        table = Table.grid(padding=(0, 1))
        for what, (done, total) in tuple(self._told.items()):
            count = f"{shown(done)}/{shown(total)}" if total else shown(done)
            table.add_row(Text(escaped(what)), ProgressBar(total or None, done, width=40), Text(count))
        return table
