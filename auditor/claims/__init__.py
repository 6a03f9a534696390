"""Packs: claims as data, loaded strictly."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from auditor.checks import checks
from auditor.claims.document import Document, Node
from auditor.claims.entries import (
    CITATION,
    CLAIM,
    ID,
    LINES,
    Caveat,
    Entry,
    Form,
    entries,
    nested_in,
    parameters,
    places,
)
from auditor.claims.fields import fields, schema, written_as
from auditor.errors import ClaimError, ConfigError
from auditor.model import Anchor, Target, Text

__all__ = ["Caveat", "Entry", "Form", "Pack", "claim_schema", "load", "places"]


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
    root = head.read()
    types = {"id": str, "title": Text, "targets": dict[str, Any]}
    known = fields(head, root, types, types.keys()) if root else {}
    stated = root.value["targets"] if root and isinstance(root.value, dict) and "targets" in known else Node({})
    targets = tuple(_targets(head, stated))
    problems = list(head.problems)
    found: dict[str, tuple[Entry, ...]] = {}
    taken: dict[str, str] = {}
    for path in sorted((*folder.glob("*.yaml"), *folder.glob("*.yml"))):
        if path == head.path:
            continue
        document = Document(path)
        if path.suffix == ".yml":
            document.problem(Node(""), "claims are in files that end in .yaml; rename it")
        elif path.stem not in {target.name for target in targets} and not head.problems:
            document.problem(Node(""), f"{head.path} has no target {path.stem}")
        found[path.stem] = tuple(entries(document, taken))
        problems += document.problems
    if problems:
        raise ClaimError(tuple(problems))
    return Pack(known["id"], known["title"], targets, found)


def _targets(document: Document, node: Node) -> Iterator[Target]:
    hints = get_type_hints(Target)
    types = {name.replace("_", "-"): hints[name] for name in hints if name != "name"}
    for name, given in document.mapping(node, "targets").items():
        known = fields(document, given, types)
        yield Target(name, **{key.replace("-", "_"): value for key, value in known.items()})


def claim_schema() -> dict[str, Any]:
    """The JSON Schema of a file of claims, for editors."""
    citation = {**_mapping(CITATION, {"lines", "at"}), "additionalProperties": False}
    check = {"$ref": "#/$defs/check"}
    says = {"properties": {"says": schema(Text)}, "required": ["says"]}
    several = {"type": "array", "minItems": 1, "items": {**check, "unevaluatedProperties": False}}
    form = {
        "type": "object",
        "properties": {"says": schema(Text)},
        "oneOf": [{"properties": {"all": several, "at": schema(Anchor)}, "required": ["all"]}, check],
        "unevaluatedProperties": False,
    }
    claim = {
        "type": "object",
        "properties": {
            **{key: schema(type_) for key, type_ in CLAIM.items()},
            "id": written_as(ID),
            "cites": {"type": "array", "items": {"oneOf": [written_as(LINES), citation]}},
            "all": several,
            "caveats": {"type": "array", "items": {"allOf": [check, says], "unevaluatedProperties": False}},
            "elsewhere": {"type": "array", "items": form},
        },
        "required": ["id", "statement"],
        "oneOf": [{"required": ["all"]}, check],
        "unevaluatedProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kvaudit claims",
        "type": "object",
        "properties": {"claims": {"type": "array", "items": claim}},
        "required": ["claims"],
        "additionalProperties": False,
        "$defs": {"check": {"oneOf": [_check_schema(rule, *parameters(cls)) for rule, cls in checks().items()]}},
    }


def _mapping(types: Mapping[str, Any], required: set[str]) -> dict[str, Any]:
    properties = {key: schema(type_) for key, type_ in types.items()}
    return {"type": "object", "properties": properties, "required": sorted(required)}


def _check_schema(rule: str, types: Mapping[str, Any], required: frozenset[str]) -> dict[str, Any]:
    nested = nested_in(types)
    found = _mapping({key: types[key] for key in types if key not in nested}, {"check", *(required - {"at"})})
    inner = {key: {"$ref": "#/$defs/check", "unevaluatedProperties": False} for key in nested}
    return {**found, "properties": {**found["properties"], **inner, "check": {"const": rule}}}
