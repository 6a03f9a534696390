"""Typed fields out of a mapping: every one that is unknown, missing or of another type is a problem with its place."""

import re
from collections.abc import Mapping, Set
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from auditor.claims.document import Document, Node
from auditor.code.matching.notation import Constant, Place
from auditor.model import Acceptance, Anchor, Kind, Text

_BELOW = re.compile(r" - at (?:`key` in )?`\$(?P<path>.*)`")

Known = dict[str, Any]
"""Fields by name, each of the type that was asked for."""


_Words = Annotated[str, msgspec.Meta(pattern=r"\S")]
_REASON = re.compile(r"\S\s+\S|[\u4e00-\u9fff]{2}")
"""More than one word; `yes` is no reason."""
_WORDS = {"type": "string", "pattern": r"\S"}


class _Both(msgspec.Struct, forbid_unknown_fields=True):
    en: _Words
    zh: _Words


class _Accepted(_Both, forbid_unknown_fields=True):
    kind: Literal["fail", "review", "open"] = "fail"
    found: str | None = None
    unshipped: bool = False


def fields(document: Document, node: Node, types: Mapping[str, Any], required: Set[str] = frozenset()) -> Known:
    """The fields of a mapping that are as they should be."""
    given = document.mapping(node, "this")
    if given is not node.value:
        return {}
    for key in sorted(required - set(given)):
        document.problem(node, f"{key} is missing")
    known: Known = {}
    for key, item in given.items():
        if key not in types:
            document.problem(item.key or item, f"unknown key {key}; known here: {', '.join(types)}")
            continue
        try:
            known[key] = typed(item, types[key])
            if isinstance(item.value, str) and types[key] is Text and len(document.languages) > 1:
                both = " and ".join(document.languages)
                document.problem(item, f"{key} is in one language, and this pack is in {both}: {{en: ..., zh: ...}}")
        except msgspec.ValidationError as error:
            where = _BELOW.search(str(error))
            message = _BELOW.sub("", str(error))
            document.problem(_inner(item, where["path"]) if where else item, f"{key}: {message}")
    return known


def typed(node: Node, type_: Any) -> Any:
    """A node's value as a type. Raises msgspec.ValidationError."""
    if type_ is Anchor:
        return _anchor(node.plain())
    if type_ is Text:
        return _text(msgspec.convert(node.plain(), type=_Words | _Both))
    if type_ is Acceptance:
        if isinstance(node.value, str) and not _REASON.search(node.value):
            raise msgspec.ValidationError("say why in a sentence, or {kind: ..., en: ..., zh: ...}")
        stated = msgspec.convert(node.plain(), type=str | _Accepted, strict=False)
        if isinstance(stated, str):
            return Acceptance(Kind.FAIL, _text(stated))
        return Acceptance(Kind(stated.kind), _text(stated), stated.found, stated.unshipped)
    plain = node.plain()
    if _is_several(type_) and isinstance(plain, str):
        plain = [plain]  # one of what may be several is written alone
    return msgspec.convert(plain, type=type_, strict=False, dec_hook=_from_text)


def _text(words: "str | _Both") -> Text:
    """What is written in one language is said in both."""
    return Text(words, words) if isinstance(words, str) else Text(words.en, words.zh)


def _is_several(type_: Any) -> bool:
    return tuple in (get_origin(type_), *map(get_origin, get_args(type_)))


def schema(type_: Any) -> dict[str, Any]:
    """The JSON Schema of what `typed` takes; scalars may be written as YAML likes."""
    if type_ is Anchor:
        return text_schema(Place.syntax)
    if type_ is Text:
        return {"anyOf": [_WORDS, msgspec.json.schema(_Both)["$defs"]["_Both"]]}
    if type_ is Acceptance:
        stated = msgspec.json.schema(_Accepted)["$defs"]["_Accepted"]
        return {"anyOf": [{"type": "string", "pattern": _REASON.pattern}, stated]}
    made = msgspec.json.schema(type_, schema_hook=_schema)
    found: dict[str, Any] = _inlined(made, made.pop("$defs", {}))
    if not _is_several(type_):
        return found
    item = next(one["items"] for one in (found, *found.get("anyOf", ())) if "items" in one)
    return {"anyOf": [found, item]} if item.get("type") not in ("object", "array") else found


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """A schema with what it refers to in its place, so that it can be part of another."""
    if isinstance(schema, list):
        return [_inlined(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    return {key: _inlined(value, definitions) for key, value in schema.items()}


def text_schema(pattern: re.Pattern[str]) -> dict[str, Any]:
    """The JSON Schema of text that matches; other languages know no named groups."""
    return {"type": "string", "pattern": f"^(?:{re.sub(r'[?]P<[a-z]+>', '', pattern.pattern)})$"}


def _schema(own: Any) -> dict[str, Any]:
    found: dict[str, Any] = own.schema
    return found


def _from_text(type_: Any, value: object) -> Any:
    """A value in our own notation, from its text; a list or mapping of YAML is the literal that it looks like."""
    if type_ is Constant and isinstance(value, list | dict):
        value = repr(_literal(value))
    if not isinstance(value, str):
        raise ValueError("this must be text")
    return type_(value)


def _literal(value: object) -> object:
    """What YAML's collection stands for: items that are no literals are text."""
    if isinstance(value, list):
        return [_literal(item) for item in value]
    if isinstance(value, dict):
        return {_literal(key): _literal(item) for key, item in value.items()}
    try:
        return Constant(str(value)).value
    except ValueError:
        return value


def _anchor(value: object) -> Anchor:
    match = Place.syntax.fullmatch(value) if isinstance(value, str) else None
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
