"""The check `doc-text`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check, Wanting
from auditor.code.idioms import docstrings
from auditor.model import Anchor, Kind, Location, Outcome, Region, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase


@dataclass(frozen=True, kw_only=True)
class DocText(Check):
    """The documentation says something.

    *What it checks.* A text file, or a docstring, holds the stated words in this order. White space, line breaks,
    markup and the case of letters do not matter. A source that does not ship the file leaves it `open`.

    *Parameters.* `at`: a text file; or Python, whose docstring is read: of a class, a function, a field (the string
    below it), or of the module when no symbol is named. `text`: the words, `...` for anything between them.

    *中文。* 文档里有所述的话。

    *Example.*

        check: doc-text
        at: vllm/config/scheduler.py::SchedulerConfig.watermark
        text: fraction ... of KV cache blocks
    """

    at: Anchor
    text: str

    def problems(self) -> Iterator[str]:
        if not self.text.replace("...", "").strip():
            yield "text has no words"
        if self.at.symbol is not None and not self.at.path.endswith(".py"):
            yield f"{self.at} is no Python, so it has no symbols"

    def run(self, codebase: "Codebase") -> Outcome:
        path, lines = docstrings.lines_at(codebase, self.at)
        found = docstrings.find(self.text, lines)
        if found is not None:
            message = Text(f"{self.at} says: {self.text}", f"{self.at} 写道：“{self.text}”")
            return Outcome(Kind.PASS, message, self.text, self.text, (Location(path, found),))
        where = (Location(path, Region(lines[0][0], lines[-1][0]) if path.endswith(".py") else None),)
        lacking = docstrings.missing(self.text, lines)
        reason = Text("its parts are there, but not in this order", "各部分都在，但次序不同")
        if lacking:
            reason = Text(f"nowhere in it is: {lacking}", f"其中没有：“{lacking}”")
        message = Text("{} does not say so; {}", "{} 没有这样写；{}").filled(self.at, reason)
        return Outcome(Kind.FAIL, message, self.text, None, where)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        return Wanting() if outcome.actual is None else None
