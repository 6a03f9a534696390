"""One deadline for one fetch, whatever a server does to be slow."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from auditor.fetch import UnreachableError
from auditor.limits import FETCH_SECONDS, FETCH_SPEED

T = TypeVar("T")


class Clock:
    """How long a fetch may still take: some seconds, and more with every byte that has come."""

    def __init__(self) -> None:
        self.received = 0
        self.is_over = False
        self._end = time.monotonic() + FETCH_SECONDS.value
        self._speed = FETCH_SPEED.value

    def left(self) -> float:
        """Seconds."""
        return self._end + self.received / self._speed - time.monotonic()

    def check(self) -> None:
        """End work that nobody waits for any more. Raises UnreachableError."""
        if self.is_over:
            raise UnreachableError("it is too slow")


def within(work: Callable[[Clock], T]) -> T:
    """What `work` gives, in time. Raises what it raises, and UnreachableError when it takes too long.

    It runs in a thread, because a server can hold up each step of a request, down to a line of a header, for a little
    less than any timeout of a socket. One that is given up on ends with the process, if it does not see to it itself.
    """
    clock = Clock()
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work(clock))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        if (left := clock.left()) <= 0:
            clock.is_over = True
            limits = f"{FETCH_SECONDS.variable} and {FETCH_SPEED.variable} are the limits"
            raise UnreachableError(f"the registry is too slow: no whole answer in time; {limits}")
        thread.join(left)
    if failed:
        raise failed[0]
    return done[0]
