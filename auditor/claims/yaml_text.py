"""A claim as YAML text, the way a person would write it."""

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from auditor.model import Anchor, Text

if TYPE_CHECKING:
    from auditor.checks import Check

_PLAIN = re.compile(r"[A-Za-z0-9_./(\u4e00-\u9fff](?:[^\n#:]|:(?=\S)|(?<=\S)#)*(?<![\s:])")
_INLINE = 100  # characters of a list on one line


def claim_text(id_: str, statement: Text, cites: Sequence[str], check: "Check", languages: Sequence[str]) -> str:
    """An item of `claims`, ending in a newline. With one language the statement is a plain string."""
    lines = [f"- id: {scalar(id_)}"]
    if len(languages) == 1:
        lines.append(f"  statement: {scalar(getattr(statement, languages[0]))}")
    else:
        lines += ["  statement:", f"    en: {scalar(statement.en)}", f"    zh: {scalar(statement.zh)}"]
    if cites:
        lines.append(f"  cites: [{', '.join(json.dumps(one, ensure_ascii=False) for one in cites)}]")
    lines += (f"  {line}" for line in check_lines(check))
    return "\n".join(lines) + "\n"


def check_lines(check: "Check") -> Iterator[str]:
    """The keys of a check, those that it does not need left out."""
    given = {one.name: getattr(check, one.name) for one in dataclasses.fields(check) if not _is_default(check, one)}
    if "at" in given:
        yield f"at: {scalar(str(given.pop('at')))}"
    yield f"check: {check.id}"
    for key, value in given.items():
        yield from _pair(key.rstrip("_"), value)


def _pair(key: str, value: object) -> Iterator[str]:
    if dataclasses.is_dataclass(value) and not isinstance(value, Anchor | Text | type):
        yield f"{key}:"
        yield from (f"  {line}" for line in check_lines(value))  # type: ignore[arg-type] # a check in a check
    elif isinstance(value, Mapping):
        pairs = (f"{scalar(_text(name))}: {scalar(_text(one))}" for name, one in value.items())
        yield f"{key}: {{{', '.join(pairs)}}}"
    elif isinstance(value, tuple):
        yield f"{key}: [{', '.join(json.dumps(_text(one), ensure_ascii=False) for one in value)}]"
    elif "\n" in (text := _text(value)):
        yield f"{key}: |"
        yield from (f"  {line}" for line in text.strip("\n").split("\n"))
    else:
        yield f"{key}: {scalar(text)}"


def _text(value: object) -> str:
    """What a person writes for a value: our own notations have the text that they were made from."""
    if isinstance(value, bool):
        return str(value).lower()
    own = getattr(value, "text", None)
    return own if isinstance(own, str) else str(value)


def scalar(text: str) -> str:
    """A text on one line; plain where YAML, and a reader of YAML 1.1, take it for just this text."""
    is_plain = _PLAIN.fullmatch(text) and not re.search(r"[,\[\]{}]", text) and not text.startswith(("- ", "? "))
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _is_default(check: "Check", one: "dataclasses.Field[object]") -> bool:
    value = getattr(check, one.name)
    if one.default is not dataclasses.MISSING:
        return bool(value == one.default)
    return one.default_factory is not dataclasses.MISSING and value == one.default_factory()
