"""Tables of options in documentation: a flag, its default, its description."""

import html
import re
from collections.abc import Iterator

from auditor.findings import Span
from auditor.usages import Usage

_FLAG = re.compile(r"--[a-zA-Z][\w-]*")
_HEADER = re.compile(r"default", re.IGNORECASE)
_SEPARATOR = re.compile(r"\|?\s*:?-{2,}")


def usages(path: str, text: str) -> Iterator[Usage]:
    """The flags in the first cell of each row, with the default that the row says."""
    column: int | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.lstrip().startswith("|"):
            column = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if _SEPARATOR.match(line.strip()):
            continue
        if not _FLAG.search(cells[0]):
            column = next((at for at, cell in enumerate(cells) if _HEADER.search(cell)), None)
            continue
        default = plain(cells[column]) if column is not None and column < len(cells) else None
        for flag in _FLAG.finditer(line[: line.find("|", 1 + line.find("|"))]):
            span = Span(number, flag.start() + 1, number, flag.end() + 1)
            yield Usage(path, span, "option", flag[0], value=default, is_default=default is not None)
            default = None  # it is said of the first


def plain(cell: str) -> str:
    """A cell's text without markup."""
    text = html.unescape(re.sub(r"<[^>]*>", "", cell))
    return text.replace("`", "").replace("**", "").replace("\\|", "|").strip()
