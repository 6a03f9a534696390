"""Where a pack writes its citations and anchors, and how to write others in their place: nothing else is touched."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from auditor import files
from auditor.checks import checks
from auditor.claims.document import Document, Node
from auditor.claims.entries import parameters, placed_in
from auditor.claims.groups import is_group

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # what ends a line in YAML


@dataclass(frozen=True, slots=True)
class Spot:
    """A text in a file of claims."""

    file: Path
    text: str
    line: int
    start: int | None
    """The number of its first character in the file; None when it is written in a way that cannot be edited."""

    def __str__(self) -> str:
        return f"{self.file.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class ClaimSpots:
    """What one claim writes. `cites` are its citations in order, each with the anchor that it states, if it does."""

    cites: tuple[tuple[Spot, Spot | None], ...]
    anchors: tuple[Spot, ...]
    """Every anchor in it, those of its checks and citations too."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Another text for a spot."""

    spot: Spot
    text: str


def claim_spots(file: Path) -> dict[str, ClaimSpots]:
    """What the claims of a well-formed file write, by their ids."""
    page = _Page(file, files.read(file).decode())
    found: dict[str, ClaimSpots] = {}
    for claim, shared in _claims(Document(file).read()):
        cites = [page.citation(item) for item in _items(claim, "cites")]
        name = claim.value["id"].value if isinstance(claim.value, dict) else ""
        found[str(name)] = ClaimSpots(tuple(cites), (*page.anchors(claim), *page.anchors(shared)))
    return found


def edited(text: str, edits: Sequence[Edit]) -> str:
    """A file's text after some edits of spots that can be edited."""
    at = [(edit.spot.start, edit) for edit in dict.fromkeys(edits) if edit.spot.start is not None]
    for start, edit in sorted(at, key=lambda pair: pair[0], reverse=True):
        text = text[:start] + edit.text + text[start + len(edit.spot.text) :]
    return text


def _claims(node: Node | None) -> Iterator[tuple[Node, Node]]:
    """The claims of a file or group, each with what its groups say besides."""
    for item in _items(node, "claims"):
        for claim, shared in _claims(item) if is_group(item) else [(item, Node([]))]:
            yield claim, Node([shared, _around(node)])


def _around(group: Node | None) -> Node:
    """What a group says besides its claims."""
    keys = group.value if group and isinstance(group.value, dict) else {}
    return Node({key: node for key, node in keys.items() if key != "claims"})


def _items(node: Node | None, key: str) -> list[Node]:
    """The items of a list under a key."""
    inner = node.value.get(key) if node and isinstance(node.value, dict) else None
    return inner.value if inner and isinstance(inner.value, list) else []


class _Page:
    """A file, and where its lines start."""

    def __init__(self, file: Path, text: str) -> None:
        self._file, self._text = file, text
        self._starts = [0, *(match.end() for match in _BREAK.finditer(text))]

    def citation(self, node: Node) -> tuple[Spot, Spot | None]:
        if isinstance(node.value, dict):
            return self._spot(node.value["lines"]), self._spot(node.value["at"])
        return self._spot(node), None

    def anchors(self, node: Node) -> Iterator[Spot]:
        if isinstance(node.value, list):
            for item in node.value:
                yield from self.anchors(item)
        elif isinstance(node.value, dict):
            rule = node.value.get("check")
            cls = checks().get(str(rule.value)) if rule else None
            placed = placed_in(parameters(cls)[0]) if cls else frozenset()
            for key, inner in node.value.items():
                if key == "at" or key in placed:
                    yield from self._scalars(inner)
                else:
                    yield from self.anchors(inner)

    def _scalars(self, node: Node) -> Iterator[Spot]:
        if isinstance(node.value, str):
            yield self._spot(node)
        elif node.value is not None:
            for inner in node.value.values() if isinstance(node.value, dict) else node.value:
                yield from self._scalars(inner)

    def _spot(self, node: Node) -> Spot:
        text = str(node.value)
        start = self._starts[node.line - 1] + node.column - 1
        start += self._text[start : start + 1] in ("'", '"')
        return Spot(self._file, text, node.line, start if self._text.startswith(text, start) else None)
