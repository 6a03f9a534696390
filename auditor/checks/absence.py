"""The check `absence`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import Undecidable
from auditor.code.matching.notation import Pattern, Place, Regex
from auditor.code.phrases import files, listed, ticked
from auditor.code.program import identifiers
from auditor.code.program.references import takes_anything, uses
from auditor.model import Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_Found = tuple[str, Location]

_KINDS = {"symbol": "符号", "parameter": "参数", "field": "字段", "word": "标识符"}


@dataclass(frozen=True, kw_only=True)
class Absence(Check):
    """Something does not exist in a scope.

    *What it checks.* In the files of `scope` there is no such definition, parameter, field, word or code. A file of
    the scope that may hold it and cannot be parsed leaves the claim `open`. Comments and strings are not code, but an
    attribute named in `getattr` or `setattr` is. One whose name is worked out, in a file that names what is meant or is
    the whole scope, leaves the claim `open`.

    *Parameters.* `scope`: folders and files. Exactly one of `symbol`: a regular expression for qualified names of
    classes, functions, fields and constants; `parameter`: for parameters; `field`: for fields of classes and attributes
    of `self`; `word`: for any identifier; `code`: a pattern. `except` (optional): definitions and paths left out.

    *中文。* 某个范围内没有某物：名称、参数、字段、单词或一段代码。

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

    def run(self, codebase: "Codebase") -> Outcome:
        paths = [
            path for path in codebase.python_files(self.scope) if not any(_covers(one, path) for one in self.except_)
        ]
        spared = [codebase.locate(one.anchor) for one in self.except_ if one.anchor.symbol]
        if self.except_ and not any(_is_left(codebase, path, spared) for path in paths):
            raise Undecidable(
                Text("nothing of {} is left to be searched", "{} 中没有剩下要搜索的内容").filled(listed(self.scope))
            )
        found: list[_Found] = []
        unsure: list[_Found] = []
        what = ticked(self.code)
        if self.code is not None:
            every = uses((self.code,), codebase, paths)
            used = list(islice((one for one in every if not _is_spared(one.location, spared)), _MOST))
            is_any = takes_anything(self.code)
            certain = [one for one in used if not one.is_dynamic and (is_any or not one.is_handed_on)]
            found = [(str(one.location.symbol), one.location) for one in certain]
            unsure = [(str(one.location.symbol), one.location) for one in used if one not in certain]
        for type_, regex in self._wanted.items():
            if regex is not None:
                what = Text(f"{type_} that matches {regex}", f"与 `{regex}` 匹配的{_KINDS[type_]}")
                found = [one for path in paths for one in identifiers.find(type_, regex, codebase, path)]
                if len(paths) == 1:
                    unsure = list(identifiers.worked_out(type_, regex, codebase, paths[0]))
        left, unsure = ([one for one in some if not _is_spared(one[1], spared)] for some in (found, unsure))
        where = Text("in {}", "在 {}中").filled(files(len(paths), self.scope))
        if self.except_:
            where += Text(", {} left out", "（不含 {}）").filled(listed(self.except_))
        if not left and unsure:
            names = listed((Text(f"{name} ({place})", f"`{name}`（{place}）") for name, place in unsure), 5)
            message = Text("{}, {} may be it", "{}，{} 可能就是").filled(where, names)
            return Outcome(Kind.OPEN, message, "absent", names.en, tuple(place for _, place in unsure[:10]))
        if not left:
            return Outcome(Kind.PASS, Text("{}, there is no {}", "{}，没有{}").filled(where, what), "absent", "absent")
        names = listed((Text(f"{name} ({place})", f"`{name}`（{place}）") for name, place in left), 5)
        a = Text("" if self.code else "a ", "")
        message = Text("{}, there is {}: {}", "{}，有{}：{}").filled(where, a + what, names)
        return Outcome(Kind.FAIL, message, "absent", names.en, tuple(place for _, place in left[:10]))


def _is_left(codebase: "Codebase", path: str, spared: "list[Definition]") -> bool:
    """Whether a file has a statement that something could be in: no import, and in no definition that is spared."""
    lines = codebase.text(path).split("\n")
    regions = (statement.region for statement in codebase.index(path).statements)
    return any(
        not _IMPORT.match(lines[region.start - 1])
        and not any(one.path == path and one.region.contains(region) for one in spared)
        for region in regions
    )


_IMPORT = re.compile(r"""(?:from|import)\b|[rR]?["']""")
"""How an import begins, and a docstring."""


_MOST = 200
"""Places, those left out not counted, after which a search ends: what is in so many is not absent."""


def _is_spared(place: Location, spared: "list[Definition]") -> bool:
    """Whether a place is in a definition that is left out."""
    return any(one.path == place.path and place.region and one.region.contains(place.region) for one in spared)


def _covers(one: Place, path: str) -> bool:
    """Whether an exception is a path that holds a file."""
    place = one.anchor.path
    return one.anchor.symbol is None and (path == place or path.startswith(place.rstrip("/") + "/"))
