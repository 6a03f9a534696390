"""Mutation analysis: edits of source at what a claim looks at, and whether the claim notices.

`looked` finds the syntax that decides a claim; `breaking` edits it so that the code does something else, `neutral` so
that it does the same. Both give edited texts, each with the name of its operator.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """One edited file. `line` is where it was edited, 1-based, in the unedited text."""

    operator: str
    path: str
    line: int
    text: str
