"""A git repository: what a name means in it, what a commit holds, and the bytes of that. Nothing in it is changed."""

import re
from collections.abc import Iterator
from typing import Protocol

from auditor.fetch import FetchError, MissingError, RefusedError
from auditor.fetch.layout import FILE_LIMIT

REGULAR = ("100644", "100755", "100664")
LINK = "120000"


class GitError(FetchError):
    """git did not do as told. The message is its own, without what names its parts; `output` is all it wrote."""

    def __init__(self, output: str) -> None:
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        fatal = [line for line in lines if line.startswith("fatal: ")]
        super().__init__((fatal or lines[-1:] or ["git failed without a word"])[0].removeprefix("fatal: "))
        self.output = output


class Run(Protocol):
    """Runs git in one repository."""

    def __call__(self, *arguments: str, given: bytes = b"") -> tuple[bytes, str]:
        """What git wrote to stdout and stderr. Raises GitError."""
        ...


class Repository:
    """The object database of a repository, and its names."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def commit(self, name: str) -> str:
        """The full id of the commit that a name means here. Raises MissingError, GitError when it means several."""
        try:
            return self.run("rev-parse", "--verify", f"{name}^{{commit}}")[0].decode().strip()
        except GitError as error:
            if "is ambiguous" in error.output:
                raise GitError(f"{name} is the beginning of several commits; write more of it") from error
            raise MissingError(f"there is no {name}") from error

    def time(self, commit: str) -> int:
        """When a commit was made, in seconds of Unix. Its parents need not be here. Raises GitError."""
        content, _ = self.run("cat-file", "commit", commit)
        [line] = re.findall(rb"^committer .*> (\d+)", content.partition(b"\n\n")[0], re.MULTILINE)
        return int(line)

    def names(self) -> list[str]:
        """The branches and tags."""
        return self.run("for-each-ref", "--format=%(refname:short)")[0].decode("utf-8", "replace").split()

    def entries(self, commit: str) -> dict[str, tuple[str, str]]:
        """Path to mode and object id, of what is a file or a link and has text for a name. Raises RefusedError."""
        try:
            listing, _ = self.run("ls-tree", "-r", "-z", "--full-tree", commit)
        except GitError as error:
            raise RefusedError("not all folders of this commit are here, as in a partial clone") from error
        found: dict[str, tuple[str, str]] = {}
        for line in listing.split(b"\0"):
            head, _, name = line.partition(b"\t")
            try:
                path = name.decode()
            except UnicodeDecodeError:
                continue
            mode, _, rest = head.decode().partition(" ")
            if mode in (*REGULAR, LINK):
                found[path] = (mode, rest.partition(" ")[2])
        return found

    def missing(self, oids: set[str]) -> set[str]:
        """Those of these objects that are not here. Raises GitError."""
        return {oid for oid, what, _ in self._described(oids) if what == "missing"}

    def blobs(self, oids: set[str]) -> Iterator[tuple[str, bytes | int]]:
        """The bytes of files, or how many there are where these are too many. Raises GitError."""
        sizes: dict[str, int] = {}
        for oid, what, size in self._described(oids):
            if what != "blob":
                raise GitError(f"{oid} is {what}")
            if size > FILE_LIMIT:
                yield oid, size
            else:
                sizes[oid] = size
        content, _ = self.run("cat-file", "--batch", given="\n".join(sizes).encode())
        start = 0
        for oid, size in sizes.items():
            start = content.index(b"\n", start) + 1
            yield oid, content[start : start + size]
            start += size + 1

    def _described(self, oids: set[str]) -> Iterator[tuple[str, str, int]]:
        """Object id, type and bytes."""
        listing, _ = self.run("cat-file", "--batch-check", given="\n".join(sorted(oids)).encode())
        for line in listing.decode().splitlines():
            oid, what, *size = line.split(" ")
            yield oid, what, int(size[0]) if size else 0
