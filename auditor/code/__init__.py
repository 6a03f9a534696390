"""Static analysis: what can be known of a code base without running it."""

from auditor.model import Text


class Undecidable(Exception):
    """No static reading answers the question; `reason` says why. It becomes an `open` outcome."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason


class Absent(Undecidable):
    """What was looked for is not defined where it was looked for, nor anywhere else in the scope searched."""
