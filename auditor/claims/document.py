"""YAML as text with places: scalars stay what was written, and every node knows its line and column.

So `1e-6`, `017`, `no` and `2024-01-01` mean what the field that takes them says, not what YAML 1.1 makes of them.
Aliases are refused: a small file cannot become a large one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from auditor import files

_LARGEST = 4 * 2**20  # bytes of a file
_DEEPEST = 32
_LONGEST = 400  # characters of a message


@dataclass(slots=True)
class Node:
    """Text, a sequence or a mapping, and where it begins (1-based)."""

    value: "str | list[Node] | dict[str, Node]"
    line: int = 1
    column: int = 1
    key: "Node | None" = field(default=None, compare=False, repr=False)
    """Of a value in a mapping, its key."""

    def plain(self) -> object:
        """The value without places."""
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        return self.value

    def within(self, value: "str | list[Node] | dict[str, Node]") -> "Node":
        """Another value at this place."""
        return Node(value, self.line, self.column)


@dataclass(slots=True)
class Document:
    """One YAML file, and every problem found in it so far."""

    path: Path
    data: bytes | None = None
    """What is in it; None for what is there when it is read."""
    languages: tuple[str, ...] = ()
    """Those that every text here has, one of them being enough where none are named."""
    found: list[tuple[int, int, str]] = field(default_factory=list)
    """Line, column and message of each problem."""

    @property
    def problems(self) -> list[str]:
        """Every problem as `file:line:column: message`, in the order of the file."""
        return [f"{self.path}:{line}:{column}: {message}" for line, column, message in sorted(self.found)]

    def problem(self, node: Node, message: str) -> None:
        shown = message if len(message) <= _LONGEST else f"{message[:_LONGEST]}..."
        printable = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in shown)
        self.found.append((node.line, node.column, printable))

    def mapping(self, node: Node, what: str) -> dict[str, Node]:
        """The pairs of a node; none, with the problem noted, when it is no mapping."""
        if isinstance(node.value, dict):
            return node.value
        self.problem(node, f"{what} must be a mapping")
        return {}

    def sequence(self, node: Node | None, what: str) -> list[Node]:
        """The items of a node; none, with the problem noted, when it is no list."""
        if node is None:
            return []
        if isinstance(node.value, list):
            return node.value
        self.problem(node, f"{what} must be a list")
        return []

    def read(self) -> Node | None:
        """The root of the file; None, with the problem noted, when there is none."""
        data = b""
        try:
            data = files.read(self.path) if self.data is None else self.data
            if len(data) > _LARGEST:
                raise _Refused(Node(""), f"it is larger than {_LARGEST:,} bytes")
            loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            root = self._root(yaml.parse(data.decode(), Loader=loader))
            if root is not None:
                return root
            self.problem(Node(""), "it is empty")
        except _Refused as refused:
            self.problem(refused.node, str(refused))
        except yaml.MarkedYAMLError as error:
            said = str(error.problem or error.context)
            self.problem(_place(error.problem_mark or error.context_mark), said + _HINTS.get(said, ""))
        except UnicodeDecodeError as error:
            self.problem(_at(data, error.start), "this is not UTF-8")
        except yaml.reader.ReaderError as error:
            self.problem(_at(data, error.position), f"the character U+{error.character:04X} may not be in YAML")
        except OSError as error:
            self.problem(Node(""), f"it cannot be read: {error.strerror}")
        return None

    def _root(self, events: Iterator[yaml.Event]) -> Node | None:
        """The one node at the top; reading to the end, so that nothing after it is overlooked."""
        root: Node | None = None
        for event in events:
            if isinstance(event, yaml.NodeEvent):
                if root is not None:
                    raise _Refused(_place(event.start_mark), "a second document begins; put all in one")
                root = self._node(event, events, 0)
        return root

    def _node(self, event: yaml.NodeEvent, events: Iterator[yaml.Event], depth: int) -> Node:
        node = _place(event.start_mark)
        if depth > _DEEPEST:
            raise _Refused(node, f"this is nested more than {_DEEPEST} levels deep")
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise _Refused(node, "this is a YAML alias or anchor; write the value out")
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag is not None:
            raise _Refused(node, f"this has the YAML tag {event.tag}; the field says what type it is")
        if isinstance(event, yaml.ScalarEvent):
            node.value = event.value
        elif isinstance(event, yaml.SequenceStartEvent):
            node.value = [self._node(item, events, depth + 1) for item in _items(events)]
        else:
            node.value = pairs = {}
            for item in _items(events):
                key = self._node(item, events, depth + 1)
                value = self._node(next(_items(events)), events, depth + 1)
                if not isinstance(key.value, str):
                    self.problem(key, "a key is text")
                elif key.value in pairs:
                    self.problem(key, f"the key {key.value} is given twice")
                else:
                    pairs[key.value] = value
                    value.key = key
        return node


_HINTS = {
    "mapping values are not allowed in this context": "; text with `: ` in it needs quotes",
    "found character '`' that cannot start any token": "; text that begins so needs quotes",
    "found character '@' that cannot start any token": "; text that begins so needs quotes",
    "found character '%' that cannot start any token": "; text that begins so needs quotes",
    "found undefined alias": "; text that begins with `*` needs quotes",
}


class _Refused(Exception):
    """YAML that is well-formed, but not for us."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(message)
        self.node = node


def _place(mark: Any) -> Node:
    return Node("", mark.line + 1, mark.column + 1) if mark else Node("")


def _at(data: bytes, offset: int) -> Node:
    before = data[:offset]
    return Node("", before.count(b"\n") + 1, len(before.rpartition(b"\n")[2].decode(errors="replace")) + 1)


def _items(events: Iterator[yaml.Event]) -> Iterator[yaml.NodeEvent]:
    """The nodes up to the end of the collection that has begun."""
    for event in events:
        if not isinstance(event, yaml.NodeEvent):
            return
        yield event
