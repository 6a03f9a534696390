"""A file of any kind as what it uses: dashboards, rules and manifests by their structure, any other by its words."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from auditor.findings import Span
from auditor.text import Text
from auditor.usage import command_lines, documentation
from auditor.usage.documents import Node, parsed
from auditor.usage.promql import UnreadableError, selected
from auditor.usages import ReadFile, Usage

_EXPRESSIONS = ("expr", "query", "promql", "metricsQuery", "seriesQuery", "definition", "expression", "rawQuery")
_VALUES = re.compile(r"\s*label_values\(\s*(?:(?P<expr>.*),)?\s*(?P<label>[\w$\{\}]+)\s*\)\s*", re.DOTALL)
_RESULT = re.compile(r"\s*query_result\((?P<expr>.*)\)\s*", re.DOTALL)
_NAMES = re.compile(r"\s*metrics\((?P<pattern>.*)\)\s*", re.DOTALL)
_TABLES = (".md", ".markdown", ".rst", ".txt", ".adoc", ".html", "")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How names of the targets look, so that they are known in prose."""

    prefixes: tuple[str, ...]
    """Of metrics: `vllm:`."""
    variables: tuple[str, ...]
    """Of environment variables: `VLLM_`."""

    @property
    def metric(self) -> re.Pattern[str]:
        """Names of metrics in any text, with a colon or with an underscore in its place."""
        ways = "|".join(f"{re.escape(one[:-1])}[:_]" if one[-1] in ":_" else re.escape(one) for one in self.prefixes)
        return re.compile(
            rf"(?<![\w:./-])(?:{ways or '(?!)'})[a-zA-Z_][a-zA-Z0-9_:]{{0,200}}[a-zA-Z0-9]"
            r"(?![\w*<$])(?![\w:*{]*[/(.]\w)"
        )

    @property
    def variable(self) -> re.Pattern[str]:
        ways = "|".join(map(re.escape, self.variables))
        return re.compile(rf"(?<![\w-])(?:{ways or '(?!)'})[A-Z0-9_]*[A-Z0-9](?!\w)")


def read(path: str, text: str, vocabulary: Vocabulary) -> ReadFile:
    """What a file uses. What could not be read of it is a problem at its line."""
    suffix = path[path.rfind(".") :].lower() if "." in path.rpartition("/")[2] else ""
    if suffix == ".json":
        return _structured(path, text, vocabulary, is_json=True)
    if suffix in (".yaml", ".yml", ".tpl"):
        return _structured(path, text, vocabulary, is_json=False)
    usages = [*_words(path, text, vocabulary, 1), *command_lines.usages(path, text)]
    if suffix in _TABLES:
        usages += documentation.usages(path, text)
    return ReadFile(path, tuple(dict.fromkeys(usages)))


def _structured(path: str, text: str, vocabulary: Vocabulary, *, is_json: bool) -> ReadFile:
    found = _json(text) if is_json else parsed(text)
    usages: list[Usage] = []
    defined: set[str] = set()
    problems: list[tuple[Span, Text]] = []
    lines = _Lines(text, is_json=is_json)
    for document in found.documents:
        for node, around in document.walk():
            if not isinstance(node.value, str) or not node.value.strip():
                continue
            if node.key in ("record", "as"):
                defined.add(node.value)
                continue
            if node.key in _EXPRESSIONS and _is_expression(node, around):
                usages += _queried(path, node, lines, problems, vocabulary)
            elif node.key == "regex" and _is_of_names(around[-1] if around else None):
                usages.append(Usage(path, lines.span(node, node.value), "pattern", node.value))
            else:
                for usage in _words(path, node.value, vocabulary, 0):
                    usages.append(_placed(usage, lines.span(node, usage.name)))
        usages += command_lines.of_manifest(path, document, lines.span)
    if found.problem is not None:
        words = [*_words(path, text, vocabulary, 1), *command_lines.usages(path, text)]
        line, why = found.problem
        problems += [(Span(line, 1, line, 1), why)] if words else []
        usages += words
    return ReadFile(path, tuple(dict.fromkeys(usages)), frozenset(defined), tuple(dict.fromkeys(problems)))


def _json(text: str) -> "_Documents":
    """JSON as the same tree; its lines are found by its texts."""
    try:
        return _Documents([_tree(json.loads(text), 0)])
    except RecursionError:
        return _Documents([], (1, Text("it is too deeply nested to be read", "嵌套过深，无法读取")))
    except json.JSONDecodeError as error:
        return _Documents([], (error.lineno, Text(f"this is no JSON: {error.msg}", f"不是 JSON：{error.msg}")))
    except ValueError as error:
        return _Documents([], (1, Text(f"this is no JSON: {error}", f"不是 JSON：{error}")))


