"""Which revision of which target a person means: `--release 0.31.0`, `vllm=HEAD`, `dir:main`.

Every source that declares an option takes part; what is said here of one holds of all.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TypeVar

import click

from auditor.engine.opening import Spec
from auditor.errors import ConfigError
from auditor.sources import options as source_options
from auditor.sources import sources

if TYPE_CHECKING:
    from auditor.model import Target

F = TypeVar("F", bound=Callable[..., object])

_REST = "git"
"""The source of a word that no source knows for its own."""
_NAME = re.compile(r"[\w-]+")
_PINNED = ("", "pinned")


def repo(command: F) -> F:
    """The option that says where git reads targets from."""
    help_ = "Read git from this URL, clone or mirror."
    return click.option("--repo", multiple=True, metavar="TARGET=PLACE", help=help_)(command)


def reading(command: Callable[..., object]) -> Callable[..., object]:
    """The options that say where each target is read: one of every source, and `--repo`."""
    made: list[Callable[[Callable[..., object]], Callable[..., object]]] = []
    for option in source_options().values():
        alone: dict[str, Any] = {} if option.alone is None else {"is_flag": False, "flag_value": option.alone}
        made.append(click.option(f"--{option.name}", multiple=True, metavar=option.metavar, help=option.help, **alone))
    made.insert(1, repo)
    for decorate in reversed(made):
        command = decorate(command)
    return command


def specs_by_source(options: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    """What the options of `reading` say, by source. Raises ConfigError."""
    found: dict[str, Sequence[str]] = {}
    for source, option in source_options().items():
        found[source] = options[option.name.replace("-", "_")]
        for value in found[source] if option.needs_target else ():
            if "=" not in value:
                raise ConfigError(f"--{option.name} {value}: say whose code it is: --{option.name} TARGET={value}")
    return found


def _meanings() -> str:
    lines = [
        "A revision is [TARGET=]WORD, or several such with commas between. WORD is",
        "",
        "\b",
    ]
    for word, meaning in (*(one.words for one in source_options().values() if one.words), _ANYTHING):
        first, *rest = wrap(meaning, 50)
        lines += [f"  {word:<26} {first}", *(f"{'':29}{line}" for line in rest)]
    examples = ", ".join(option.example for option in source_options().values())
    return "\n".join([*lines, "", *wrap(f"In doubt say which: {examples}.", 78), ""])


_ANYTHING = ("anything else", "a commit, tag, branch or HEAD, through git")
MEANINGS = _meanings()
"""What a word means, as the help of commands says it."""


def split(value: str, names: Iterable[str], option: str = "") -> tuple[str | None, str]:
    """The target of `TARGET=SPEC`, None for `SPEC` alone, and the spec. Raises ConfigError for an unknown target."""
    name, equals, spec = value.partition("=")
    if not equals:
        return None, value
    if name not in names:
        told = f"{option} {value}".strip()
        raise ConfigError(f"{told}: there is no target {name}; there are {', '.join(sorted(names))}")
    return name, spec


def by_target(values: Iterable[str], targets: "Sequence[Target]", option: str) -> dict[str, list[str]]:
    """What `SPEC` says of all of these targets and `TARGET=SPEC` of one, by their names. Raises ConfigError.

    Where every one names its target, the targets that none names are left out.
    """
    names = [target.name for target in targets]
    found: dict[str, list[str]] = {}
    for value in values:
        if not names:
            raise ConfigError(f"{option} {value}: none of the targets can be read so")
        name, spec = split(value, names, option)
        for one in names if name is None else [name]:
            found.setdefault(one, []).append(spec)
    return found


def places(repositories: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    """Where git reads targets from, by their names: what `--repo TARGET=PLACE` says. Raises ConfigError."""
    found: dict[str, str] = {}
    for value in repositories:
        name, equals, place = value.partition("=")
        if not equals or not place or name not in names:
            known = ", ".join(sorted(names))
            raise ConfigError(f"--repo {value}: say of what target: TARGET=PLACE; there are {known}")
        found[name] = place
    return found


def place_of(target: str, repositories: Iterable[str]) -> str | None:
    """Where git reads one target from; None: from where its pack says."""
    return dict(value.partition("=")[::2] for value in repositories).get(target)


def specs(
    pack: str, targets: "Sequence[Target]", given: Mapping[str, Sequence[str]], repositories: Sequence[str] = ()
) -> Iterator[Spec]:
    """What to open for each target. `given` holds, by source, `SPEC` for all targets and `TARGET=SPEC` for one.

    When every one names its target, the targets that none names are left out; when nothing is given, each is read where
    it is pinned: at its commit, or, where its pack pins none, at the release near the pin. `repositories` holds
    `TARGET=URL_OR_PATH`. Raises ConfigError.
    """
    names = {target.name for target in targets if target.project or target.repository or target.packages}
    everywhere: list[tuple[str, str]] = []
    single: dict[str, tuple[str, str]] = {}
    for source, value in ((source, value) for source, values in given.items() for value in values):
        name, spec = split(value, names)
        if name is None:
            everywhere.append((source, spec))
        elif name in single:
            raise ConfigError(f"{value}: {name} is already given as {single[name][1]}")
        else:
            single[name] = (source, spec)
    if len(everywhere) > 1:
        several = " and ".join(spec or source for source, spec in everywhere)
        raise ConfigError(f"give one revision for all targets, not {several}")
    if not single and not everywhere:
        everywhere.append((_REST, _PINNED[0]))
    of_git = places(repositories, names)
    for target in targets:
        if target.name not in names:
            if not single or everywhere:
                yield Spec(target, "pack", pack)
            continue
        source, spec = single.get(target.name) or (everywhere[0] if everywhere else ("", ""))
        if source == _REST and spec in _PINNED and target.commit is None and target.near_pin is not None:
            source, spec = "pypi", target.near_pin
        place = of_git.get(target.name)
        if place is not None and source != "git":
            raise ConfigError(f"--repo {target.name}={place}: {target.name} is not read from git here; leave one out")
        if source:
            yield Spec(target, source, sources()[source].resolved_spec(target, spec), place, target.name in single)


def source_and_spec(word: str) -> tuple[str, str]:
    """The source and the spec of a word. Raises ConfigError for an empty one."""
    prefix, colon, rest = word.partition(":")
    for source, option in source_options().items():
        if colon and prefix == option.prefix:
            if not rest and option.alone is None:
                raise ConfigError(f"{word}: say which revision comes after {prefix}:")
            return source, rest
    if not word:
        raise ConfigError("a revision is empty; name a release, commit, tag, branch or folder, or say `pinned`")
    for source in source_options():
        if (spec := sources()[source].named(word)) is not None:
            return source, spec
    return _REST, word


def is_file(word: str) -> bool:
    """Whether a word is a saved run: the name of a file that there is, or that ends like one."""
    prefixes = {option.prefix for option in source_options().values()}
    if word.partition(":")[0] in prefixes or any(
        sources()[source].named(word) is not None for source in source_options()
    ):
        return False
    return Path(word).is_file() or word.endswith(".json")


def of_words(
    pack: str, targets: "Sequence[Target]", words: Iterable[str], repositories: Sequence[str]
) -> dict[str, Spec]:
    """What words mean of each target, by its name. Raises ConfigError.

    Of `repositories` those are used whose target is read from git here.
    """
    stated: dict[str, list[str]] = {}
    for word in (part for several in words for part in re.split(r",(?=[\w-]+=)", several)):
        name, equals, own = word.partition("=")
        is_named = bool(equals) and _NAME.fullmatch(name) is not None
        source, spec = source_and_spec(own if is_named else word)
        stated.setdefault(source, []).append(f"{name}={spec}" if is_named else spec)
    found = {spec.target.name: spec for spec in specs(pack, targets, stated)}
    return placed(found, repositories)


def placed(side: Mapping[str, Spec], repositories: Sequence[str]) -> dict[str, Spec]:
    """What is to be opened, with the places that git reads from; those of other targets are for another side."""
    return {
        name: replace(spec, repository=place)
        if spec.source == "git" and (place := place_of(name, repositories))
        else spec
        for name, spec in side.items()
    }


def refuse_places(repositories: Sequence[str], sides: Sequence[Mapping[str, Spec]]) -> None:
    """Raises ConfigError for a repository of which nothing is read."""
    for place in repositories:
        name, equals, _ = place.partition("=")
        if not equals or not any(side[name].source == "git" for side in sides if name in side):
            raise ConfigError(f"--repo {place}: no revision is read from git of such a target; say --repo TARGET=PLACE")
