"""The check `symbol`."""

import difflib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from auditor.checks import Check, Wanting
from auditor.code import Absent, Undecidable
from auditor.code.phrases import AND, quoted
from auditor.code.program.class_hierarchy import Class
from auditor.code.program.construction import constructing_functions, writes
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

Type = Literal["class", "function", "field", "constant", "module", "directory"]

_TYPES: dict[str, str] = {
    "class": "类", "function": "函数", "field": "字段", "constant": "常量", "module": "模块", "directory": "目录"
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Symbol(Check):
    """A class, function, field, constant, module or folder exists.

    *What it checks.* The definition that `at` names is there: `path::Name`, `path::Class.method`, a path alone for a
    module, a path that ends in `/` for a folder. Found in another file of the package, it exists, and its citation is
    `moved`. A member may be inherited, a field may be set by the constructor alone. Not found at all, it fails and
    names the nearest that is there.

    *Parameters.* `type` (optional): class, function (a method too), field, constant, module or directory.

    *中文。* 存在所述的类、函数、字段、常量、模块或文件夹。

    *Example.*

        check: symbol
        at: vllm/v1/core/block_pool.py::BlockPool.get_usage
        type: function
    """

    is_of_existence = True

    at: Anchor
    type: Type | None = None

    def problems(self) -> Iterator[str]:
        is_file = self.at.symbol is None
        own = "directory" if is_file and self.at.path.endswith("/") else "module" if is_file else None
        if own != self.type and (own or self.type in ("module", "directory")) and self.type is not None:
            yield f"{self.at} names no {self.type}; path::Name is a definition, path/ a directory, path a module"

    def run(self, codebase: "Codebase") -> Outcome:
        if self.at.symbol is None:
            return self._file(codebase)
        others: list[Definition] = []
        try:
            definition = codebase.locate(self.at)
        except Absent as absent:
            if (made := self._of_objects(codebase)) is not None:
                return made
            if not codebase.is_shipped(self.at.path):
                raise
            near = difflib.get_close_matches(self.at.path, sorted(codebase.files), n=1, cutoff=0.8)
            where = (Location(self.at.path if self.at.path in codebase.files else near[0]),) if near else ()
            return Outcome(Kind.FAIL, absent.reason, str(self.at), None, where)
        except Undecidable:
            several = codebase.definitions(self.at.path, self.at.symbol)
            if len({one.symbol.type for one in several if one.symbol}) != 1:
                raise
            definition, *others = several  # one in each branch, say: it is there whichever is meant
        found = definition.symbol.type if definition.symbol else "module"
        kind = Kind.PASS if self.type in (None, found) else Kind.FAIL
        locations = tuple(one.location for one in (definition, *others))
        kinds = [Text(type_, _TYPES[type_]) for type_ in (found, self.type or found)]
        message = Text("{} is a {}", "{} 是{}").filled(quoted(definition.name), kinds[0])
        if kind is Kind.FAIL:
            message += Text(", not a {}", "，而不是{}").filled(kinds[1])
        message += Text(", at {}", "，位于 {}").filled(AND.join(Text(str(one), str(one)) for one in locations))
        return Outcome(kind, message, self.type, found, locations, definition.fingerprint)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        return Wanting(is_nowhere=True) if outcome.actual in (None, False) else None

    def _of_objects(self, codebase: "Codebase") -> Outcome | None:
        """An attribute that no class body defines, but that every new object is given."""
        owner, _, name = (self.at.symbol or "").rpartition(".")
        with suppress(Absent):
            if owner and codebase.definitions(self.at.path, owner):
                for function in constructing_functions(codebase, Class(self.at.path, owner)):
                    for term in writes(function, name):
                        where = function.location_of(term)
                        kind = Kind.PASS if self.type in (None, "field") else Kind.FAIL
                        sets = Text("{} is a field that {} sets, at {}", "{} 是由 {} 设置的字段，位于 {}")
                        message = sets.filled(quoted(self.at.symbol), quoted(function.name), where)
                        return Outcome(kind, message, self.type, "field", (where,), function.fingerprint)
        return None

    def _file(self, codebase: "Codebase") -> Outcome:
        path = self.at.path
        if not codebase.is_shipped(path):
            return Outcome(Kind.OPEN, Text(f"this source does not ship {path}", f"此来源不包含 {path}"))
        is_folder = path.endswith("/")
        found = codebase.holds(path)
        kind = Kind.PASS if found else Kind.FAIL
        location = (Location(path),) if found else ()
        message = Text(f"{path} is there", f"{path} 存在") if found else Text(f"there is no {path}", f"没有 {path}")
        return Outcome(kind, message, "directory" if is_folder else "module", found, location)
