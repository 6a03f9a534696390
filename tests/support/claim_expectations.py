"""What the claims of the shipped pack come out as on real releases, and edits that change it: tests/cases/claims."""

from collections.abc import Mapping
from functools import cache

import msgspec
import yaml

from tests.support.folders import CASES
from tests.support.source_edits import Edit

FOLDER = CASES / "claims"


class Expectation(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Of one claim."""

    kind: str
    """On the release near the pin."""
    elsewhere: Mapping[str, str] = {}
    """Release -> kind, where it is another one."""
    breaks: tuple[Edit, ...] = ()
    """Edits after which the claim fails, unless they say what it becomes."""
    mends: tuple[Edit, ...] = ()
    """Edits after which it holds."""
    unbroken: str = ""
    """Why no edit breaks it: it is false as it is, say."""
    unmended: str = ""
    """Why no edit makes it hold, though it does not."""


class Expectations(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Of the claims about one target."""

    claims: Mapping[str, Expectation]
    releases: Mapping[str, str] = {}
    """Releases beside the one near the pin, oldest first -> why claims come out otherwise there."""

    def kinds(self, release: str) -> dict[str, str]:
        """The kind of every claim on a release."""
        return {name: claim.elsewhere.get(release, claim.kind) for name, claim in self.claims.items()}


@cache
def load() -> dict[str, Expectations]:
    """The expectations by target."""
    return {path.stem: _read(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.yaml"))}


def _read(text: str) -> Expectations:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster, where PyYAML has it
    return msgspec.convert(yaml.load(text, Loader=loader), Expectations)
