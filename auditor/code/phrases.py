"""Code in sentences of both languages, and what stands for a condition that no code writes."""

import re
from collections.abc import Iterable

from auditor.model import Text

OR, AND, THEN = Text(" or ", " 或 "), Text(" and ", " 和 "), Text("; ", "；")

CAUGHT = Text("an exception is caught", "捕获到异常")
CATCHES = Text("the try of line {} catches an exception", "第 {} 行的 try 捕获到异常")
CATCHES_NOTHING = Text("the try of line {} catches no exception", "第 {} 行的 try 没有捕获到异常")
LEFT = Text("the loop is left by break", "循环由 break 退出")
NOT_LEFT = Text("the loop is not left by break", "循环未被 break 退出")
NO_ROUND = Text("; it stands in a loop over {}, which may be empty", "；它位于对 {} 的循环中，而所循环的内容可能为空")
ROUND = Text("the loop over {} has a round", "对 {} 的循环至少执行一轮")
NO_ROUND_RETURNS = Text("no round of the loop returns", "循环的各轮都没有返回")
MATCHES = Text("case {} matches", "第 {} 个 case 匹配")
MATCHES_OF = Text("case {} of {} matches", "第 {} 个 case（{}）匹配")
LAMBDA_CALLED = Text("the lambda is called", "该 lambda 被调用")
CALLED = Text("{} is called", "{} 被调用")
ONE_OF = Text(" (one of {} of that name)", "（{} 个同名者之一）")
UNKNOWN = Text("what cannot be said", "无法确定的量")


def _pattern(words: Text) -> re.Pattern[str]:
    return re.compile(re.escape(words.en).replace(r"\{\}", r"\b(\w+)", 1).replace(r"\{\}", "(.{1,200}?)"))


_ALL = (
    ROUND,
    CAUGHT,
    CATCHES,
    CATCHES_NOTHING,
    LEFT,
    NOT_LEFT,
    NO_ROUND_RETURNS,
    MATCHES_OF,
    MATCHES,
    LAMBDA_CALLED,
    CALLED,
)
_WORDS = {_pattern(words): words for words in (*_ALL, ONE_OF, UNKNOWN)}


def quoted(code: object) -> Text:
    """Code as part of a sentence: Chinese has no blanks, so it needs the quotes."""
    zh = str(code)
    for pattern, words in _WORDS.items():
        zh = pattern.sub(lambda found, words=words: words.zh.format(*found.groups()), zh)  # type: ignore[misc] # a default
    return Text(str(code), f"`{zh}`")


def ticked(pattern: object) -> Text:
    """A claim's own code, which is in quotes in English too."""
    return Text(f"`{pattern}`", f"`{pattern}`")


def under_condition(value: str, condition: str | None) -> Text:
    """A value, and the condition under which it is the one."""
    if not condition:
        return quoted(value)
    return Text("{} if {}", "{}（当 {} 时）").filled(quoted(value), quoted(condition))


def listed(parts: Iterable[object], most: int | None = None) -> Text:
    """Texts, or names and paths that read the same in both languages, one after the other."""
    every = [part if isinstance(part, Text) else Text(str(part), str(part)) for part in parts]
    shown = Text(", ", "、").join(every[:most])
    left = len(every[most:]) if most is not None else 0
    return shown + Text(f" and {left} more", f" 等，另有 {left} 个") if left else shown


def files(number: int, scope: Iterable[str]) -> Text:
    """The files that were searched."""
    places = listed(map(quoted, scope))
    return Text(f"{counted(number, 'file')} under {places.en}", f"{places.zh} 下的 {number} 个文件")


def counted(number: int, noun: str) -> str:
    """A number of things, in English."""
    return f"{number} {noun}" + ("" if number == 1 else "es" if noun.endswith("s") else "s")
