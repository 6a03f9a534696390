"""The blocks of compound statements: what is in them without nested functions, and how control leaves them early."""

from collections.abc import Iterator, Sequence

from auditor.code.syntax.term import Term


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
            found |= ends(block(statement, part), is_outer=is_outer and not is_loop)
        found |= ends(block(statement, "orelse"), is_outer=is_outer)
        for part in ("handlers", "cases"):
            for inner in block(statement, part):
                found |= ends(inner.terms("body"), is_outer=is_outer)
    return found


def block(statement: Term, part: str) -> tuple[Term, ...]:
    """The statements of one block (`body`, `orelse`, ...); none where the statement has no such block."""
    return statement.terms(part) if isinstance(statement.parts.get(part), tuple) else ()
