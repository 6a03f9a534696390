"""Command lines that start an engine, in scripts, texts and manifests: their flags, and the values they are given."""

import re
from collections.abc import Callable, Iterator

from auditor.findings import Span
from auditor.usage.documents import Node
from auditor.usages import Usage

_STARTS = re.compile(
    r"\b(?P<vllm>vllm)\s+serve\b|\b(?P<vllm_module>vllm)\.entrypoints\.(?:openai|launchers)[\w.]*"
    r"|\b(?P<sglang_module>sglang)\.launch_server\b|\b(?P<sglang>sglang)\s+serve\b"
)
_FLAG = re.compile(r"(?<![\w-])(--[a-zA-Z][\w.-]*)(?:[=\s]+(?P<value>\"[^\"]*\"|'[^']*'|[^\s\\\"'-][^\s\\]*))?")
_ENDS = re.compile(r"(?<!\\)\n|&&|\|\||;|\|")


def usages(path: str, text: str) -> Iterator[Usage]:
    """The flags of each command line that starts an engine, in a script or a text."""
    for start in _STARTS.finditer(text):
        rest = text[start.end() :]
        end = _end(rest)
        for flag in _FLAG.finditer(rest[:end]):
            at = start.end() + flag.start()
            line = text.count("\n", 0, at) + 1
            column = at - (text.rfind("\n", 0, at) + 1) + 1
            yield _usage(path, Span(line, column, line, column + len(flag[1])), flag, str(start[start.lastgroup or 0]))


def _end(rest: str) -> int:
    """Where a command line ends: at a line's end, but for a backslash before it, or at another command."""
    joined = re.sub(r"\\[ \t]*\r?\n", lambda one: " " * len(one[0]), rest)
    found = _ENDS.search(joined)
    return found.start() if found else len(rest)


def of_manifest(path: str, document: Node, span: Callable[[Node, str], Span]) -> Iterator[Usage]:
    """The flags in the `command` and `args` of containers that start an engine."""
    for node, _ in document.walk():
        if not isinstance(node.value, dict):
            continue
        words = [word for key in ("command", "args") for word in _list(node.get(key))]
        joined = " ".join(str(word.value) for word in words)
        start = _STARTS.search(joined)
        engine = re.search(r"vllm|sglang", node.text("image") or "")
        if not start and not (engine and words and str(words[0].value).startswith("-")):
            continue
        of = str(start[start.lastgroup or 0]) if start else engine[0] if engine else ""
        for place, word in enumerate(words):
            text = str(word.value)
            if "\n" in text or " --" in text:
                for usage in usages("", text):
                    yield Usage(path, span(word, usage.name), "option", usage.name, value=usage.value, of=of)
            elif flag := _FLAG.match(text):
                after = str(words[place + 1].value) if place + 1 < len(words) else ""
                value = flag["value"] or (after if not after.startswith("-") and "=" not in text else None)
                yield Usage(path, span(word, flag[1]), "option", flag[1], value=value or None, of=of)


def _list(node: Node | None) -> list[Node]:
    if node is None or isinstance(node.value, dict):
        return []
    return node.value if isinstance(node.value, list) else [node]


def _usage(path: str, span: Span, flag: "re.Match[str]", of: str) -> Usage:
    value = flag["value"]
    return Usage(path, span, "option", flag[1], value=value.strip("\"'") if value else None, of=of)
