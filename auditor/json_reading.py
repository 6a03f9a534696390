"""JSON as a reader may believe it: an object that holds a key twice says two things, and is refused."""

import json


def loads(text: str) -> object:
    """What a text says. Raises ValueError for what is no JSON, or ambiguous; RecursionError."""
    found: object = json.loads(text, object_pairs_hook=_once)
    return found


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"it holds the key {max(keys, key=keys.count)[:40]!a} twice")
    return found
