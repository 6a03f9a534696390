"""A git repository on this machine, which is read and never changed."""

from pathlib import Path

from auditor.fetch import MissingError, RefusedError
from auditor.fetch.git.history import Step, steps
from auditor.fetch.git.process import GitError, folders, start
from auditor.fetch.git.repository import Repository


class Local:
    """A clone, worktree or mirror on this machine. Only commands that read are run in it, and none that connects."""

    def __init__(self, path: Path) -> None:
        """Raises RefusedError for a folder that is none of these."""
        self._path = path
        folder, self._folder = folders(path)
        self.repository = Repository(start(folder, common=self._folder))

    def commit(self, name: str, date: str | None) -> str:  # noqa: ARG002 # an abbreviation is resolved right here
        try:
            return self.repository.commit(name)
        except MissingError as error:
            if (self._folder / "shallow").is_file():
                raise MissingError(f"{error}; it is a shallow clone: git fetch --unshallow completes it") from error
            raise

    def supply(self, commit: str, oids: set[str]) -> None:  # noqa: ARG002 # nothing is fetched
        reason = f"{self._path} is a partial clone without some of its files; leave --repo out"
        try:
            missing = self.repository.missing(oids)
        except GitError as error:
            if "promisor" in error.output:  # a git before 2.45 would rather fetch than say that a file is missing
                raise RefusedError(reason) from error
            raise
        if missing:
            raise RefusedError(reason)

    def names(self) -> list[str]:
        return self.repository.names()

    def steps(self, oldest: str, newest: str) -> tuple[Step, ...]:
        found = steps(self.repository, oldest, newest)
        if (self._folder / "shallow").is_file() and any(not step.parents for step in found):
            raise RefusedError("it is a shallow clone without all commits between; git fetch --unshallow completes it")
        return found
