"""Work in a process of its own, beside what this one does."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


def is_possible() -> bool:
    """Whether a copy of this process can go on by itself: it has no other threads, which a copy would lose."""
    return sys.platform == "linux" and threading.active_count() == 1


@contextmanager
def started(work: Callable[[], object]) -> Iterator[Callable[[], None]]:
    """Do `work` for what it leaves on disk, and give what waits for its end. What it raises is lost."""
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            work()
        os._exit(0)
    is_over = False

    def wait() -> None:
        nonlocal is_over
        if not is_over:
            os.waitpid(child, 0)
            is_over = True

    try:
        yield wait
    finally:
        if not is_over:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
            wait()
