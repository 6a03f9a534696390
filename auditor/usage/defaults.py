"""Whether a text says the same default as the code: ways to write a value that mean one thing."""

import ast
import json
import re

_NOTHING = ("", "-", "--", "—", "–", "none", "null", "n/a", "na", "nil", "unset", "not set", "required", "undefined")
_PRODUCT = re.compile(r"\d[\d_,]*(?:\.\d+)?(?:\s*[*+]\s*\d[\d_,]*(?:\.\d+)?)+")


def is_same_default(text: str, default: object) -> bool:
    """Whether the text means the default: numbers by value, products worked out, dashes and None for nothing."""
    plain = text.strip().strip("\"'")
    lowered = plain.lower()
    if default is None:
        return lowered in (*_NOTHING, "auto")
    if isinstance(default, bool):
        return lowered in (
            ("true", "1", "yes", "enabled", "on") if default else ("false", "0", "no", "disabled", "off")
        )
    if isinstance(default, int | float):
        number = _number(plain)
        return number is not None and abs(number - default) <= 1e-12 * max(1.0, abs(default))
    if isinstance(default, str):
        return plain == default or lowered == default.lower() or (default == "" and lowered in _NOTHING)
    value = _literal(plain)
    return value == default or str(value) == str(default) or (not default and lowered in (*_NOTHING, "[]", "{}"))


def _number(text: str) -> float | None:
    plain = text.replace(",", "").replace("_", "")
    if _PRODUCT.fullmatch(text):
        total = 0.0
        for part in plain.split("+"):
            product = 1.0
            for factor in part.split("*"):
                product *= float(factor)
            total += product
        return total
    try:
        return float(plain)
    except ValueError:
        return None


def _literal(text: str) -> object:
    if len(text) > 2_000:
        return text
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        found: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return list(found) if isinstance(found, tuple) else found
