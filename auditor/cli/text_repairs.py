"""New line numbers for a person's own texts: what is written, and what a person is told of the rest."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.cli import article_inputs as inputs
from auditor.cli import patch, repair_plan, revisions, streams
from auditor.errors import ConfigError
from auditor.formats import visible

if TYPE_CHECKING:
    from auditor.article.carrying import Carried
    from auditor.article.trees import Tree
    from auditor.articles import AuditedText
    from auditor.model import Target


def repair(names: Sequence[str], pack: str | None, older: Sequence[str], options: Mapping[str, Any]) -> int:
    """Repair texts: exit status 0 where all is right or mended, 1 where something is left. Raises ConfigError."""
    from auditor.article.carrying import edited

    carried, ends = carry(names, pack, older, options)
    changes: dict[Path, tuple[str, str]] = {}
    for text, several in carried:
        edits = [edit for one in several for edit in one.edits]
        after = edited(text.text, edits)
        if after != text.text:
            changes[Path(text.path)] = _whole(Path(text.path), text.text, after)
    if options["dry_run"]:
        streams.put(patch.patch(changes))
    for path, (_, new) in changes.items() if not options["dry_run"] else ():
        patch.write(path, new)
    if not options["quiet"]:
        for line in _report(carried, ends):
            (streams.say if options["dry_run"] else streams.tell)(line)
    is_left = any(one.left is not None for _, several in carried for one in several)
    return 1 if is_left and not options["exit_zero"] else 0


def carry(
    names: Sequence[str], pack: str | None, older: Sequence[str], options: Mapping[str, Any]
) -> "tuple[list[tuple[AuditedText, list[Carried]]], list[tuple[Tree, Tree]]]":
    """What becomes of every citation between what its lines mean now and what the options say. Raises ConfigError."""
    from auditor.article.carrying import Carrier, without_orphans
    from auditor.engine.collector import without_cycles
    from auditor.engine.texts import audit_texts, open_trees

    read, failed = inputs.texts(inputs.files(names))
    for error in failed:
        streams.say(f"kvaudit: {error}")
    known = inputs.targets(pack, read, options)
    words, by_file = inputs.stated_revisions(read, known)
    given = revisions.specs_by_source(options)
    if not any(given.values()):
        raise ConfigError("say where the code is now: --release VERSION, --commit REF or --path TARGET=DIR")
    newer = {one.target.name: one for one in inputs.specs(known, words, options)}
    before = _older(known, older, words, newer, options)
    opened = {}
    from auditor.cli import options as shared

    for side in (before, newer):
        found = open_trees(list(side.values()), shared.access(dict(options)), options["jobs"])
        for _, unread in found.failed:
            raise unread
        opened[id(side)] = {tree.name: tree for tree in found.trees}
    old, new = opened[id(before)], opened[id(newer)]
    audited = audit_texts(read, list(old.values()), by_file)
    with without_cycles():
        carriers = {name: Carrier(old[name], new[name]) for name in old if name in new}
        carried = [
            (
                text,
                without_orphans([carriers[one.target].carry(one) for one in text.citations if one.target in carriers]),
            )
            for text in audited
        ]
    return carried, [(old[name], new[name]) for name in carriers]


def _older(
    known: "Sequence[Target]",
    older: Sequence[str],
    words: Mapping[str, str],
    newer: Mapping[str, Any],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """What the lines mean now: as --from says, else as the texts state. Raises ConfigError where nobody says."""
    targets = [target for target in known if target.name in newer]
    if older:
        found = revisions.of_words("", targets, older, options["repo"])
    else:
        stated = [f"{target.name}={words[target.name]}" for target in targets if target.name in words]
        found = revisions.of_words("", targets, stated, options["repo"]) if stated else {}
    if not found:
        raise ConfigError("the texts state no revision; say what their lines mean: --from TARGET=REVISION")
    return {name: spec for name, spec in found.items() if name in newer}


def _whole(path: Path, before: str, after: str) -> tuple[str, str]:
    """Both texts with what reading took off in front."""
    mark = "\ufeff" if path.read_bytes().startswith(b"\xef\xbb\xbf") else ""
    return mark + before, mark + after


def _report(
    carried: "Sequence[tuple[AuditedText, list[Carried]]]", ends: "Sequence[tuple[Tree, Tree]]"
) -> Iterator[str]:
    for old, new in ends:
        yield f"{visible(old.revision)} -> {visible(new.revision)}"
    for text, several in carried:
        written = [one for one in several if one.edits]
        left = [one for one in several if one.left is not None]
        right = len(several) - len(written) - len(left)
        yield f"{visible(text.path)}: {len(written)} to write, {right} right as they are, {len(left)} left"
        for one in written:
            place = f"{visible(text.path)}:{one.cited.line}:{one.cited.column}"
            now = ",".join(str(went.found.region) for went in one.relocations if went.found)
            path = next((went.found.path for went in one.relocations if went.found), "")
            moved = f"{path}:" if path != one.cited.path else ""
            yield f"  {place}: {visible(one.cited.mention.text, 100)} -> {visible(moved + now)}  (the same code)"
        for one in left:
            yield from _left(text, one)
    yield ""


def _left(text: "AuditedText", one: "Carried") -> Iterator[str]:
    place = f"{visible(text.path)}:{one.cited.line}:{one.cited.column}"
    reason = one.left.en if one.left else ""
    yield f"  {place}: {visible(one.cited.mention.text, 100)} is left: {visible(reason)}"
    for relocation in one.relocations:
        if relocation.found is None or not relocation.is_same:
            yield from repair_plan.followed(relocation)
