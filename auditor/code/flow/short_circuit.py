"""The conditions inside a statement: short-circuit evaluation, conditional expressions, and what a `case` tests."""

import ast
from collections.abc import Iterator

from auditor.code.phrases import LAMBDA_CALLED
from auditor.code.syntax.from_ast import lower
from auditor.code.syntax.normal_forms import boolean, comparison, name, negation
from auditor.code.syntax.term import Part, Term
from auditor.model import Text

ALWAYS = name("True")


def case_test(subject: Term, pattern: str) -> Term | None:
    """A case's pattern as a comparison; None when it takes the subject apart."""
    try:
        wanted = lower(ast.parse(pattern, mode="eval").body)
    except SyntaxError:
        return None
    alternatives = list(_alternatives(wanted))
    if any(one.type == "Name" and one.parts["id"] not in _SINGLETONS for one in alternatives):
        return ALWAYS  # a capture, or `_`
    if not all(one.type in ("Attribute", "Literal", "Name") for one in alternatives):
        return None
    tests = [comparison(subject, ["is" if one.type == "Name" else "=="], [one], None) for one in alternatives]
    return boolean("or", tests, None) if len(tests) > 1 else tests[0]


_SINGLETONS = ("True", "False", "None")


def _alternatives(pattern: Term) -> Iterator[Term]:
    if pattern.type == "BinaryOperation" and pattern.parts["operator"] == "|":
        yield from _alternatives(pattern.term("left"))
        yield from _alternatives(pattern.term("right"))
    else:
        yield pattern


def evaluation_conditions(part: Part, tests: tuple[Term | Text, ...]) -> Iterator[tuple[Term, tuple[Term | Text, ...]]]:
    """Every term of an expression, and what has been asked in the expression before it is worked out.

    A `CompFor` or a `Lambda` among that says that its own names are new from there on.
    """
    if isinstance(part, tuple):
        for item in part:
            yield from evaluation_conditions(item, tests)
    if not isinstance(part, Term):
        return
    yield part, tests
    match part.type:
        case "IfExp":
            yield from evaluation_conditions(part.term("test"), tests)
            yield from evaluation_conditions(part.term("body"), (*tests, part.term("test")))
            yield from evaluation_conditions(part.term("orelse"), (*tests, negation(part.term("test"))))
        case "BooleanOperation":
            for value in part.terms("values"):
                yield from evaluation_conditions(value, tests)
                tests = (*tests, value if part.parts["operator"] == "and" else negation(value))
        case "Comparison":  # `a < b < c` is `a < b and b < c`
            sides = (part.term("left"), *part.terms("comparators"))
            for number, side in enumerate(sides):
                if number > 1:
                    before = comparison(sides[number - 2], [part.operators[number - 2]], [sides[number - 1]], None)
                    tests = (*tests, before)
                yield from evaluation_conditions(side, tests)
        case "Lambda":
            yield from evaluation_conditions(part.parts["params"], tests)
            yield from evaluation_conditions(part.parts["body"], (*tests, part, LAMBDA_CALLED))
        case "ListComp" | "SetComp" | "DictComp" | "GeneratorExp":
            for loop in part.terms("for_in"):
                yield loop, tests
                yield from evaluation_conditions((loop.parts["iter"], loop.parts["target"]), tests)
                tests = (*tests, loop)
                for test in loop.terms("ifs"):
                    yield from evaluation_conditions(test, tests)
                    tests = (*tests, test)
            for made in ("elt", "key", "value"):
                yield from evaluation_conditions(part.parts.get(made), tests)
        case _:
            yield from (found for inner in part.parts.values() for found in evaluation_conditions(inner, tests))
