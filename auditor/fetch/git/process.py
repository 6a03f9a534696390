"""git as a process: the one place where it is started, without prompt or hook, and within limits."""

import os
import tempfile
from pathlib import Path
from typing import BinaryIO, Protocol

from auditor.errors import SourceError
from auditor.fetch import FetchError, RefusedError
from auditor.limits import GIT_BYTES, GIT_OUTPUT, GIT_SECONDS

OLDEST = (2, 31)
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.quotePath": "false",
    "fetch.showForcedUpdates": "false",
    "fetch.unpackLimit": "1",
    "fetch.writeCommitGraph": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "30",
}
_BLOCK = 512
"""Bytes in which POSIX has `ulimit -f` count."""


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


def check_version() -> None:
    """Raises SourceError where there is no git, or one too old."""
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    import git

    remedy = f"install git {'.'.join(map(str, OLDEST))} or newer, or audit without it: --release or --path"
    try:
        found = git.Git().version_info
    except (git.GitCommandNotFound, PermissionError) as error:
        raise SourceError(f"git is not installed; {remedy}") from error
    if found < OLDEST:
        raise SourceError(f"git {'.'.join(map(str, found))} is too old; {remedy}")


def folders(path: Path) -> tuple[Path, Path]:
    """Of a clone, worktree or mirror: its own git folder, and the one that has the objects. Raises RefusedError."""
    import git

    try:
        with git.Repo(path.expanduser().absolute()) as found:
            return Path(found.git_dir), Path(found.common_dir)
    except (git.GitError, OSError, ValueError, RuntimeError) as error:
        raise RefusedError(f"{path} is no git repository; for a folder of code use --path") from error


def start(folder: Path, protocols: str = "", common: Path | None = None) -> Run:
    """What runs git in a repository, with these protocols allowed; whatever git says, it says in English."""
    import git

    # A hook that runs kvaudit has variables for its own repository, which must not lead into another.
    environment = {
        "GIT_DIR": str(folder),
        "GIT_OBJECT_DIRECTORY": str((common or folder) / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
    }
    if not any(name in os.environ for name in ("GIT_SSH", "GIT_SSH_COMMAND")):
        environment["GIT_SSH_COMMAND"] = "ssh -oBatchMode=yes -oConnectTimeout=30"
    settings = [part for key, value in _SETTINGS.items() for part in ("-c", f"{key}={value}")]

    def run(*arguments: str, given: bytes = b"") -> tuple[bytes, str]:
        command = [str(git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git"), *settings, *arguments]
        is_posix = os.name == "posix"
        if protocols and is_posix:  # what comes from a server ends up in a file
            blocks = -(-GIT_BYTES.value // _BLOCK)
            command = ["sh", "-c", 'ulimit -f "$0" && exec "$@"', str(blocks), *command]
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
            stdin.write(given)
            stdin.seek(0)
            status, _, remarks = git.Git().execute(
                command,
                istream=stdin,
                env=environment,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                output_stream=_Bounded(stdout),
                kill_after_timeout=GIT_SECONDS.value if is_posix else None,
            )
            stdout.seek(0)
            output = stdout.read()
        if status and remarks.startswith("Timeout: "):
            raise GitError(f"git was ended: {GIT_SECONDS.exceeded()}")
        if status and ("invalid index-pack output" in remarks or "died of signal" in remarks):
            raise GitError(f"git was ended: its server sent {GIT_BYTES.exceeded()}")
        if status:
            raise GitError(remarks)
        return output, remarks

    return run


class _Bounded:
    """A stream that refuses to become too long."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left = GIT_OUTPUT.value

    def write(self, data: bytes) -> None:
        self._left -= len(data)
        if self._left < 0:
            raise GitError(f"git was ended: {GIT_OUTPUT.exceeded()}")
        self._stream.write(data)
