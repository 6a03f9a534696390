"""The values that code gives options after they were parsed: by constructors, validators, hooks and platforms."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from auditor.catalogues import Effective, Place
from auditor.code import Undecidable
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse

if TYPE_CHECKING:
    from auditor.code.idioms.declared_options import DeclaredOption
    from auditor.code.project.codebase import Codebase

_MOST = 12  # values of one option that are listed
_LONGEST = 160
_DECLARING = re.compile(r"declare|override")
"""Functions that are told what options become by keywords, as in `declare_resolution(args, source, tp_size=1)`."""
_HOLDERS = re.compile(r"(?:.*[._])?(?:self|cls|args|config|conf|cfg|settings|options)")


def effective(
    codebase: "Codebase", places: Sequence[str], options: "Iterable[DeclaredOption]"
) -> dict[str, tuple[Effective, ...]]:
    """What is assigned to each option in some folders and files, with the tests around it, by the option's field."""
    fields: dict[str, list[str]] = {}
    for option in options:
        if option.kind != "environment":
            fields.setdefault(option.field.rpartition(".")[2], []).append(option.field)
    found: dict[str, list[Effective]] = {}
    for path in sorted({path for place in places for path in codebase.python_under(place)}):
        try:
            for symbol in codebase.index(path).symbols:
                if symbol.type == "function" and symbol.name.count(".") <= 1:
                    for name, one in _assigned(symbol.term(), path, fields.keys()):
                        owner = symbol.name.rpartition(".")[0]
                        for field in fields[name]:
                            if "." not in field or field == f"{owner}.{name}":
                                found.setdefault(field, []).append(one)
        except Undecidable:
            continue
    return {field: tuple(dict.fromkeys(several))[:_MOST] for field, several in found.items()}


def _assigned(function: Term, path: str, names: Iterable[str]) -> Iterator[tuple[str, Effective]]:
    known = set(names)
    for statement, tests in _statements(function.terms("body"), ()):
        if statement.type in ("Assign", "AugAssign"):
            for target in bound_targets(statement):
                if target.type == "Attribute" and target.text("attr") in known and _is_holder(target.term("value")):
                    yield target.text("attr"), _one(statement.term("value"), tests, statement, path)
        if statement.type == "Expr" and (call := statement.term("value")).type == "Call":
            func = call.term("func")
            if _DECLARING.search(str(func.parts.get("attr") or func.parts.get("id"))):
                for keyword in call.terms("keywords"):
                    if keyword.text("name") in known:
                        yield keyword.text("name"), _one(keyword.term("value"), tests, statement, path)


def _is_holder(owner: Term) -> bool:
    return owner.type in ("Name", "Attribute") and _HOLDERS.fullmatch(unparse(owner)) is not None


def _one(value: Term, tests: tuple[Term, ...], statement: Term, path: str) -> Effective:
    region = statement.region
    when = " and ".join(map(unparse, tests))
    place = Place(path, region.start, region.end) if region else Place(path, 1, 1)
    return Effective(_short(unparse(value)), _short(when) or None, place)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _leaves(block: Sequence[Term]) -> bool:
    """Whether a block ends the function or the round of a loop; an exception is no way to go on."""
    return bool(block) and block[-1].type in ("Return", "Continue", "Break")


def _statements(block: Sequence[Term], tests: tuple[Term, ...]) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    """Every statement with the tests under which it runs."""
    for statement in block:
        yield statement, tests
        if statement.type == "If":
            test = statement.term("test")
            yield from _statements(statement.terms("body"), (*tests, test))
            yield from _statements(statement.terms("orelse"), (*tests, negation(test)))
            # What stands behind `if x: return` runs where `x` does not hold.
            if _leaves(statement.terms("body")):
                tests = (*tests, negation(test))
            elif _leaves(statement.terms("orelse")):
                tests = (*tests, test)
        elif statement.type not in ("FunctionDef", "ClassDef"):
            for part in ("body", "orelse", "finalbody"):
                if isinstance(statement.parts.get(part), tuple):
                    yield from _statements(statement.terms(part), tests)
            for part in ("handlers", "cases"):
                if isinstance(statement.parts.get(part), tuple):
                    for inner in statement.terms(part):
                        yield from _statements(inner.terms("body"), tests)
