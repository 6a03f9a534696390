"""Groups: what a file, or a part of it, sets once for all its claims, put where each of them has it.

claims:
- title: {en: The pool, zh: 池}
  at: vllm/v1/core/block_pool.py::BlockPool
  where: {free: self.get_num_free_blocks()}
  claims:
  - id: ...
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from auditor.checks import checks
from auditor.claims.document import Document, Node
from auditor.claims.fields import fields
from auditor.model import Anchor, Text

GROUP: Mapping[str, Any] = {"title": Text, "languages": tuple[str, ...], "at": Anchor, "where": dict[str, str]}
FORMS: Mapping[str, Any] = {"at": Anchor, "where": dict[str, str]}
"""What a group says, under `elsewhere`, of all forms of its claims."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What claims have from the groups around them. `forms` is what their `elsewhere` forms have."""

    title: Text | None = None
    languages: tuple[str, ...] = ()
    given: Mapping[str, Node] = field(default_factory=dict)
    """`at` and `where`."""
    forms: Mapping[str, Node] = field(default_factory=dict)


def members(
    document: Document, node: Node, shared: Shared, what: str = "a file of claims"
) -> Iterator[tuple[Node, Shared]]:
    """The claims of a file or group, each with what is set for it written into it; what is wrong is noted."""
    keys = dict(document.mapping(node, what))
    if "claims" not in keys and isinstance(node.value, dict):
        document.problem(node, "claims is missing")
    items = document.sequence(keys.pop("claims", None), "claims")
    nested = keys.pop("elsewhere", None)
    known = fields(document, node.within(keys), {**GROUP, "elsewhere": Any, "claims": Any})
    forms = dict(document.mapping(nested, "elsewhere of a group")) if nested else {}
    fields(document, node.within(forms), FORMS)
    inner = Shared(
        known.get("title", shared.title),
        known.get("languages", shared.languages),
        _merged(shared.given, {key: keys[key] for key in FORMS if key in keys}),
        _merged(shared.forms, forms),
    )
    for item in items:
        if is_group(item):
            yield from members(document, item, inner, "a group")
        else:
            yield _spread(item, inner), inner


def is_group(node: Node) -> bool:
    return isinstance(node.value, dict) and "claims" in node.value and "id" not in node.value


def _spread(claim: Node, shared: Shared) -> Node:
    """The claim with what is shared in it, where its checks take it."""
    if not isinstance(claim.value, dict):
        return claim
    keys = dict(claim.value)
    given, forms = dict(shared.given), dict(shared.forms)
    if "all" in keys and "where" in keys:
        given = _merged(given, {"where": keys.pop("where")})
    if "at" in given:
        keys.setdefault("at", given.pop("at"))
    if "all" not in keys:
        keys = _filled(keys, given)
    for key, what in (("all", given), ("caveats", given), ("elsewhere", _merged(given, forms))):
        if key in keys:
            keys[key] = _each(keys[key], what)
    return claim.within(keys)


def _each(several: Node, given: Mapping[str, Node]) -> Node:
    if not isinstance(several.value, list):
        return several
    filled: list[Node] = []
    for item in several.value:
        if not isinstance(item.value, dict):
            filled.append(item)
            continue
        keys, inner = dict(item.value), dict(given)
        if "all" in keys:
            if "at" in inner:
                keys.setdefault("at", inner.pop("at"))
            keys["all"] = _each(keys["all"], inner)
            filled.append(item.within(keys))
        else:
            filled.append(item.within(_filled(keys, inner)))
    return several.within(filled)


def _filled(keys: dict[str, Node], given: Mapping[str, Node]) -> dict[str, Node]:
    """The keys of a check, with those of the given ones that it takes and does not state."""
    rule = keys.get("check")
    cls = checks().get(str(rule.value)) if rule else None
    taken = {one.name for one in dataclasses.fields(cls)} if cls else set()
    return _merged({key: node for key, node in given.items() if key in taken}, keys)


def _merged(outer: Mapping[str, Node], inner: Mapping[str, Node]) -> dict[str, Node]:
    """Both; the inner before the outer, and of two mappings the names of both."""
    found = {**outer, **inner}
    for key in outer.keys() & inner.keys():
        first, second = outer[key].value, inner[key].value
        if isinstance(first, dict) and isinstance(second, dict):
            found[key] = replace(inner[key], value={**first, **second})
    return found
