"""The syntax that decides a claim.

Of a pattern, what it matched and says something of: not what `...` or a `$NAME` that stands once would take as well in
another form. Of any other check, the statements that it shows as its finding, and of a condition the tests around it.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from auditor.checks import Check
from auditor.checks.effect import Effect
from auditor.checks.formula import Formula
from auditor.checks.guard import Guard
from auditor.checks.order import Order
from auditor.checks.pattern import Pattern as PatternCheck
from auditor.checks.returns import Returns
from auditor.claims import Entry
from auditor.code import Undecidable
from auditor.code.matching.notation import Pattern
from auditor.code.matching.search import Match, search, unify
from auditor.code.project.codebase import Codebase, Definition
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term, encode
from auditor.model import Region
from auditor.mutation.places import Source

_NEGATIVE = (
    "absence",
    "callers",
    "reads",
    "overrides",
    "arithmetic",
    "history",
    "undecidable",
    "doc-text",
    "direction",
    "symbol",
)
"""Checks of what is not there, or not in code: there is nothing to edit; tests/cases/claims adds something. Of
`symbol`, only the name is looked at."""


@dataclass
class Looked:
    """What a claim looks at in one file: by the lines and the syntax of each term."""

    terms: set[tuple[Region | None, str]] = field(default_factory=set)
    regions: set[Region] = field(default_factory=set)
    """Lines of which all is looked at."""
    metrics: set[Region] = field(default_factory=set)
    """Lines of which the class and the name of a metric are."""

    def nodes(self, source: Source) -> set[ast.AST]:
        """The nodes of a file that are looked at."""
        wanted = {region for region, _ in self.terms}
        found: set[ast.AST] = set()
        for node in ast.walk(source.tree):
            line, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
            if line is None or end is None or _is_silent(node):
                continue
            region = Region(line, end)
            is_of_metric = any(whole.contains(region) for whole in self.metrics) and isinstance(
                node, ast.Call | ast.Constant
            )
            if (
                is_of_metric
                or any(whole.contains(region) for whole in self.regions)
                or (region in wanted and (region, encode(lower(node))) in self.terms)
            ):
                found.add(node)
        silent = {inner for node in ast.walk(source.tree) for part in _silent(node) for inner in ast.walk(part)}
        # Of a field's declaration, its default is looked at, not its bounds and its help.
        for node in found if self.regions else ():
            if isinstance(node, ast.Call) and any(keyword.arg == "default" for keyword in node.keywords):
                others = (keyword.value for keyword in node.keywords if keyword.arg != "default")
                silent |= {inner for other in others for inner in ast.walk(other)}
        return found - silent


def looked_at(entry: Entry, codebase: Codebase) -> dict[str, Looked]:
    """What the checks of a claim look at, by file."""
    found: dict[str, Looked] = {}
    for check in entry.checks:
        if check.id in _NEGATIVE or getattr(check, "count", None) == 0:
            continue
        for definition, term in _terms(check, codebase):
            looked = found.setdefault(definition.path, Looked())
            looked.terms.add((term.region, encode(term)))
        if not isinstance(check, PatternCheck | Guard | Order):
            locations = check.audit(codebase).locations
            # What a formula or a function gives besides is said by `besides`, or makes it `review`.
            for location in locations[:1] if isinstance(check, Formula | Returns) else locations:
                if location.region is not None and location.path.endswith(".py"):
                    looked = found.setdefault(location.path, Looked())
                    (looked.metrics if check.id == "metric" else looked.regions).add(location.region)
    return found


def _terms(check: Check, codebase: Codebase) -> Iterator[tuple[Definition, Term]]:
    at = getattr(check, "at", None)
    if at is None or not isinstance(check, PatternCheck | Guard | Order | Effect | Returns):
        return
    definition = codebase.locate(at)
    wanted: list[Pattern] = []
    if isinstance(check, PatternCheck | Guard):
        wanted = [check.code]
    elif isinstance(check, Order):
        wanted = [check.first, check.then]
    found = [(pattern, match) for pattern in wanted for match in search(pattern, definition.code)]
    for pattern, match in found:
        yield from ((definition, term) for term in _explicit(pattern, match))
    when = check.when if isinstance(check, Guard | Effect | Returns) else None
    if when is not None:
        words = {term.text("id") for term in when.terms[0].walk() if term.type == "Name"}
        words |= {term.text("attr") for term in when.terms[0].walk() if term.type == "Attribute"}
        words -= {"self"}
        shown = [match.terms[0].region for _, match in found] or [one.region for one in check.audit(codebase).locations]
        is_open = any(term.parts.get("value") is ... for term in when.terms[0].walk())
        for test in _tests(definition, [region for region in shown if region is not None]):
            if _names(test) & words:
                yield from ((definition, term) for term in (_operands(test, words) if is_open else test.walk()))


def _names(term: Term) -> set[str]:
    return {str(one.parts.get("attr", one.parts.get("id"))) for one in term.walk()}


def _operands(test: Term, words: set[str]) -> Iterator[Term]:
    """What `a or ...` says of a test: that it is an `or`, and the operands that are not `...`."""
    yield test
    if test.type == "BooleanOperation":
        for operand in test.terms("values"):
            if _names(operand) & words:
                yield from _operands(operand, words)
    else:
        yield from test.walk()


def _tests(definition: Definition, shown: list[Region]) -> Iterator[Term]:
    """The conditions of the statements around some lines."""
    for term in definition.term.walk():
        around = any(term.region is not None and term.region.contains(region) for region in shown)
        if term.type in ("If", "While", "IfExp") and around:
            yield term.term("test")


def _explicit(pattern: Pattern, match: Match) -> Iterator[Term]:
    """The terms of a match without which the pattern would not match."""
    pending = list(match.terms)
    while pending:
        term = pending.pop()
        if term.type in _HOLDERS or not _matches(pattern, tuple(_with(one, term) for one in match.terms)):
            yield term
            pending.extend(term.children())


def _matches(pattern: Pattern, terms: tuple[Term, ...]) -> bool:
    from auditor.code.matching.search import _Matching

    try:
        if pattern.is_expression:
            return any(True for _ in unify(pattern.terms[0].term("value"), terms[0], {}, pattern))
        return any(end == len(terms) for end, _ in _Matching(pattern).some(pattern.terms, terms, 0, {}))
    except Undecidable:
        return False


def _with(term: Term, gone: Term) -> Term:
    """The term with something else in place of one in it."""
    if term is gone:
        other = name("something else")
        return Term("Expr", {"value": other}) if term.type in _STATEMENTS else other
    return term.rebuilt(lambda inner: _with(inner, gone))


_HOLDERS = ("Keyword", "WithItem", "Param", "CompFor", "ExceptHandler", "Alias", "MatchCase", "Field")
"""Terms that are no expression and no statement."""
_STATEMENTS = frozenset(
    ("Expr", "Assign", "AugAssign", "If", "For", "While", "With", "Return", "Raise", "Break", "Continue", "Assert",
     "Try", "Delete", "FunctionDef", "ClassDef", "Declare", "Match", "Pass")
)  # fmt: skip


def _silent(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that do nothing: annotations and docstrings."""
    for part in ("annotation", "returns"):
        if isinstance(found := getattr(node, part, None), ast.AST):
            yield found
    if _is_silent(node):
        yield node


def _is_silent(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
