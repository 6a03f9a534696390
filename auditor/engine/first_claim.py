"""A first claim about a code base that nobody has written claims about: one that runs, to be replaced."""

from typing import TYPE_CHECKING

from auditor.checks.default_value import DefaultValue
from auditor.code import Undecidable
from auditor.model import Kind
from auditor.suggest import suggestions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auditor.code.project.codebase import Codebase
    from auditor.code.project.symbols import Symbol
    from auditor.suggest import Suggestion

_MOST_FILES = 40
_MOST_TRIED = 12  # of a file
_SHORT = 24  # characters of a value that is good to begin with
_ASIDE = ("/tests/", "/test/", "/testing/", "/_vendor/", "/vendor/", "test_")


def first_claim(codebase: "Codebase", older: "Codebase | None" = None) -> "tuple[str, Suggestion] | None":
    """`path:lines` and a check of what is there that holds; None where nothing is found.

    A short default if there is one, and one that holds in an `older` release, too, so that the claim speaks of several.
    """
    least: tuple[str, Suggestion] | None = None
    for path, symbol in _candidates(codebase, frozenset(older.files if older else ())):
        try:
            tried = [one for one in suggestions(codebase, path, symbol.region) if one.outcome.kind is Kind.PASS]
        except Undecidable:
            continue
        if tried:
            found = f"{path}:{symbol.region}", tried[0].suggestion
            if isinstance(check := tried[0].suggestion.check, DefaultValue):
                if len(check.equals.text) <= _SHORT and (older is None or check.audit(older).kind is Kind.PASS):
                    return found
                least = least if least and isinstance(least[1].check, DefaultValue) else found
            least = least or found
    return least


def _candidates(codebase: "Codebase", older: frozenset[str]) -> "Iterator[tuple[str, Symbol]]":
    """Fields and constants that a reader may want to know the value of, then classes and functions."""
    python = (path for path in codebase.files if path.endswith(".py"))
    paths = [path for path in python if not any(part in f"/{path}" for part in _ASIDE)]
    paths.sort(key=lambda path: (path not in older, path.endswith("__init__.py"), path.count("/"), path))
    by_path = []
    for path in paths[:_MOST_FILES]:
        try:
            by_path.append((path, codebase.index(path).symbols))
        except Undecidable:
            continue
    for types in (("field", "constant"), ("class", "function")):
        for path, symbols in by_path:
            named = [s for s in symbols if s.type in types and not s.name.rpartition(".")[2].startswith("_")]
            yield from ((path, symbol) for symbol in named[:_MOST_TRIED])
