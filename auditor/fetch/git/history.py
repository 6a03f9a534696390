"""The commits between two, and the files of each of them, worked out from what each has changed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from auditor.fetch import MissingError, RefusedError
from auditor.fetch.git.process import GitError
from auditor.fetch.git.repository import Entry, Repository, entry

GONE: Entry = ("", "")
Changes = Mapping[str, tuple[Entry, Entry]]
"""Path -> what it was in a parent, and what it is."""

_NOTHING, _FOLDER = "000000", "040000"
_FIELDS = "%m%x00%H%x00%T%x00%P%x00%as%x00%an%x00%s"


@dataclass(frozen=True, slots=True)
class Step:
    """A commit: its author and the day it was written, and what it has changed against each parent."""

    id: str
    parents: tuple[str, ...]
    date: str
    author: str
    subject: str
    changes: tuple[Changes, ...]


def steps(repository: Repository, oldest: str, newest: str) -> tuple[Step, ...]:
    """The commits that `newest` has and `oldest` lacks, each before its parents.

    Raises MissingError where there are none, RefusedError where the repository does not hold them all, GitError.
    """
    between = f"{oldest}..{newest}"
    options = ("-z", "--topo-order", "--boundary", "--encoding=UTF-8", "--no-show-signature", f"--format={_FIELDS}")
    log, _ = repository.run("log", *options, between, "--")
    words = log.decode("utf-8", "replace").split("\0")
    rows = [words[start : start + 7] for start in range(0, len(words) - 6, 7)]
    trees = {row[1]: row[2] for row in rows}
    found = [row for row in rows if row[0] != "-"]
    if not found:
        raise MissingError("it has no commit that the older one lacks; are the two the wrong way round?")
    pairs = {(trees[parent], row[2]) for row in found for parent in row[3].split()}
    try:
        changes = dict(_changes(repository, pairs))
    except GitError as error:
        raise RefusedError("not all folders of these commits are here, as in a partial clone") from error
    return tuple(
        Step(
            commit,
            tuple(parents.split()),
            date,
            author,
            subject,
            tuple(changes.get((trees[parent], tree), {}) for parent in parents.split()),
        )
        for _, commit, tree, parents, date, author, subject in found
    )


def _changes(repository: Repository, pairs: set[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], Changes]]:
    given = "".join(f"{one} {other}\n" for one, other in sorted(pairs))
    listing, _ = repository.run("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", given=given.encode())
    between: tuple[str, str] = GONE
    found: dict[str, tuple[Entry, Entry]] = {}
    words = iter(listing.split(b"\0"))
    for word in words:
        head, _, row = word.rpartition(b"\n")
        if head:  # the two trees
            if found:
                yield between, found
            one, _, other = head.decode().rpartition("\n")[2].partition(" ")
            between, found = (one, other), {}
        if not row:
            continue
        modes, name = row.decode().split(" "), next(words)
        path, before = _entry(modes[0].removeprefix(":"), modes[2], name)
        _, after = _entry(modes[1], modes[3], name)
        if before != after:
            found[path] = (before, after)
    if found:
        yield between, found


def _entry(mode: str, oid: str, name: bytes) -> tuple[str, Entry]:
    path, own = entry(mode, oid, name)
    return path, GONE if mode in (_NOTHING, _FOLDER) else own


def undone(entries: Mapping[str, Entry], changes: Iterable[Changes]) -> dict[str, Entry]:
    """The files of a commit, from those of one after it and what has been changed in between, newest change first."""
    found = dict(entries)
    for change in changes:
        found |= {path: before for path, (before, _) in change.items()}
    return {path: entry for path, entry in found.items() if entry != GONE}
