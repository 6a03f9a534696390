"""What a claim writer writes: values, formulas and patterns, each checked when the claim is loaded."""

import ast
import re
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import ClassVar

from auditor.code.syntax.from_ast import lower, lower_all
from auditor.code.syntax.term import Term
from auditor.model import Anchor

Schema = dict[str, object]


_AS_YAML_SAYS = {"null": "None", "true": "True", "false": "False"}
"""What an unquoted scalar of YAML is, as Python writes it; text that is called so has quotes of its own."""


_YAML_WORDS = {
    "true": "True", "yes": "True", "on": "True", "false": "False", "no": "False", "off": "False", "null": "None",
    "none": "None", "~": "None",
}  # fmt: skip


class Constant:
    """A Python literal: `16`, `0.0`, `None`, `"auto"` (with its quotes)."""

    schema: ClassVar[Schema] = {
        "type": ["string", "number", "boolean", "null", "array", "object"],
        "description": "a Python literal",
    }

    def __init__(self, text: str) -> None:
        """Raises ValueError."""
        try:
            self.value: object = ast.literal_eval(_AS_YAML_SAYS.get(text, text))
            repr(self.value)  # which Python refuses for a number of thousands of digits
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            if (word := _YAML_WORDS.get(text.lower())) is not None:
                raise ValueError(f"{_quoted(text)} is not a Python literal; write {word}") from None
            hint = f"; text needs its own quotes: \"'{text}'\"" if re.fullmatch(r"[\w.-]{1,60}", text) else ""
            if re.fullmatch(r"[A-Z][A-Z0-9_]*[A-Z]|[A-Za-z_]\w*\(.*\)", text, re.DOTALL):
                hint += "; code that is no literal is stated as `check: pattern`, `code: ...`"
            raise ValueError(f"{_quoted(text)} is not a Python literal{hint}") from None
        self.text = text

    def is_same(self, value: object) -> bool:
        """Whether a value is this one: `2` is `2.0`, but `1` is not `True`."""
        return _is_same(self.value, value)

    def __repr__(self) -> str:
        return repr(self.value)


def _is_same(one: object, other: object) -> bool:
    match one, other:
        case ((list() | tuple()), (list() | tuple())):
            are_same = (_is_same(*pair) for pair in zip(one, other, strict=False))
            return type(one) is type(other) and len(one) == len(other) and all(are_same)
        case dict(), dict():
            return _are_same(one, other) and all(_is_same(value, other[key]) for key, value in one.items())
        case ((set() | frozenset()), (set() | frozenset())):
            return _are_same(one, other)
        case _:
            are_numbers = type(one) in (int, float) and type(other) in (int, float)
            return bool((are_numbers or type(one) is type(other)) and one == other)


def _are_same(some: Collection[object], others: Collection[object]) -> bool:
    """Whether keys, or the elements of sets, are the same: Python takes `True` and `1` for one key."""
    return {(isinstance(one, bool), one) for one in some} == {(isinstance(one, bool), one) for one in others}


class Formula:
    """A Python expression: `int(fraction * total)`."""

    schema: ClassVar[Schema] = {"type": ["string", "number"], "description": "a Python expression"}

    def __init__(self, text: str) -> None:
        """Raises ValueError."""
        try:
            ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ValueError(f"{_quoted(text)} is not a Python expression: {_reason(error)}") from None
        self.text = text

    @property
    def names(self) -> frozenset[str]:
        """The names that it reads."""
        return frozenset(node.id for node in ast.walk(ast.parse(self.text.strip())) if isinstance(node, ast.Name))

    @cached_property
    def term(self) -> Term:
        return lower(ast.parse(self.text.strip(), mode="eval").body)

    def __repr__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.text == other.text


class Place:
    """A definition or a file: `path::Name`, or a path."""

    syntax: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<path>[^:\s/][^:\s]{0,1000})(?:::(?P<symbol>\w{1,500}(?:\.\w{1,500}){0,30}))?"
    )
    schema: ClassVar[Schema] = {
        "type": "string",
        "pattern": rf"^(?:{re.sub('[?]P<[a-z]+>', '', syntax.pattern)})$",  # other languages know no named groups
        "description": "path::Symbol, or a path",
    }

    def __init__(self, text: str) -> None:
        """Raises ValueError."""
        match = self.syntax.fullmatch(text)
        if match is None:
            raise ValueError(f"{_quoted(text)} is not path::Symbol, nor a path")
        self.anchor = Anchor(match["path"], match["symbol"])

    def __repr__(self) -> str:
        return str(self.anchor)


