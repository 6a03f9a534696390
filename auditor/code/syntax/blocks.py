"""The blocks of compound statements, the terms of one scope, and abrupt completion: how a block is left early."""

from collections.abc import Iterable, Iterator, Sequence

from auditor.code.syntax.term import Part, Term, dotted

BLOCKS = ("body", "orelse", "finalbody")
"""The parts of a statement that are blocks of statements."""
CLAUSES = ("handlers", "cases")
"""The parts of a statement that are clauses, each with a block, its `body`."""
PARTS = ("body", *CLAUSES, "orelse", "finalbody")
"""All of these, in the order they are tried in."""
_SCOPES = ("FunctionDef", "ClassDef", "Lambda")


def block(statement: Term, part: str) -> tuple[Term, ...]:
    """The statements of one block, or the clauses of one sort; none where the statement has no such part."""
    return statement.terms(part) if isinstance(statement.parts.get(part), tuple) else ()


def blocks(statement: Term) -> Iterator[tuple[Term, ...]]:
    """The blocks of a statement that are not empty, its clauses' included, in the order they are tried in."""
    for part in PARTS:
        inner = block(statement, part)
        if part in CLAUSES:
            yield from (body for clause in inner if (body := block(clause, "body")))
        elif inner:
            yield inner


def is_compound(statement: Term) -> bool:
    """Whether a statement, or a clause, has blocks."""
    return any(isinstance(statement.parts.get(part), tuple) for part in PARTS)


def header(statement: Term) -> dict[str, Part]:
    """The parts of a statement without its blocks and clauses."""
    return {name: part for name, part in statement.parts.items() if name not in PARTS}


def walk_scope(statements: Sequence[Term]) -> Iterator[Term]:
    """The terms of some statements, in source order, without the functions, lambdas and classes nested in them."""
    pending = list(reversed(statements))
    while pending:
        term = pending.pop()
        if term.type in _SCOPES:
            continue
        yield term
        pending.extend(reversed(list(term.children())))


_ENDING = frozenset(
    ("sys.exit", "os._exit", "os.abort", "_exit", "exit", "quit", "pytest.fail", "pytest.skip", "pytest.exit")
)
"""Calls that end the process, or raise what ends it."""


def ends_process(expression: Term) -> bool:
    """Whether an expression is a call of the standard library, or of pytest, that never returns."""
    return expression.type == "Call" and dotted(expression.term("func")) in _ENDING


def abrupt_completions(statements: Sequence[Term], *, is_outer: bool = True) -> set[str]:
    """How a block can end early: Return, Raise; Break and Continue where they concern the loop around it."""
    found: set[str] = set()
    for statement in statements:
        if statement.type in ("Return", "Raise") or (is_outer and statement.type in ("Break", "Continue")):
            found.add(statement.type)
        if statement.type == "Expr" and ends_process(statement.term("value")):
            found.add("Raise")
        if statement.type in _SCOPES:
            continue
        is_loop = statement.type in ("For", "While")
        rest = block(statement, "orelse")
        for inner in blocks(statement):
            found |= abrupt_completions(inner, is_outer=is_outer and (not is_loop or inner == rest))
    return found


def reachable(statements: Iterable[Term]) -> tuple[Term, ...]:
    """The statements of a block without dead code: what follows a `return` or its like, or is under `if False`."""
    found: list[Term] = []
    for statement in statements:
        truth = _truth(statement.term("test")) if statement.type in ("If", "While") else None
        if truth is not None and (statement.type == "If" or not truth):
            found += statement.terms("body" if truth else "orelse")
        else:
            found.append(statement)
        is_endless = (
            statement.type == "While" and truth is True and "Break" not in abrupt_completions(statement.terms("body"))
        )
        if is_endless or (found and found[-1].type in ("Return", "Raise", "Continue", "Break")):
            break
    return tuple(found)


def _truth(test: Term) -> bool | None:
    """What a test that is a constant comes out as."""
    if test.type == "Literal":
        return None if test.parts["value"] is ... else bool(test.parts["value"])  # a pattern's hole may be anything
    return _TRUTHS.get(test.text("id")) if test.type == "Name" else None


_TRUTHS = {"True": True, "False": False, "None": False}
