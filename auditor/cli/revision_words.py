"""Which revision a word means, where a command is told revisions and not sources: `0.31.0`, `HEAD`, `vllm=DIR`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from auditor.cli.source_options import NEAR_PIN, PINNED, Spec, specs
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.model import Target

MEANINGS = """\
A revision is [TARGET=]WORD, or several such with commas between. WORD is

\b
  0.31.0, latest, near-pin   a release: what begins with a digit, has a dot and
                             is a version, is one; near-pin is the pack's
  pinned                     the commit that the pack pins
  DIR                        a folder that exists: a checkout, or an archive unpacked
  anything else              a commit, tag, branch or HEAD, through git

In doubt say which: pypi:0.31.0, git:v0.31.0, dir:main, installed:PYTHON.
"""

_PREFIXES = {"pypi": "pypi", "git": "git", "dir": "directory", "installed": "installed"}


def meant(word: str) -> tuple[str, str]:
    """The source and the spec of a word. Raises ConfigError for an empty one."""
    prefix, colon, rest = word.partition(":")
    if colon and prefix in _PREFIXES:
        if not rest and prefix != "installed":
            raise ConfigError(f"{word}: say which revision comes after {prefix}:")
        return _PREFIXES[prefix], rest
    if not word:
        raise ConfigError("a revision is empty; name a release, commit, tag, branch or folder, or say `pinned`")
    if word == "pinned":
        return "git", PINNED
    if word == "installed":
        return "installed", ""
    if word in ("latest", NEAR_PIN) or _is_version(word):
        return "pypi", word
    return ("directory", word) if Path(word).is_dir() else ("git", word)


def is_file(word: str) -> bool:
    """Whether a word is a saved run: the name of a file that there is, or that ends like one."""
    return word.partition(":")[0] not in _PREFIXES and (Path(word).is_file() or word.endswith(".json"))


def _is_version(word: str) -> bool:
    """Whether a word is a version and nothing else: not a commit of digits only, not the tag `v1.0`."""
    try:
        Version(word)
    except InvalidVersion:
        return False
    return word[0].isdigit() and "." in word


def revisions(
    pack: str, targets: "Sequence[Target]", words: Iterable[str], repositories: Sequence[str]
) -> dict[str, Spec]:
    """What to open of each target, by its name. Raises ConfigError.

    Of `repositories` those are used whose target is read from git here.
    """
    given: dict[str, list[str]] = {}
    for word in (part for several in words for part in _parts(several)):
        name, equals, own = word.partition("=")
        is_named = bool(equals) and _NAME.fullmatch(name) is not None
        source, spec = meant(own if is_named else word)
        given.setdefault(source, []).append(f"{name}={spec}" if is_named else spec)
    found = {spec.target.name: spec for spec in specs(pack, targets, given)}
    places = dict(place.partition("=")[::2] for place in repositories)
    of_git = [f"{name}={places[name]}" for name, spec in found.items() if spec.source == "git" and name in places]
    return {spec.target.name: spec for spec in specs(pack, targets, given, of_git)}


def _parts(words: str) -> Iterator[str]:
    yield from re.split(r",(?=[\w-]+=)", words)


_NAME = re.compile(r"[\w-]+")


def refuse_places(repositories: Sequence[str], sides: "Sequence[dict[str, Spec]]") -> None:
    """Raises ConfigError for a repository of which nothing is read."""
    for place in repositories:
        name, equals, _ = place.partition("=")
        if not equals or not any(side[name].source == "git" for side in sides if name in side):
            raise ConfigError(f"--repo {place}: no revision is read from git of such a target; say --repo TARGET=PLACE")
