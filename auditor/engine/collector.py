"""Python's search for reference cycles, put off while syntax trees are built."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_cycles() -> Iterator[None]:
    """Syntax trees are many small objects without cycles; looking for cycles takes 40 % of the time of an audit."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
