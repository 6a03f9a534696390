"""A claim tried under a few edits of the code that it looks at: whether it can fail, and what it does not notice."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.mutation import Edit, breaking, neutral
from auditor.mutation.deciding_syntax import looked_at
from auditor.mutation.places import Source, is_other_code

if TYPE_CHECKING:
    from auditor.claims import Entry
    from auditor.model import Kind
    from auditor.mutation.overlay import Edited


@dataclass(frozen=True, slots=True)
class Trial:
    """One edit: the line before and after it, and what the claim came out as then."""

    operator: str
    place: str
    before: str
    after: str
    kind: "Kind"
    is_breaking: bool
    """Whether the code does something else then; otherwise it is only written in another way."""


def trials(entry: "Entry", code: "Edited", most: int = 2) -> Iterator[Trial]:
    """The claim under edits of what it looks at, at most so many of each operator, those that break the code first.

    Raises Undecidable where what it looks at cannot be found; there is nothing to edit for claims about what is absent.
    """
    spelt = neutral.words(entry.written)
    for path, looked in sorted(looked_at(entry, code.before).items()):
        source = Source(code.before.text(path))
        nodes = looked.nodes(source)
        for edit in _some(breaking.edits(path, source, nodes), source, most):
            yield _tried(entry, code, source, edit, is_breaking=True)
        functions = sorted({f for node in nodes if (f := source.function(node))}, key=lambda one: one.lineno)
        inside = (edit for one in functions for edit in neutral.of_function(path, source, one, nodes))
        for edit in [*neutral.of_file(path, source, functions, spelt), *_some(inside, source, most)]:
            yield _tried(entry, code, source, edit, is_breaking=False)


def can_fail(found: Iterable[Trial], before: "Kind") -> bool:
    """Whether any edit that breaks the code was noticed."""
    return any(one.is_breaking and one.kind is not before for one in found)


def _some(edits: Iterable[Edit], source: Source, most: int) -> Iterator[Edit]:
    """The first edits of each operator that change the code."""
    counts: dict[str, int] = {}
    for edit in edits:
        if counts.get(edit.operator, 0) < most and is_other_code(source.text, edit.text):
            counts[edit.operator] = counts.get(edit.operator, 0) + 1
            yield edit


def _tried(entry: "Entry", code: "Edited", source: Source, edit: Edit, *, is_breaking: bool) -> Trial:
    (kind,) = code.kinds([entry], {edit.path: edit.text})
    rows = edit.text.split("\n")
    pairs = zip(source.rows[edit.line - 1 :], rows[edit.line - 1 :], strict=False)
    old, new = next(((one, other) for one, other in pairs if one != other), ("", ""))
    return Trial(edit.operator, f"{edit.path}:{edit.line}", old.strip(), new.strip(), kind, is_breaking)