class Regex:
    """A regular expression for names; it is searched for in them, so `^` and `$` are for the claim to write."""

    schema: ClassVar[Schema] = {"type": "string", "format": "regex", "description": "a regular expression for names"}

    def __init__(self, text: str) -> None:
        """Raises ValueError."""
        try:
            self.compiled = re.compile(text)
        except (re.error, RecursionError) as error:
            raise ValueError(f"{_quoted(text)} is not a regular expression: {error}") from None
        if self.compiled.search(""):
            raise ValueError(f"{_quoted(text)} would match anything")
        self.text = text

    def matches(self, name: str) -> bool:
        return self.compiled.search(name) is not None

    @cached_property
    def literals(self) -> tuple[str, ...] | None:
        """Words, one of which is in every text that matches, in lower case; None when that cannot be said."""
        if self.compiled.flags & re.VERBOSE:
            return None
        return _literals(re.sub(r"^\(\?[a-zA-Z]+\)", "", self.text))

    def is_possible(self, text: str) -> bool:
        """Whether names in a text could match; a quick answer that is never a wrong no."""
        lowered = text.lower() if self.compiled.flags & re.IGNORECASE else text
        wanted = self.literals
        if wanted is None:
            return True
        if not self.compiled.flags & re.IGNORECASE:
            return any(word in text for word in wanted)
        return any(word.lower() in lowered for word in wanted)

    def __repr__(self) -> str:
        return self.text


class Pattern:
    """Python with holes: `...` is anything, `$NAME` the same thing each time."""

    schema: ClassVar[Schema] = {
        "type": ["string", "number", "boolean", "null"],
        "description": "Python with holes: ... and $NAME",
    }
    prefix: ClassVar[str] = "kvaudit_metavariable_"
    any_local: ClassVar[str] = "local_"
    bound: frozenset[str] = frozenset()
    """The names that its metavariables for locals may stand for."""
    """How metavariables begin that stand for locals."""

    def __init__(self, text: str) -> None:
        """Raises ValueError."""
        self.text = text = _AS_YAML_SAYS.get(text, text)
        self.python = _with_holes_first(_without_dollars(text.strip()))
        try:
            statements = ast.parse(self.python).body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ValueError(f"{_quoted(text)} is not Python: {_reason(error)}") from None
        if not statements:
            raise ValueError("there is no code in it")
        if all(_is_ellipsis(statement) for statement in statements):
            raise ValueError(f"{_quoted(text)} would match anything")
        self.is_expression = len(statements) == 1 and isinstance(statements[0], ast.Expr)

    def opened(self, locals_: frozenset[str], bound: frozenset[str]) -> "Pattern":
        """The same pattern in which some names stand for any local of those `bound`, each for one of its own."""
        tree = ast.parse(self.python)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in locals_:
                node.id = self.prefix + self.any_local + node.id
        other = Pattern(ast.unparse(tree))
        other.text = self.text
        other.bound = bound
        return other

    def with_terms(self, terms: tuple[Term, ...]) -> "Pattern":
        """The same pattern in other terms, whose words need not be those of the text."""
        other = Pattern(self.text)
        other.__dict__.update(terms=terms, words=frozenset())
        return other

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Its statements; of an expression, one `Expr`."""
        return lower_all(ast.parse(self.python).body)

    @cached_property
    def words(self) -> frozenset[str]:
        """Identifiers that code must contain to match."""
        found: set[str] = set()
        for node in ast.walk(ast.parse(self.python)):
            for field in ("id", "attr", "arg", "name"):
                words = getattr(node, field, None)  # of an import, several with dots between, or `*`
                for word in re.findall(r"\w+", words) if isinstance(words, str) else ():
                    if word.isascii() and not word.startswith(self.prefix):
                        found.add(word)
        return frozenset(found)

    @cached_property
    def members(self) -> frozenset[str]:
        """Those of its words that are no local's: attributes, keywords, and what is called."""
        found: set[str] = set()
        for node in ast.walk(ast.parse(self.python)):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.keyword) and node.arg is not None:
                found.add(node.arg)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found.add(node.func.id)
        return frozenset(found) & self.words

    def __repr__(self) -> str:
        """On one line, to stand in a sentence; what is too long for that is cut."""
        whole = ""
        for line in filter(None, map(str.strip, self.text.split("\n"))):
            whole += line if not whole else f" {line}" if whole.endswith((":", "(", "[", "{", ",")) else f"; {line}"
        return whole if len(whole) <= _IN_A_SENTENCE else f"{whole[: _IN_A_SENTENCE - 1].rstrip()}…"


