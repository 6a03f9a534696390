"""What is wrong in a person's own file (a text, a dashboard, a manifest), at the file's own lines.

A command that reads a person's files makes a `FindingLog`, from which come the reports that all such commands share:

* text, markdown, sarif, junit and github are formats that derive from `auditor.formats.FindingFormat`
  (`formats.finding_formats()`) and render the log;
* `auditor.cli.finding_output` has the options (`@finding_output.options("json", "html")` names those that the command
  renders itself), `pairs(...)` and `write(log, paired, color, {"json": render_json, ...})`;
* `log.is_clean()` is the exit status: 0, else 1.

Lines and columns are 1-based; columns count code points; an end holds its line, and not its column, as in SARIF.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from auditor.locations import Location
from auditor.model import Kind, Notification, Rule
from auditor.text import Text


class Confidence(StrEnum):
    """How sure a finding is."""

    CERTAIN = "certain"
    """It follows from the file and the code alone."""
    LIKELY = "likely"
    POSSIBLE = "possible"
    """Worth a look; never a failure."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A piece of a file."""

    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or that needs a look, at a place in a person's file."""

    path: str
    """The file, relative to where the command ran."""
    span: Span
    rule: str
    """Which kind of fault, as reports show it: lower case, with dashes."""
    kind: Kind
    """`fail`: it is wrong; `review`: a person must look; `open`: it could not be told, with the reason."""
    message: Text
    confidence: Confidence = Confidence.CERTAIN
    about: str = ""
    """What stands there: the citation, the metric, the option."""
    location: Location | None = None
    """The place in the target that shows it."""
    revision: str = ""
    """Of which target and revision that is, as a person calls it."""
    replacement: str | None = None
    """What to write in the span's place, where that is proven."""

    @property
    def is_failure(self) -> bool:
        """Whether the command fails on it."""
        return self.kind is Kind.FAIL and self.confidence is not Confidence.POSSIBLE


@dataclass(frozen=True, slots=True)
class FindingLog:
    """All that a command found in a person's files."""

    command: str
    """The command's name, which is also that of the log in SARIF."""
    title: Text
    version: str
    """The version of kvaudit that made it."""
    files: tuple[str, ...]
    """Every file that was read, also those with no finding."""
    findings: tuple[Finding, ...]
    """Sorted by file and place."""
    rules: tuple[Rule, ...] = ()
    """The rules of the findings, sorted by id."""
    counts: tuple[tuple[Text, int], ...] = ()
    """What was looked at, for the summary: such as (citations, 60)."""
    revisions: tuple[str, ...] = ()
    """What was read of the targets, as a person calls it."""
    notifications: tuple[Notification, ...] = ()

    def is_clean(self, *, strict: bool = False) -> bool:
        """Whether nothing fails; `strict` also fails on what needs a look and what could not be told."""
        return not any(
            one.is_failure or (strict and one.confidence is not Confidence.POSSIBLE) for one in self.findings
        )

    def of(self, path: str) -> Sequence[Finding]:
        """The findings of one file."""
        return [one for one in self.findings if one.path == path]

    def kinds(self) -> dict[Kind, int]:
        """How many findings of each kind that there is."""
        counted = Counter(one.kind for one in self.findings)
        return {kind: counted[kind] for kind in Kind if counted[kind]}


def urgency(finding: Finding) -> tuple[int, int]:
    """Where a reader looks first: failures, then what needs a look, then what could not be told; the surer first."""
    ranks = {Kind.FAIL: 0, Kind.REVIEW: 1, Kind.OPEN: 2}
    return ranks.get(finding.kind, 3), list(Confidence).index(finding.confidence)
