"""stdout and stderr: what is written there, whole, and with nothing in it that a terminal or a CI log would obey.

A reader that has gone changes no exit status; a stream that cannot be written is an error, and never a traceback.
"""

import os
import re
import sys
from contextlib import suppress
from typing import TextIO

from auditor.errors import ConfigError
from auditor.text import escaped, no_commands

_LONGEST = 20_000
"""Characters of one message."""
_LONG_WORD = re.compile(r"(\S{160})\S{200,}(\S{40})")


def occupy() -> None:
    """Put nothing in the place of streams that are closed, so that no file that is opened takes it."""
    if sys.stdout is None:
        os.open(os.devnull, os.O_WRONLY)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 # for as long as there is a process


def say(message: str) -> None:
    """A message to the person, on stderr. Nobody may be there."""
    text = _LONG_WORD.sub(r"\1…\2", message)
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    _write(sys.stderr, f"{no_commands(escaped(text))}\n".encode("utf-8", "backslashreplace"))


def put(text: str) -> None:
    """What was asked for, on stdout, as it is. Raises ConfigError when it cannot be written; a reader may have gone."""
    if sys.stdout is None:
        raise ConfigError("stdout is closed; say where the report goes: -o report.txt")
    error = _write(sys.stdout, text.encode("utf-8", "replace"))
    if error is not None and not isinstance(error, BrokenPipeError):
        raise ConfigError(f"stdout cannot be written: {error.strerror or error}")


def tell(text: str) -> None:
    """Lines for a person, on stdout. Raises ConfigError."""
    put(f"{no_commands(escaped(text))}\n")


def _write(stream: TextIO | None, data: bytes) -> OSError | None:
    """Write all of it at once; what went wrong."""
    if stream is None:
        return None
    try:
        stream.flush()
        buffer = getattr(stream, "buffer", None)
        if buffer is None:  # a test's
            stream.write(data.decode())
        else:
            buffer.write(data)
        stream.flush()
    except OSError as error:
        silence(stream)
        return error
    except ValueError as error:  # of a stream that has been closed
        return OSError(str(error))
    return None


def silence(stream: TextIO) -> None:
    """Send the rest nowhere: Python would fail again on what a stream still holds when it closes it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
