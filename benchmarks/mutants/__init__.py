"""How much a pack notices: edits of the real source at what each claim looks at.

`looked.py` finds the syntax that decides a claim; `breaking.py` edits it so that the code does something else,
`neutral.py` so that it does the same. Both give edited texts, each with the name of its operator.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """One edited file. `line` is where it was edited, 1-based, in the unedited text."""

    operator: str
    path: str
    line: int
    text: str
