"""Parsing tried in a process of its own, within limits of time and memory, before it is done in this one.

libcst recurses outside Python's sight and can overflow the stack, run for ever or fill the memory on a few hundred
characters; `ast` takes time that grows with the square of an f-string's length. One process serves all texts, and a
new one is begun where it ended.
"""

import atexit
import select
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Literal

from auditor.limits import PARSE_BYTES, PARSE_SECONDS

Parser = Literal["ast", "libcst"]

_CHILD = """
import sys
sys.path.append(sys.argv[1])
import ast, libcst, warnings
warnings.simplefilter("ignore")
try:
    import resource
    resource.setrlimit(resource.RLIMIT_STACK, (6 * 1024**2, resource.getrlimit(resource.RLIMIT_STACK)[1]))
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_CORE):
        most = int(sys.argv[2]) if limit == resource.RLIMIT_AS else 0
        resource.setrlimit(limit, (most, most))
except (ImportError, ValueError, OSError):
    pass
source, answer = sys.stdin.buffer, sys.stdout.buffer
while size := source.read(9):
    text = source.read(int(size[1:].hex(), 16)).decode("utf-8", "surrogatepass")
    try:
        ast.parse(text) if size[:1] == b"a" else libcst.parse_module(text)
    except MemoryError:
        raise SystemExit(1)
    except Exception:
        pass
    answer.write(b".")
    answer.flush()
"""


class TooCostlyError(ValueError):
    """A text that is not parsed, because parsing it takes too much."""


def check(text: str, parser: Parser) -> None:
    """Raises TooCostlyError for a text at which a parser ends its process, or exceeds its time or memory."""
    with _LOCK:
        _check(text, parser)


def _check(text: str, parser: Parser) -> None:
    child = _child()
    assert child.stdin is not None
    assert child.stdout is not None
    data = text.encode("utf-8", "surrogatepass")
    try:
        child.stdin.write(parser[0].encode() + len(data).to_bytes(8, "big") + data)
        child.stdin.flush()
    except OSError:
        _end()
        raise TooCostlyError("no process could be begun to parse it") from None
    deadline = time.monotonic() + PARSE_SECONDS.value
    if not select.select([child.stdout], [], [], max(0.0, deadline - time.monotonic()))[0]:
        _end()
        raise TooCostlyError(f"parsing takes {PARSE_SECONDS.exceeded()}")
    if child.stdout.read(1) != b".":
        _end()
        raise TooCostlyError(f"it is nested too deeply for {parser}, or parsing takes {PARSE_BYTES.exceeded()}")


def _child() -> "subprocess.Popen[bytes]":
    global _running
    if _running is None or _running.poll() is not None:
        _running = subprocess.Popen(
            # Isolated: neither the folder that is audited nor the environment adds a module.
            [sys.executable, "-I", "-c", _CHILD, str(_packages()), str(PARSE_BYTES.value)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    return _running


def _packages() -> Path:
    import libcst

    return Path(libcst.__file__).parent.parent


@atexit.register
def _end() -> None:
    global _running
    if _running is not None:
        _running.kill()
        _running.communicate()
    _running = None


_running: "subprocess.Popen[bytes] | None" = None
_LOCK = threading.Lock()
