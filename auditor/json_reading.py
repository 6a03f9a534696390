"""JSON as a reader may believe it: an object that holds a key twice says two things, and is refused.

So is `NaN`, which other readers of JSON do not take.
"""

import json


def loads(text: str) -> object:
    """What a text says. Raises ValueError for what is no JSON, or ambiguous; RecursionError."""
    found: object = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    return found


def _refuse(word: str) -> object:
    raise ValueError(f"{word} is no JSON")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"it holds the key {max(keys, key=keys.count)[:40]!a} twice")
    return found
