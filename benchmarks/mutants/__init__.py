"""How much a pack notices: edits of the real source at what each claim looks at.

`breaking` holds edits that change what code does, `neutral` edits that must change no verdict. Both are functions from
a file's text and the lines of interest to edited texts, each with the name of its operator.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """One edited file. `line` is where it was edited, 1-based, in the unedited text."""

    operator: str
    line: int
    text: str