_IN_A_SENTENCE = 160  # characters of a pattern
_PIECE = re.compile(
    r"(?P<word>[A-Za-z0-9_]+)|\\.|\{[^}]*\}|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<open>\()|(?P<close>\))|(?P<or>\|)|.",
    re.DOTALL,
)


def _literals(expression: str) -> tuple[str, ...] | None:
    """The longest word of each alternative of a regular expression; None when one has none."""
    if re.search(r"\(\?(?!:)|\\[xuUN0-9]", expression):
        return None  # what looks around, names a group, or writes letters by number is not worth reading here
    found: list[str] = []
    for alternative in _alternatives(expression):
        words, group, depth, before = [], "", 0, 0
        for piece in _PIECE.finditer(alternative):
            depth -= bool(piece["close"])
            if piece["word"] and not depth:
                is_optional = alternative[piece.end() : piece.end() + 1] in tuple("?*{")
                words.append(piece["word"][: -1 if is_optional else None])
            if not depth and piece["close"]:
                group = alternative[before + 1 : piece.start()]
            if piece["open"]:
                before = before if depth else piece.start()
                depth += 1
        longest = max(words, key=len, default="")
        if longest:
            found.append(longest)
        elif group and _IN_A_GROUP.fullmatch(alternative) and (inner := _literals(group)):
            found += inner
        else:
            return None
    return tuple(found)


_IN_A_GROUP = re.compile(r"\^?\(.*\)\$?", re.DOTALL)


def _alternatives(expression: str) -> Iterator[str]:
    depth = start = 0
    for piece in _PIECE.finditer(expression):
        depth += bool(piece["open"]) - bool(piece["close"])
        if piece["or"] and not depth:
            yield expression[start : piece.start()]
            start = piece.end()
    yield expression[start:]


def _reason(error: Exception) -> str:
    return str(getattr(error, "msg", error)) or "it is nested too deeply"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:77]}...")


def _is_ellipsis(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and _is_dots(statement.value)


_METAVARIABLE = re.compile(r"\$([A-Z][A-Z0-9_]*)\b")
_STRING = re.compile(r"(?P<quote>\"{3}|'{3}|\"|')(?:\\.|.)*?(?P=quote)", re.DOTALL)


def _without_dollars(text: str) -> str:
    """`$NAME` as an identifier, outside strings."""
    done = 0
    parts: list[str] = []
    for string in _STRING.finditer(text):
        parts += [_METAVARIABLE.sub(Pattern.prefix + r"\1", text[done : string.start()]), string.group()]
        done = string.end()
    return "".join([*parts, _METAVARIABLE.sub(Pattern.prefix + r"\1", text[done:])])


_HOLE_LAST = re.compile(r"(,\s*)(\.\.\.)(?=\s*[,)])")


def _with_holes_first(text: str) -> str:
    """`f(name="x", ...)`, which Python does not take, as `f(..., name="x")`, which means the same here."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if "positional argument follows keyword" not in str(error):
            return text
    else:
        return text
    done = 0
    parts: list[str] = []
    for string in _STRING.finditer(text):
        parts += [_HOLE_LAST.sub(r"\1*\2", text[done : string.start()]), string.group()]
        done = string.end()
    try:
        tree = ast.parse("".join([*parts, _HOLE_LAST.sub(r"\1*\2", text[done:])]))
    except (SyntaxError, ValueError):
        return text
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            bare = [one.value if isinstance(one, ast.Starred) else one for one in node.args]
            node.args = [hole if _is_dots(hole) else one for one, hole in zip(node.args, bare, strict=True)]
    return ast.unparse(tree)


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
