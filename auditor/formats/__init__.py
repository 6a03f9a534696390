"""What a report can be written as. One module is one format."""

import re
from abc import ABC, abstractmethod
from enum import StrEnum
from json import dumps
from typing import TYPE_CHECKING, ClassVar

from auditor.model import AnchorState, BaselineState, Kind, Location, Region
from auditor.registry import Plugin, discover

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.findings import FindingLog
    from auditor.model import Log, Outcome, Result, Run


class Show(StrEnum):
    """Which results a report shows."""

    ALL = "all"
    FAILED = "failed"
    """All but those that hold, or do not apply, as recorded."""


class Format(Plugin, ABC):
    """A pure function from a log to text."""

    can_color: ClassVar[bool] = False
    """Whether `render` makes use of `color`."""
    is_long: bool = False
    """Whether it also shows what changed in code that still does as claimed, where it would leave that out."""
    default_show: ClassVar[Show] = Show.ALL
    """What is shown when nobody says."""
    suffix: ClassVar[str] = ""
    """How a file in it ends, where that is not its id."""

    def __init__(self, show: Show | None = None) -> None:
        self.show = show or self.default_show

    @abstractmethod
    def render(self, log: "Log", *, color: bool = False) -> str:
        """The whole report, ending in a newline."""

    def results(self, run: "Run") -> "list[Result]":
        """The results of a run that are to be shown, in their order."""
        return [result for result in run.results if self.show is Show.ALL or urgency(run, result) < LEAST_URGENT]


class FindingFormat(Format):
    """A format that can also show what is wrong in a person's own files."""

    @abstractmethod
    def render_findings(self, log: "FindingLog", *, color: bool = False) -> str:
        """The whole report of such a log, ending in a newline."""


def formats() -> dict[str, type[Format]]:
    """Every format by id."""
    return discover(__name__, Format)


def finding_formats() -> "dict[str, type[FindingFormat]]":
    """By id, the formats that can show findings in a person's files."""
    return {id_: one for id_, one in formats().items() if issubclass(one, FindingFormat)}


def answer(log: "FindingLog") -> str:
    """The whole of a log of findings in one sentence."""
    files = "1 file" if len(log.files) == 1 else f"{len(log.files):,} files"
    if not log.files:
        return "no file was read"
    if not log.findings:
        return f"{files}, nothing found to mend"
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in log.kinds().items())
    return f"{files}, {len(log.findings):,} finding{'' if len(log.findings) == 1 else 's'}: {kinds}"


def counted(log: "FindingLog") -> str:
    """What a command looked at, in one line; empty where it counts nothing."""
    return ", ".join(f"{count:,} {what.en}" for what, count in log.counts)


def values(outcome: "Outcome") -> tuple[str, str]:
    """Expected and actual: as they are where both are text, else as Python, so that '16' is not taken for 16.

    Empty for what there is nothing of.
    """
    match outcome.expected, outcome.actual:
        case str(expected), str(actual):
            return expected, actual
        case expected, None:
            return "" if expected is None else str(expected), ""
        case None, actual:
            return "", str(actual)
        case expected, actual:
            return repr(expected), repr(actual)


LEAST_URGENT = 4
"""What holds, or does not apply."""


def urgency(run: "Run", result: "Result") -> int:
    """Where a reader looks first: 0 makes the audit fail, 1 is qualified, 2 open, 3 accepted, and then the rest."""
    if not result.is_as_recorded() or is_crash(run, result):
        return 0
    if result.is_suppressed:
        return 3
    return {Kind.REVIEW: 1, Kind.OPEN: 2}.get(result.kind, LEAST_URGENT)


class Became(StrEnum):
    """What became of a claim since another run, in the order in which a reader wants to know."""

    BROKE = "broke"
    WRONG = "still not as recorded"
    CHANGED = "changed, and comes out as before"
    BETTER = "came out better"
    AROUND = "changed only around what the claim looks at"
    MOVED = "only moved"
    SAME = "unchanged"
    ADDED = "not in the other run"


