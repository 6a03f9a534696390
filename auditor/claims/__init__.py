"""Packs: claims as data, loaded strictly."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from auditor.checks import checks
from auditor.claims.document import Document, Node
from auditor.claims.entries import CITATION, CLAIM, ID, LINES, Caveat, Entry, entries, parameters
from auditor.claims.fields import fields, schema
from auditor.errors import ClaimError, ConfigError
from auditor.model import Target, Text

__all__ = ["Caveat", "Entry", "Pack", "claim_schema", "load"]


@dataclass(frozen=True, slots=True)
class Pack:
    """The claims about one article. `entries` are by the name of their target, in the order of their files."""

    id: str
    title: Text
    targets: tuple[Target, ...]
    entries: Mapping[str, tuple[Entry, ...]]


def load(folder: Path) -> Pack:
    """The pack in a folder: `pack.yaml`, and beside it one file of claims for each target.

    Raises ClaimError with every problem of every file; ConfigError when the folder is no pack.
    """
    head = Document(folder / "pack.yaml")
    if not head.path.is_file():
        raise ConfigError(f"{folder} is no pack: there is no {head.path.name} in it")
    root = head.read() or Node({})
    known = fields(head, root, {"id": str, "title": Text, "targets": dict[str, Any]}, {"id", "title", "targets"})
    targets = tuple(_targets(head, root))
    problems = list(head.problems)
    found: dict[str, tuple[Entry, ...]] = {}
    seen: dict[str, str] = {}
    for path in sorted(folder.glob("*.yaml")):
        if path == head.path:
            continue
        document = Document(path)
        if path.stem not in {target.name for target in targets} and not head.problems:
            document.problem(Node(""), f"{head.path} has no target {path.stem}")
        found[path.stem] = tuple(entries(document))
        for entry in found[path.stem]:
            claim = entry.claim
            if claim.id in seen:
                document.problem(
                    Node("", int(claim.origin.rpartition(":")[2])), f"the id {claim.id} is taken at {seen[claim.id]}"
                )
            seen.setdefault(claim.id, claim.origin)
        problems += document.problems
    if problems:
        raise ClaimError(tuple(problems))
    return Pack(known["id"], known["title"], targets, found)


def _targets(document: Document, root: Node) -> Iterator[Target]:
    hints = get_type_hints(Target)
    types = {name.replace("_", "-"): hints[name] for name in hints if name != "name"}
    given = root.value.get("targets") if isinstance(root.value, dict) else None
    for name, node in document.mapping(given, "targets").items() if given else ():
        known = fields(document, node, types)
        yield Target(name, **{key.replace("-", "_"): value for key, value in known.items()})


def claim_schema() -> dict[str, Any]:
    """The JSON Schema of a file of claims, for editors."""
    lines = {"type": "string", "pattern": f"^{LINES.pattern.replace('?P<path>', '').replace('?P<ranges>', '')}$"}
    check = {"oneOf": [_check_schema(rule, *parameters(cls)) for rule, cls in checks().items()]}
    says = {"properties": {"says": schema(Text)}, "required": ["says"]}
    claim = {
        "properties": {
            **{key: schema(type_) for key, type_ in CLAIM.items()},
            "id": {"type": "string", "pattern": f"^{ID.pattern}$"},
            "cites": {"type": "array", "items": {"oneOf": [lines, _mapping(CITATION, {"lines", "at"})]}},
            "all": {"type": "array", "minItems": 1, "items": check},
            "caveats": {"type": "array", "items": {"allOf": [check, says]}},
        },
        "required": ["id", "statement"],
        "oneOf": [{"required": ["all"]}, check],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kvaudit claims",
        "type": "object",
        "properties": {"claims": {"type": "array", "items": claim}},
        "required": ["claims"],
        "additionalProperties": False,
    }


def _mapping(types: Mapping[str, Any], required: set[str]) -> dict[str, Any]:
    properties = {key: schema(type_) for key, type_ in types.items()}
    return {"type": "object", "properties": properties, "required": sorted(required)}


def _check_schema(rule: str, types: Mapping[str, Any], required: frozenset[str]) -> dict[str, Any]:
    found = _mapping(types, {"check", *(required - {"at"})})
    return {**found, "properties": {**found["properties"], "check": {"const": rule}}}
