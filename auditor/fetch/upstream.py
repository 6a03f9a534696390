"""A git repository behind a URL, and the bare partial clone of it that is kept between runs.

Of each commit that was asked for, the clone has the trees, and of the files those that were wanted. Whatever writes
to it holds a lock that ends with its process, so that two runs, or one after a run that was killed, do no harm.
"""

import contextlib
import datetime
import hashlib
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from auditor.fetch import MissingError, NotCachedError, RefusedError, UnreachableError
from auditor.fetch.repository import GitError, Repository, Run

FULL = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHORT = re.compile(r"[0-9a-f]{7,39}")
_NAME = re.compile(r"(?P<base>\w[\w./+-]*)(?P<steps>(?:[~^]\d*)*)")
_PROTOCOLS = "https:ssh:git:file"
_PATIENCE = 600  # seconds to wait for another run that is fetching
_MARGIN = datetime.timedelta(days=7)  # a commit can be older than the day it was merged

Start = Callable[[Path, str], Run]
"""Makes what runs git in a folder, with these protocols allowed."""


class Upstream:
    """A URL. `requests` and `received` are what reading it has cost so far; `remarks` what was odd about it."""

    def __init__(self, url: str, folder: Path, start: Start, *, is_offline: bool, told: Callable[[int], None]) -> None:
        self.repository = Repository(start(folder, ""))
        self.requests = 0
        self.received = 0
        self.remarks: list[str] = []
        self._url = url
        self._folder = folder
        self._start = start
        self._is_offline = is_offline
        self._told = told

    def commit(self, name: str, date: str | None) -> str:
        """The full id of the commit of that name, whose trees are here then.

        `date` (YYYY-MM-DD) is about when an abbreviated commit was made. Raises FetchError.
        """
        parts = _NAME.fullmatch(name.replace("@", "HEAD") if name[:1] == "@" else name)
        if parts is None:
            raise RefusedError("this is not the name of a commit, branch or tag")
        ref = f"refs/kvaudit/{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        is_fixed = FULL.fullmatch(name) or _SHORT.fullmatch(name)
        if is_fixed or self._is_offline:
            with contextlib.suppress(MissingError):
                return self._known(name if is_fixed else ref)
        if self._is_offline:
            raise NotCachedError("it is not in the cache")
        with self._locked():
            wanted = self._remote_name(parts["base"], parts["steps"], date)
            if FULL.fullmatch(wanted):
                with contextlib.suppress(MissingError):  # unless another run has just fetched it
                    return self._known(wanted)
            self._fetch(self._folder, "--depth=1", "--filter=blob:none", f"+{wanted}:{ref}", name=name)
            return self.repository.commit(ref)

    def supply(self, commit: str, oids: set[str]) -> None:
        """Fetch what is missing of some files of a commit, in one request. Raises FetchError."""
        if not oids & self.repository.missing(commit):
            return
        if self._is_offline:
            raise NotCachedError("not all that is wanted of it is in the cache")
        with self._locked():
            if wanted := oids & self.repository.missing(commit):
                try:
                    self._fetch(self._folder, "--filter=blob:none", "--stdin", given="\n".join(sorted(wanted)).encode())
                except RefusedError:
                    self.remarks.append("its server gives no single files, so the whole commit was fetched")
                    self._fetch(self._folder, "--depth=1", "--refetch", commit, name=commit)

    def _known(self, name: str) -> str:
        """The commit, if its trees are here. Raises MissingError."""
        if not (self._folder / "HEAD").is_file():
            raise MissingError("there is no clone yet")
        return self.repository.commit(name)

    def _remote_name(self, base: str, steps: str, date: str | None) -> str:
        """What to ask the server for: only it knows its branches and tags, but it counts no steps back."""
        if not steps and not _SHORT.fullmatch(base):
            return base
        with tempfile.TemporaryDirectory(prefix="kvaudit-", ignore_cleanup_errors=True) as name:
            history = Repository(self._start(Path(name), ""))
            if _SHORT.fullmatch(base):
                self._fetch_history(Path(name), base, date, history)
                base = history.commit(base)
            if not steps:
                return base
            depth = 1 + sum(int(count or 1) if step == "~" else 1 for step, count in re.findall(r"([~^])(\d*)", steps))
            self._fetch(Path(name), f"--depth={depth}", "--filter=tree:0", f"+{base}:refs/kvaudit/base", name=base)
            return history.commit(f"refs/kvaudit/base{steps}")

    def _fetch_history(self, folder: Path, short: str, date: str | None, history: Repository) -> None:
        """Commits without trees: first those since about the date, then all there are. Raises FetchError."""
        if date is not None:
            since = datetime.date.fromisoformat(date) - _MARGIN
            with contextlib.suppress(MissingError):
                self._fetch(
                    folder, f"--shallow-since={since}", "--filter=tree:0", "+HEAD:refs/kvaudit/head", name=short
                )
                history.commit(short)
                return
        whole = ["--unshallow"] if (folder / "shallow").is_file() else []
        refs = ["+HEAD:refs/kvaudit/head", "+refs/heads/*:refs/kvaudit/heads/*", "+refs/tags/*:refs/kvaudit/tags/*"]
        self._fetch(folder, *whole, "--filter=tree:0", *refs, name=short)

    def _fetch(self, folder: Path, *arguments: str, given: bytes = b"", name: str = "") -> None:
        options = [argument for argument in arguments if argument.startswith("--")]
        run = self._start(folder, _PROTOCOLS)
        run("init", "--quiet", "--bare", "--template=")
        before = _packed(folder)
        self._told(self.received)
        try:
            _, remarks = self._remote(
                run, "fetch", *_QUIETLY, *options, "origin", *arguments[len(options) :], given=given
            )
        except GitError as error:
            raise self._explained(error, name) from error
        if "filtering not recognized" in remarks and not self.remarks:
            self.remarks.append("its server refuses filters, so whole commits were fetched")
        self.received += _packed(folder) - before
        self._told(self.received)

    def _remote(self, run: Run, *arguments: str, given: bytes = b"") -> tuple[bytes, str]:
        self.requests += 1
        # On the command line and not in the clone's config, so that half a config never is in the way.
        remote = {"url": self._url, "promisor": "true", "partialclonefilter": "blob:none"}
        settings = [f"remote.origin.{key}={value}" for key, value in remote.items()]
        if given:  # single files: which commits are here says nothing of them
            settings.append("fetch.negotiationAlgorithm=noop")
        return run(*(part for setting in settings for part in ("-c", setting)), *arguments, given=given)

    def _explained(self, error: GitError, name: str) -> Exception:
        said = error.output
        if "couldn't find remote ref" in said or "no commits selected" in said or "no commits since" in said:
            return MissingError(f"there is no {name}")
        if "mismatched algorithms" in said or "object format" in said:
            return RefusedError("it is a SHA-256 repository, which is read from a clone only")
        if "not our ref" in said or "unadvertised object" in said:
            return RefusedError("its server has no such commit, or gives none but the newest of branches and tags")
        return UnreachableError(str(error))

    def names(self) -> list[str]:
        """The branches and tags. Raises UnreachableError."""
        try:
            listing, _ = self._remote(self._start(self._folder, _PROTOCOLS), "ls-remote", "--heads", "--tags", "origin")
        except GitError as error:
            raise UnreachableError(str(error)) from error
        refs = (line.partition("\t")[2] for line in listing.decode("utf-8", "replace").splitlines())
        return [ref.split("/", 2)[2] for ref in refs if not ref.endswith("^{}")]

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        self._folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(f"{self._folder}.lock", timeout=_PATIENCE):
                for left in [*self._folder.glob("*.lock"), *self._folder.glob("refs/**/*.lock")]:
                    left.unlink(missing_ok=True)  # of a run that was killed
                yield
        except Timeout as error:
            raise UnreachableError("another run has been fetching it for ten minutes") from error


_QUIETLY = ("--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no")


def _packed(folder: Path) -> int:
    """Bytes of packs."""
    return sum(pack.stat().st_size for pack in folder.glob("objects/pack/*.pack"))
