"""Why code that is looked for is not there, or cannot be told."""

from typing import TYPE_CHECKING

from auditor.code import Absent, Undecidable
from auditor.code.phrases import quoted
from auditor.model import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.model import Anchor, Location, Omission, Revision


def no_file(path: str, revision: "Revision", *, is_shipped: bool) -> Absent:
    missing = Text(f"{path} is not in {revision.name}", f"{revision.name} 中没有 {path}")
    unshipped = Text(f", and {revision.source} sources do not ship it", f"，{revision.source} 来源不包含此文件")
    return Absent(missing if is_shipped else missing + unshipped)


def unreadable_file(path: str, error: Exception) -> Undecidable:
    return Undecidable(Text("{} cannot be read: {}", "无法读取 {}：{}").filled(path, quoted(error)))


def omitted(one: "Omission") -> Undecidable:
    return Undecidable(Text("{} was not read: {}", "{} 未被读取：{}").filled(one.path, one.reason))


def no_symbol(anchor: "Anchor", scope: str, near: str | None, missing: Absent | None) -> Absent:
    """`near` is the most similar name there; `missing` says that not even the file is there."""
    found = Text("no {0} in {1}, nor anywhere under {2}", "{1} 中没有 {0}，{2} 下也没有").filled(
        quoted(anchor.symbol), anchor.path, quoted(scope)
    )
    if missing is not None:
        return Absent(missing.reason + Text(", and ", "；") + found)
    hint = Text("; the nearest there is {}", "；该文件中最接近的是 {}").filled(quoted(near)) if near else Text("", "")
    return Absent(found + hint)


def no_python(place: str, revision: "Revision") -> Absent:
    return Absent(
        Text(
            f"there is no Python under {place} in {revision.name}, so nothing was searched",
            f"{revision.name} 的 `{place}` 下没有 Python 文件，因此没有搜索任何内容",
        )
    )


def no_function(location: "Location", name: str) -> Undecidable:
    return Undecidable(Text("{}: {} is no function", "{}：{} 不是函数").filled(location, quoted(name)))


def several(symbol: str | None, found: "Sequence[Location]") -> Undecidable:
    places = ", ".join(map(str, found))
    return Undecidable(
        Text(
            f"{symbol} is defined {len(found)} times ({places}); which is meant cannot be told",
            f"`{symbol}` 有 {len(found)} 处定义（{places}），无法判断指的是哪一处",
        )
    )


def unreadable(target: str, version: str, error: Exception) -> Undecidable:
    return Undecidable(Text("{} {} cannot be read: {}", "无法读取 {} {}：{}").filled(target, version, quoted(error)))
