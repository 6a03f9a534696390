"""One file of claims: what each says, what it cites, and the checks that decide it."""

import dataclasses
import re
from collections.abc import Iterator, Mapping
from functools import cache
from keyword import iskeyword
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from auditor.checks import Check, checks
from auditor.claims import Caveat, Decided, Entry, Form
from auditor.claims.document import Document, Node
from auditor.claims.fields import fields
from auditor.claims.groups import Shared, members
from auditor.code.matching.notation import Pattern, Place
from auditor.model import Acceptance, Anchor, Citation, Claim, Region, Text

ID = re.compile(r"[\w.-]+(/[\w.-]+)+")
_RANGE = r"[0-9]{1,9}(?:-[0-9]{1,9})?"
_LINES_ALONE = re.compile(r"[lL]?\d+(?:[-,][lL]?\d+)*")
LINES = re.compile(rf"(?P<path>[^:\s/][^:\s]{{0,1000}})(?::(?P<ranges>{_RANGE}(?:,{_RANGE})*))?")

CLAIM: Mapping[str, Any] = {"id": str, "statement": Text, "at": Anchor, "accepted": Acceptance, "from": str, "to": str}
CITATION: Mapping[str, Any] = {"lines": str, "at": Anchor, "code": Pattern}
_LISTS = ("cites", "all", "caveats", "elsewhere")


def entries(document: Document, taken: dict[str, str]) -> Iterator[Entry]:
    """The well-formed claims of a file; what is wrong with the others is noted in the document.

    `taken` holds the ids of other files, with their origins, and gains those of this one.
    """
    root = document.read()
    if root is None:
        return
    languages = document.languages
    for item, shared in members(document, root, Shared(languages=languages)):
        before = len(document.problems)
        document.languages = shared.languages
        entry = _entry(document, item, taken, shared.title)
        document.languages = languages
        if entry and len(document.problems) == before:
            yield entry


def _entry(document: Document, node: Node, taken: dict[str, str], section: Text | None) -> Entry | None:
    keys = dict(document.mapping(node, "a claim"))
    if not isinstance(node.value, dict):
        return None
    several = keys.get("all")
    lists = {key: document.sequence(keys.pop(key, None), key) for key in _LISTS}
    own = {key: keys.pop(key) for key in CLAIM if key in keys}
    known = fields(document, node.within(own), CLAIM, {"id", "statement"})
    origin = f"{_named(document.path)}:{node.line}"
    if "id" in known:
        if not ID.fullmatch(known["id"]):
            document.problem(own["id"], f"the id {known['id']} is not of the form target/section/slug")
        if taken.setdefault(known["id"], origin) != origin:
            document.problem(own["id"], f"the id {known['id']} is taken at {taken[known['id']]}")
    for key in {"from", "to"} & known.keys():
        if not _is_version(known[key]):
            document.problem(own[key], f"{key}: {known[key]} is no release, such as 0.31.0")
    at: Anchor | None = known.get("at")
    if several is not None:
        for key, value in keys.items():
            document.problem(value.key or value, f"unknown key {key} beside `all`; it belongs to one of the checks")
        if several.value == []:
            document.problem(several, "all holds no check")
    stated = [node.within(keys)] if several is None else lists["all"]
    # A place that is wrong has been said to be so; it is no reason to call it missing too.
    place = at or (Anchor("") if "at" in own else None)
    found = tuple(check for item in stated if (check := _check(document, item, place)))
    caveats = tuple(caveat for item in lists["caveats"] if (caveat := _caveat(document, item, place)))
    forms = tuple(form for item in lists["elsewhere"] if (form := _form(document, item)))
    decided = Decided(found, caveats, forms)
    anchors: dict[str, Anchor] = {at.path: at} if at else {}
    for check in decided.every:
        for anchor in check.anchors():
            anchors.setdefault(anchor.path, anchor)
    is_known = len(found) == len(stated) and place is at
    citations = tuple(
        citation for item in lists["cites"] for citation in _citations(document, item, anchors if is_known else None)
    )
    if not found or not {"id", "statement"} <= set(known):
        return None
    rule = found[0].id if len(found) == 1 else "all"
    spoken = section, known.get("from"), known.get("to")
    claim = Claim(known["id"], known["statement"], origin, rule, citations, known.get("accepted"), *spoken)
    return Entry.of(claim, decided, msgspec.json.encode(node.plain()).decode())


def _is_version(text: str) -> bool:
    from packaging.version import InvalidVersion, Version

    try:
        return bool(Version(text))
    except InvalidVersion:
        return False


def _named(path: Path) -> str:
    """A file as it was named, so that its place in a repository is known; without folders of this machine."""
    is_ours = not path.is_absolute() and ".." not in path.parts
    return path.as_posix() if is_ours else f"{path.parent.name}/{path.name}"


