"""What can go wrong before an audit has a result. Types are public; wording is not."""


class AuditError(Exception):
    """The audit could not run. The message is one line: what, where, and what to do."""


class ClaimError(AuditError):
    """A pack is malformed. Carries every problem of every file.

    `problems` are lines of the form `file:line:column: message`, 1-based.
    """

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class SourceError(AuditError):
    """A revision could not be opened or a file could not be read; the message names it."""


class UnreadableError(SourceError):
    """One file cannot be read, whatever is tried; the others can. What depends on it is open."""


class ConfigError(AuditError):
    """An option or a setting cannot be used as given, or nothing is left to audit."""
