"""Defaults of flags that prose states right behind the flag, as in "`--block-size` defaults to `16`"."""

import re
from collections.abc import Iterator

from auditor.findings import Span
from auditor.usages import Usage

_DEFAULT = re.compile(
    r"(?P<flag>--[a-z][\w-]{2,60})(?:`|</code>)?[ ,(，（]{0,3}"
    r"(?:defaults to|default is|default[:=]?|默认(?:值)?(?:为|是|：)?)[ ]?"
    r"(?:(?:`|<code>)(?P<code>[^\s`<>]{1,60})(?:`|</code>)|(?P<number>-?\d+(?:\.\d+)?)(?![\w.%×*^,/~-]|\s?[KMGT]i?B|\s?%))"
)
_LONGEST = 20_000  # characters of a line


def usages(path: str, text: str) -> Iterator[Usage]:
    """The flags of which a line says the default, with a value that is code or a bare number."""
    for number, line in enumerate(text.split("\n"), 1):
        if "--" not in line or len(line) > _LONGEST:
            continue
        for found in _DEFAULT.finditer(line):
            span = Span(number, found.start("flag") + 1, number, found.end("flag") + 1)
            yield Usage(path, span, "option", found["flag"], value=found["code"] or found["number"], is_default=True)
