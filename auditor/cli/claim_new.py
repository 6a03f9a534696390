"""Suggest claims about a place."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor import files
from auditor.cli import claim_drafts, one_target, packs, revisions, streams
from auditor.cli import options as shared
from auditor.errors import ConfigError
from auditor.model import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.claims import Pack
    from auditor.model import Region
    from auditor.suggest import Tried

_PLACE = re.compile(r"(?P<path>[^:\s]+)(?::(?P<start>\d+)(?:-(?P<end>\d+))?|::(?P<symbol>[\w.]+))?")

_MOST_NEAR = 3  # files that a wrong path may have meant


@click.command()
@click.argument("target", metavar="TARGET|FILE")
@click.argument("place", metavar="[PATH:LINES]", required=False)
@click.option("--pack", metavar="PACK", help="The pack that the claim is for.  [default: as for verify]")
@click.option("--language", type=click.Choice(["en", "zh"]), help="Of the sentences.  [default: those of the pack]")
@click.option("--most", type=click.IntRange(1), help="Suggestions shown.  [6; of a text 1 for each citation]")
@click.option("--into", type=click.Path(path_type=Path), help="The folder of a draft pack.  [default: stdout]")
@click.option("--write", is_flag=True, help="Add the first suggestion to the pack.")
@revisions.reading
@shared.reaching
def command(target: str, place: str | None, into: Path | None, **options: Any) -> int:
    """Suggest claims about a place, or about all that a text cites.

    PATH:LINES of a TARGET may also be PATH::Symbol or a path. Of a FILE, as `kvaudit article` reads it, each
    citation that is right becomes a claim of a draft pack.

    Each suggestion has been run, and holds. The first is printed as it goes into the pack, the others as comments; all
    are sentences of a machine, to be put into your own words.
    """
    from auditor.code import Undecidable
    from auditor.code.project.codebase import Codebase
    from auditor.suggest import suggestions

    if place is None:
        if not Path(target).exists():
            raise ConfigError(
                f"{target} is no file; of a target say which place: kvaudit claim new {target} PATH:LINES"
            )
        return claim_drafts.draft([target], options["pack"], into, options | {"most": options["most"] or 1})
    options["most"] = options["most"] or 6
    pack = packs.load(options["pack"])
    spec, snapshot = one_target.opened(pack, target, options)
    code = Codebase(snapshot, spec.target)
    try:
        path, region = _region(code, place)
        found = _varied(suggestions(code, path, region))
    except Undecidable as reason:
        raise ConfigError(str(reason)) from None
    if not found:
        raise ConfigError(f"{place} suggests no check; see `kvaudit rules` for what can be checked")
    about = f"{path}:{region}" if region else path
    streams.tell(f"# {about} in {target} {snapshot.revision.name}; its code has the fingerprint {_fingerprint(found)}")
    texts = _texts(pack, target, about, found[: options["most"]], options["language"])
    for number, (tried, text) in enumerate(zip(found, texts, strict=False)):
        streams.tell(f"# {tried.outcome.kind}: {tried.outcome.message.en}")
        for line in text.splitlines():
            streams.tell(f"# {line}" if number else line)
    if options["write"]:
        _write(options["pack"], target, texts[0])
    return 0


def _varied(found: "Sequence[Tried]") -> "list[Tried]":
    """The first of each rule, then the second of each: six defaults say less than a default, a guard and an order."""
    turns: dict[int, int] = {}
    seen: dict[tuple[bool, str], int] = {}
    for number, tried in enumerate(found):
        kind = (tried.outcome.kind is not Kind.PASS, tried.suggestion.check.id)
        turns[number] = seen[kind] = seen.get(kind, -1) + 1
    order = sorted(turns, key=lambda number: (found[number].outcome.kind is not Kind.PASS, turns[number], number))
    return [found[number] for number in order]


def _region(code: Any, place: str) -> "tuple[str, Region | None]":
    """The path and the lines of a place. Raises ConfigError, Undecidable."""
    from auditor.model import Anchor, Region

    match = _PLACE.fullmatch(place)
    if match is None:
        raise ConfigError(f"{place} is not PATH:LINES, such as a/b.py:10-20, nor PATH::Symbol")
    if not code.is_there(match["path"]):
        near = [path for path in sorted(code.files) if path.endswith(f"/{match['path'].rpartition('/')[2]}")][
            :_MOST_NEAR
        ]
        hint = f"; there is {', '.join(near)}" if near else ""
        raise ConfigError(f"{match['path']} is not in {code.revision.name}{hint}")
    if match["symbol"]:
        definition = code.locate(Anchor(match["path"], match["symbol"]))
        return definition.path, definition.region
    start, last = int(match["start"] or 0), code.text(match["path"]).count("\n") + 1
    if not start:
        return match["path"], None
    if not 1 <= start <= last:
        raise ConfigError(f"{place}: the file has {last} lines")
    return match["path"], Region(start, max(start, int(match["end"] or start)))


def _texts(pack: "Pack", target: str, about: str, found: "Sequence[Tried]", language: str | None) -> list[str]:
    from auditor.claims.yaml_text import claim_text

    taken = {entry.claim.id for entries in pack.entries.values() for entry in entries}
    languages = [language] if language else list(pack.languages or ("en",))
    texts = []
    for tried in found:
        check = tried.suggestion.check
        wanted = _id(target, about, check)
        number = next(n for n in range(1, len(taken) + 2) if (wanted if n == 1 else f"{wanted}-{n}") not in taken)
        taken.add(name := wanted if number == 1 else f"{wanted}-{number}")
        texts.append(claim_text(name, tried.suggestion.statement, [about], check, languages))
    return texts


def _id(target: str, about: str, check: Any) -> str:
    """An id in the pack's form: target, section, and a slug of the definition and the rule."""
    at = getattr(check, "at", None)
    stem = about.partition(":")[0].rpartition("/")[2].removesuffix(".py")
    named = f"{at.symbol if at and at.symbol else stem} {check.id}".lower()
    words = re.sub(r"[^a-z0-9]+", "-", named).strip("-")
    return f"{target}/{stem.strip('_') or 'module'}/{words}"


def _fingerprint(found: "Sequence[Tried]") -> str:
    return next((tried.outcome.fingerprint for tried in found if tried.outcome.fingerprint), "none")


def _write(pack: str | None, target: str, text: str) -> None:
    file = packs.pack_folder(pack) / f"{target}.yaml"
    before = files.read(file).decode() if file.is_file() else ""
    if re.search(r"^claims:\s*\[\]\s*$", before, re.MULTILINE):
        after = re.sub(r"^claims:\s*\[\]\s*$", lambda _: f"claims:\n{text}".rstrip("\n"), before, flags=re.MULTILINE)
        after = after.rstrip("\n") + "\n"
    elif re.search(r"^claims:\s*$", before, re.MULTILINE):
        indent = re.search(r"^claims:\s*\n(?:\s*#.*\n|\s*\n)*( *)- ", before, re.MULTILINE)
        space = indent[1] if indent else ""
        after = before.rstrip("\n") + "\n" + "".join(f"{space}{line}\n" for line in text.splitlines())
    elif not before.strip():
        after = f"claims:\n{text}"
    else:
        raise ConfigError(f"{file} has no list `claims:` to add to; copy the claim from above")
    files.replace(file, after.encode())
    streams.say(f"kvaudit: added to {file}")
