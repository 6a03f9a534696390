"""When the parts of a statement run: how blocks end, what a case asks, what an expression asks before a part of it."""

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise

from auditor.code.bindings import bound
from auditor.code.from_ast import lower
from auditor.code.said import LAMBDA_CALLED
from auditor.code.term import Part, Term, boolean, comparison, encode, name, negation
from auditor.model import Text

ALWAYS = name("True")


def own(statements: Sequence[Term]) -> Iterator[Term]:
    """The terms of some statements, nested functions left out."""
    pending = list(reversed(statements))
    while pending:
        term = pending.pop()
        if term.type in ("FunctionDef", "ClassDef", "Lambda"):
            continue
        yield term
        pending.extend(reversed(list(term.children())))


def ends(statements: Sequence[Term], *, is_outer: bool = True) -> set[str]:
    """How a block can end early: Return, Raise, and what concerns the loop around it."""
    found: set[str] = set()
    for statement in statements:
        if statement.type in ("Return", "Raise") or (is_outer and statement.type in ("Break", "Continue")):
            found.add(statement.type)
        if statement.type in ("FunctionDef", "ClassDef"):
            continue
        is_loop = statement.type in ("For", "While")
        for part in ("body", "finalbody"):
            found |= ends(_block(statement, part), is_outer=is_outer and not is_loop)
        found |= ends(_block(statement, "orelse"), is_outer=is_outer)
        for part in ("handlers", "cases"):
            for inner in _block(statement, part):
                found |= ends(inner.terms("body"), is_outer=is_outer)
    return found


def _block(statement: Term, part: str) -> tuple[Term, ...]:
    return statement.terms(part) if isinstance(statement.parts.get(part), tuple) else ()


def repeated(function: Term, terms: Sequence[Term]) -> Term | None:
    """One of some terms that stands in a statement written twice in a row, where that makes a difference."""
    wanted = {id(term): term for term in terms}
    for holder in function.walk():
        for block in ("body", "orelse", "finalbody"):
            statements = _block(holder, block)
            for before, after in pairwise(statements):
                if before.type != after.type or not _is_same(before, after):
                    continue
                pair = (*after.walk(), *before.walk())
                inside = [wanted[id(term)] for term in pair if id(term) in wanted]
                if inside and any(t.type in _EFFECTIVE for t in inside[0].walk()):
                    return inside[0]
    return None


def overwritten(function: Term, terms: Sequence[Term], *, with_locals: bool = False) -> Term | None:
    """A statement that is always reached after one of some assignments and assigns to the same place again.

    A local may serve several ends, one after the other, so it counts only where that is asked for.
    """
    stated = (term for term in terms if with_locals or any(place.type != "Name" for place in bound(term)))
    found: list[Term] = []
    _left(function.terms("body"), frozenset(map(id, stated)), found)
    return found[0] if found else None


def _left(statements: Sequence[Term], wanted: frozenset[int], found: list[Term]) -> set[str]:
    """The places that the wanted assignments of a block have given a value when its end is reached.

    What assigns to one of them again is added to `found`.
    """
    given: set[str] = set()
    for statement in statements:
        if statement.type in ("Return", "Raise", "Break", "Continue"):
            return set()
        if statement.type in ("FunctionDef", "ClassDef"):
            continue
        for part in ("body", "orelse", "finalbody"):
            given |= _left(_block(statement, part), wanted, found)
        for part in ("handlers", "cases"):
            for inner in _block(statement, part):
                given |= _left(inner.terms("body"), wanted, found)
        if statement.type in _ASSIGNING:
            places = {encode(place) for place in bound(statement)}
            if id(statement) in wanted:
                given |= places
            elif given & places:
                found.append(statement)
    return given


_ASSIGNING = ("Assign", "AugAssign", "Declare", "Delete")


def _is_same(one: Part, other: Part) -> bool:
    """Whether two parts are the same syntax: as their encodings, and told at the first difference."""
    if isinstance(one, Term):
        if not isinstance(other, Term) or one.type != other.type or one.parts.keys() != other.parts.keys():
            return False
        return all(_is_same(part, other.parts[key]) for key, part in one.parts.items())
    if isinstance(one, tuple):
        return isinstance(other, tuple) and len(one) == len(other) and all(map(_is_same, one, other))
    return not isinstance(other, Term | tuple) and encode(one) == encode(other)


_EFFECTIVE = ("Call", "AugAssign", "Await")


def case_test(subject: Term, pattern: str) -> Term | None:
    """A case's pattern as a comparison; None when it takes the subject apart."""
    try:
        wanted = lower(ast.parse(pattern, mode="eval").body)
    except SyntaxError:
        return None
    if wanted.type == "Name" and wanted.parts["id"] not in ("True", "False", "None"):
        return ALWAYS
    alternatives = list(_alternatives(wanted))
    if not all(one.type in ("Attribute", "Literal", "Name") for one in alternatives):
        return None
    tests = [comparison(subject, ["is" if one.type == "Name" else "=="], [one], None) for one in alternatives]
    return boolean("or", tests, None) if len(tests) > 1 else tests[0]


def _alternatives(pattern: Term) -> Iterator[Term]:
    if pattern.type == "BinaryOperation" and pattern.parts["operator"] == "|":
        yield from _alternatives(pattern.term("left"))
        yield from _alternatives(pattern.term("right"))
    else:
        yield pattern


def asked(part: Part, tests: tuple[Term | Text, ...]) -> Iterator[tuple[Term, tuple[Term | Text, ...]]]:
    """Every term of an expression, and what has been asked in the expression before it is worked out.

    A `CompFor` or a `Lambda` among that says that its own names are new from there on.
    """
    if isinstance(part, tuple):
        for item in part:
            yield from asked(item, tests)
    if not isinstance(part, Term):
        return
    yield part, tests
    match part.type:
        case "IfExp":
            yield from asked(part.term("test"), tests)
            yield from asked(part.term("body"), (*tests, part.term("test")))
            yield from asked(part.term("orelse"), (*tests, negation(part.term("test"))))
        case "BooleanOperation":
            for value in part.terms("values"):
                yield from asked(value, tests)
                tests = (*tests, value if part.parts["operator"] == "and" else negation(value))
        case "Lambda":
            yield from asked(part.parts["params"], tests)
            yield from asked(part.parts["body"], (*tests, part, LAMBDA_CALLED))
        case "ListComp" | "SetComp" | "DictComp" | "GeneratorExp":
            for loop in part.terms("for_in"):
                yield loop, tests
                yield from asked((loop.parts["iter"], loop.parts["target"]), tests)
                tests = (*tests, loop)
                for test in loop.terms("ifs"):
                    yield from asked(test, tests)
                    tests = (*tests, test)
            for made in ("elt", "key", "value"):
                yield from asked(part.parts.get(made), tests)
        case _:
            yield from (found for inner in part.parts.values() for found in asked(inner, tests))
