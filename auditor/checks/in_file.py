"""The check `in-file`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code.phrases import listed, quoted
from auditor.model import Anchor, Kind, Outcome, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auditor.code.project.codebase import Codebase


@dataclass(frozen=True, kw_only=True)
class InFile(Check):
    """A definition is in a certain file.

    *What it checks.* The file of `at` itself defines the symbol. One that is defined in another file of the package is
    `fail`, and the message says where; one that the file only imports from there is `review`. A symbol that is nowhere
    is for `symbol` to tell, so here it is `open`.

    *Parameters.* `at`: path::Symbol.

    *中文。* 某个定义在所述的文件里。

    *Example.*

        check: in-file
        at: vllm/v1/core/block_pool.py::BlockPool
    """

    at: Anchor

    def problems(self) -> "Iterator[str]":
        if self.at.symbol is None:
            yield "at needs a symbol: path::Name; that a file is there, `symbol` checks"

    def run(self, codebase: "Codebase") -> Outcome:
        path, name = self.at.path, self.at.symbol or ""
        own = codebase.definitions(path, name) if codebase.holds(path) else ()
        if own:
            places = tuple(one.location for one in own)
            message = Text("{} is in {}, at {}", "{} 在 {} 中，位于 {}").filled(quoted(name), path, listed(places))
            return Outcome(Kind.PASS, message, path, path, places, own[0].fingerprint)
        if not codebase.is_shipped(path):
            return Outcome(Kind.OPEN, Text(f"this source does not ship {path}", f"此来源不包含 {path}"))
        elsewhere = codebase.locate(self.at)  # raises Absent for what is nowhere
        actual = elsewhere.path
        message = Text("{} is in {}, not in {}", "{} 在 {} 中，而不在 {} 中").filled(
            quoted(name), elsewhere.location, path
        )
        kind = Kind.FAIL
        if codebase.holds(path) and name.partition(".")[0] in codebase.index(path).imports:
            kind = Kind.REVIEW
            message += Text(", which imports it", "，后者只是导入了它")
        return Outcome(kind, message, path, actual, (elsewhere.location,), elsewhere.fingerprint)
