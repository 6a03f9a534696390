"""JSON as a reader may believe it: an object that holds a key twice says two things, and is refused.

So are `NaN` and half characters, which other readers of JSON do not take.
"""

import json
import re


def loads(text: str) -> object:
    """What a text says. Raises ValueError for what is no JSON, or ambiguous; RecursionError."""
    found: object = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    if _HALF.search(text):
        _refuse_halves(found)
    return found


def _refuse(word: str) -> object:
    raise ValueError(f"{word} is no JSON")


_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def _refuse_halves(found: object) -> None:
    """Raises ValueError where an escape names one half of a character: no file can hold that as text."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"it holds one half of a character, {error.object[error.start]!a}") from None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"it holds the key {max(keys, key=keys.count)[:40]!a} twice")
    return found
