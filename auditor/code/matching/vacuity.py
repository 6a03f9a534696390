"""What a claim asks for that nothing could contradict, or nothing could meet: an answer to it proves nothing."""

import importlib
import string
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from auditor.code.matching.notation import Pattern, Regex
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term, encode

_parser: Any = importlib.import_module("re._parser")
_DIGITS = frozenset(string.digits)
_LETTERS = frozenset(string.ascii_letters + "_é名")
"""What identifiers are made of; two letters stand for all that are not ASCII."""
_EVERYTHING = frozenset(map(chr, range(32, 127))) | _LETTERS


def matches_no_name(regex: Regex, *, is_dotted: bool) -> bool:
    """Whether no identifier (or, dotted, no qualified name) holds what a regular expression asks for.

    Letters, digits and anchors are understood; what looks around or back is taken to be possible.
    """
    letters = _LETTERS | _DIGITS | (frozenset(".") if is_dotted else frozenset())
    return not _is_possible(_parser.parse(regex.text).data, letters)


def _is_possible(items: Sequence[tuple[Any, Any]], letters: frozenset[str]) -> bool:
    """Whether a sequence of a parsed expression can match a part of a name."""
    if not all(_can(operator, value, letters) for operator, value in items):
        return False
    consuming = [(str(operator), value, _least([(operator, value)])) for operator, value in items]
    for number, (operator, value, _) in enumerate(consuming):
        place = str(value) if operator == "AT" else ""
        if place in ("AT_END", "AT_END_STRING") and any(least for *_, least in consuming[number + 1 :]):
            return False
        if place in ("AT_BEGINNING", "AT_BEGINNING_STRING") and any(least for *_, least in consuming[:number]):
            return False
    for (operator, value), (after, following) in pairwise(items):
        is_start = str(operator) == "AT" and str(value) in ("AT_BEGINNING", "AT_BEGINNING_STRING")
        if is_start and _least([(after, following)]) and not _can(after, following, _LETTERS):
            return False  # a name begins with a letter
    return True


def _can(operator: Any, value: Any, letters: frozenset[str]) -> bool:
    match str(operator):
        case "LITERAL":
            return chr(value) in letters or (ord("\x7f") < value and chr(value).isidentifier())
        case "NOT_LITERAL":
            return bool(letters - {chr(value)})
        case "IN":
            return bool(_class(value) & letters) or _has_other_letters(value)
        case "BRANCH":
            return any(_is_possible(branch.data, letters) for branch in value[1])
        case "SUBPATTERN":
            return _is_possible(value[3].data, letters)
        case "ATOMIC_GROUP":
            return _is_possible(value.data, letters)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return value[0] == 0 or _is_possible(value[2].data, letters)
        case _:
            return True


def _class(items: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """The characters of `[...]`, of those that are looked at."""
    found: set[str] = set()
    is_negated = False
    for operator, value in items:
        match str(operator):
            case "NEGATE":
                is_negated = True
            case "LITERAL":
                found.add(chr(value))
            case "RANGE":
                found |= {one for one in _EVERYTHING if value[0] <= ord(one) <= value[1]}
            case "CATEGORY":
                found |= _category(str(value))
            case _:
                pass
    return frozenset(_EVERYTHING - found if is_negated else found)


def _category(name: str) -> frozenset[str]:
    kinds = {"DIGIT": _DIGITS, "SPACE": frozenset(" "), "WORD": _LETTERS | _DIGITS}
    is_not = "_NOT_" in name
    own = kinds.get(name.rpartition("_")[2], _EVERYTHING)
    return _EVERYTHING - own if is_not else own


def _has_other_letters(items: Iterable[tuple[Any, Any]]) -> bool:
    """Whether `[...]` names letters beyond those that are looked at."""
    return any(
        (str(operator) == "LITERAL" and value > 127 and chr(value).isidentifier())
        or (str(operator) == "RANGE" and value[1] > 127)
        for operator, value in items
    )


def _least(items: Iterable[tuple[Any, Any]]) -> int:
    """How many characters at least a sequence takes."""
    total = 0
    for operator, value in items:
        match str(operator):
            case "LITERAL" | "NOT_LITERAL" | "IN" | "ANY":
                total += 1
            case "BRANCH":
                total += min(_least(branch.data) for branch in value[1])
            case "SUBPATTERN":
                total += _least(value[3].data)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                total += value[0] * _least(value[2].data)
            case _:
                pass
    return total


def matches_everything(pattern: Pattern) -> bool:
    """Whether a pattern is a metavariable alone, or calls one with anything: any code would do."""
    if not pattern.is_expression:
        return False
    term = pattern.terms[0].term("value")
    if term.type == "Call" and all(
        one.parts.get("value") is ... for one in (*term.terms("args"), *term.terms("keywords"))
    ):
        term = term.term("func")
    return term.type == "Name" and term.text("id").startswith(Pattern.prefix)


def is_tautology(pattern: Pattern) -> bool:
    """Whether a condition holds whatever the code is."""
    return pattern.is_expression and _is_always(pattern.terms[0].term("value"), wanted=True)


def _is_always(term: Term, *, wanted: bool) -> bool:
    """Whether a condition comes out as wanted wherever it is asked."""
    match term.type:
        case "Literal":
            return term.parts["value"] is not ... and bool(term.parts["value"]) is wanted
        case "Name":
            return term.text("id") == str(wanted)
        case "UnaryOperation" if term.text("operator") == "not":
            return _is_always(term.term("operand"), wanted=not wanted)
        case "BooleanOperation":
            operands = term.terms("values")
            if (term.text("operator") == "or") is wanted:
                written = {encode((one,)) for one in operands}
                negated = {encode((negation(one),)) for one in operands}
                return bool(written & negated) or any(_is_always(one, wanted=wanted) for one in operands)
            return all(_is_always(one, wanted=wanted) for one in operands)
        case "Comparison" if len(term.terms("comparators")) == 1:
            left, right = term.term("left"), term.terms("comparators")[0]
            is_same = encode((left,)) == encode((right,))
            return is_same and term.operators[0] in (("==", "<=", ">=", "is") if wanted else ("!=", "<", ">", "is not"))
        case _:
            return False
