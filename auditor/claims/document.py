"""YAML as text with places: scalars stay what was written, and every node knows its line and column.

So `1e-6`, `017`, `no` and `2024-01-01` mean what the field that takes them says, not what YAML 1.1 makes of them.
Aliases are refused: a small file cannot become a large one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

_LARGEST = 4 * 2**20  # bytes of a file
_DEEPEST = 32


@dataclass(slots=True)
class Node:
    """Text, a sequence or a mapping, and where it begins (1-based)."""

    value: "str | list[Node] | dict[str, Node]"
    line: int = 1
    column: int = 1

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
    """One YAML file, and every problem found in it so far, each as `file:line:column: message`."""

    path: Path
    problems: list[str] = field(default_factory=list)

    def problem(self, node: Node, message: str) -> None:
        self.problems.append(f"{self.path}:{node.line}:{node.column}: {message}")

    def mapping(self, node: Node, what: str) -> dict[str, Node]:
        """The pairs of a node; none, with the problem noted, when it is no mapping."""
        if isinstance(node.value, dict):
            return node.value
        self.problem(node, f"{what} is a mapping")
        return {}

    def sequence(self, node: Node | None, what: str) -> list[Node]:
        """The items of a node; none, with the problem noted, when it is no list."""
        if node is None:
            return []
        if isinstance(node.value, list):
            return node.value
        self.problem(node, f"{what} is a list")
        return []

    def read(self) -> Node | None:
        """The root of the file; None, with the problem noted, when there is none."""
        try:
            data = self.path.read_bytes()
            if len(data) > _LARGEST:
                raise ValueError(f"it is larger than {_LARGEST:,} bytes")
            loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            events = yaml.parse(data.decode(), Loader=loader)
            for event in events:
                if isinstance(event, yaml.NodeEvent):
                    return self._node(event, events, 0)
            self.problem(Node(""), "it is empty")
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = Node("", mark.line + 1, mark.column + 1) if mark else Node("")
            self.problem(where, " ".join(str(error.problem or error.context).split()))
        except (yaml.YAMLError, OSError, ValueError) as error:
            self.problem(Node(""), f"it cannot be read: {' '.join(str(error).split())}")
        return None

    def _node(self, event: yaml.NodeEvent, events: Iterator[yaml.Event], depth: int) -> Node:
        mark = event.start_mark
        node = Node("", mark.line + 1, mark.column + 1) if mark else Node("")
        if depth > _DEEPEST:
            raise ValueError(f"line {node.line} is nested more than {_DEEPEST} levels deep")
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise ValueError(f"line {node.line} has a YAML alias or anchor; write the value out")
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
        return node


def _items(events: Iterator[yaml.Event]) -> Iterator[yaml.NodeEvent]:
    """The nodes up to the end of the collection that has begun."""
    for event in events:
        if not isinstance(event, yaml.NodeEvent):
            return
        yield event
