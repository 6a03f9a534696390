"""YAML and JSON as trees of texts with their lines: several documents, anchors and tags as they come, never executed.

The one place beside `auditor.claims` where YAML is read: claims are strict, and a person's manifests are what they are.
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml

from auditor.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST = 8 * 2**20  # bytes of a file
HOLE = "__template__"
"""What stands in the place of a template whose value is not known."""
_DEEPEST = 80
_MOST_NODES = 400_000
_TEMPLATED = re.compile(r"\{\{-?.*?-?\}\}", re.DOTALL)
_ONLY_TEMPLATE = re.compile(r"^[ \t]*\{\{-?.*?-?\}\}[ \t]*$", re.MULTILINE)


@dataclass(slots=True)
class Node:
    """A scalar's text, a list or a mapping, and where it begins (1-based)."""

    value: "str | list[Node] | dict[str, Node]"
    line: int
    column: int = 1
    is_block: bool = False
    """Whether it is a scalar over several lines, whose text begins on the next."""
    key: str = ""
    """Under which key of a mapping it is."""

    def walk(self) -> "Iterator[tuple[Node, tuple[Node, ...]]]":
        """Every node below, with the mappings and lists around it, the innermost last."""
        pending: list[tuple[Node, tuple[Node, ...]]] = [(self, ())]
        while pending:
            node, around = pending.pop()
            yield node, around
            if isinstance(node.value, dict):
                pending.extend((one, (*around, node)) for one in reversed(node.value.values()))
            elif isinstance(node.value, list):
                pending.extend((one, (*around, node)) for one in reversed(node.value))

    def text(self, *keys: str) -> str | None:
        """The text under some keys, if there is one."""
        node: Node | None = self
        for key in keys:
            node = node.value.get(key) if node is not None and isinstance(node.value, dict) else None
        return node.value if node is not None and isinstance(node.value, str) else None

    def get(self, key: str) -> "Node | None":
        return self.value.get(key) if isinstance(self.value, dict) else None


@dataclass(slots=True)
class Parsed:
    """The documents of a file, and what of it could not be read: a line and why."""

    documents: list[Node] = field(default_factory=list)
    problem: tuple[int, Text] | None = None


class _TooLargeError(Exception):
    pass


def parsed(text: str) -> Parsed:
    """The documents in a text; Helm's templates are left out of it where they would not be YAML."""
    found = _parsed(text)
    if found.problem is not None and "{{" in text:
        # A line that is only a template says nothing; elsewhere one stands for a value.
        plain = _ONLY_TEMPLATE.sub(lambda one: re.sub(r"[^\n]", "", one[0]), text)
        again = _parsed(_TEMPLATED.sub(lambda one: HOLE + "\n" * one[0].count("\n"), plain))
        if again.problem is None or len(again.documents) > len(found.documents):
            return again
    return found


def _parsed(text: str) -> Parsed:
    found = Parsed()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    stack: list[tuple[Node, str | None]] = []
    count = 0
    try:
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.CollectionEndEvent):
                stack.pop()
                continue
            if not isinstance(event, yaml.NodeEvent):
                continue
            count += 1
            if count > _MOST_NODES or len(stack) > _DEEPEST:
                raise _TooLargeError
            node = _node(event)
            _place(node, stack, found)
            if isinstance(event, yaml.CollectionStartEvent):
                stack.append((node, None))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context)
        found.problem = (mark.line + 1 if mark else 1, Text(f"this is no YAML: {problem}", f"不是 YAML：{problem}"))
    except (yaml.YAMLError, ValueError) as error:
        problem = str(error).partition("\n")[0]
        found.problem = (1, Text(f"this is no YAML: {problem}", f"不是 YAML：{problem}"))
    except _TooLargeError:
        found.problem = (1, Text("it is too large or too deeply nested to be read", "文件过大或嵌套过深，无法读取"))
    return found


def _node(event: yaml.NodeEvent) -> Node:
    mark = event.start_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    if isinstance(event, yaml.ScalarEvent):
        return Node(event.value, line, column, is_block=event.style in ("|", ">"))
    if isinstance(event, yaml.SequenceStartEvent):
        return Node([], line, column)
    return Node({} if isinstance(event, yaml.MappingStartEvent) else "", line, column)


def _place(node: Node, stack: list[tuple[Node, str | None]], found: Parsed) -> None:
    if not stack:
        found.documents.append(node)
        return
    parent, key = stack[-1]
    if isinstance(parent.value, list):
        parent.value.append(node)
    elif isinstance(parent.value, dict):
        if key is None:
            stack[-1] = (parent, node.value if isinstance(node.value, str) else "?")
        else:
            node.key = key
            parent.value[key] = node
            stack[-1] = (parent, None)
