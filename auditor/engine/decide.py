"""The checks of a claim, taken together."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.claims import Form
from auditor.code import Absent, Undecidable
from auditor.engine.older_releases import of_older
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.checks import Check
    from auditor.claims import Caveat, Entry
    from auditor.code.project.codebase import Codebase

_BUT = Text("; but ", "；但是，")


def decide(entry: "Entry", codebase: "Codebase") -> Outcome:
    """What the code says of a claim, where all code that was searched could be read. `codebase` has just begun."""
    outcome = _decided(entry, codebase)
    is_proven = outcome.kind is Kind.OPEN or (outcome.kind is Kind.FAIL and outcome.locations)
    if is_proven or not (omitted := codebase.omissions):
        return outcome
    places = Text(", ", "、").join(Text("{} ({})", "{}（{}）").filled(one.path, one.reason) for one in omitted[:3])
    more = Text(f" and {len(omitted) - 3} more", f"等 {len(omitted)} 处") if len(omitted) > 3 else Text("", "")
    message = _UNREAD.filled(places + more) + outcome.message
    return replace(outcome, kind=Kind.OPEN, message=message)


_UNREAD = Text(
    "not everything that was searched could be read: {}; of the rest: ", "并非所有被搜索的内容都能读取：{}；其余部分："
)


def _decided(entry: "Entry", codebase: "Codebase") -> Outcome:
    """The gravest of what a claim's checks say, there or elsewhere, then its caveats."""
    outcome = _form(Form(entry.checks), codebase, is_own=True)
    if not outcome.kind.holds:
        outcome = _elsewhere(entry, outcome, codebase)
    if not outcome.kind.holds:
        return outcome
    for caveat in entry.caveats:
        outcome = _qualified(outcome, caveat, codebase)
    return outcome


def _elsewhere(entry: "Entry", own: Outcome, codebase: "Codebase") -> Outcome:
    """What the first form says that holds; else what the claim's own checks say, or, where these find no code, a form.

    A form is asked where its code is, in the files that it names: it must not send the search through a whole package.
    """
    forms = [form for form in entry.elsewhere if all(_is_there(place, codebase) for place in _places(form.checks))]
    outcomes = [_form(form, codebase) for form in forms]
    found = [one for one in outcomes if one.kind.holds]
    if outcomes and own.kind is Kind.OPEN and any(_is_nowhere(place, codebase) for place in _places(entry.checks)):
        found += [one for one in outcomes if one.kind is Kind.FAIL]
    return found[0] if found else own


def _form(form: "Form", codebase: "Codebase", *, is_own: bool = False) -> Outcome:
    audited = ((check, check.audit(codebase)) for check in form.checks)
    outcome = _together([of_older(check, found, codebase, is_own=is_own) for check, found in audited])
    if outcome.kind is Kind.PASS and form.says:
        return replace(outcome, kind=Kind.REVIEW, message=outcome.message + _BUT + form.says)
    return outcome


def _places(checks: Sequence["Check"]) -> "list[Anchor]":
    return [place for check in checks for place in check.subjects()]


def _is_there(place: Anchor, codebase: "Codebase") -> bool:
    """Whether a place is in the file that it names; a path that ends in `/` is a folder."""
    if place.symbol is None and place.path.endswith("/"):
        return codebase.holds(place.path)
    try:
        return bool(codebase.definitions(place.path, place.symbol))
    except Undecidable as reason:
        return not isinstance(reason, Absent)


def _is_nowhere(place: Anchor, codebase: "Codebase") -> bool:
    try:
        codebase.locate(place)
    except Absent:
        return True
    except Undecidable:
        pass
    return False


def _together(outcomes: Sequence[Outcome]) -> Outcome:
    if len(outcomes) == 1:
        return outcomes[0]
    kinds = {outcome.kind for outcome in outcomes}
    kind = max(kinds, key=lambda kind: kind.gravity)
    if kind is not Kind.FAIL and Kind.NOT_APPLICABLE in kinds:  # what one speaks of is not there
        kind = Kind.NOT_APPLICABLE
    decisive = [outcome for outcome in outcomes if outcome.kind is kind]
    others = [outcome for outcome in outcomes if outcome.kind is not kind]
    locations = dict.fromkeys(place for outcome in (*decisive, *others) for place in outcome.locations)
    fingerprints = "".join(outcome.fingerprint for outcome in outcomes)
    return Outcome(
        kind,
        Text("; ", "；").join(dict.fromkeys(outcome.message for outcome in decisive)),
        decisive[0].expected,
        decisive[0].actual,
        tuple(locations),
        hashlib.sha256(fingerprints.encode()).hexdigest()[:16],
    )


def _qualified(outcome: Outcome, caveat: "Caveat", codebase: "Codebase") -> Outcome:
    """The outcome after a caveat. Code that is nowhere qualifies nothing; what cannot be told is said."""
    found = caveat.check.answered(codebase)
    places: tuple[Location, ...] = ()
    if isinstance(found, Absent):
        return outcome
    if isinstance(found, Undecidable):
        kind = Kind.OPEN
        says = (
            Text("whether it holds only with a qualification is open: ", "是否要加限定条件尚无法判定：") + found.reason
        )
    else:
        kind, places, says = found.kind, found.locations[:2], caveat.says
    if kind not in (Kind.PASS, Kind.REVIEW, Kind.OPEN):
        return outcome
    seen = tuple(Location(place.path, place.region, place.symbol, says) for place in places)
    return Outcome(
        Kind.OPEN if Kind.OPEN in (kind, outcome.kind) else Kind.REVIEW,
        outcome.message + _BUT + says,
        outcome.expected,
        outcome.actual,
        (*outcome.locations, *seen),
        outcome.fingerprint,
    )
