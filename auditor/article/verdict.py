"""What one check finds of one citation."""

from dataclasses import dataclass

from auditor.articles import Signal
from auditor.findings import Confidence
from auditor.model import AnchorState, Kind, Location
from auditor.text import Text


@dataclass(frozen=True, slots=True)
class Verdict:
    """`message` is None where the text is right."""

    state: AnchorState | None = None
    signal: Signal | None = None
    found: Location | None = None
    offset: int | None = None
    rule: str = ""
    kind: Kind = Kind.FAIL
    message: Text | None = None
    confidence: Confidence = Confidence.CERTAIN
