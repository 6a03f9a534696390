"""Which revision of which target: what `--release` and its siblings say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.model import Target

NEAR_PIN = "near-pin"


@dataclass(frozen=True, slots=True)
class Spec:
    """One target to open: the id of a source, and what that source is to open."""

    target: "Target"
    source: str
    spec: str


def specs(targets: "Sequence[Target]", given: Mapping[str, Sequence[str]]) -> Iterator[Spec]:
    """What to open for each target. `given` holds, by source, `SPEC` for all targets and `TARGET=SPEC` for one.

    When every one names its target, the targets that none names are left out. Raises ConfigError.
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
        raise ConfigError(f"give one revision for all targets, not {' and '.join(spec for _, spec in everywhere)}")
    for target in targets:
        if target.name not in names:
            if not single or everywhere:
                yield Spec(target, "pack", "the pack")
            continue
        source, spec = single.get(target.name) or (everywhere[0] if everywhere else ("", ""))
        if source:
            yield Spec(target, source, _near_pin(target) if spec == NEAR_PIN else spec)


def _near_pin(target: "Target") -> str:
    if target.near_pin is None:
        raise ConfigError(f"the pack names no release near the pin of {target.name}; give one: {target.name}=VERSION")
    return target.near_pin
