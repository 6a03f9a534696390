"""Whether a claim speaks of a revision: one with `from` or `to` speaks of some releases only."""

import re
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from auditor.model import Kind, Outcome, Text

if TYPE_CHECKING:
    from auditor.model import Claim, Revision, Target


def silence(claim: "Claim", target: "Target", revision: "Revision") -> Outcome | None:
    """The outcome for a revision that the claim does not speak of; None where it does, or where that cannot be told.

    A commit is a release where it has its tag, or is the pinned one; what a folder or another commit is, nothing says.
    """
    if claim.first is None and claim.last is None:
        return None
    version = release(target, revision)
    if version is None:
        return None
    if claim.first is not None and version < Version(claim.first):
        why = Text(f"it speaks of {claim.first} and later", f"这条论断只针对 {claim.first} 及以后的版本")
    elif claim.last is not None and version > Version(claim.last):
        why = Text(f"it speaks of {claim.last} and earlier", f"这条论断只针对 {claim.last} 及以前的版本")
    else:
        return None
    return Outcome(Kind.NOT_APPLICABLE, why + Text(", not of {}", "，不涉及 {}").filled(revision.name))


def release(target: "Target", revision: "Revision") -> Version | None:
    """The release that a revision is; None for a folder, or for a commit that is neither pinned nor a release's tag."""
    name = revision.name
    if revision.source == "git":
        if target.commit and name == target.commit:
            name = target.near_pin or ""
        else:
            before, _, after = target.tag.partition("{version}")
            match = re.fullmatch(f"{re.escape(before)}(.+){re.escape(after)}", name) if target.tag else None
            name = match[1] if match else ""
    elif revision.source == "directory":
        return None
    try:
        return Version(Version(name).public)  # a local build, 0.31.0+cu128, is that release
    except InvalidVersion:
        return None
