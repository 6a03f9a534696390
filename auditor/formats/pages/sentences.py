"""What a message lists, and the code in it."""

import re
from collections.abc import Iterator


def sentences(text: str, separator: str) -> Iterator[str]:
    """What a message lists, one by one: its parts at the separator, but not within code."""
    part = ""
    for piece in re.split(rf"(`[^`]*`|{separator})", text):
        if piece == separator:
            yield part
            part = ""
        else:
            part += piece
    yield part


def spans(text: str) -> list[tuple[bool, str]]:
    """Prose, and code that stands between backticks, each with whether it is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return [(False, text)]
    return [(number % 2 == 1, part) for number, part in enumerate(parts) if part]
