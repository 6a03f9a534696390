"""Real repositories, made with fixed authors and dates, so that the same files are the same commits."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

PERSON = {
    f"GIT_{role}_{what}": said for role in ("AUTHOR", "COMMITTER") for what, said in (("NAME", "A"), ("EMAIL", "a@b"))
}
ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
"""What keeps git from the settings of whoever runs the tests."""


class Repository:
    """A repository with a worktree, which each commit adds to."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self._days = 0
        self.git("init", "--quiet", "--initial-branch=main", *options)
        self.git("config", "uploadpack.allowFilter", "true")
        self.git("config", "uploadpack.allowAnySHA1InWant", "true")
        self.git("config", "core.autocrlf", "false")

    def copied(self, folder: Path) -> "Repository":
        """The same in another folder, which takes a tenth of the time of making it."""
        shutil.copytree(self.folder, folder, symlinks=True)
        made = Repository.__new__(Repository)
        made.folder, made._days = folder, self._days
        return made

    @property
    def url(self) -> str:
        return self.folder.as_uri()

    def git(self, *arguments: str) -> str:
        # A merge needs a date too; each day has one commit.
        date = f"2026-0{1 + self._days // 28}-{1 + self._days % 28:02} 12:00:00 +0000"
        environment = {**os.environ, **PERSON, **ALONE, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit(self, files: Mapping[str, bytes | None], message: str = "change") -> str:
        """The id of a commit, a day later, that writes these files and removes those without bytes."""
        self._days += 1
        for name, data in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if data is None:
                path.unlink()
            else:
                path.write_bytes(data)
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def state(self) -> tuple[str, ...]:
        """All that reading must leave as it is."""
        looks = ("status --porcelain", "for-each-ref", "count-objects -v", "config --list", "rev-parse HEAD")
        files = sorted(str(path) for path in self.folder.rglob("*"))
        return (*(self.git(*look.split()) for look in looks), *files)
