"""Packs: claims as data, loaded strictly.

What a report of kept results needs of a pack are plain values here. What decides its claims costs time to read, so that
is read when it is asked for.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.model import Anchor, Claim, Rule, Target, Text

if TYPE_CHECKING:
    from auditor.cache import Blobs
    from auditor.checks import Check


@dataclass(frozen=True, slots=True)
class Caveat:
    """A check that, when it holds, turns `pass` into `review`, with words of its own."""

    check: "Check"
    says: Text


@dataclass(frozen=True, slots=True)
class Form:
    """Checks of which every one must pass; with `says`, that they do is `review`, with these words."""

    checks: "tuple[Check, ...]"
    says: Text | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """What decides a claim: every check must pass."""

    checks: "tuple[Check, ...]"
    caveats: tuple[Caveat, ...] = ()
    elsewhere: tuple[Form, ...] = ()
    """The same statement about other code, such as that of older revisions: it also holds where one of these does."""

    @property
    def every(self) -> "Iterator[Check]":
        """Its checks, then those of its caveats and of what decides elsewhere."""
        yield from self.checks
        yield from (caveat.check for caveat in self.caveats)
        yield from (check for form in self.elsewhere for check in form.checks)


@dataclass(frozen=True, slots=True)
class Entry:
    """A claim, and what decides it."""

    claim: Claim
    rules: tuple[str, ...]
    """The id of each of its checks."""
    files: tuple[str, ...]
    """Those that it names, which an audit will most likely read; sorted."""
    written: str
    """Its whole text, by which a change of it is known."""
    decided: Callable[[], Decided] = field(compare=False, repr=False)

    @classmethod
    def of(cls, claim: Claim, decided: Decided, written: str = "") -> "Entry":
        """The entry of a claim of which all is known."""
        named = {anchor.path for check in decided.every for anchor in check.anchors()}
        named |= {citation.path for citation in claim.citations}
        named |= {citation.anchor.path for citation in claim.citations if citation.anchor}
        return cls(claim, tuple(check.id for check in decided.checks), tuple(sorted(named)), written, lambda: decided)

    @property
    def checks(self) -> "tuple[Check, ...]":
        return self.decided().checks

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        return self.decided().caveats

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """Every place in code that it names: in its checks, caveats, what decides elsewhere, and citations."""
        stated = [anchor for check in self.decided().every for anchor in check.anchors()]
        stated += [replace(one.anchor, code=None) for one in self.claim.citations if one.anchor]
        return tuple(dict.fromkeys(stated))

    @property
    def elsewhere(self) -> tuple[Form, ...]:
        return self.decided().elsewhere


@dataclass(frozen=True, slots=True)
class Pack:
    """The claims about one article. `entries` are by the name of their target, in the order of their files."""

    id: str
    title: Text
    targets: tuple[Target, ...]
    entries: Mapping[str, tuple[Entry, ...]]
    rules: tuple[Rule, ...]
    """What reports say of the rules of its claims, sorted by id."""
    languages: tuple[str, ...] = ()
    """Those that it declares, in which every text of it must be."""
    folder: Path = field(default=Path(), compare=False)
    """Where it was loaded from."""


def load(folder: Path, blobs: "Blobs | None" = None) -> Pack:
    """The pack in a folder: `pack.yaml`, and beside it one file of claims for each target.

    `blobs` keeps what is plain of packs from run to run. Raises ClaimError with every problem of every file;
    ConfigError when the folder is no pack; SourceError when `blobs` cannot be used.
    """
    paths = sorted((*folder.glob("*.yaml"), *folder.glob("*.yml")))
    if blobs is not None:
        from auditor.claims.pack_cache import cached_pack

        return replace(cached_pack(folder, paths, blobs), folder=folder)
    from auditor.claims.reading import read

    return replace(read(folder, dict.fromkeys(paths)), folder=folder)
