"""The files that a person names, and the revisions at which what they cite is read."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.cli import options as shared
from auditor.cli import packs, revisions, streams
from auditor.errors import ConfigError, SourceError
from auditor.model import Target, Text

if TYPE_CHECKING:
    from auditor.article.audit import ReadText
    from auditor.article.trees import Tree
    from auditor.engine.opening import Spec

MOST_FILES = 5_000


def files(named: Sequence[str]) -> list[Path]:
    """The files to read; of a folder those that its repository tracks, or all of it, that are texts.

    Raises ConfigError for what is not there, and where nothing is left.
    """
    from auditor.article.reading import is_text
    from auditor.fetch.git.tracked import tracked

    found: dict[Path, None] = {}
    for name in named:
        path = Path(name)
        if path.is_file():
            found[path] = None
        elif path.is_dir():
            listed = tracked(path)
            inside = (
                [one for one in path.rglob("*") if one.is_file() and not one.is_symlink()] if listed is None else listed
            )
            base = path.resolve()
            below = (path / one.resolve().relative_to(base) for one in inside if one.resolve().is_relative_to(base))
            found |= dict.fromkeys(sorted(one for one in below if is_text(one.name)))
        else:
            raise ConfigError(f"{name}: there is no such file or folder")
    if not found:
        raise ConfigError(f"{', '.join(named)}: there is no text in it")
    if len(found) > MOST_FILES:
        raise ConfigError(f"{len(found):,} files are more than the {MOST_FILES:,} that are read at a time")
    return list(found)


def texts(paths: Sequence[Path]) -> "tuple[list[ReadText], list[ConfigError]]":
    """The texts with their citations found, and why some could not be read. Raises ConfigError where none could."""
    from auditor.article.audit import read_text

    read: list[ReadText] = []
    failed: list[ConfigError] = []
    for path in paths:
        try:
            read.append(read_text(path.as_posix(), _bytes(path)))
        except ConfigError as error:
            failed.append(error)
    if not read:
        raise failed[0]
    return read, failed


def _bytes(path: Path) -> bytes:
    from auditor.article.reading import LARGEST

    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None


def targets(pack: str | None, read: "Iterable[ReadText]", options: Mapping[str, Any]) -> list[Target]:
    """The code bases that may be cited: those of the pack, of the texts' own links, and those that options name."""
    from auditor.article.pins import pinned_repositories, repositories

    known = [target for target in packs.load(pack).targets if target.project or target.repository]
    by_url = {_key(target.repository): target for target in known if target.repository}
    linked = repositories(text.found for text in read)
    for text in read:
        linked = pinned_repositories(text.document, known) | linked
    urls = {name.rpartition("/")[2]: url for name, url in linked.items() if name not in by_url}
    names = {target.name for target in known}
    named = [
        value.partition("=")[0]
        for values in revisions.specs_by_source(options).values()
        for value in values
        if "=" in value
    ]
    named += [value.partition("=")[0] for value in options["repo"] if "=" in value]
    for name in dict.fromkeys(named):
        if name not in names:
            known.append(Target(name, urls.get(name.lower()), project=name, packages=("",)))
            names.add(name)
    for name, url in urls.items():
        if (
            name not in {one.lower() for one in names}
            and not named
            and not any(revisions.specs_by_source(options).values())
        ):
            known.append(Target(name, url, packages=("",)))
    return known


def only(known: Sequence[Target], names: Sequence[str]) -> list[Target]:
    """The targets of some names; all where none is given. Raises ConfigError for a name that none has."""
    for name in names:
        if name not in {target.name for target in known}:
            raise ConfigError(f"--target {name}: no such target; there are {', '.join(one.name for one in known)}")
    return [target for target in known if not names or target.name in names]


def text(name: str) -> str:
    """A file of ours. Raises ConfigError."""
    try:
        return Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name} cannot be read: {error}") from None


def claims(pack: str | None) -> dict[str, list[tuple[str, Text]]]:
    """The ids and statements of a pack's claims, by the target and the lines that they cite."""
    found: dict[str, list[tuple[str, Text]]] = {}
    for name, entries in packs.load(pack).entries.items():
        for claim in (entry.claim for entry in entries):
            for place in dict.fromkeys(f"{name}/{citation}" for citation in claim.citations):
                found.setdefault(place, []).append((claim.id, claim.statement))
    return found


