"""Python's search for reference cycles, put off while syntax trees are built."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 200_000
"""So many new containers make the search take a tenth of a second."""


@contextmanager
def without_cycles() -> Iterator[None]:
    """Syntax trees are many small objects without cycles; looking for cycles takes 40 % of the time of an audit.

    The next search would go through all that an audit has left, so this is set aside until the next audit begins.
    """
    was_enabled = gc.isenabled()
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if gc.get_count()[0] > _MANY:
                gc.freeze()
            gc.enable()
