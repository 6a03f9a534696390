"""Whether a sentence is Chinese, for the tests."""

import re

CHINESE = re.compile(r"[\u4e00-\u9fff]")

# Code and what is quoted keeps its language; so do paths, and names with a colon such as those of metrics.
_QUOTED = re.compile(r"`[^`]*`|“[^”]*”|[\w.$~-]*[/:][\w.$~/:-]*")

# What every English sentence has. Terms of the trade, such as token or gauge, are used in Chinese too.
_ENGLISH = re.compile(
    r"\b(a|also|an|and|are|as|at|be|been|before|but|by|can|cannot|does|for|from|gives|has|if|in|into|is|it|its|logs|more"
    r"|neither|no|none|nor|not|nothing|nowhere|of|on|once|only|or|other|reads|returns|runs|so|than|that|the|there|this"
    r"|times|to|under|what|when|whether|which|while|with)\b",
    re.ASCII,
)


def is_chinese(sentence: str) -> bool:
    """Whether it has Chinese in it, and no English but in quotes."""
    return CHINESE.search(sentence) is not None and _ENGLISH.search(_QUOTED.sub(" ", sentence)) is None
