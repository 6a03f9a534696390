"""Command lines that start an engine, in scripts, texts, images' files and manifests: their flags, and their values."""

import re
from collections.abc import Callable, Iterator

from auditor.findings import Span
from auditor.usage.documents import Node
from auditor.usages import Usage

_STARTS = re.compile(
    r"\b(?P<vllm>vllm)\s+serve\b|\b(?P<vllm_module>vllm)\.entrypoints\.(?:openai|launchers)[\w.]*"
    r"|\b(?P<sglang_module>sglang)\.launch_server\b|\b(?P<sglang>sglang)\s+serve\b"
    r"|\b(?P<vllm_image>vllm)/vllm-openai[\w.-]*(?::\S+)?(?=[ \t]+(?:\\\r?\n[ \t]*)?--)"
)
_LOOSE = ("sglang", "vllm_image")
"""Starts behind which options may stand that are not the engine's server's."""
_FLAG = re.compile(r"(?<![\w-])(--[a-zA-Z][\w.-]*)(?:[=\s]+(?P<value>\"[^\"]*\"|'[^']*'|[^\s\\\"'-][^\s\\]*))?")
_ENDS = re.compile(r"(?<!\\)\n|&&|\|\||;|\||`|</|\s&(?=\s)")
_COMMENT = re.compile(r"(?m)^[ \t]*#.*|(?<=[ \t])#[ \t].*")
_EXEC_FORM = re.compile(r"(?m)^[ \t]*(?P<what>CMD|ENTRYPOINT)[ \t]*\[(?P<words>[^\]]*)\]")
_FROM = re.compile(r"(?m)^[ \t]*FROM[ \t].*\b(vllm|sglang)\b")
_PROSE = (".md", ".markdown", ".rst", ".txt", ".adoc", ".html")
_FENCE = re.compile(r"(?m)^[ \t>]*(?:```|~~~).*$")
_KEYS = ("command", "args", "entrypoint", "extraArgs", "extra_args")
_ENGINE = re.compile(r"vllm|sglang", re.IGNORECASE)
_FIELDS = ("engine_kwargs", "engineKwargs")
"""Mappings whose keys are an engine's options, as Ray Serve takes them."""
_SWITCHED = ("true", "false", "True", "False")
"""Values of such a mapping that are none on a command line."""


def usages(path: str, text: str) -> Iterator[Usage]:
    """The flags of each command line that starts an engine, in a script or a text."""
    plain = _EXEC_FORM.sub(_words_of, text)
    is_prose = path.lower().endswith(_PROSE)
    for start in _STARTS.finditer(plain):
        kind = str(start.lastgroup)
        is_code = not is_prose or _is_code(plain, start.start())
        if is_code and plain[plain.rfind("\n", 0, start.start()) + 1 :].lstrip().startswith("#"):
            continue  # a comment
        is_sure = kind not in _LOOSE and is_code
        yield from _flags(path, plain, start.end(), str(start[kind]), is_sure=is_sure)
    yield from _of_image(path, text, plain)


def _words_of(form: "re.Match[str]") -> str:
    """`CMD ["a", "b"]` as `CMD   a   b`: as long as it was."""
    return re.sub(r"[\[\]\",]", " ", form[0])


def _of_image(path: str, text: str, plain: str) -> Iterator[Usage]:
    """The flags that an image's CMD gives to the engine that its ENTRYPOINT, or that of its base, starts."""
    forms = list(_EXEC_FORM.finditer(text))
    starts = [start for form in forms if form["what"] == "ENTRYPOINT" if (start := _STARTS.search(_words_of(form)))]
    base = _FROM.search(text)
    engine = str(starts[-1][str(starts[-1].lastgroup)]) if starts else base[1] if base else ""
    for form in forms:
        if engine and form["what"] == "CMD" and form["words"].lstrip(' \n\\"').startswith("-"):
            yield from _flags(path, plain, form.start("words"), engine, is_sure=bool(starts))


