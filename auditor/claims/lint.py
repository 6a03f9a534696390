"""What is probably wrong with a pack that loads: a person must look, since each remark can be mistaken."""

import dataclasses
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.code.matching.notation import Constant
from auditor.model import Text

if TYPE_CHECKING:
    from auditor.checks import Check
    from auditor.claims import Entry, Pack

_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", re.IGNORECASE)
_UNITS = (1, 100, 1 / 60, 1 / 3600, *(1 / base**power for base in (1000, 1024) for power in (1, 2, 3)))
"""What a sentence may say a number in: per cent, minutes, hours, KB to GiB."""
_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_HAN = "〇一二三四五六七八九十"
_PATH = re.compile(r"\.?[\w./\\-]*(?P<fault>\\|(?<![\w.])\./|//|:\d)")


def remarks(pack: "Pack") -> Iterator[tuple[str, Text]]:
    """`file:line` and what is probably wrong there, in the order of the pack."""
    yield from ((f"{pack.folder / 'pack.yaml'}", remark) for remark in _of_targets(pack))
    before: dict[str, str] = {}
    for entries in pack.entries.values():
        for entry in entries:
            said = [*_of_entry(entry)]
            key = repr((entry.checks, entry.caveats))
            if (same := before.setdefault(key, entry.claim.id)) != entry.claim.id:
                said.append(Text(f"it is decided by the same as {same}", f"它的判定与 {same} 完全相同"))
            yield from ((entry.claim.origin, Text(f"{entry.claim.id}: ", f"{entry.claim.id}：") + one) for one in said)


def _of_targets(pack: "Pack") -> Iterator[Text]:
    for target in pack.targets:
        if target.commit and not re.fullmatch(r"[0-9a-f]{7,64}", target.commit):
            yield Text(
                f"{target.name}: {target.commit} is no commit; a branch moves, so pin what it is now: kvaudit lock",
                f"{target.name}：{target.commit} 不是提交；分支会变动，请固定当前提交：kvaudit lock",
            )
        for place in (*target.packages, *target.metrics, *target.options, *target.resolved):
            if fault := _PATH.match(place.removeprefix("!")):
                yield Text(f"{target.name}: ", f"{target.name}：") + _no_path(place, fault)


def _of_entry(entry: "Entry") -> Iterator[Text]:
    claim = entry.claim
    for check in entry.checks:
        for value in _numbers(check):
            if not _is_in_statement(value, claim.statement):
                yield Text(
                    f"{check.id} asks for {value:g}, which the statement does not say",
                    f"`{check.id}` 要求 {value:g}，而陈述中没有这个数",
                )
    for check in entry.decided().every:
        for place in getattr(check, "scope", ()):
            if fault := _PATH.match(place):
                yield _no_path(place, fault)
    cited = {citation.path for citation in claim.citations}
    looked = {place.path for check in entry.checks for place in check.anchors() if place.symbol}
    if cited and looked and not cited & looked:
        paths = ", ".join(sorted(looked))
        yield Text(f"it cites other files than it looks at: {paths}", f"它引用的文件与检查的文件不同：{paths}")


def _no_path(place: str, fault: re.Match[str]) -> Text:
    return Text(
        f"{place} is no path in a repository: write a/b, without {fault['fault']}",
        f"{place} 不是仓库中的路径：请写 a/b，不带 {fault['fault']}",
    )


def _numbers(check: "Check") -> Iterator[float]:
    """The numbers that a check asks for, but for 0 and 1, which sentences say in many ways."""
    for one in dataclasses.fields(check):
        value = getattr(check, one.name)
        number = value.value if isinstance(value, Constant) else None
        if not isinstance(number, int | float) or isinstance(number, bool):
            continue
        if abs(number) not in (0, 1) and abs(number) <= sys.float_info.max:
            yield float(number)


def _is_in_statement(value: float, statement: Text) -> bool:
    both = f"{statement.en} {statement.zh}"
    found = {float(match[0].replace(",", "").rstrip(".") or 0) for match in _NUMBER.finditer(both)}
    is_small = value == int(value) and 0 <= value < len(_WORDS)
    if is_small and (_WORDS[int(value)] in statement.en.lower() or (value <= 10 and _HAN[int(value)] in statement.zh)):
        return True
    return any(abs(abs(value) * unit - abs(number)) <= 1e-9 * max(1.0, number) for unit in _UNITS for number in found)
