"""How much of what strangers send is taken in. Each limit is changed in the environment; docs/security.md lists them.

A limit is a whole number above zero, read from `KVAUDIT_LIMIT_` and its name when it is needed.
"""

import os
from dataclasses import dataclass

from auditor.errors import ConfigError

PREFIX = "KVAUDIT_LIMIT_"


@dataclass(frozen=True, slots=True)
class Limit:
    """One of them: what it bounds, and by how many of which unit unless the environment says otherwise."""

    name: str
    default: int
    unit: str
    what: str

    @property
    def variable(self) -> str:
        """What sets it."""
        return PREFIX + self.name

    @property
    def value(self) -> int:
        """Raises ConfigError when the environment has something else than a whole number above zero."""
        text = os.environ.get(self.variable)
        if text is None:
            return self.default
        if not (text.isascii() and text.isdigit() and len(text) <= 18 and int(text)):
            raise ConfigError(f"{self.variable}={text[:40]}: it must be a whole number above 0, of at most 18 digits")
        return int(text)

    def exceeded(self) -> str:
        """What to say when it is."""
        return f"more than the {self.value:,} {self.unit} allowed for {self.what}; {self.variable} raises this"


FETCH_SECONDS = Limit("FETCH_SECONDS", 30, "seconds", "one answer of a server, beside what it may take by its length")
FETCH_SPEED = Limit("FETCH_SPEED", 50_000, "bytes a second", "the slowest answer of a server")
GIT_SECONDS = Limit("GIT_SECONDS", 600, "seconds", "one command of git")
GIT_BYTES = Limit("GIT_BYTES", 4 * 1024**3, "bytes", "one file that git fetches")
GIT_OUTPUT = Limit("GIT_OUTPUT", 512 * 1024**2, "bytes", "what one command of git writes")
PAGE_BYTES = Limit("PAGE_BYTES", 16 * 1024**2, "bytes", "a registry's page of a project")
PAGE_TAGS = Limit("PAGE_TAGS", 100_000, "tags or objects", "a registry's page of a project")
DOWNLOAD_BYTES = Limit("DOWNLOAD_BYTES", 4 * 1024**3, "bytes", "a wheel or sdist that is fetched whole")
DIRECTORY_BYTES = Limit("DIRECTORY_BYTES", 8 * 1024**2, "bytes", "the directory of an archive")
HEADER_BYTES = Limit("HEADER_BYTES", 1024**2, "bytes", "the headers of a member of a tar archive")
UNPACKED_BYTES = Limit("UNPACKED_BYTES", 1024**3, "bytes", "what an archive unpacks to")
TREE_FILES = Limit("TREE_FILES", 200_000, "files", "a folder or an archive")
INPUT_BYTES = Limit("INPUT_BYTES", 64 * 1024**2, "bytes", "a file that is named, or of a pack or a ledger")
FILE_BYTES = Limit("FILE_BYTES", 16 * 1024**2, "bytes", "a source file")
CODE_BYTES = Limit("CODE_BYTES", 2 * 1024**2, "characters", "a file that is parsed")
PARSE_SECONDS = Limit("PARSE_SECONDS", 10, "seconds", "one file that a parser may not survive")
PARSE_BYTES = Limit("PARSE_BYTES", 1024**3, "bytes of memory", "one file that a parser may not survive")
CLAIM_SECONDS = Limit("CLAIM_SECONDS", 60, "seconds of the processor", "one claim")
MEMORY_BYTES = Limit("MEMORY_BYTES", 4 * 1024**3, "bytes of memory", "a process of kvaudit")


def limits() -> tuple[Limit, ...]:
    """Every limit there is, in the order above."""
    return tuple(one for one in globals().values() if isinstance(one, Limit))
