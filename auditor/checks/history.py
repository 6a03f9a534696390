"""The check `history`."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from auditor.checks import Check
from auditor.code import Absent, Undecidable
from auditor.code.phrases import THEN
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase

_GONE = "gone"


@dataclass(frozen=True, kw_only=True)
class History(Check):
    """Something holds, or does not, in other releases.

    *What it checks.* The check `of` is run on each of `releases` of the target, which are read from the package
    registry. Where the class or file that it looks into has no such member, it does not hold. Where that class or file
    is not there either, its code may be elsewhere, and the claim is `open`; so it is where the place is in none of the
    releases, nor in the audited one, and where a release cannot be read. It needs the registry, or a filled cache.

    *Parameters.* `releases`: versions. `of`: a check. `holds` (optional): in `all` of them (the default), `none` or
    `some`. `absent: true` (optional), instead: the place `at` of that check is not defined in any of them.

    *中文。* 某事在其他版本中成立或不成立。

    *Example.*

        check: history
        releases: ["0.22.0", "0.23.0"]
        of:
          check: default-value
          at: vllm/config/scheduler.py::SchedulerConfig.watermark
          equals: 0.0
        absent: true
    """

    releases: tuple[str, ...]
    of: Check
    holds: Literal["all", "none", "some"] = "all"
    absent: bool = False

    def problems(self) -> Iterator[str]:
        if not self.releases:
            yield "releases names none"
        if self.absent and self.holds != "all":
            yield "give one of absent and holds"
        if self.absent and not isinstance(getattr(self.of, "at", None), Anchor):
            yield "absent needs a check with a place: at"

    def run(self, codebase: "Codebase") -> Outcome:
        at = getattr(self.of, "at", None)
        others = codebase.other_releases(self.releases, frozenset({at.path}) if isinstance(at, Anchor) else frozenset())
        found = {version: self._in(version, release) for version, release in others.items()}
        if isinstance(at, Anchor) and all(kind == _GONE for kind, _ in found.values()) and not codebase.is_known(at):
            raise Undecidable(
                Text(
                    f"{at} is in none of these releases, nor in the audited one: nothing was looked at",
                    f"这些发行版以及被审计的版本中都没有 {at}：没有可查看的内容",
                )
            )
        wanted = {_GONE} if self.absent else {Kind.PASS, Kind.REVIEW}
        yes = [version for version, (kind, _) in found.items() if kind in wanted]
        is_so = {"all": len(yes) == len(found), "none": not yes, "some": bool(yes)}[self.holds]
        is_qualified = not self.absent and any(kind == Kind.REVIEW for kind, _ in found.values())
        kind = Kind.PASS if is_so else Kind.FAIL
        if is_qualified and (is_so or self.holds == "none"):
            kind = Kind.REVIEW
        said = THEN.join(_of(version, message) for version, (_, message) in found.items())
        expected = "absent in all" if self.absent else f"holds in {self.holds}"
        return Outcome(kind, said, expected, ", ".join(yes) or "none", _here(self.of, codebase))

    def _in(self, version: str, release: "Codebase") -> tuple[str, Text]:
        """What a release says: a kind, or that what is looked at is not defined there. Raises Undecidable."""
        at = getattr(self.of, "at", None)
        try:
            if isinstance(at, Anchor):
                if not release.is_shipped(at.path):
                    raise Undecidable(Text(f"releases do not ship {at.path}", f"发行版不包含 {at.path}"))
                try:
                    _look(at, release)
                except Absent as absent:
                    if self.absent or _is_certain(at, release):
                        return _GONE, absent.reason
                    raise
            if self.absent:
                return Kind.PASS, Text(f"{at} is there", f"{at} 存在")
            outcome = self.of.audit(release)
        except Undecidable as reason:
            raise Undecidable(_of(version, reason.reason)) from None
        if outcome.kind is Kind.OPEN:
            raise Undecidable(_of(version, outcome.message))
        return outcome.kind, outcome.message


def _of(version: str, message: Text) -> Text:
    return Text("{}: {}", "{}：{}").filled(version, message)


def _look(at: Anchor, release: "Codebase") -> None:
    """Raises Absent when a place is not defined in a release, Undecidable when that cannot be told."""
    owner = (at.symbol or "").rpartition(".")[0]
    # A class that is where it was and lacks the member did not move; looking through all other files is slow.
    if owner and release.is_there(at.path) and release.definitions(at.path, owner):
        if not release.definitions(at.path, at.symbol):
            raise Absent(Text(f"no {at.symbol} in {at.path}", f"{at.path} 中没有 `{at.symbol}`"))
        return
    release.locate(at)


def _is_certain(at: Anchor, release: "Codebase") -> bool:
    """Whether a place is missing where it would have to be: in its class, or for a module's own name, in its file."""
    if at.symbol is None:
        return False
    owner = at.symbol.rpartition(".")[0]
    if not owner:
        return release.is_there(at.path) or release.other_spelling(at.path) is not None
    try:
        release.locate(Anchor(at.path, owner))
    except Absent:
        return False
    return True


def _here(check: Check, codebase: "Codebase") -> tuple[Location, ...]:
    """Where the code is that the check looks at, if the release that is audited still has it there."""
    at = getattr(check, "at", None)
    with contextlib.suppress(Undecidable):
        if isinstance(at, Anchor):
            return tuple(definition.location for definition in codebase.definitions(at.path, at.symbol))
    return ()