@dataclass(slots=True)
class _Documents:
    documents: list[Node]
    problem: tuple[int, Text] | None = None


def _tree(value: object, depth: int, key: str = "") -> Node:
    if depth > 100:
        raise RecursionError
    if isinstance(value, dict):
        return Node({str(one): _tree(inner, depth + 1, str(one)) for one, inner in value.items()}, 0, key=key)
    if isinstance(value, list):
        return Node([_tree(inner, depth + 1, key) for inner in value], 0, key=key)
    return Node(value if isinstance(value, str) else "", 0, key=key)


class _Lines:
    """Where a name in a scalar stands in the file."""

    def __init__(self, text: str, *, is_json: bool) -> None:
        self._lines = text.split("\n")
        self._is_json = is_json
        self._next: dict[str, int] = {}

    def span(self, node: Node, name: str) -> Span:
        if self._is_json:
            return self._of_json(str(node.value), name)
        for at in range(node.line - 1, min(len(self._lines), node.line + str(node.value).count("\n") + 40)):
            column = _find(self._lines[at], name)
            if column >= 0:
                return Span(at + 1, column + 1, at + 1, column + 1 + len(name))
        return Span(node.line, node.column, node.line, node.column)

    def _of_json(self, value: str, name: str) -> Span:
        """The next line that holds the string, as JSON writes it."""
        written = json.dumps(value, ensure_ascii=False)
        ascii_ = json.dumps(value)
        start = self._next.get(f"{value}\0{name}", 0)
        for at in (*range(start, len(self._lines)), *range(start)):
            line = self._lines[at]
            place = max(line.find(written), line.find(ascii_))
            if place >= 0:
                self._next[f"{value}\0{name}"] = at + 1
                column = max(place, line.find(name, place))
                return Span(at + 1, column + 1, at + 1, column + 1 + len(name))
        return Span(1, 1, 1, 1)


def _find(line: str, name: str) -> int:
    found = re.search(rf"(?<![\w:]){re.escape(name)}(?![\w:])", line) if name else None
    return found.start() if found else line.find(name) if name and not name[:1].isalnum() else -1


def _placed(usage: Usage, span: Span) -> Usage:
    return replace(usage, span=span)


def _is_expression(node: Node, around: tuple[Node, ...]) -> bool:
    """Whether a `query` is PromQL: not SQL, and not what a search is for."""
    value = str(node.value)
    return not re.match(r"\s*(?:select|with|from)\b", value, re.IGNORECASE) and not (
        around and around[-1].text("type") in ("custom", "constant", "textbox", "interval", "datasource")
    )


def _is_of_names(relabel: Node | None) -> bool:
    """Whether a relabelling looks at metrics' names."""
    if relabel is None:
        return False
    labels = relabel.get("sourceLabels") or relabel.get("source_labels")
    return (
        labels is not None and isinstance(labels.value, list) and any(one.value == "__name__" for one in labels.value)
    )


def _queried(
    path: str, node: Node, lines: _Lines, problems: list[tuple[Span, Text]], vocabulary: Vocabulary
) -> Iterator[Usage]:
    text = str(node.value)
    labels: tuple[str, ...] = ()
    if match := _VALUES.fullmatch(text):
        text, labels = match["expr"] or "", (match["label"],) if match["label"].isidentifier() else ()
    elif match := _RESULT.fullmatch(text):
        text = match["expr"]
    elif match := _NAMES.fullmatch(text):
        yield Usage(path, lines.span(node, match["pattern"]), "pattern", match["pattern"].strip())
        return
    if not text.strip():
        return
    try:
        for one in selected(text):
            span = lines.span(node, one.name)
            own = tuple(dict.fromkeys((*one.labels, *labels)))
            yield Usage(path, span, "pattern" if one.is_pattern else "metric", one.name, own)
    except UnreadableError as error:
        words = list(_words(path, text, vocabulary, 0))
        for usage in words:
            yield _placed(usage, lines.span(node, usage.name))
        if words:
            why = Text(f"this is no PromQL: {error}", f"不是 PromQL：{error}")
            problems.append((lines.span(node, words[0].name), why))


def _words(path: str, text: str, vocabulary: Vocabulary, first: int) -> Iterator[Usage]:
    """Names in a text; `first` is its first line, 0 where its place is found otherwise."""
    for what, pattern in (("metric", vocabulary.metric), ("variable", vocabulary.variable)):
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + first
            column = match.start() - (text.rfind("\n", 0, match.start()) + 1) + 1
            span = Span(line, column, line, column + len(match[0]))
            yield Usage(path, span, what, match[0], is_sure=False)  # type: ignore[arg-type] # one of the two


def defined(files: Iterable[ReadFile]) -> frozenset[str]:
    """The names that files define themselves."""
    return frozenset(name for one in files for name in one.defined)
