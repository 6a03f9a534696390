"""Which revision of which target: what `--release` and its siblings say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.model import Target

NEAR_PIN = "near-pin"
PINNED = ""


@dataclass(frozen=True, slots=True)
class Spec:
    """One target to open: the id of a source, and what that source is to open."""

    target: "Target"
    source: str
    spec: str
    repository: str | None = None
    """Where git reads the target from, if not from where its pack says."""
    is_asked_for: bool = True
    """Whether this target was named, and not only every target."""

    @property
    def reached(self) -> "Target":
        """The target as its source shall reach it."""
        return self.target if self.repository is None else replace(self.target, repository=self.repository)


def specs(
    pack: str, targets: "Sequence[Target]", given: Mapping[str, Sequence[str]], repositories: Sequence[str] = ()
) -> Iterator[Spec]:
    """What to open for each target. `given` holds, by source, `SPEC` for all targets and `TARGET=SPEC` for one.

    When every one names its target, the targets that none names are left out; when nothing is given, each is read at
    its pinned commit. `repositories` holds `TARGET=URL_OR_PATH`. Raises ConfigError.
    """
    names = {target.name for target in targets if target.project or target.repository}
    everywhere: list[tuple[str, str]] = []
    single: dict[str, tuple[str, str]] = {}
    for source, values in given.items():
        for value in values:
            name, equals, spec = value.partition("=")
            if not equals:
                everywhere.append((source, value))
            elif name not in names:
                raise ConfigError(f"{value}: there is no target {name}; there are {', '.join(sorted(names))}")
            elif name in single:
                raise ConfigError(f"{value}: {name} is already given as {single[name][1]}")
            else:
                single[name] = (source, spec)
    if len(everywhere) > 1:
        said = " and ".join(spec or source for source, spec in everywhere)
        raise ConfigError(f"give one revision for all targets, not {said}")
    if not single and not everywhere:
        everywhere.append(("git", PINNED))
    places = _places(names, repositories)
    for target in targets:
        if target.name not in names:
            if not single or everywhere:
                yield Spec(target, "pack", pack)
            continue
        source, spec = single.get(target.name) or (everywhere[0] if everywhere else ("", ""))
        place = places.get(target.name)
        if place is not None and source != "git":
            raise ConfigError(f"--repo {target.name}={place}: {target.name} is not read from git here; leave one out")
        if source:
            yield Spec(target, source, _meant(target, source, spec), place, target.name in single)


def _places(names: set[str], repositories: Sequence[str]) -> dict[str, str]:
    places: dict[str, str] = {}
    for value in repositories:
        name, equals, place = value.partition("=")
        if not equals or name not in names:
            raise ConfigError(
                f"--repo {value}: say of what target: TARGET={value}; there are {', '.join(sorted(names))}"
            )
        places[name] = place
    return places


def _meant(target: "Target", source: str, spec: str) -> str:
    """The revision that `near-pin`, or nothing, stands for."""
    if source == "pypi" and spec == NEAR_PIN:
        if target.near_pin is None:
            raise ConfigError(
                f"the pack names no release near the pin of {target.name}; give one: {target.name}=VERSION"
            )
        return target.near_pin
    if source == "git" and spec == PINNED:
        if target.commit is None:
            raise ConfigError(f"the pack pins no commit of {target.name}; give one: --commit {target.name}=REF")
        return target.commit
    return spec
