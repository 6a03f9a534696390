"""The JSON Schema of a file of claims, for editors."""

from collections.abc import Mapping
from typing import Any, get_origin, get_type_hints

from auditor.checks import Check, checks
from auditor.claims.entries import CITATION, CLAIM, ID, LINES, nested_in, parameters
from auditor.claims.fields import schema, text_schema
from auditor.claims.groups import FORMS, GROUP
from auditor.claims.reading import HEAD
from auditor.model import Anchor, Target, Text

_RELEASE = {"type": ["string", "number"], "description": "a release, such as 0.31.0"}


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
            "id": text_schema(ID),
            **dict.fromkeys(("from", "to"), _RELEASE),
            "cites": {"type": "array", "items": {"oneOf": [text_schema(LINES), citation]}},
            "all": several,
            "caveats": {"type": "array", "items": {"allOf": [check, says], "unevaluatedProperties": False}},
            "elsewhere": {"type": "array", "items": form},
        },
        "required": ["id", "statement"],
        "oneOf": [{"required": ["all"]}, check],
        "unevaluatedProperties": False,
    }
    one = {"if": {"required": ["id"]}, "then": {"$ref": "#/$defs/claim"}, "else": {"$ref": "#/$defs/group"}}
    shared = {key: schema(type_) for key, type_ in GROUP.items()}
    forms = {"type": "object", "properties": {key: schema(FORMS[key]) for key in FORMS}, "additionalProperties": False}
    group = {
        "type": "object",
        "properties": {**shared, "elsewhere": forms, "claims": {"type": "array", "items": one}},
        "required": ["claims"],
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kvaudit claims",
        **group,
        "$defs": {
            "check": {"oneOf": [_check_schema(rule, cls) for rule, cls in checks().items()]},
            "claim": claim,
            "group": group,
        },
    }


def _mapping(types: Mapping[str, Any], required: set[str]) -> dict[str, Any]:
    properties = {key: schema(type_) for key, type_ in types.items()}
    return {"type": "object", "properties": properties, "required": sorted(required)}


def _check_schema(rule: str, cls: type[Check]) -> dict[str, Any]:
    """The keys of a rule, with its help, which editors show where its name is written."""
    types, required = parameters(cls)
    nested = nested_in(types)
    found = _mapping({key: types[key] for key in types if key not in nested}, {"check", *(required - {"at"})})
    inner = {key: {"$ref": "#/$defs/check", "unevaluatedProperties": False} for key in nested}
    about = {"title": rule, "description": cls.summary(), "markdownDescription": cls.help()}
    return {**found, **about, "properties": {**found["properties"], **inner, "check": {"const": rule, **about}}}


def pack_schema() -> dict[str, Any]:
    """The JSON Schema of `pack.yaml`, for editors."""
    hints = get_type_hints(Target)
    texts = {"type": ["string", "number"]}
    fields = {name: schema(type_) if get_origin(type_) is tuple else texts for name, type_ in hints.items()}
    target = {
        "type": "object",
        "properties": {name.replace("_", "-"): one for name, one in fields.items() if name != "name"},
        "additionalProperties": False,
    }
    own = {key: schema(HEAD[key]) for key in ("id", "title", "languages")}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "a pack of kvaudit",
        "type": "object",
        "properties": {
            **own,
            "targets": {"type": "object", "additionalProperties": target},
            "sections": {"type": "object", "additionalProperties": schema(Text)},
        },
        "required": ["id", "title", "targets"],
        "additionalProperties": False,
    }
