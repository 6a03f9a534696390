"""The check `undecidable`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.model import Kind, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase


@dataclass(frozen=True, kw_only=True)
class Undecidable(Check):
    """No reading of the code decides the claim.

    *What it checks.* Nothing: the claim is always `open`, with the reason. It is for what depends on hardware, load or
    measurement, so that the claim is in the report and nobody takes it for checked.

    *Parameters.* `because`: the reason, in both languages.

    *中文。* 读代码无法判定这条论断。

    *Example.*

        check: undecidable
        because: {en: "how long a transfer takes depends on the machine", zh: "传输耗时取决于机器"}
    """

    because: Text

    def run(self, codebase: "Codebase") -> Outcome:  # noqa: ARG002 # there is nothing to read
        return Outcome(Kind.OPEN, self.because)
