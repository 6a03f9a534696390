"""An index of some code's terms by their type, and its blocks: what pattern matching looks through."""

from collections.abc import Mapping
from functools import cached_property

from auditor.code.syntax.blocks import BLOCKS, block
from auditor.code.syntax.term import Term
from auditor.model import Region


class TermIndex:
    """Some statements, and all the terms in them by their type."""

    def __init__(self, statements: tuple[Term, ...]) -> None:
        self.statements = statements

    @cached_property
    def by_type(self) -> Mapping[str, list[Term]]:
        """All terms by their type, each list in source order."""
        found: dict[str, list[Term]] = {}
        for statement in self.statements:
            for term in statement.walk():
                found.setdefault(term.type, []).append(term)
        return found

    @cached_property
    def blocks(self) -> list[tuple[Term, ...]]:
        """Every sequence of statements, the outermost first."""
        terms = (term for terms in self.by_type.values() for term in terms if "body" in term.parts)
        inner = (statements for term in terms for part in BLOCKS if (statements := block(term, part)))
        return [self.statements, *sorted(inner, key=lambda block: block[0].region or Region(1, 1))]
