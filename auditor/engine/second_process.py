"""The audit of one target in a process of its own, beside that of another.

The process is a new interpreter, not a copy of this one: it reads the pack and opens the target by itself, and hands
back the run. Where it ends without one, whoever waits for it audits the target himself.
"""

import multiprocessing
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

    from auditor.engine.opening import Spec
    from auditor.model import Run
    from auditor.sources import Access


@dataclass(frozen=True, slots=True)
class Job:
    """The audit of some claims of a pack, by their ids; compared with `since` where there is one."""

    pack: Path
    claims: frozenset[str]
    spec: "Spec"
    access: "Access"
    since: "Spec | None" = None

    def run(self) -> "Run":
        """Raises ClaimError, ConfigError, SourceError."""
        from auditor.cache import Store
        from auditor.claims import load
        from auditor.engine import audit
        from auditor.engine.collector import without_cycles
        from auditor.engine.opening import releases

        blobs = Store(self.access.cache) if self.access.cache else None
        entries = [one for one in load(self.pack, blobs).entries[self.spec.target.name] if one.claim.id in self.claims]
        with without_cycles():
            snapshot, others = self.spec.open(self.access), releases(self.spec.target, self.access)
            if self.since is None:
                return audit(self.spec.target, entries, snapshot, blobs, others)

            from auditor.engine.comparison import audit_since

            return audit_since(self.spec.target, entries, self.since.open(self.access), snapshot, blobs, others)


@contextmanager
def started(job: Job) -> "Iterator[Callable[[], Run | None]]":
    """What waits for the run of a job begun in another process; None where that came to nothing."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(job, sender), daemon=True)
    with _safe_path():
        process.start()
    sender.close()

    def wait() -> "Run | None":
        try:
            found: Run = receiver.recv()
        except EOFError:
            return None
        return found

    try:
        yield wait
    finally:
        process.terminate()
        process.join()
        receiver.close()


@contextmanager
def _safe_path() -> "Iterator[None]":
    """Have a new interpreter import nothing from the folder it is started in, which may be the one that is audited."""
    before = os.environ.get(_SAFE)
    os.environ[_SAFE] = "1"
    try:
        yield
    finally:
        os.environ.pop(_SAFE)
        if before is not None:
            os.environ[_SAFE] = before


_SAFE = "PYTHONSAFEPATH"


def _work(job: Job, sender: "Connection[Run, None]") -> None:
    # What goes wrong here goes wrong again for whoever waits, who can say so.
    with suppress(Exception, KeyboardInterrupt):
        sender.send(job.run())
