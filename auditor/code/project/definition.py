"""A symbol's code, and what is worked out of it once."""

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from auditor.code.project import lookup_errors
from auditor.code.syntax.term import Code, Term, encode
from auditor.model import Location, Region

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase
    from auditor.code.project.symbols import Symbol


@dataclass(frozen=True)
class Definition:
    """A symbol's code (or a whole file's: `symbol` is None)."""

    codebase: "Codebase"
    path: str
    symbol: "Symbol | None"
    region: Region

    @property
    def name(self) -> str:
        return self.symbol.name if self.symbol else self.path

    @property
    def cls(self) -> str | None:
        """The innermost class around the symbol."""
        parts = self.symbol.name.split(".")[:-1] if self.symbol else []
        outer = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
        classes = {s.name for s in self.codebase.index(self.path).symbols if s.type == "class"}
        return next((name for name in outer if name in classes), None)

    @property
    def location(self) -> Location:
        return Location(self.path, self.region if self.symbol else None, self.symbol.name if self.symbol else None)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The definition itself, as one term; of a file, its statements. Raises Undecidable."""
        if self.symbol is None:
            return self.codebase.index(self.path).terms()
        return (self.symbol.term(),)

    @cached_property
    def text(self) -> str:
        """Its lines, as they are written."""
        return "\n".join(self.codebase.text(self.path).split("\n")[self.region.start - 1 : self.region.end])

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its text, comments included: every identifier in it, and more."""
        return frozenset(_WORD.findall(self.text))

    @cached_property
    def code(self) -> Code:
        return Code(self.terms)

    def rewritten(self, terms: tuple[Term, ...]) -> "Definition":
        """The same definition, written otherwise."""
        other = Definition(self.codebase, self.path, self.symbol, self.region)
        other.__dict__.update(terms=terms, text=self.text, fingerprint=self.fingerprint)
        return other

    def taken_over(self, codebase: "Codebase") -> "Definition":
        """The same definition in a code base in which its file is the same."""
        other = Definition(codebase, self.path, self.symbol, self.region)
        other.__dict__.update((name, self.__dict__[name]) for name in _LASTING if name in self.__dict__)
        return other

    @property
    def term(self) -> Term:
        return self.terms[0]

    @property
    def function(self) -> Term:
        """The definition as one term. Raises Undecidable when it is no function."""
        if self.term.type != "FunctionDef":
            raise lookup_errors.no_function(self)
        return self.term

    def location_of(self, *terms: Term) -> Location:
        """Where terms of this definition are, from the first line of the first to the last of the last."""
        regions = [term.region or self.region for term in terms]
        region = Region(regions[0].start, max(one.end for one in regions))
        enclosing = self.codebase.index(self.path).enclosing(region)
        return Location(self.path, region, enclosing.name if enclosing else None)

    @cached_property
    def fingerprint(self) -> str:
        """Identity of the code without layout, comments, annotations and docstrings: 16 hex digits."""
        return hashlib.sha256(encode(self.terms).encode("utf-8", "surrogatepass")).hexdigest()[:16]


_WORD = re.compile(r"\w+")
_LASTING = ("terms", "text", "words", "code", "fingerprint")
"""What is worked out of a definition's own text."""
