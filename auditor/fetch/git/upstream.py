"""A git repository behind a URL, and the bare partial clone of it that is kept between runs.

Of each commit that was asked for, the clone has the trees, and of the files those that were wanted. What is fetched
arrives in a folder of its own, from where finished packs are moved into the clone: two runs at once, or one after a
run that was killed, find nothing half done and no lock.
"""

import contextlib
import datetime
import hashlib
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from auditor import files
from auditor.fetch import FetchError, MissingError, NotCachedError, RefusedError, UnreachableError
from auditor.fetch.git.history import Step, steps
from auditor.fetch.git.process import GitError, Run, start
from auditor.fetch.git.repository import Repository

FULL = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHORT = re.compile(r"[0-9a-f]{7,39}")
_NAME = re.compile(r"(?P<base>\w(?:[\w/+-]|\.(?!\.))*)(?P<steps>(?:[~^]\d*)*)")
_PROTOCOLS = "https:ssh:git:file"
_MARGIN = datetime.timedelta(days=7)  # a commit can be older than the day it was merged
_STALE = 24 * 60 * 60  # seconds after which what arrives is taken for what a killed run left
_QUIETLY = ("--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no")


class Upstream:
    """A URL. `requests` and `received` bytes are what reading it has cost; `remarks` what was odd about it."""

    def __init__(self, url: str, folder: Path, *, is_offline: bool, told: Callable[[int], None]) -> None:
        self.repository = Repository(start(folder))
        self.requests = 0
        self.received = 0
        self.remarks: list[str] = []
        self._url = url
        self._folder = folder
        self._is_offline = is_offline
        self._told = told

    def commit(self, name: str, date: str | None) -> str:
        """The full id of the commit of that name, whose trees are here then.

        `date` (YYYY-MM-DD) is about when an abbreviated commit was made. Raises FetchError.
        """
        parts = _NAME.fullmatch("HEAD" + name[1:] if name[:1] == "@" else name)
        if parts is None:
            raise RefusedError("this is not the name of a commit, branch or tag")
        ref = f"refs/kvaudit/{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        is_fixed = FULL.fullmatch(name) or _SHORT.fullmatch(name)
        if is_fixed or self._is_offline:
            with contextlib.suppress(MissingError):
                return self._known(name if is_fixed else ref)
        if self._is_offline:
            raise NotCachedError("it is not in the cache")
        wanted = self._remote_name(parts["base"], parts["steps"], date)
        try:
            commit = self._known(wanted if FULL.fullmatch(wanted) else "")
        except MissingError:
            try:
                commit = self._arrived(wanted, name)
            except UnreachableError as error:
                if "promisor" not in str(error):
                    raise
                # Another run was adding to what the clone has, and it was seen half added: without it, then.
                commit = self._arrived(wanted, name, is_empty=True)
        self._write(ref, f"{commit}\n".encode())
        return commit

    def _arrived(self, wanted: str, name: str, *, is_empty: bool = False) -> str:
        with self._arriving(is_empty=is_empty) as folder:
            self._fetch(folder, "--depth=1", "--filter=blob:none", f"+{wanted}:refs/kvaudit/new", name=name)
            commit = Repository(start(folder)).commit("refs/kvaudit/new")
            self._keep(folder)
            return commit

    def supply(self, commit: str, oids: set[str]) -> None:
        """Fetch what is missing of some files of a commit, in one request. Raises FetchError."""
        wanted = self.repository.missing(oids)
        if not wanted:
            return
        if self._is_offline:
            raise NotCachedError("not all that is wanted of it is in the cache")
        try:
            with self._arriving() as folder:
                self._fetch(folder, "--filter=blob:none", "--stdin", given="\n".join(sorted(wanted)).encode())
                self._keep(folder)
        except RefusedError:
            self.remarks.append("its server gives no single files, so the whole commit was fetched")
            with self._arriving(is_empty=True) as folder:
                self._fetch(folder, "--depth=1", "--no-filter", commit, name=commit)
                self._keep(folder)

    def names(self) -> list[str]:
        """The branches and tags. Raises UnreachableError."""
        try:
            listing, _ = self._remote(start(self._folder, _PROTOCOLS), "ls-remote", "--heads", "--tags", "origin")
        except GitError as error:
            raise UnreachableError(str(error)) from error
        refs = (line.partition("\t")[2] for line in listing.decode("utf-8", "replace").splitlines())
        return [ref.split("/", 2)[2] for ref in refs if not ref.endswith("^{}")]

    def steps(self, oldest: str, newest: str) -> tuple[Step, ...]:
        """The commits that `newest` has and `oldest` lacks, whose trees are here then. Raises FetchError."""
        kept = f"history-{oldest}-{newest}.json"
        with contextlib.suppress(FileNotFoundError, msgspec.DecodeError):  # of another version of kvaudit
            return msgspec.json.decode((self._folder / kept).read_bytes(), type=tuple[Step, ...])
        if self._is_offline:
            raise NotCachedError("the commits in between are not in the cache")
        since = min(map(self.repository.time, (oldest, newest))) - int(_MARGIN.total_seconds())
        with self._arriving(is_empty=True) as folder:
            wanted = (f"+{commit}:refs/kvaudit/{commit}" for commit in (oldest, newest))
            self._fetch(folder, f"--shallow-since=@{since}", "--filter=blob:none", *wanted, name=newest)
            found = steps(Repository(start(folder)), oldest, newest)
            self._keep(folder)
        self._write(kept, msgspec.json.encode(found))
        return found

    def _known(self, name: str) -> str:
        """The commit, if its trees are here. Raises MissingError."""
        if not name or not (self._folder / "HEAD").is_file():
            raise MissingError("it has not been fetched")
        return self.repository.commit(name)

    def _remote_name(self, base: str, steps: str, date: str | None) -> str:
        """What to ask the server for: only it knows its branches and tags, but it counts no steps back."""
        if _SHORT.fullmatch(base):
            base = self._full(base, date)
        if not steps:
            return base
        depth = 1 + sum(int(count or 1) if step == "~" else 1 for step, count in re.findall(r"([~^])(\d*)", steps))
        with self._aside() as folder:
            self._fetch(folder, f"--depth={depth}", "--filter=tree:0", f"+{base}:refs/kvaudit/base", name=base)
            return Repository(start(folder)).commit(f"refs/kvaudit/base{steps}")

    def _full(self, short: str, date: str | None) -> str:
        """The id that begins so, among the commits since about the date, else among all. Raises FetchError."""
        tries = [
            ["--filter=tree:0", *(f"+{refs}:refs/kvaudit/{refs}" for refs in ("HEAD", "refs/heads/*", "refs/tags/*"))]
        ]
        if date is not None:
            try:
                since = datetime.date.fromisoformat(date) - _MARGIN
            except (ValueError, OverflowError) as error:
                raise RefusedError(f"the pack's date {date} is not one of the form YYYY-MM-DD") from error
            tries.insert(0, [f"--shallow-since={since}T00:00:00Z", "--filter=tree:0", "+HEAD:refs/kvaudit/HEAD"])
        for arguments in tries:
            with self._aside() as folder, contextlib.suppress(MissingError):
                self._fetch(folder, *arguments, name=short)
                return Repository(start(folder)).commit(short)
        raise MissingError(f"there is no {short}")

    @contextlib.contextmanager
    def _aside(self) -> Iterator[Path]:
        """A repository for commits without their trees, which is not kept."""
        with tempfile.TemporaryDirectory(prefix="kvaudit-", ignore_cleanup_errors=True) as name:
            start(Path(name))("init", "--quiet", "--bare", "--template=")
            yield Path(name)

    def _fetch(self, folder: Path, *arguments: str, given: bytes = b"", name: str = "") -> None:
        options = [argument for argument in arguments if argument.startswith("--")]
        before = _packed(folder)
        self._told(self.received)
        try:
            command = ("fetch", *_QUIETLY, *options, "origin", *arguments[len(options) :])
            _, remarks = self._remote(start(folder, _PROTOCOLS), *command, given=given)
        except GitError as error:
            raise _explained(error, name) from error
        if "filtering not recognized" in remarks and not self.remarks:
            self.remarks.append("its server refuses filters, so whole commits were fetched")
        self.received += _packed(folder) - before
        self._told(self.received)

    def _remote(self, run: Run, *arguments: str, given: bytes = b"") -> tuple[bytes, str]:
        self.requests += 1
        remote = {"url": self._url, "promisor": "true", "partialclonefilter": "blob:none"}
        settings = [f"remote.origin.{key}={value}" for key, value in remote.items()]
        if given:  # single files: which commits are here says nothing of them
            settings.append("fetch.negotiationAlgorithm=noop")
        return run(*(part for setting in settings for part in ("-c", setting)), *arguments, given=given)

    @contextlib.contextmanager
    def _arriving(self, *, is_empty: bool = False) -> Iterator[Path]:
        """A repository to fetch into, which else knows what the clone has, so that only what has changed is sent."""
        self._create()
        for left in self._folder.glob("arriving-*"):
            with contextlib.suppress(OSError):  # of another run, which has just ended
                if time.time() - left.stat().st_mtime > _STALE:
                    shutil.rmtree(left)
        with tempfile.TemporaryDirectory(prefix="arriving-", dir=self._folder, ignore_cleanup_errors=True) as name:
            folder = Path(name)
            start(folder)("init", "--quiet", "--bare", "--template=")
            if is_empty:
                yield folder
                return
            known = {ref.read_text().strip() for ref in self._folder.glob("refs/kvaudit/*")}
            commits = sorted(commit for commit in known if FULL.fullmatch(commit))
            (folder / "objects/info/alternates").write_text(f"{self._folder / 'objects'}\n")
            (folder / "packed-refs").write_text("".join(f"{commit} refs/kvaudit/{commit}\n" for commit in commits))
            if commits:
                (folder / "shallow").write_text("".join(f"{commit}\n" for commit in commits))
            yield folder

    def _create(self) -> None:
        if (self._folder / "HEAD").is_file():
            return
        self._folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix=f"{self._folder.name}.", dir=self._folder.parent, ignore_cleanup_errors=True
        ) as name:
            made = Path(name, "clone")
            start(made)("init", "--quiet", "--bare", "--template=")
            (made / "refs/kvaudit").mkdir()
            with contextlib.suppress(OSError):  # another run was faster
                made.replace(self._folder)

    def _keep(self, folder: Path) -> None:
        """Move packs into the clone; the index comes last, because it is what makes git see a pack."""
        for suffix in (".promisor", ".rev", ".pack", ".idx"):
            for file in folder.glob(f"objects/pack/*{suffix}"):
                file.replace(self._folder / "objects/pack" / file.name)

    def _write(self, name: str, data: bytes) -> None:
        files.replace(self._folder / name, data)


def _explained(error: GitError, name: str) -> FetchError:
    said = error.output
    if "couldn't find remote ref" in said or "no commits selected" in said or "error processing shallow info" in said:
        return MissingError(f"there is no {name}")
    if "mismatched algorithms" in said or "object format" in said:
        return RefusedError("it is a SHA-256 repository, which is read from a clone only")
    if "not our ref" in said or "unadvertised object" in said:
        return RefusedError("its server has no such commit, or gives none but the newest of branches and tags")
    return UnreachableError(str(error))


def _packed(folder: Path) -> int:
    """Bytes of packs."""
    return sum(pack.stat().st_size for pack in folder.glob("objects/pack/*.pack"))