def _flags(path: str, text: str, begin: int, of: str, *, is_sure: bool) -> Iterator[Usage]:
    """The flags from a place to the end of its command line."""
    rest = text[begin : begin + _LONGEST]
    end = min(_end(rest), _unquoted(text, begin, rest))
    for flag in _FLAG.finditer(_COMMENT.sub(lambda one: " " * len(one[0]), rest[:end])):
        at = begin + flag.start()
        line = text.count("\n", 0, at) + 1
        column = at - (text.rfind("\n", 0, at) + 1) + 1
        span = Span(line, column, line, column + len(flag[1]))
        yield _placed(path, span, flag[1], flag["value"], of, is_sure=is_sure)


def _unquoted(text: str, begin: int, rest: str) -> int:
    """Where the quotes end that a command line is in, as one is which is another's argument."""
    line = text[text.rfind("\n", 0, begin) + 1 : begin]
    ends = [rest.find(mark) for mark in ("'", '"') if line.count(mark) % 2 == 1]
    return min((end for end in ends if end >= 0), default=len(rest))


_LONGEST = 20_000  # characters of a command line


def _is_code(text: str, at: int) -> bool:
    """Whether a place in prose is in code marks, or on a line that is indented or begins with `$`."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    is_fenced = sum(1 for _ in _FENCE.finditer(text, 0, at)) % 2 == 1
    return is_fenced or line.count("`") % 2 == 1 or line.startswith(("    ", "\t", "   ", "$ "))


def _end(rest: str) -> int:
    """Where a command line ends: at a line's end, but for a backslash before it, or at another command."""
    joined = re.sub(r"\\[ \t]*\r?\n(?:[ \t]*#[^\n]*\n)*", lambda one: " " * len(one[0]), rest)
    found = _ENDS.search(joined)
    return found.start() if found else len(rest)


def of_manifest(path: str, document: Node, span: Callable[[Node, str], Span]) -> Iterator[Usage]:
    """The flags in the commands and arguments of containers, services and models that start an engine."""
    for node, around in document.walk():
        if not isinstance(node.value, dict):
            continue
        if node.key in _FIELDS:
            for key, one in node.value.items():
                given = one.value if isinstance(one.value, str) and one.value not in _SWITCHED else None
                yield _placed(path, span(one, key), f"--{key.replace('_', '-')}", given, "vllm")
            continue
        words = [word for key in _KEYS for word in _list(node.get(key))]
        joined = " ".join(str(word.value) for word in words)
        start = _STARTS.search(joined)
        kind = str(start.lastgroup) if start else ""
        of = str(start[kind]) if start else _engine(node, around, words)
        for place, word in enumerate(words if of else ()):
            text = str(word.value)
            if "\n" in text or " --" in text:
                is_own = _STARTS.search(text) is None and text.lstrip().startswith("-")
                inside = _flags("", text.replace("\n", " "), 0, of, is_sure=False) if is_own else usages("", text)
                for usage in inside:
                    where = span(word, usage.name)
                    yield _placed(path, where, usage.name, usage.value, usage.of, is_sure=usage.is_sure)
            elif flag := _FLAG.match(text):
                after = str(words[place + 1].value) if place + 1 < len(words) else ""
                given = flag["value"] or (after if not after.startswith("-") and "=" not in text else None)
                is_sure = bool(start) and kind not in _LOOSE
                yield _placed(path, span(word, flag[1]), flag[1], given, of, is_sure=is_sure)


def _placed(path: str, span: Span, flag: str, value: str | None, of: str, *, is_sure: bool = False) -> Usage:
    return Usage(
        path, span, "option", flag, value=value.strip("\"'") or None if value else None, of=of, is_sure=is_sure
    )


def _engine(node: Node, around: tuple[Node, ...], words: list[Node]) -> str:
    """Which engine arguments are for, where these do not begin with its command: by its image, or what is around."""
    if not words or not str(words[0].value).lstrip().startswith(("-", "serve")):
        return ""
    stated = [node.text(key) or "" for key in ("image", "engine", "modelCommand")]
    named = [one.key for one in (node, *reversed(around))] if node.get("args") is None else []
    found = next((match for one in (*stated, *named) if (match := _ENGINE.search(one))), None)
    return found[0].lower() if found else ""


def _list(node: Node | None) -> list[Node]:
    if node is None or isinstance(node.value, dict):
        return []
    return node.value if isinstance(node.value, list) else [node]
