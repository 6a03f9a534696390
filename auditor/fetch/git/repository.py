"""A git repository: what a name means in it, what a commit holds, and the bytes of that. Nothing in it is changed."""

import re
from collections.abc import Iterator

from auditor.fetch import MissingError, RefusedError
from auditor.fetch.git.process import GitError, Run
from auditor.fetch.layout import is_plain
from auditor.limits import FILE_BYTES, GIT_OUTPUT, TREE_FILES

REGULAR = ("100644", "100755", "100664")
LINK = "120000"
SUBMODULE = "160000"
UNREADABLE = "unreadable"
"""The mode of what git has and no file is, or has no text for a name."""

Entry = tuple[str, str]
"""Mode and object id."""


def entry(mode: str, oid: str, name: bytes) -> tuple[str, Entry]:
    """Path and entry of something in a tree."""
    path = name.decode("utf-8", "backslashreplace")
    is_known = mode in (*REGULAR, LINK, SUBMODULE) and path.encode() == name and is_plain(path)
    return path, (mode if is_known else UNREADABLE, oid)


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
        found = re.search(rb"^committer .*> (\d{1,12})", content.partition(b"\n\n")[0], re.MULTILINE)
        if found is None:
            raise GitError(f"{commit} says no time")
        return int(found[1])

    def names(self) -> list[str]:
        """The branches and tags."""
        return self.run("for-each-ref", "--format=%(refname:short)")[0].decode("utf-8", "replace").split()

    def entries(self, commit: str) -> dict[str, Entry]:
        """Path to mode and object id, of all that is in a commit. Raises RefusedError."""
        try:
            listing, _ = self.run("ls-tree", "-r", "-z", "--full-tree", commit)
        except GitError as error:
            if GIT_OUTPUT.variable in str(error):
                raise
            raise RefusedError("not all folders of this commit are here, as in a partial clone") from error
        found: dict[str, Entry] = {}
        for line in listing.split(b"\0"):
            head, tab, name = line.partition(b"\t")
            if tab:
                mode, _, rest = head.decode().partition(" ")
                path, own = entry(mode, rest.partition(" ")[2], name)
                found[path] = own
        if len(found) > TREE_FILES.value:
            raise RefusedError(f"it has {TREE_FILES.exceeded()}")
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
            if size > FILE_BYTES.value:
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
