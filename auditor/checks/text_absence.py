"""The check `text-absence`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code.flow.string_values import GAP, is_match, readable, string_values
from auditor.code.phrases import files, listed, quoted
from auditor.code.syntax.term import Term
from auditor.model import Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase


@dataclass(frozen=True, kw_only=True)
class TextAbsence(Check):
    """No string of a scope says something.

    *What it checks.* No string in the files of `scope` has `text` in it: no literal, none put together from literals
    by `+`, `%`, `format` or an f-string; docstrings and comments are left out. `...` in the text stands for anything;
    white space does not matter. Text that is put together from parts of its words at run time is not seen. A file
    that may hold it and cannot be parsed leaves the claim `open`.

    *Parameters.* `scope`: folders and files; `text`.

    *中文。* 某个范围内没有哪个字符串含有所述的文字。

    *Example.*

        check: text-absence
        scope: vllm/v1
        text: swapped out
    """

    scope: tuple[str, ...]
    text: str

    def problems(self) -> Iterator[str]:
        if not self.text.replace("...", "").strip():
            yield "text has no words"
        if not self.scope:
            yield "scope names no place"

    def run(self, codebase: "Codebase") -> Outcome:
        paths = codebase.python_files(self.scope)
        found = [one for path in paths for one in self._in_file(codebase, path)]
        where = Text("in {}", "在 {}中").filled(files(len(paths), self.scope))
        if not found:
            message = Text("{}, no string has {} in it", "{}，没有字符串包含 {}").filled(where, quoted(repr(self.text)))
            return Outcome(Kind.PASS, message, "absent", "absent")
        shown = listed((Text(f"{text!r} ({place})", f"`{text!r}`（{place}）") for text, place in found), 3)
        message = Text("{}, there is {}", "{}，有 {}").filled(where, shown)
        return Outcome(Kind.FAIL, message, "absent", found[0][0], tuple(place for _, place in found[:10]))

    def _in_file(self, codebase: "Codebase", path: str) -> Iterator[tuple[str, Location]]:
        text = codebase.text(path)
        words = [word for piece in self.text.split("...") for word in piece.split()]
        # Quotes and line breaks may stand between two words, but hardly within one.
        if not all(word in text for word in words):
            return
        whole = codebase.whole(path)
        for term in _strings(whole.terms):
            for value in string_values(term):
                if value.text.strip(GAP) and is_match(f"...{self.text}...", value.text):
                    yield readable(value.text)[:_MOST], whole.location_of(term)
                    break


_MOST = 100  # characters of a string that are shown


def _strings(terms: Iterable[Term]) -> Iterator[Term]:
    """The outermost expressions that are strings, those that stand alone left out."""
    pending = list(terms)[::-1]
    while pending:
        term = pending.pop()
        if term.type == "Expr" and term.term("value").type == "Literal":
            continue
        if _is_text(term):
            yield term
            continue
        pending += reversed(list(term.children()))


def _is_text(term: Term) -> bool:
    match term.type:
        case "Literal":
            return isinstance(term.parts["value"], str)
        case "FString":
            return True
        case "BinaryOperation" if term.parts["operator"] == "+":
            return _is_text(term.term("left")) or _is_text(term.term("right"))
        case "BinaryOperation" if term.parts["operator"] == "%":
            return _is_text(term.term("left"))
        case "Call" if term.term("func").parts.get("attr") == "format":
            return _is_text(term.term("func").term("value"))
        case _:
            return False