def became(result: "Result") -> Became:
    """What became of a claim; of a run that is compared with another."""
    match result.baseline:
        case BaselineState.NEW:
            return Became.BROKE
        case BaselineState.RESOLVED:
            return Became.BETTER
        case _ if not result.is_as_recorded():
            return Became.WRONG
        case BaselineState.UPDATED:
            return Became.CHANGED if _is_touched(result) else Became.AROUND
        case BaselineState.UNCHANGED:
            return Became.MOVED if _is_moved(result) else Became.SAME
        case _:
            return Became.ADDED


def _is_touched(result: "Result") -> bool:
    """Whether what decides the claim differs; where the code is not at hand, it may."""
    earlier, now = result.earlier, result.outcome
    if result.changed_helpers:
        return True
    if earlier is None or not result.changes or (earlier.kind, earlier.values) != (now.kind, now.values):
        return True
    return any(
        (line.before is None) is not (line.after is None)
        and (_is_at(line.after, change.after, now.locations) or _is_at(line.before, change.before, earlier.locations))
        for change in result.changes
        for line in change.lines
    )


def _is_at(line: int | None, within: Location | None, places: "Sequence[Location]") -> bool:
    regions = [place.region for place in places if within and place.path == within.path and place.region]
    return line is not None and any(region.start <= line <= region.end for region in regions)


def _is_moved(result: "Result") -> bool:
    """Whether lines differ: of what was found, or of what is cited."""
    earlier = result.earlier
    is_found_elsewhere = earlier is not None and [str(one) for one in earlier.locations] != [
        str(one) for one in result.outcome.locations
    ]
    went = [one for one in result.relocations if one is not None]
    return is_found_elsewhere or any(one.state is not AnchorState.EXACT for one in went)


def is_crash(run: "Run", result: "Result") -> bool:
    """Whether kvaudit itself failed at this claim."""
    return any(told.is_bug and told.claim == result.claim.id for told in run.notifications)


def reason(result: "Result") -> str:
    """Why a result is what it is, and what else needs a person: a lost citation, an acceptance out of date."""
    others = [
        *([f"it is {result.outdated.en}"] if result.outdated else []),
        *(f"the code cited as {found.citation} is nowhere" for found in result.lost),
    ]
    message = result.outcome.message.en
    return "; ".join([message, *others] if result.kind is Kind.FAIL else [*others, message])


def origin(result: "Result") -> Location:
    """Where the pack states the claim."""
    path, _, line = result.claim.origin.rpartition(":")
    number = int(line) if re.fullmatch("[0-9]{1,9}", line) else 0
    return Location(path, Region(number, number)) if path and number else Location(result.claim.origin)


def revision(run: "Run") -> str:
    """What was audited, as a person calls it."""
    read = run.revision
    at = f" at {read.commit[:10]}" if read.commit and not read.commit.startswith(read.name) else ""
    return f"{run.target.name} {read.name}{at} ({read.source})"


def visible(text: str, longest: int | None = None) -> str:
    """`text` on one line, cut to its length, with an escape for whatever a reader would obey instead of show."""
    line = text[:longest]
    if not line.isprintable():
        line = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
    return line if longest is None or len(line) <= longest >= len(text) else line[: longest - 1] + "…"


def json_text(document: object) -> str:
    """A document as JSON that is safe to print."""
    text = dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    safe = _DECEPTIVE.sub(lambda match: dumps(match[0])[1:-1], text)
    return _LOG_COMMANDS.sub(r"\\u0023#", safe) + "\n"


_LOG_COMMANDS = re.compile(r"##(?=\[|vso\[|teamcity\[)")
"""What a CI log takes for a command wherever it stands."""

# What a terminal or an editor would obey or hide, and what UTF-8 cannot say: written as an escape. A fixed set, and not
# whatever this Python's Unicode tables hold, so that every Python writes the same bytes.
_DECEPTIVE = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
