"""The check `absence`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import identifiers
from auditor.code.notation import Pattern, Place, Regex
from auditor.code.uses import uses
from auditor.model import Kind, Location, Outcome

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase

_KINDS = ("symbol", "parameter", "field", "word")


@dataclass(frozen=True, kw_only=True)
class Absence(Check):
    """Something does not exist in a scope.

    *What it checks.* In the files of `scope` there is no such definition, parameter, field, word or code. A file of
    the scope that may hold it and cannot be parsed leaves the claim `open`. Comments and strings are not code, but an
    attribute named in `getattr` or `setattr` is.

    *Parameters.* `scope`: folders and files. Exactly one of `symbol`: a regular expression for qualified names of
    classes, functions, fields and constants; `parameter`: for parameters; `field`: for fields of classes and attributes
    of `self`; `word`: for any identifier; `code`: a pattern. `except` (optional): definitions and paths left out.

    *Example.*

        check: absence
        scope: vllm/v1/core
        word: swap_(in|out)
    """

    scope: tuple[str, ...]
    symbol: Regex | None = None
    parameter: Regex | None = None
    field: Regex | None = None
    word: Regex | None = None
    code: Pattern | None = None
    except_: tuple[Place, ...] = ()

    def problems(self) -> Iterator[str]:
        if sum(given is not None for given in (*self._wanted.values(), self.code)) != 1:
            yield "give exactly one of symbol, parameter, field, word and code"
        if not self.scope:
            yield "scope names no place"

    @property
    def _wanted(self) -> dict[str, Regex | None]:
        return {"symbol": self.symbol, "parameter": self.parameter, "field": self.field, "word": self.word}

    def run(self, code: "Codebase") -> Outcome:
        paths = [path for path in code.within(self.scope) if not any(_covers(one, path) for one in self.except_)]
        spared = [code.locate(one.anchor) for one in self.except_ if one.anchor.symbol]
        found: list[tuple[str, Location]] = []
        what = f"`{self.code}`"
        if self.code is not None:
            found = [(str(use.location.symbol), use.location) for use in uses((self.code,), code, paths)]
        for type_, regex in self._wanted.items():
            if regex is not None:
                what = f"{type_} that matches {regex}"
                found = [one for path in paths for one in identifiers.find(type_, regex, code, path)]
        left = [
            (name, place)
            for name, place in found
            if not any(one.path == place.path and place.region and one.region.contains(place.region) for one in spared)
        ]
        where = f"in {len(paths)} files under {', '.join(self.scope)}"
        if self.except_:
            where += f", {', '.join(map(str, self.except_))} left out"
        if not left:
            return Outcome(Kind.PASS, f"{where}, there is no {what}", "absent", "absent")
        names = ", ".join(f"{name} ({place})" for name, place in left[:5])
        more = f" and {len(left) - 5} more" if len(left) > 5 else ""
        message = f"{where}, there is {what}: {names}{more}"
        return Outcome(Kind.FAIL, message, "absent", names, tuple(place for _, place in left[:10]))


def _covers(one: Place, path: str) -> bool:
    """Whether an exception is a path that holds a file."""
    place = one.anchor.path
    return one.anchor.symbol is None and (path == place or path.startswith(place.rstrip("/") + "/"))
