"""Typed fields out of a mapping: every one that is unknown, missing or of another type is a problem with its place."""

import re
from collections.abc import Mapping, Set
from typing import Any

import msgspec

from auditor.claims.document import Document, Node
from auditor.model import Anchor, Text

_PLACE = re.compile(r"(?P<path>[^:\s]+)(?:::(?P<symbol>[\w.]+))?")

Known = dict[str, Any]
"""Fields by name, each of the type that was asked for."""


class _Words(msgspec.Struct, forbid_unknown_fields=True):
    en: str
    zh: str


def fields(document: Document, node: Node, types: Mapping[str, Any], required: Set[str] = frozenset()) -> Known:
    """The fields of a mapping that are as they should be."""
    given = document.mapping(node, "this")
    for key in sorted(required - set(given)):
        document.problem(node, f"{key} is missing")
    known: Known = {}
    for key, item in given.items():
        if key not in types:
            document.problem(item, f"unknown key {key}; known here: {', '.join(types)}")
            continue
        try:
            known[key] = typed(item, types[key])
        except msgspec.ValidationError as error:
            message, _, where = str(error).partition(" - at `$")
            document.problem(_inner(item, where.rstrip("`")), f"{key}: {message}")
    return known


def typed(node: Node, type_: Any) -> Any:
    """A node's value as a type. Raises msgspec.ValidationError."""
    if type_ is Anchor:
        return _anchor(node.value)
    if type_ is Text:
        words = msgspec.convert(node.plain(), type=_Words)
        return Text(words.en, words.zh)
    return msgspec.convert(node.plain(), type=type_, strict=False, dec_hook=_written)


def schema(type_: Any) -> dict[str, Any]:
    """The JSON Schema of what `typed` takes; scalars may be written as YAML likes."""
    if type_ is Anchor:
        return {"type": "string", "pattern": f"^{_PLACE.pattern.replace('?P<path>', '').replace('?P<symbol>', '')}$"}
    if type_ is Text:
        words: dict[str, Any] = msgspec.json.schema(_Words)["$defs"]["_Words"]
        return words
    return msgspec.json.schema(type_, schema_hook=_schema)


def _schema(own: Any) -> dict[str, Any]:
    found: dict[str, Any] = own.schema
    return found


def _written(type_: Any, value: object) -> Any:
    """A value in our own notation, from its text."""
    if not isinstance(value, str):
        raise ValueError("this is written as text")
    return type_(value)


def _anchor(value: object) -> Anchor:
    match = _PLACE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise msgspec.ValidationError(f"{value!r} is not path::Symbol, nor a path")
    return Anchor(match["path"], match["symbol"])


def _inner(node: Node, path: str) -> Node:
    """The node below, by msgspec's path: `.key`, `[0]` or `[...]`."""
    for key, number in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        if isinstance(node.value, dict) and key in node.value:
            node = node.value[key]
        elif isinstance(node.value, list) and number and int(number) < len(node.value):
            node = node.value[int(number)]
    return node
