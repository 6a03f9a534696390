"""Code as units with fingerprints of their syntax: what a line says, what it stands in, and what is around it.

A unit is a simple statement or the header of a compound one. Layout, comments, docstrings and annotations are no part
of a fingerprint, so two files that differ in these only have equal ones.
"""

import hashlib
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from auditor.code import Undecidable
from auditor.code.syntax.blocks import PARTS, block, header, is_compound
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term, dotted, encode
from auditor.model import Region, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase

_DEFINITION = re.compile(r"\s*(async\s+def|def|class)\b")
_COMMON = frozenset(("self", "cls", "None", "True", "False"))
_USES = ("Name.id=", "Attribute.attr=")
_WORDS = (*_USES, "Literal.value=", "Keyword.name=", "Param.name=", "Alias.name=", "FunctionDef.name=")
_LONGEST = 20  # characters of a word that count


@dataclass(frozen=True, eq=False)
class Unit:
    """A simple statement, the header of a compound one, or (`definition`) a definition seen from around it."""

    term: Term
    region: Region
    """Its first line, and the last that is known to be its own."""
    depth: int
    parent: "tuple[str, Unit] | None" = None
    """The block around it in its definition: its name, and its header."""
    definition: "Scope | None" = None
    name: str = ""
    """Of the header of a definition: what it defines, which is no part of its key."""

    @cached_property
    def key(self) -> str:
        """Equal for equal syntax; of a definition seen from around it, its type and name."""
        return f"{self.type} {self.term.text('name')}" if self.definition else encode(_header(self.term))

    @property
    def around(self) -> tuple[str, str]:
        """Equal for units in a block under equal headers."""
        return (self.parent[0], self.parent[1].key) if self.parent else ("", "")

    @property
    def type(self) -> str:
        return self.term.type

    @property
    def names(self) -> frozenset[str]:
        """The places that it gives values to."""
        return frozenset(name for place in bound_targets(self.term) if (name := dotted(place)) is not None)


@dataclass(eq=False)
class Scope:
    """A function, a class or (`name` empty) a file, with its units; the first is its own header."""

    name: str
    type: Literal["function", "class", "module"]
    region: Region
    depth: int = 0
    units: list[Unit] = field(default_factory=list)
    parent: "Scope | None" = None

    @property
    def own_name(self) -> str:
        """The last part of its qualified name."""
        return self.name.rpartition(".")[2]

    @cached_property
    def every(self) -> tuple[Unit, ...]:
        """Its units and those of the definitions in it, in source order."""
        found: list[Unit] = []
        for unit in self.units:
            found += unit.definition.every if unit.definition else [unit]
        return tuple(found)

    @cached_property
    def fingerprint(self) -> str:
        """Identity of its syntax but for its own name: 16 hex digits."""
        written = "\n".join(str(line) for line in relative_keys(self.every))
        return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @cached_property
    def features(self) -> Counter[str]:
        """What its syntax is made of."""
        found: Counter[str] = Counter()
        for unit in self.every:
            found.update(unit_features(unit))
        found.update(f"FunctionDef.name={unit.name}" for unit in self.every[1:] if unit.name)
        return found

    @cached_property
    def words(self) -> frozenset[str]:
        """The names and literals in it."""
        return names_and_literals(self.features)

    @cached_property
    def uses(self) -> frozenset[str]:
        """The names and attributes that it reads or writes."""
        return frozenset(name.partition("=")[2] for name in self.features if name.startswith(_USES))


@dataclass(frozen=True)
class Layout:
    """A file as scopes, the whole file first."""

    scopes: tuple[Scope, ...]
    lines: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Layout":
        """A text in which nothing is known to be code."""
        lines = tuple(text.split("\n"))
        return cls((Scope("", "module", Region(1, len(lines))),), lines)

    @property
    def module(self) -> Scope:
        return self.scopes[0]

    def find(self, name: str) -> tuple[Scope, ...]:
        return tuple(scope for scope in self.scopes if scope.name == name)

    def innermost(self, line: int) -> Scope:
        """The smallest scope that holds a line."""
        holding = (scope for scope in self.scopes if scope.region.start <= line <= scope.region.end)
        return min(
            holding, key=lambda scope: (scope.region.end - scope.region.start, -scope.depth), default=self.module
        )

    def definition_line(self, scope: Scope) -> int:
        """The line of `def` or `class`, which may be below decorators."""
        numbers = range(scope.region.start, scope.region.end + 1)
        return next((n for n in numbers if _DEFINITION.match(self.lines[n - 1])), scope.region.start)

    def end(self, unit: Unit) -> int:
        """The last line of a unit: of a header, the one with its colon."""
        if unit.definition is not None:
            return unit.region.end
        if _header(unit.term) is unit.term:
            return unit.region.end
        start = unit.region.start
        if unit.type in ("FunctionDef", "ClassDef"):
            numbers = range(start, len(self.lines) + 1)
            start = next((n for n in numbers if _DEFINITION.match(self.lines[n - 1])), start)
        return max(start, min(_colon(self.lines, start), _header_end(unit.term, len(self.lines))))

    def text(self, region: Region) -> str:
        return "\n".join(self.lines[region.start - 1 : region.end])


