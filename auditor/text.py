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


def _close(zh: str) -> str:
    """Chinese without the blanks that only code in it needs; what is in quotes stays as it is."""
    return _BLANK.sub(lambda found: "" if found[0].isspace() else found[0], zh)


_HAN = "[\u4e00-\u9fff]"
_WIDE = "[\u3001-\u301f\uff01-\uff5e]"
_BLANK = re.compile(f"`[^`]*`|“[^”]*”|(?<={_HAN}) (?={_HAN})|(?<={_WIDE}) | (?={_WIDE})")
