"""Patterns: code with holes, as an article quotes it.

`...` stands for anything: an expression, any arguments, any statements. `$NAME` is a metavariable: whatever it binds
first, it must bind everywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.code.notation import Pattern
from auditor.code.term import Code, Part, Term, encode, name

Bindings = dict[str, Part]


@dataclass(frozen=True, slots=True)
class Match:
    """Where a pattern was found: one term, or the neighbouring statements it matched."""

    terms: tuple[Term, ...]
    bindings: Bindings


def search(pattern: Pattern, code: Code) -> Iterator[Match]:
    """Every place in the code where the pattern matches, in source order."""
    wanted = pattern.terms
    if pattern.is_expression:
        expression = wanted[0].term("value")
        for term in code.by_type.get(expression.type, ()):
            if (bindings := _match(expression, term, {})) is not None:
                yield Match((term,), bindings)
        return
    for statements in code.blocks:
        for start in range(len(statements)):
            for end, bindings in _match_some(wanted, statements, start, {}):
                yield Match(statements[start:end], bindings)
                break


def named(term: Term, pattern: Pattern, alias: str) -> Term:
    """The expression with `alias` in place of every part that the pattern matches."""
    if _match(pattern.terms[0].parts["value"], term, {}) is not None:
        return name(alias)
    return term.rebuilt(lambda inner: named(inner, pattern, alias))


def _is_hole(part: Part) -> bool:
    if isinstance(part, Term) and part.type == "Expr":
        part = part.parts["value"]
    return isinstance(part, Term) and part.type == "Literal" and part.parts["value"] is ...


def _match(pattern: Part, part: Part, bindings: Bindings) -> Bindings | None:
    """The bindings with which the pattern is the part; None when it is not."""
    if _is_hole(pattern):
        return bindings if isinstance(part, Term) else None
    if isinstance(pattern, Term):
        if pattern.type == "Name" and (variable := _metavariable(pattern.parts["id"])):
            return _bind(variable, part, bindings)
        if not isinstance(part, Term) or pattern.type != part.type:
            return None
        return _match_parts(pattern, part, bindings)
    if isinstance(pattern, tuple):
        if not isinstance(part, tuple):
            return None
        whole = (bound for end, bound in _match_some(pattern, part, 0, bindings) if end == len(part))
        return next(whole, None)
    if isinstance(pattern, str) and (variable := _metavariable(pattern)):
        return _bind(variable, part, bindings)
    # 1 == 1.0 as in Python, but "1" and 1, or True and 1, are not the same code.
    same = pattern == part and (type(pattern) is type(part) or {type(pattern), type(part)} == {int, float})
    return bindings if same else None


def _match_parts(pattern: Term, term: Term, bindings: Bindings) -> Bindings | None:
    for part, wanted in pattern.parts.items():
        if part == "keywords" and isinstance(wanted, tuple):
            found = _match_keywords(pattern, term, bindings)
        elif wanted == () and part in ("orelse", "decorators"):
            continue  # a pattern that shows no `else` or decorator says nothing of them
        else:
            found = _match(wanted, term.parts.get(part), bindings)
        if found is None:
            return None
        bindings = found
    return bindings


def _match_keywords(pattern: Term, term: Term, bindings: Bindings) -> Bindings | None:
    """Keyword arguments in any order; others besides only where the pattern's arguments have a hole."""
    given = {keyword.text("name"): keyword for keyword in term.terms("keywords")}
    for keyword in pattern.terms("keywords"):
        found = given.pop(keyword.text("name"), None)
        bound = None if found is None else _match(keyword.parts["value"], found.parts["value"], bindings)
        if bound is None:
            return None
        bindings = bound
    is_open = any(_is_hole(arg) for arg in pattern.terms("args" if pattern.type == "Call" else "bases"))
    return bindings if is_open or not given else None


def _match_some(
    pattern: tuple[Part, ...], parts: tuple[Part, ...], start: int, bindings: Bindings
) -> Iterator[tuple[int, Bindings]]:
    """Every end (exclusive), the nearest first, up to which the pattern matches `parts` from `start`."""
    if not pattern:
        yield start, bindings
        return
    first, rest = pattern[0], pattern[1:]
    if _is_hole(first):
        for skipped in range(start, len(parts) + 1):
            yield from _match_some(rest, parts, skipped, bindings)
    elif start < len(parts) and (bound := _match(first, parts[start], bindings)) is not None:
        yield from _match_some(rest, parts, start + 1, bound)


def _metavariable(identifier: Part) -> str | None:
    is_one = isinstance(identifier, str) and identifier.startswith(Pattern.prefix)
    return str(identifier).removeprefix(Pattern.prefix) if is_one else None


def _bind(variable: str, part: Part, bindings: Bindings) -> Bindings | None:
    if variable in bindings:
        return bindings if encode(bindings[variable]) == encode(part) else None
    return {**bindings, variable: part}