def layout(codebase: "Codebase", path: str) -> Layout:
    """The scopes of a file. Raises Absent or Undecidable."""
    plain = Layout.of(codebase.text(path))
    scopes = [*plain.scopes]
    module = scopes[0]
    try:
        for statement in codebase.index(path).statements:
            module.units += _units(statement.terms(), module, None, 0, scopes)
    except RecursionError:
        raise Undecidable(Text(f"{path} is nested too deeply to be read", f"{path} 嵌套过深，无法读取")) from None
    return Layout(tuple(scopes), plain.lines)


def relative_keys(units: Sequence[Unit]) -> list[tuple[int, str, str]]:
    """What units say, and how deep each is in the others: equal for equal code, whatever is the name of the first."""
    least = min((unit.depth for unit in units), default=0)
    return [(unit.depth - least, unit.name if number else "", unit.key) for number, unit in enumerate(units)]


def features(term: Term) -> Counter[str]:
    """The names, literals and operators in a term, each with the role it plays."""
    found: Counter[str] = Counter()
    for inner in term.walk():
        for name, part in inner.parts.items():
            if isinstance(part, str | bytes | int | float | complex):
                found[f"{inner.type}.{name}={part!s}"] += 1
    return found


def similarity(one: Counter[str], other: Counter[str]) -> float:
    """How much of two is common: from 0 to 1."""
    total = (one | other).total()
    return (one & other).total() / total if total else 1.0


def information(found: Counter[str]) -> int:
    """How telling some features are: the characters of their distinct names and literals."""
    return sum(min(len(word), _LONGEST) for word in names_and_literals(found) - _COMMON)


def names_and_literals(found: Counter[str]) -> frozenset[str]:
    """The names and literals among some features."""
    return frozenset(name.partition("=")[2] for name in found if name.startswith(_WORDS))


def unit_features(unit: Unit) -> Counter[str]:
    """The features of a unit alone; of a definition, of all that is in it."""
    return unit.definition.features if unit.definition else features(_header(unit.term))


def _units(
    terms: Sequence[Term], scope: Scope, parent: tuple[str, Unit] | None, depth: int, scopes: list[Scope]
) -> Iterator[Unit]:
    for term in terms:
        region = term.region
        if region is None or _is_docstring(term):
            continue
        if term.type in ("FunctionDef", "ClassDef"):
            yield Unit(term, region, depth, parent, _scope(term, region, scope, depth, scopes))
            continue
        unit = Unit(term, Region(region.start, region.start) if is_compound(term) else region, depth, parent)
        yield unit
        for part in PARTS:
            yield from _units(block(term, part), scope, (part, unit), depth + 1, scopes)


def _scope(term: Term, region: Region, outer: Scope, depth: int, scopes: list[Scope]) -> Scope:
    name = f"{outer.name}.{term.text('name')}" if outer.name else term.text("name")
    scope = Scope(name, "class" if term.type == "ClassDef" else "function", region, depth, parent=outer)
    scopes.append(scope)
    scope.units.append(Unit(term, Region(region.start, region.start), depth, name=scope.own_name))
    scope.units += _units(term.terms("body"), scope, None, depth + 1, scopes)
    return scope


def _header(term: Term) -> Term:
    """A term without the blocks in it and, of a definition, its name; itself when it is a simple statement."""
    if not is_compound(term):
        return term
    left_out = ("name",) if term.type in ("FunctionDef", "ClassDef") else ()
    return Term(term.type, {name: part for name, part in header(term).items() if name not in left_out}, term.region)


def _is_docstring(term: Term) -> bool:
    """Whether a statement is a text alone, as below a field."""
    value = term.parts.get("value") if term.type == "Expr" else None
    return isinstance(value, Term) and value.type == "Literal" and isinstance(value.parts["value"], str)


def _header_end(term: Term, last: int) -> int:
    """The last line on which a header can end: the one above its block, or that of a block on the same line."""
    starts = [inner.region.start for part in PARTS for inner in block(term, part) if inner.region]
    return max(term.region.start if term.region else 1, min(starts)) if starts else last


def _colon(lines: Sequence[str], start: int) -> int:
    """The line of the colon that ends a header; the first line where none is found."""
    depth = 0
    source = iter([f"{line}\n" for line in lines[start - 1 :]])
    try:
        for token in tokenize.generate_tokens(lambda: next(source, "")):
            if token.type != tokenize.OP:
                continue
            depth += (token.string in "([{") - (token.string in ")]}")
            if token.string == ":" and depth == 0:
                return start + token.start[0] - 1
    except (tokenize.TokenError, SyntaxError):
        pass
    return start
