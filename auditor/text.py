"""What is said to people, in both languages of the reports."""

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence in both languages of the reports."""

    en: str
    zh: str

    def __add__(self, other: "Text") -> "Text":
        return Text(self.en + other.en, self.zh + other.zh)

    def filled(self, *parts: object) -> "Text":
        """With the parts in place of its `{}`; what is no text reads the same in both languages."""
        both = [part if isinstance(part, Text) else Text(str(part), str(part)) for part in parts]
        return Text(self.en.format(*(part.en for part in both)), _close(self.zh.format(*(part.zh for part in both))))

    def join(self, parts: Iterable["Text"]) -> "Text":
        """The parts with this between them."""
        both = tuple(parts)
        return Text(self.en.join(part.en for part in both), _close(self.zh.join(part.zh for part in both)))


def escaped(text: str) -> str:
    """The text with an escape for whatever a terminal would obey or hide. Newlines and tabs stay."""
    return _OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)


# A fixed set, and not whatever this Python's Unicode tables hold, so that every Python writes the same.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def no_commands(text: str) -> str:
    """Lines for a log, none of which GitHub, Azure Pipelines or TeamCity takes for a command."""
    return _COMMANDS.sub(lambda found: r"#\#" if found[0] == "##" else rf"{found[1]}\:", text)


def no_commands_in_markup(markup: str) -> str:
    """The same for XML or HTML, which reads as it did."""
    return _COMMANDS.sub(lambda found: "&#35;#" if found[0] == "##" else f"{found[1]}&#58;", markup)


_COMMANDS = re.compile(r"^((?:\x1b\[[0-9;]*m|\s)*):(?=:)|##(?=\[|vso\[|teamcity\[)", re.MULTILINE)
"""`::error` at the start of a line, be it coloured; `##[error]` anywhere."""


def _close(zh: str) -> str:
    """Chinese without the blanks that only code in it needs; what is in quotes stays as it is."""
    return _BLANK.sub(lambda found: "" if found[0].isspace() else found[0], zh)


_HAN = "[\u4e00-\u9fff]"
_WIDE = "[\u3001-\u301f\uff01-\uff5e]"
_BLANK = re.compile(f"`[^`]*`|“[^”]*”|(?<={_HAN}) (?={_HAN})|(?<={_WIDE}) | (?={_WIDE})")