def _caveat(document: Document, node: Node, at: Anchor | None) -> Caveat | None:
    keys = dict(document.mapping(node, "a caveat"))
    if not isinstance(node.value, dict):
        return None
    words = {"says": keys.pop("says")} if "says" in keys else {}
    known = fields(document, node.within(words), {"says": Text}, {"says"})
    check = _check(document, node.within(keys), at)
    return Caveat(check, known["says"]) if check and known else None


def _form(document: Document, node: Node) -> Form | None:
    """What decides elsewhere: a check, or several under `all`. The claim's own place is not theirs."""
    keys = dict(document.mapping(node, "what decides elsewhere"))
    if not isinstance(node.value, dict):
        return None
    several = keys.pop("all", None)
    shared = ("says",) if several is None else ("says", "at")
    words = {key: keys.pop(key) for key in shared if key in keys}
    known = fields(document, node.within(words), {"says": Text, "at": Anchor})
    if several is None:
        stated = [node.within(keys)]
    else:
        stated = document.sequence(several, "all")
        for key, value in keys.items():
            document.problem(value.key or value, f"unknown key {key} beside `all`; it belongs to one of the checks")
        if several.value == []:
            document.problem(several, "all holds no check")
    found = tuple(check for item in stated if (check := _check(document, item, known.get("at"))))
    return Form(found, known.get("says")) if found and len(found) == len(stated) else None


def _check(document: Document, node: Node, at: Anchor | None) -> Check | None:
    """One check; `at` is the claim's place, for a check that states none."""
    keys = dict(document.mapping(node, "a check"))
    if not isinstance(node.value, dict):
        return None
    rule = keys.pop("check", None)
    if rule is None:
        document.problem(node, f"check is missing: one of {', '.join(checks())}")
        return None
    cls = checks().get(str(rule.value))
    if cls is None:
        document.problem(rule, f"there is no check {rule.plain()}; there are {', '.join(checks())}")
        return None
    types, required = parameters(cls)
    before = len(document.problems)
    nested = {key: keys.pop(key) for key in nested_in(types) if key in keys}
    known = fields(document, node.within(keys), types, required - {"at", *nested} if at else required - set(nested))
    known |= {key: _check(document, item, at) for key, item in nested.items()}
    if len(document.problems) > before:
        return None
    if "at" in types:
        known.setdefault("at", at)
    check = cls(**{f"{key}_" if iskeyword(key) else key: value for key, value in known.items()})
    for problem in check.problems():
        document.problem(node, problem)
    return check


@cache
def parameters(cls: type[Check]) -> tuple[Mapping[str, Any], frozenset[str]]:
    """What a check is given: the type of each key, and the keys that it cannot do without."""
    hints = get_type_hints(cls)
    given = dataclasses.fields(cls)
    missing = dataclasses.MISSING
    required = (one.name for one in given if one.default is missing and one.default_factory is missing)
    # A key that Python keeps for itself, such as `except`, is a field with `_` at its end.
    return {one.name.rstrip("_"): hints[one.name] for one in given}, frozenset(required)


def nested_in(types: Mapping[str, Any]) -> frozenset[str]:
    """The keys of a check under which another check is written."""
    return frozenset(key for key, type_ in types.items() if type_ is Check or Check in get_args(type_))


def placed_in(types: Mapping[str, Any]) -> frozenset[str]:
    """The keys of a check under which places in code are written."""
    return frozenset(key for key, type_ in types.items() if _holds_place(type_))


def _holds_place(type_: Any) -> bool:
    return type_ in (Anchor, Place) or any(map(_holds_place, get_args(type_)))


def _citations(document: Document, node: Node, anchors: Mapping[str, Anchor] | None) -> Iterator[Citation]:
    """The citations that one item of `cites` prints, a range of lines each.

    `anchors` holds, by path, the places that the claim's checks look at; None when these are not known.
    """
    written, stated = node, None
    if isinstance(node.value, dict):
        known = fields(document, node, CITATION, {"lines", "at"})
        if not {"lines", "at"} <= set(known):
            return
        written = node.value["lines"]
        stated = dataclasses.replace(known["at"], code=known["code"].text if "code" in known else None)
    match = LINES.fullmatch(written.value) if isinstance(written.value, str) else None
    if match is None:
        document.problem(written, f"{written.plain()!r} is not path:lines, such as a/b.py:10-20,30")
        return
    path, ranges = match["path"], match["ranges"]
    if _LINES_ALONE.fullmatch(path):
        document.problem(written, f"{written.plain()!r} names no file: write path:lines, such as a/b.py:10-20,30")
        return
    anchor = stated or (anchors or {}).get(path)
    if ranges is None:
        yield Citation(path, None, anchor, stated is not None)
        return
    if anchor is None and anchors is not None:
        hint = "say what the lines hold: {lines: ..., at: path::symbol}"
        document.problem(written, f"no check of the claim looks at {path}; {hint}")
    for one in ranges.split(","):
        first, _, last = one.partition("-")
        region = Region(int(first), int(last or first))
        if not 1 <= region.start <= region.end:
            document.problem(written, f"the lines {one} run backwards, or begin before line 1")
        yield Citation(path, region, anchor, stated is not None)