def _key(repository: str | None) -> str:
    return "/".join((repository or "").removesuffix(".git").rstrip("/").lower().split("/")[-2:])


def specs(known: Sequence[Target], stated: "Mapping[str, str]", options: Mapping[str, Any]) -> "list[Spec]":
    """What to open: as the options say, else as the texts state (`stated`: revisions as words, by target)."""
    given = revisions.specs_by_source(options)
    if any(given.values()):
        everywhere = any("=" not in value for values in given.values() for value in values)
        chosen = [target for target in known if not target.is_whole or not everywhere or _is_named(target, given)]
        return [one for one in revisions.specs("", chosen, given, options["repo"]) if one.source != "pack"]
    wanted = [target for target in known if target.name in stated]
    words = [f"{name}={word}" for name, word in stated.items()]
    return list(revisions.of_words("", wanted, words, options["repo"]).values()) if words else []


def _is_named(target: Target, given: Mapping[str, Sequence[str]]) -> bool:
    return any(value.startswith(f"{target.name}=") for values in given.values() for value in values)


def stated_revisions(
    read: "Sequence[ReadText]", known: Sequence[Target]
) -> "tuple[dict[str, str], dict[str, dict[str, str]]]":
    """The revision that the texts state of each target, as a word, and those of each file by target."""
    from collections import Counter

    from auditor.article.pins import pins

    votes: dict[str, Counter[str]] = {}
    by_file: dict[str, dict[str, str]] = {}
    for text in read:
        found = pins(text.document, text.found, known)
        by_file[text.document.path] = {name: pin.ref for name, pin in found.items()}
        for name, pin in found.items():
            votes.setdefault(name, Counter())[f"git:{pin.ref}" if pin.is_commit else f"pypi:{pin.ref}"] += 1
    return {name: counted.most_common(1)[0][0] for name, counted in votes.items()}, by_file


def trees(
    read: "Sequence[ReadText]",
    known: Sequence[Target],
    wanted: "Sequence[Spec]",
    by_file: "dict[str, dict[str, str]]",
    options: Mapping[str, Any],
) -> "tuple[list[Tree], list[str]]":
    """What is read, and what a reader should know of it; `by_file`: the revisions that each file states, by target.

    Raises SourceError where nothing can be read.
    """
    from auditor.engine.texts import as_estimate, estimated, open_trees

    access = shared.access(dict(options))
    remarks: list[str] = []
    if not wanted:
        cited = [target for target in known if target.project and _may_be_cited(target, read)]
        for target in cited:
            spec = estimated(target, read, by_file, access)
            if spec is not None:
                wanted = [*wanted, spec]
                remarks.append(
                    f"{target.name} is read at release {spec.spec}, which fits the citations best: that is an estimate"
                )
        opened = open_trees(wanted, access, options["jobs"])
        if not opened.trees:
            names = ", ".join(target.name for target in known)
            why = f"state no revision of {names}, and none fits" if cited else f"cite nothing of {names}"
            raise ConfigError(
                f"the texts {why}; say what they are about: --release TARGET=VERSION (of any project of the registry), "
                f"--commit TARGET=REF or --path TARGET=DIR; `kvaudit init PROJECT` begins a pack"
            )
        return [as_estimate(tree) for tree in opened.trees], remarks
    opened = open_trees(wanted, access, options["jobs"])
    for spec, error in opened.failed:
        streams.say(f"kvaudit: {error}")
        remarks.append(f"{spec.target.name} could not be read: {error}")
    if not opened.trees:
        raise SourceError("nothing that the texts cite could be read; give --release, --path or --repo")
    return list(opened.trees), remarks


def other(known: Sequence[Target], cited: Sequence[Target], options: Mapping[str, Any]) -> "list[Tree]":
    """What `--to` names of the targets that are read. Raises ConfigError, SourceError."""
    from auditor.engine.texts import open_trees

    names = {target.name for target in cited}
    found = revisions.of_words("", [one for one in known if one.name in names], options["to"], options["repo"])
    opened = open_trees(list(found.values()), shared.access(dict(options)), options["jobs"])
    for _, error in opened.failed:
        raise error
    return list(opened.trees)


def _may_be_cited(target: Target, read: "Sequence[ReadText]") -> bool:
    """Whether any text names a target, or a path that begins as its package does."""
    name = (target.project or target.name).replace("-", "_")
    return any(
        target.name in text.document.text or f"{name}/" in mention.path
        for text in read
        for mention in text.found.mentions
    )
