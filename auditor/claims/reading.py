"""A pack out of its files."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_type_hints

from auditor.checks import rules
from auditor.claims import Entry, Pack
from auditor.claims.document import Document, Node
from auditor.claims.entries import entries
from auditor.claims.fields import fields
from auditor.errors import ClaimError, ConfigError
from auditor.model import Target, Text

HEAD: Mapping[str, Any] = {
    "id": str,
    "title": Text,
    "targets": dict[str, Any],
    "languages": tuple[Literal["en", "zh"], ...],
    "sections": dict[str, Any],
}
"""The keys of `pack.yaml`."""


def read(folder: Path, files: Mapping[Path, bytes | None]) -> Pack:
    """The pack in a folder. `files` are its files and what is in each; None for one that is still to be read.

    Raises ClaimError, ConfigError.
    """
    head = Document(folder / "pack.yaml")
    head.data = files.get(head.path)
    if head.data is None and not head.path.is_file():
        raise ConfigError(f"{folder} is no pack: there is no {head.path.name} in it")
    root = head.read()
    known = fields(head, root, HEAD, {"id", "title", "targets"}) if root else {}
    stated = root.value["targets"] if root and isinstance(root.value, dict) and "targets" in known else Node({})
    targets = tuple(_targets(head, stated))
    sections = (
        _sections(head, root.value["sections"]) if root and isinstance(root.value, dict) and "sections" in known else {}
    )
    problems = list(head.problems)
    found: dict[str, tuple[Entry, ...]] = {}
    taken: dict[str, str] = {}
    for path, data in files.items():
        if path == head.path:
            continue
        document = Document(path, data, known.get("languages", ()))
        if path.suffix == ".yml":
            document.problem(Node(""), "claims are in files that end in .yaml; rename it")
        elif path.stem not in {target.name for target in targets} and not head.problems:
            document.problem(Node(""), f"{head.path} has no target {path.stem}")
        found[path.stem] = tuple(_titled(entry, sections) for entry in entries(document, taken))
        problems += document.problems
    if problems:
        raise ClaimError(tuple(problems))
    used = rules(entry.claim.rule for several in found.values() for entry in several)
    return Pack(known["id"], known["title"], targets, found, used, known.get("languages", ()))


def _sections(document: Document, node: Node) -> Mapping[str, Text]:
    """What the sections are called, by the second part of the ids of their claims."""
    given = document.mapping(node, "sections")
    return fields(document, node.within(given), dict.fromkeys(given, Text))


def _titled(entry: Entry, sections: Mapping[str, Text]) -> Entry:
    """The claim with the title of its section, unless its group has one."""
    claim = entry.claim
    parts = claim.id.split("/")
    if claim.section is not None or len(parts) < 3 or parts[1] not in sections:
        return entry
    return replace(entry, claim=replace(claim, section=sections[parts[1]]))


def _targets(document: Document, node: Node) -> Iterator[Target]:
    hints = get_type_hints(Target)
    types = {name.replace("_", "-"): hints[name] for name in hints if name != "name"}
    for name, given in document.mapping(node, "targets").items():
        known = fields(document, given, types)
        if prefix := known.get("prefix"):
            known["prefix"] = f"{prefix.strip('/')}/"  # as a folder is written, with or without
        yield Target(name, **{key.replace("-", "_"): value for key, value in known.items()})
