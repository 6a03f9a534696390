"""One claim within limits: what nests too deeply, or takes too long or too much memory, leaves it alone open."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from auditor.code import Undecidable
from auditor.limits import CLAIM_SECONDS
from auditor.model import Text


class _OutOfTimeError(Exception):
    """The processor has worked on a claim for as long as is allowed."""


@contextmanager
def bounded() -> Iterator[None]:
    """Decide a claim. Raises Undecidable, with the reason, where it exceeds a limit.

    Time is that of the processor, so that a claim does not become open because a machine is busy. It is kept where the
    system has a timer for that, in the main thread.
    """
    has_timer = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

    def end(*_: object) -> None:
        raise _OutOfTimeError

    try:
        if not has_timer:
            yield
            return
        before = signal.signal(signal.SIGPROF, end)
        try:
            # Again each second: one raised in a callback of the garbage collector is lost.
            signal.setitimer(signal.ITIMER_PROF, CLAIM_SECONDS.value, 1)
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
    except RecursionError:
        raise Undecidable(Text("the code, or the claim, is nested too deeply", "代码或论断嵌套过深")) from None
    except MemoryError:
        raise Undecidable(Text("it takes more memory than there is", "所需内容超出可用内存")) from None
    except _OutOfTimeError:
        limit = CLAIM_SECONDS
        raise Undecidable(
            Text(
                f"it takes {limit.exceeded()}",
                f"所需时间超过 {limit.value} 秒（处理器时间）；可用 {limit.variable} 放宽",
            )
        ) from None
