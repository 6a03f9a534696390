"""What a check says of a release or commit that is older than the pinned one, where it fails for want of something.

A claim is about the pinned revision. That an older one lacks what the claim is about is no witness against the claim:
the code was not there yet, or stood elsewhere or under another name. Another value is a witness there too, and so is
what is gone from a newer revision. A commit that is no release is as old as its date.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.phrases import listed, quoted
from auditor.engine.applicable import release
from auditor.model import Kind, Outcome, Revision, Text

if TYPE_CHECKING:
    from auditor.checks import Check
    from auditor.code.project.codebase import Codebase


def of_older(check: "Check", outcome: Outcome, codebase: "Codebase", *, is_own: bool) -> Outcome:
    """The outcome, or where it is a `fail` for want of something in an older release: `notApplicable`, or `open`.

    It is `notApplicable` where the thing is nowhere in the package, or names without which it cannot be. A check that
    fails in the pinned release too fails here; one of another form of the claim (not `is_own`) need not hold there.
    """
    if outcome.kind is not Kind.FAIL or not _is_older(codebase):
        return outcome
    wanting = check.wanting(outcome)
    if wanting is None or (is_own and not _holds_in_pinned(check, codebase)):
        return outcome
    # Along a history, a whole package is not searched at each commit.
    is_release = release(codebase.target, codebase.revision) is not None
    missing = sorted(name for name in wanting.names if is_release and _is_nowhere(name, check, codebase))
    release_, pinned = codebase.revision.name, codebase.target.near_pin
    if missing or wanting.is_nowhere:
        says = Text("{} does not have this code yet", "{} 还没有这段代码").filled(release_)
        if missing:
            words = listed(map(quoted, missing), 3)
            says = Text("{} has no {} yet", "{} 还没有 {}").filled(release_, words)
        return replace(outcome, kind=Kind.NOT_APPLICABLE, message=says + _BUT_PINNED.filled(pinned) + outcome.message)
    says = Text(
        "the claim is about {0}; in {1} the code is written otherwise, which alone does not refute it: ",
        "这条论断针对 {0}；{1} 中的代码写法不同，仅凭这一点不能否定它：",
    )
    return replace(outcome, kind=Kind.OPEN, message=says.filled(pinned, release_) + outcome.message)


_BUT_PINNED = Text(", and {} does: ", "，而 {} 有：")


def _is_older(codebase: "Codebase") -> bool:
    own = release(codebase.target, codebase.revision)
    pinned = release(codebase.target, Revision("pypi", codebase.target.near_pin or ""))
    if own is not None:
        return pinned is not None and own < pinned
    own_date, date = codebase.date, codebase.target.date
    return own_date is not None and date is not None and own_date[: len(date)] < date


def _holds_in_pinned(check: "Check", codebase: "Codebase") -> bool:
    pinned = codebase.pinned()
    if pinned is None:
        codebase.dependencies.is_lasting = False  # for want of a connection, say
        return False
    return check.audit(pinned).kind.holds


def _is_nowhere(name: str, check: "Check", codebase: "Codebase") -> bool:
    """Whether no Python file mentions a name in the packages that a check is about."""
    packages = {codebase.package_of(place.path) for place in check.anchors()}
    try:
        return bool(packages) and not any(codebase.mentions(name, folder) for folder in packages)
    except Undecidable:
        return False
