"""The checks of a claim, taken together."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.codebase import Absent
from auditor.model import Kind, Location, Outcome

if TYPE_CHECKING:
    from auditor.claims import Caveat, Entry
    from auditor.code.codebase import Codebase

_GRAVEST_FIRST = (Kind.FAIL, Kind.OPEN, Kind.REVIEW, Kind.PASS, Kind.NOT_APPLICABLE)


def decide(entry: "Entry", code: "Codebase") -> Outcome:
    """What the code says of a claim: the gravest of what its checks say, then its caveats."""
    outcomes = [check.audit(code) for check in entry.checks]
    outcome = _together(outcomes)
    if outcome.kind not in (Kind.PASS, Kind.REVIEW):
        return outcome
    for caveat in entry.caveats:
        outcome = _qualified(outcome, caveat, code)
    return outcome


def _together(outcomes: Sequence[Outcome]) -> Outcome:
    if len(outcomes) == 1:
        return outcomes[0]
    kind = next(kind for kind in _GRAVEST_FIRST if any(outcome.kind is kind for outcome in outcomes))
    decisive = [outcome for outcome in outcomes if outcome.kind is kind]
    others = [outcome for outcome in outcomes if outcome.kind is not kind]
    locations = dict.fromkeys(place for outcome in (*decisive, *others) for place in outcome.locations)
    fingerprints = "".join(outcome.fingerprint for outcome in outcomes)
    return Outcome(
        kind,
        "; ".join(dict.fromkeys(outcome.message for outcome in decisive)),
        decisive[0].expected,
        decisive[0].actual,
        tuple(locations),
        hashlib.sha256(fingerprints.encode()).hexdigest()[:16],
    )


def _qualified(outcome: Outcome, caveat: "Caveat", code: "Codebase") -> Outcome:
    """The outcome after a caveat. Code that is nowhere qualifies nothing; what cannot be told is said."""
    try:
        found = caveat.check.run(code)
        kind, says = found.kind, caveat.says.en
    except Absent:
        return outcome
    except Undecidable as reason:
        found, kind, says = None, Kind.OPEN, f"whether it holds only with a qualification is open: {reason}"
    if kind not in (Kind.PASS, Kind.REVIEW, Kind.OPEN):
        return outcome
    places = tuple(Location(p.path, p.region, p.symbol, says) for p in found.locations[:2]) if found else ()
    return Outcome(
        Kind.OPEN if Kind.OPEN in (kind, outcome.kind) else Kind.REVIEW,
        f"{outcome.message}; but {says}",
        outcome.expected,
        outcome.actual,
        (*outcome.locations, *places),
        outcome.fingerprint,
    )
